/* Orderings by CHOLMOD's analysis. */
#include "linalg/ordering.h"
#include "base/memory.h"
#include "linalg/symmetric.h"

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

/* Where METIS was called and gets no memory, CHOLMOD takes AMD without a word. A CHOLMOD without METIS does not call it. */
static sfgp_status order_by_metis(sfgp_context *context, const sfgp_sparse *matrix, analysis *a)
{
    order_by(matrix, CHOLMOD_METIS, NULL, a);
    const bool made = a->common.status == CHOLMOD_OK && a->factor->ordering == CHOLMOD_METIS;
    if (!made)
        cholmod_free_factor(&a->factor, &a->common);
    return made || !a->common.called_nd ? SFGP_OK : fail_memory(context);
}

/* ---- powers of a graph ------------------------------------------------------------------------------- */

/* For a matrix whose rows are up to three edges of a graph apart. set: of each row the set of the nested dissection of the graph,
 * where a set is after those that it separates. */
typedef struct dissection {
    sfgp_sparse graph; /* both triangles */
    int32_t *parent;   /* n: of a set; -1: none */
    int32_t *first;    /* n: the first set of those that a set separates, itself included */
    int32_t *set;      /* n */
    int32_t *wide;     /* n: the sets of the matrix */
    int32_t *order;    /* n */
} dissection;

static void dissection_clear(dissection *d)
{
    sfgp_sparse_clear(&d->graph);
    sfgp_free(d->parent);
    sfgp_free(d->first);
    sfgp_free(d->set);
    sfgp_free(d->wide);
    sfgp_free(d->order);
}

static sfgp_status dissection_new(sfgp_context *context, const sfgp_sparse *graph, dissection *d)
{
    const int64_t n = (int64_t)graph->form.ncol;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_symmetric_expand(context, graph, &d->graph)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &d->parent)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &d->first)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &d->set)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &d->wide)) == SFGP_OK)
        status = sfgp_allocate(context, n, &d->order);
    return status;
}

static void find_sets(const sfgp_sparse *graph, analysis *a, dissection *d)
{
    cholmod_sparse form = lower_of(graph);
    a->common.current = 0;
    a->common.method[0].nd_camd = 0; /* the order within sets is that of the matrix, later */
    const int64_t sets = cholmod_nested_dissection(&form, NULL, 0, d->order, d->parent, d->set, &a->common);
    for (int32_t k = 0; k < sets; k++)
        d->first[k] = k;
    for (int32_t k = 0; k < sets; k++)
        if (d->parent[k] >= 0 && d->first[k] < d->first[d->parent[k]])
            d->first[d->parent[k]] = d->first[k];
}

/* What a separator of the graph keeps apart is two edges apart. With its neighbours it keeps four edges between, and with those of
 * its last part three. */
static void widen(int exponent, dissection *d)
{
    const int32_t *start = sfgp_sparse_start(&d->graph), *index = sfgp_sparse_index(&d->graph);
    for (int64_t j = 0; j < (int64_t)d->graph.form.ncol; j++) {
        d->wide[j] = d->set[j];
        for (int32_t p = start[j]; p < start[j + 1]; p++) {
            const int32_t other = d->set[index[p]];
            if (other > d->wide[j] && (exponent > 2 || d->set[j] >= d->first[other - 1]))
                d->wide[j] = other;
        }
    }
}

static sfgp_status order_by_power(sfgp_context *context, const sfgp_sparse *matrix,
                                  const sfgp_ordering_power *power, analysis *a)
{
    cholmod_sparse form = lower_of(matrix);
    dissection d = {0};
    sfgp_status status = dissection_new(context, power->graph, &d);
    if (status == SFGP_OK) {
        find_sets(power->graph, a, &d);
        status = check_cholmod(context, a);
    }
    if (status == SFGP_OK) {
        widen(power->exponent, &d);
        if (cholmod_camd(&form, NULL, 0, d.wide, d.order, &a->common))
            order_by(matrix, CHOLMOD_GIVEN, d.order, a);
        status = check_cholmod(context, a);
    }
    dissection_clear(&d);
    return status;
}

/* ---- the choice -------------------------------------------------------------------------------------- */

/* Another ordering after AMD, if it leaves fewer entries. */
static sfgp_status try_other(sfgp_context *context, const sfgp_sparse *matrix,
                             const sfgp_ordering_power *power, analysis *a)
{
    cholmod_factor *amd = a->factor;
    const double entries = a->common.lnz;
    a->factor = NULL;
    const sfgp_status status =
        power ? order_by_power(context, matrix, power, a) : order_by_metis(context, matrix, a);
    const bool fewer = status == SFGP_OK && a->factor && a->common.lnz < entries;
    cholmod_free_factor(fewer ? &amd : &a->factor, &a->common);
    a->factor = fewer ? a->factor : amd;
    return status;
}

/* CHOLMOD's own rule for METIS: AMD leaves 500 operations an entry of L, and five times the entries of the matrix. */
static sfgp_status choose_ordering(sfgp_context *context, const sfgp_sparse *matrix,
                                   const sfgp_ordering_power *power, analysis *a)
{
    const cholmod_common *found = &a->common;
    order_by(matrix, CHOLMOD_AMD, NULL, a);
    const sfgp_status status = check_cholmod(context, a);
    if (status != SFGP_OK || found->fl < 500 * found->lnz || found->lnz < 5 * found->anz)
        return status;
    return try_other(context, matrix, power, a);
}

static sfgp_status analyse(sfgp_context *context, const sfgp_sparse *matrix, const sfgp_ordering_given *given,
                           analysis *a)
{
    if (!given->known)
        return choose_ordering(context, matrix, given->power, a);
    order_by(matrix, CHOLMOD_GIVEN, given->known, a);
    return check_cholmod(context, a);
}

sfgp_status sfgp_ordering_find(sfgp_context *context, const sfgp_sparse *matrix,
                               const sfgp_ordering_given *given, int32_t *order, int32_t *lengths)
{
    const size_t n = matrix->form.ncol;
    analysis a = {0};
    cholmod_start(&a.common);
    a.common.print = 0;
    a.common.supernodal = CHOLMOD_SIMPLICIAL;
    a.common.metis_memory = METIS_MEMORY;
    const sfgp_status status = analyse(context, matrix, given, &a);
    if (status == SFGP_OK) {
        memcpy(order, a.factor->Perm, n * sizeof *order);
        memcpy(lengths, a.factor->ColCount, n * sizeof *lengths);
    }
    cholmod_free_factor(&a.factor, &a.common);
    cholmod_finish(&a.common);
    return status;
}
