/* Pivoted Cholesky in one stage. Column j takes the point with the largest residual variance d as its pivot
 * p,
 *     f = (K_:p - F F_p:') / sqrt(d_p),   d -= f^2,
 * until the largest d is below the accuracy. Only the pivots' rows of K are evaluated: O(n m^2) work, O(n m)
 * memory. The certificate and the rule for ties are in docs/adr/0002-accuracy-is-absolute.md. */
#include "lowrank/pivoted.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "linalg/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct pivoted {
    const sfgp_covariance *covariance;
    int64_t n;         /* points */
    int64_t rank;      /* columns so far */
    int64_t capacity;  /* columns that there is memory for */
    double *columns;   /* n x capacity, by columns: F */
    double *residual;  /* n: d */
    double *radius2;   /* n: breaks ties, so that the result does not depend on the order of the points */
    double *pivot_row; /* rank: F_p: */
    int64_t *pivots;   /* rank */
} pivoted;

static sfgp_status pivoted_new(sfgp_context *context, const sfgp_covariance *covariance, int64_t most,
                               pivoted *state)
{
    const int64_t n = covariance->count;
    sfgp_status status = SFGP_OK;
    *state = (pivoted){.covariance = covariance, .n = n};
    if ((status = sfgp_allocate(context, most, &state->pivots)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &state->residual)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &state->radius2)) != SFGP_OK ||
        (status = sfgp_allocate(context, most, &state->pivot_row)) != SFGP_OK)
        return status;
    for (int64_t i = 0; i < n; i++) {
        state->residual[i] = sfgp_kernel_variance(covariance->kernel);
        for (int axis = 0; axis < covariance->dimension; axis++)
            state->radius2[i] += covariance->axes[axis * n + i] * covariance->axes[axis * n + i];
    }
    return SFGP_OK;
}

static void pivoted_free(pivoted *state)
{
    sfgp_free(state->columns);
    sfgp_free(state->residual);
    sfgp_free(state->radius2);
    sfgp_free(state->pivot_row);
    sfgp_free(state->pivots);
}

static sfgp_status grow(sfgp_context *context, int64_t most, pivoted *state)
{
    int64_t capacity = state->capacity == 0 ? 64 : 2 * state->capacity;
    double *columns = NULL;
    if (state->rank < state->capacity)
        return SFGP_OK;
    if (capacity > most)
        capacity = most;
    sfgp_status status =
        sfgp_allocate_raw(context, state->n, capacity * (int64_t)sizeof *columns, (void **)&columns);
    if (status != SFGP_OK)
        return status;
    if (state->columns)
        memcpy(columns, state->columns, (size_t)(state->n * state->rank) * sizeof *columns);
    sfgp_free(state->columns);
    state->columns = columns;
    state->capacity = capacity;
    return SFGP_OK;
}

static int64_t find_pivot(const pivoted *state)
{
    int64_t best = 0;
    for (int64_t i = 1; i < state->n; i++)
        if (state->residual[i] > state->residual[best] ||
            (state->residual[i] == state->residual[best] && state->radius2[i] > state->radius2[best]))
            best = i;
    return best;
}

typedef struct next_column {
    const pivoted *state;
    int64_t pivot;
    double scale; /* 1 / sqrt(residual of the pivot) */
} next_column;

static void fill_column(const void *data, int lane, int64_t first, int64_t end)
{
    const next_column *next = data;
    const pivoted *state = next->state;
    const int64_t n = state->n, rank = state->rank, size = end - first;
    double *column = state->columns + rank * n;
    (void)lane;
    sfgp_covariance_row(state->covariance, next->pivot, first, size, column + first);
    sfgp_dense_add_columns(size, rank, -1.0, state->columns + first, n, state->pivot_row, column + first);
    for (int64_t i = first; i < end; i++) {
        column[i] *= next->scale;
        state->residual[i] = fmax(state->residual[i] - column[i] * column[i], 0.0);
    }
}

static void add_column(pivoted *state, int64_t pivot)
{
    const next_column next = {state, pivot, 1 / sqrt(state->residual[pivot])};
    for (int64_t k = 0; k < state->rank; k++)
        state->pivot_row[k] = state->columns[k * state->n + pivot];
    sfgp_lanes_run(state->n, fill_column, &next);
    state->residual[pivot] = 0;
    state->pivots[state->rank++] = pivot;
}

/* The factor by rows; rounding of the column updates is added to the certificate. */
static sfgp_status finish(sfgp_context *context, pivoted *state, sfgp_factor *factor)
{
    const int64_t n = state->n, rank = state->rank;
    sfgp_status status =
        sfgp_allocate_bytes(context, n, rank * (int64_t)sizeof(double), (void **)&factor->values);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < rank; k++)
        for (int64_t i = 0; i < n; i++)
            factor->values[i * rank + k] = state->columns[k * n + i];
    factor->rows = n;
    factor->rank = rank;
    factor->pivots = state->pivots;
    state->pivots = NULL;
    factor->residual = state->residual[find_pivot(state)] +
                       DBL_EPSILON * (double)(rank + 8) * sfgp_kernel_variance(state->covariance->kernel);
    return SFGP_OK;
}

sfgp_status sfgp_factor_pivoted(sfgp_context *context, const sfgp_covariance *covariance,
                                const sfgp_factor_request *request, sfgp_factor *factor)
{
    const int64_t most = request->rank < covariance->count ? request->rank : covariance->count;
    const double least = fmax(request->accuracy, 8 * DBL_EPSILON * sfgp_kernel_variance(covariance->kernel));
    pivoted state = {0};
    sfgp_status status = pivoted_new(context, covariance, most, &state);
    *factor = (sfgp_factor){0};
    while (status == SFGP_OK && state.rank < most) {
        int64_t pivot = find_pivot(&state);
        if (state.residual[pivot] <= least)
            break;
        if ((status = grow(context, most, &state)) == SFGP_OK)
            add_column(&state, pivot);
    }
    if (status == SFGP_OK)
        status = finish(context, &state, factor);
    pivoted_free(&state);
    return status;
}
