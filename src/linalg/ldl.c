/* Sparse LDL' by CHOLMOD (Chen, Davis, Hager, Rajamanickam, ACM TOMS 35(3), 2008) and the diagonal of the inverse from it. */
#include "linalg/ldl.h"
#include "base/memory.h"
#include "linalg/ldl_view.h"

#include <math.h>
#include <stdbool.h>

/* Times the memory that METIS takes at most, asked for before METIS is called: it prints and raises a signal where it gets none. */
#define METIS_MEMORY 2

struct sfgp_ldl {
    cholmod_common common;
    cholmod_factor *factor;
    double *work; /* n x SFGP_LDL_COLUMNS: right-hand sides in the order of L */
};

static sfgp_status fail_memory(sfgp_context *context)
{
    return sfgp_fail(context, SFGP_ERROR_MEMORY, "out of memory in CHOLMOD; use fewer points");
}

static sfgp_status check_cholmod(sfgp_context *context, const sfgp_ldl *ldl)
{
    const int status = ldl->common.status;
    if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
        return fail_memory(context);
    if (status != CHOLMOD_OK)
        return sfgp_fail(context, SFGP_ERROR_NUMERIC, "CHOLMOD: the factorisation stopped with %d", status);
    return SFGP_OK;
}

/* CHOLMOD's view of the matrix: its lower triangle. */
static cholmod_sparse lower_of(const sfgp_sparse *matrix)
{
    cholmod_sparse form = matrix->form;
    form.stype = -1;
    form.sorted = 1;
    return form;
}

/* ---- ordering ---------------------------------------------------------------------------------------- */

/* One ordering at a time: of several, CHOLMOD passes over one that gets no memory, and the next one has other rounding errors. order: that of
 * CHOLMOD_GIVEN. */
static void order_by(const sfgp_sparse *matrix, int ordering, const int32_t *order, sfgp_ldl *ldl)
{
    cholmod_sparse form = lower_of(matrix);
    ldl->common.nmethods = 1;
    ldl->common.method[0].ordering = ordering;
    ldl->factor = cholmod_analyze_p(&form, (int32_t *)order, NULL, 0, &ldl->common);
}

/* METIS after AMD, if it leaves fewer entries. Where METIS was called and gets no memory, CHOLMOD takes AMD without a word. A CHOLMOD without METIS
 * does not call it. */
static sfgp_status try_metis(sfgp_context *context, const sfgp_sparse *matrix, sfgp_ldl *ldl)
{
    cholmod_factor *amd = ldl->factor;
    const double entries = ldl->common.lnz;
    order_by(matrix, CHOLMOD_METIS, NULL, ldl);
    const bool made = ldl->common.status == CHOLMOD_OK && ldl->factor->ordering == CHOLMOD_METIS,
               fewer = made && ldl->common.lnz < entries, failed = !made && ldl->common.called_nd;
    cholmod_free_factor(fewer ? &amd : &ldl->factor, &ldl->common);
    ldl->factor = fewer ? ldl->factor : amd;
    return failed ? fail_memory(context) : SFGP_OK;
}

/* CHOLMOD's own rule for METIS: AMD leaves 500 operations an entry of L, and five times the entries of the matrix. */
static sfgp_status choose_ordering(sfgp_context *context, const sfgp_sparse *matrix, sfgp_ldl *ldl)
{
    const cholmod_common *found = &ldl->common;
    order_by(matrix, CHOLMOD_AMD, NULL, ldl);
    const sfgp_status status = check_cholmod(context, ldl);
    if (status != SFGP_OK || found->fl < 500 * found->lnz || found->lnz < 5 * found->anz)
        return status;
    return try_metis(context, matrix, ldl);
}

/* order: NULL, AMD or METIS */
static sfgp_status analyse(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *order,
                           sfgp_ldl *ldl)
{
    cholmod_start(&ldl->common);
    ldl->common.print = 0;
    ldl->common.supernodal = CHOLMOD_SIMPLICIAL;
    ldl->common.final_ll = 0;
    ldl->common.metis_memory = METIS_MEMORY;
    if (order)
        order_by(matrix, CHOLMOD_GIVEN, order, ldl);
    const sfgp_status status = order ? check_cholmod(context, ldl) : choose_ordering(context, matrix, ldl);
    return status == SFGP_OK
               ? sfgp_allocate(context, SFGP_LDL_COLUMNS * (int64_t)matrix->form.ncol, &ldl->work)
               : status;
}

sfgp_status sfgp_ldl_new_ordered(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *order,
                                 sfgp_ldl **made)
{
    sfgp_ldl *ldl = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &ldl);
    *made = NULL;
    if (status != SFGP_OK)
        return status;
    if ((status = analyse(context, matrix, order, ldl)) == SFGP_OK)
        *made = ldl;
    else
        sfgp_ldl_free(ldl);
    return status;
}

sfgp_status sfgp_ldl_new(sfgp_context *context, const sfgp_sparse *matrix, sfgp_ldl **made)
{
    return sfgp_ldl_new_ordered(context, matrix, NULL, made);
}

const int32_t *sfgp_ldl_order(const sfgp_ldl *ldl)
{
    return ldl->factor->Perm;
}

void sfgp_ldl_free(sfgp_ldl *ldl)
{
    if (!ldl)
        return;
    cholmod_free_factor(&ldl->factor, &ldl->common);
    cholmod_finish(&ldl->common);
    sfgp_free(ldl->work);
    sfgp_free(ldl);
}

sfgp_status sfgp_ldl_factorise(sfgp_context *context, const sfgp_sparse *matrix, sfgp_ldl *ldl)
{
    cholmod_sparse form = lower_of(matrix);
    cholmod_factorize(&form, ldl->factor, &ldl->common);
    return check_cholmod(context, ldl);
}

/* ---- L and D ----------------------------------------------------------------------------------------- */

static sfgp_ldl_view view_of(const sfgp_ldl *ldl)
{
    const cholmod_factor *l = ldl->factor;
    return (sfgp_ldl_view){(int64_t)l->n, (int64_t)l->nzmax, l->p, l->nz, l->i, l->x};
}

int64_t sfgp_ldl_entries(const sfgp_ldl *ldl)
{
    const int32_t *column = ldl->factor->ColCount;
    int64_t sum = 0;
    for (int64_t j = 0; j < (int64_t)ldl->factor->n; j++)
        sum += column[j];
    return sum;
}

int64_t sfgp_ldl_negative(const sfgp_ldl *ldl)
{
    const sfgp_ldl_view l = view_of(ldl);
    int64_t count = 0;
    for (int64_t j = 0; j < l.count; j++)
        count += l.values[l.start[j]] < 0;
    return count;
}

double sfgp_ldl_log_determinant(const sfgp_ldl *ldl)
{
    const sfgp_ldl_view l = view_of(ldl);
    double sum = 0;
    for (int64_t j = 0; j < l.count; j++)
        sum += log(fabs(l.values[l.start[j]]));
    return sum;
}

/* ---- solves ------------------------------------------------------------------------------------------ */

/* x (columns x n) = P'y */
static void permute_back(const sfgp_ldl *ldl, int columns, double *x)
{
    const int32_t *order = sfgp_ldl_order(ldl);
    const int64_t n = (int64_t)ldl->factor->n;
    for (int64_t k = 0; k < n; k++)
        for (int c = 0; c < columns; c++)
            x[c * n + order[k]] = ldl->work[k * columns + c];
}

void sfgp_ldl_solve(sfgp_ldl *ldl, int columns, double *x)
{
    const sfgp_ldl_view view = view_of(ldl);
    const int32_t *order = sfgp_ldl_order(ldl);
    for (int64_t k = 0; k < view.count; k++)
        for (int c = 0; c < columns; c++)
            ldl->work[k * columns + c] = x[c * view.count + order[k]];
    sfgp_ldl_forward(&view, columns, ldl->work);
    sfgp_ldl_divide(&view, columns, ldl->work);
    sfgp_ldl_backward(&view, columns, ldl->work);
    permute_back(ldl, columns, x);
}

void sfgp_ldl_sample(sfgp_ldl *ldl, int columns, double *x)
{
    const sfgp_ldl_view view = view_of(ldl);
    for (int64_t j = 0; j < view.count; j++)
        for (int c = 0; c < columns; c++)
            ldl->work[j * columns + c] = x[c * view.count + j] / sqrt(view.values[view.start[j]]);
    sfgp_ldl_backward(&view, columns, ldl->work);
    permute_back(ldl, columns, x);
}

sfgp_status sfgp_ldl_inverse_diagonal(sfgp_context *context, const sfgp_ldl *ldl, double *diagonal)
{
    const sfgp_ldl_view view = view_of(ldl);
    return sfgp_ldl_view_inverse(context, &view, sfgp_ldl_order(ldl), diagonal);
}
