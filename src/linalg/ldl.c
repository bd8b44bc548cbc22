/* Sparse LDL' by CHOLMOD (Chen, Davis, Hager, Rajamanickam, ACM TOMS 35(3), 2008) and the diagonal of the inverse from it. */
#include "linalg/ldl.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

struct sfgp_ldl {
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *x, *y, *e; /* workspace of cholmod_solve2 */
};

static sfgp_status check_cholmod(sfgp_context *context, const sfgp_ldl *ldl)
{
    const int status = ldl->common.status;
    if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
        return sfgp_fail(context, SFGP_ERROR_MEMORY, "out of memory in CHOLMOD; use fewer points");
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

/* order: NULL, CHOLMOD chooses */
static sfgp_status analyse(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *order,
                           sfgp_ldl *ldl)
{
    cholmod_sparse form = lower_of(matrix);
    cholmod_start(&ldl->common);
    ldl->common.print = 0;
    ldl->common.supernodal = CHOLMOD_SIMPLICIAL;
    ldl->common.final_ll = 0;
    if (order) {
        ldl->common.nmethods = 1;
        ldl->common.method[0].ordering = CHOLMOD_GIVEN;
    }
    ldl->factor = cholmod_analyze_p(&form, (int32_t *)order, NULL, 0, &ldl->common);
    return check_cholmod(context, ldl);
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
    cholmod_free_dense(&ldl->x, &ldl->common);
    cholmod_free_dense(&ldl->y, &ldl->common);
    cholmod_free_dense(&ldl->e, &ldl->common);
    cholmod_finish(&ldl->common);
    sfgp_free(ldl);
}

/* CHOLMOD's solve, whose workspace stays in ldl. */
static void solve(sfgp_ldl *ldl, int system, size_t columns, double *x)
{
    const size_t n = ldl->factor->n;
    cholmod_dense right = {.nrow = n,
                           .ncol = columns,
                           .nzmax = columns * n,
                           .d = n,
                           .x = x,
                           .xtype = CHOLMOD_REAL,
                           .dtype = CHOLMOD_DOUBLE};
    if (cholmod_solve2(system, ldl->factor, &right, NULL, &ldl->x, NULL, &ldl->y, &ldl->e, &ldl->common))
        memcpy(x, ldl->x->x, columns * n * sizeof *x);
}

/* Makes the workspace of the solve too, so that sfgp_ldl_solve cannot fail. */
static sfgp_status make_workspace(sfgp_context *context, sfgp_ldl *ldl)
{
    double *zero = NULL;
    sfgp_status status = sfgp_allocate(context, SFGP_LDL_COLUMNS * (int64_t)ldl->factor->n, &zero);
    if (status == SFGP_OK) {
        solve(ldl, CHOLMOD_A, SFGP_LDL_COLUMNS, zero);
        status = check_cholmod(context, ldl);
    }
    sfgp_free(zero);
    return status;
}

sfgp_status sfgp_ldl_factorise(sfgp_context *context, const sfgp_sparse *matrix, sfgp_ldl *ldl)
{
    cholmod_sparse form = lower_of(matrix);
    cholmod_factorize(&form, ldl->factor, &ldl->common);
    const sfgp_status status = check_cholmod(context, ldl);
    return status == SFGP_OK ? make_workspace(context, ldl) : status;
}

/* Column j of L: the entries from begin on, D_j first. CHOLMOD may leave room between columns. */
typedef struct column {
    int32_t begin, end;
} column;

static column column_of(const cholmod_factor *factor, int64_t j)
{
    const int32_t *start = factor->p, *length = factor->nz;
    return (column){start[j], start[j] + length[j]};
}

int64_t sfgp_ldl_entries(const sfgp_ldl *ldl)
{
    int64_t sum = 0;
    for (int64_t j = 0; j < (int64_t)ldl->factor->n; j++)
        sum += ((const int32_t *)ldl->factor->nz)[j];
    return sum;
}

int64_t sfgp_ldl_negative(const sfgp_ldl *ldl)
{
    const double *values = ldl->factor->x;
    int64_t count = 0;
    for (int64_t j = 0; j < (int64_t)ldl->factor->n; j++)
        count += values[column_of(ldl->factor, j).begin] < 0;
    return count;
}

void sfgp_ldl_solve(sfgp_ldl *ldl, int columns, double *x)
{
    solve(ldl, CHOLMOD_A, (size_t)columns, x);
}

double sfgp_ldl_log_determinant(const sfgp_ldl *ldl)
{
    const double *values = ldl->factor->x;
    double sum = 0;
    for (int64_t j = 0; j < (int64_t)ldl->factor->n; j++)
        sum += log(fabs(values[column_of(ldl->factor, j).begin]));
    return sum;
}

sfgp_status sfgp_ldl_sample(sfgp_context *context, sfgp_ldl *ldl, int columns, double *x)
{
    const int64_t n = (int64_t)ldl->factor->n;
    const double *values = ldl->factor->x;
    for (int64_t j = 0; j < n; j++)
        for (int k = 0; k < columns; k++)
            x[k * n + j] /= sqrt(values[column_of(ldl->factor, j).begin]);
    solve(ldl, CHOLMOD_Lt, (size_t)columns, x);
    solve(ldl, CHOLMOD_Pt, (size_t)columns, x);
    return check_cholmod(context, ldl);
}

/* ---- diagonal of the inverse ------------------------------------------------------------------------- */

/* Z = inverse of LDL', known where L has entries. With S the rows of column j of L,
 *     Z_ij = -sum_(k in S) Z_ik L_kj for i in S,   Z_jj = 1 / D_j - sum_(k in S) Z_kj L_kj,
 * and S x S is part of the pattern. Columns are computed from the last to the first. */
typedef struct inverse {
    const cholmod_factor *factor;
    const int32_t *rows;
    const double *values;
    double *z;    /* values of Z in the pattern of L */
    double *full; /* n: column j of L, 0 elsewhere */
    double *sum;  /* n: Z L_j at the rows S; what is left elsewhere is never read */
} inverse;

/* sum += column k of Z and its mirror image, times L_j. */
static void add_column(const inverse *s, int64_t k)
{
    const column at = column_of(s->factor, k);
    const double own = s->full[k];
    double mirrored = s->z[at.begin] * own;
    for (int32_t p = at.begin + 1; p < at.end; p++) {
        s->sum[s->rows[p]] += s->z[p] * own;
        mirrored += s->z[p] * s->full[s->rows[p]];
    }
    s->sum[k] += mirrored;
}

static void invert_column(const inverse *s, int64_t j)
{
    const column at = column_of(s->factor, j);
    double diagonal = 1 / s->values[at.begin];
    for (int32_t p = at.begin + 1; p < at.end; p++) {
        s->full[s->rows[p]] = s->values[p];
        s->sum[s->rows[p]] = 0;
    }
    for (int32_t p = at.begin + 1; p < at.end; p++)
        add_column(s, s->rows[p]);
    for (int32_t p = at.begin + 1; p < at.end; p++) {
        s->z[p] = -s->sum[s->rows[p]];
        diagonal -= s->z[p] * s->values[p];
        s->full[s->rows[p]] = 0;
    }
    s->z[at.begin] = diagonal;
}

sfgp_status sfgp_ldl_inverse_diagonal(sfgp_context *context, const sfgp_ldl *ldl, double *diagonal)
{
    const cholmod_factor *factor = ldl->factor;
    const int64_t n = (int64_t)factor->n;
    const int32_t *order = factor->Perm;
    inverse s = {.factor = factor, .rows = factor->i, .values = factor->x};
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate_raw(context, (int64_t)factor->nzmax, sizeof(double), (void **)&s.z)) ==
            SFGP_OK &&
        (status = sfgp_allocate(context, n, &s.full)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &s.sum)) == SFGP_OK)
        for (int64_t j = n - 1; j >= 0; j--) {
            invert_column(&s, j);
            diagonal[order[j]] = s.z[column_of(factor, j).begin];
        }
    sfgp_free(s.z);
    sfgp_free(s.full);
    sfgp_free(s.sum);
    return status;
}
