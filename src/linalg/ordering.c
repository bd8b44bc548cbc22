/* Orderings by CHOLMOD's analysis. */
#include "linalg/ordering.h"

#include <stdbool.h>
#include <string.h>

/* Times the memory that METIS takes at most, asked for before METIS is called: it prints and raises a signal where it gets none. */
#define METIS_MEMORY 2

typedef struct analysis {
    cholmod_common common;
    cholmod_factor *factor;
} analysis;

static sfgp_status fail_memory(sfgp_context *context)
{
    return sfgp_fail(context, SFGP_ERROR_MEMORY, "out of memory in CHOLMOD; use fewer points");
}

static sfgp_status check_cholmod(sfgp_context *context, const analysis *a)
{
    const int status = a->common.status;
    if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
        return fail_memory(context);
    if (status != CHOLMOD_OK) /* GCOVR_EXCL_START: no matrix is known that stops it */
        return sfgp_fail(context, SFGP_ERROR_NUMERIC, "CHOLMOD: the analysis stopped with %d", status);
    /* GCOVR_EXCL_STOP */
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

/* One ordering at a time: of several, CHOLMOD passes over one that gets no memory, and the next one has other rounding errors. known: that of
 * CHOLMOD_GIVEN. */
static void order_by(const sfgp_sparse *matrix, int ordering, const int32_t *known, analysis *a)
{
    cholmod_sparse form = lower_of(matrix);
    a->common.nmethods = 1;
    a->common.method[0].ordering = ordering;
    a->factor = cholmod_analyze_p(&form, (int32_t *)known, NULL, 0, &a->common);
}

/* METIS after AMD, if it leaves fewer entries. Where METIS was called and gets no memory, CHOLMOD takes AMD without a word. A CHOLMOD without METIS
 * does not call it. */
static sfgp_status try_metis(sfgp_context *context, const sfgp_sparse *matrix, analysis *a)
{
    cholmod_factor *amd = a->factor;
    const double entries = a->common.lnz;
    order_by(matrix, CHOLMOD_METIS, NULL, a);
    const bool made = a->common.status == CHOLMOD_OK && a->factor->ordering == CHOLMOD_METIS,
               fewer = made && a->common.lnz < entries, failed = !made && a->common.called_nd;
    cholmod_free_factor(fewer ? &amd : &a->factor, &a->common);
    a->factor = fewer ? a->factor : amd;
    return failed ? fail_memory(context) : SFGP_OK;
}

/* CHOLMOD's own rule for METIS: AMD leaves 500 operations an entry of L, and five times the entries of the matrix. */
static sfgp_status choose_ordering(sfgp_context *context, const sfgp_sparse *matrix, analysis *a)
{
    const cholmod_common *found = &a->common;
    order_by(matrix, CHOLMOD_AMD, NULL, a);
    const sfgp_status status = check_cholmod(context, a);
    if (status != SFGP_OK || found->fl < 500 * found->lnz || found->lnz < 5 * found->anz)
        return status;
    return try_metis(context, matrix, a);
}

static sfgp_status analyse(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *known,
                           analysis *a)
{
    if (!known)
        return choose_ordering(context, matrix, a);
    order_by(matrix, CHOLMOD_GIVEN, known, a);
    return check_cholmod(context, a);
}

sfgp_status sfgp_ordering_find(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *known,
                               int32_t *order, int32_t *lengths)
{
    const size_t n = matrix->form.ncol;
    analysis a = {0};
    cholmod_start(&a.common);
    a.common.print = 0;
    a.common.supernodal = CHOLMOD_SIMPLICIAL;
    a.common.metis_memory = METIS_MEMORY;
    const sfgp_status status = analyse(context, matrix, known, &a);
    if (status == SFGP_OK) {
        memcpy(order, a.factor->Perm, n * sizeof *order);
        memcpy(lengths, a.factor->ColCount, n * sizeof *lengths);
    }
    cholmod_free_factor(&a.factor, &a.common);
    cholmod_finish(&a.common);
    return status;
}
