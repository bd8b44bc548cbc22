/* Pivoted Cholesky in two stages: the spread points, then all. The method stands in two_stage.h. */
#include "lowrank/two_stage.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "geom/spread.h"
#include "lowrank/extension.h"
#include "lowrank/pivoted.h"

#include <float.h>
#include <math.h>

#define SPREAD SFGP_TWO_STAGE_SPREAD
#define MARGIN SFGP_TWO_STAGE_MARGIN
#define BLOCK 128

/* n points from `first` on, as rows, of those given axis by axis. */
static void gather_rows(const sfgp_covariance *covariance, int64_t first, int64_t n, double *points)
{
    const int64_t d = covariance->dimension;
    for (int64_t i = 0; i < n; i++)
        for (int64_t axis = 0; axis < d; axis++)
            points[i * d + axis] = covariance->axes[axis * covariance->count + first + i];
}

static sfgp_status choose_spread(sfgp_context *context, const sfgp_covariance *covariance, int64_t *index)
{
    double *points = NULL;
    sfgp_status status = sfgp_allocate(context, covariance->count * covariance->dimension, &points);
    if (status == SFGP_OK) {
        gather_rows(covariance, 0, covariance->count, points);
        status = sfgp_points_spread(context, covariance->count, covariance->dimension, points, SPREAD, index,
                                    NULL);
    }
    sfgp_free(points);
    return status;
}

/* Stage one: the axes (d x SPREAD) of the spread points, and their factor. */
static sfgp_status factorise_spread(sfgp_context *context, const sfgp_covariance *covariance,
                                    const sfgp_factor_request *request, const int64_t *index, double *axes,
                                    sfgp_factor *factor)
{
    const sfgp_covariance spread = {covariance->kernel, SPREAD, covariance->dimension, axes};
    const sfgp_factor_request own = {MARGIN * request->accuracy, request->rank, request->seed, false};
    for (int axis = 0; axis < covariance->dimension; axis++)
        for (int64_t k = 0; k < SPREAD; k++)
            axes[axis * SPREAD + k] = covariance->axes[axis * covariance->count + index[k]];
    return sfgp_factor_pivoted(context, &spread, &own, factor);
}

typedef struct stage_two {
    const sfgp_covariance *covariance;
    const sfgp_extension *extension;
    const sfgp_factor *factor; /* of all points: its values are set */
    double *most;              /* SFGP_LANES: the largest residual variance of each lane */
} stage_two;

static void extend_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const stage_two *s = data;
    double points[BLOCK * 3], left[BLOCK], most = 0;
    for (int64_t at = first; at < end; at += BLOCK) {
        const int64_t n = end - at < BLOCK ? end - at : BLOCK;
        gather_rows(s->covariance, at, n, points);
        sfgp_extension_rows(s->extension, n, points, NULL, s->factor->values + at * s->factor->rank, left);
        for (int64_t i = 0; i < n; i++)
            most = fmax(most, left[i]);
    }
    s->most[lane] = most;
}

/* Stage two: the rows of all points. */
static sfgp_status extend(sfgp_context *context, const sfgp_covariance *covariance,
                          const sfgp_extension *extension, sfgp_factor *factor)
{
    double left[SFGP_LANES];
    factor->rows = covariance->count;
    factor->rank = extension->rank;
    factor->residual = DBL_EPSILON * (double)(factor->rank + 8) * sfgp_kernel_variance(covariance->kernel);
    sfgp_status status = sfgp_allocate_raw(context, factor->rows, factor->rank * (int64_t)sizeof(double),
                                           (void **)&factor->values);
    if (status != SFGP_OK)
        return status;
    const stage_two all = {covariance, extension, factor, left};
    sfgp_lanes_run(covariance->count, extend_lane, &all);
    double most = 0;
    for (int lane = 0; lane < SFGP_LANES; lane++)
        most = fmax(most, left[lane]);
    factor->residual += most;
    return SFGP_OK;
}

/* The pivots of the spread points as indices of all points. */
static sfgp_status translate_pivots(sfgp_context *context, const int64_t *index, const sfgp_factor *spread,
                                    sfgp_factor *factor)
{
    sfgp_status status = sfgp_allocate(context, spread->rank, &factor->pivots);
    for (int64_t k = 0; status == SFGP_OK && k < spread->rank; k++)
        factor->pivots[k] = index[spread->pivots[k]];
    return status;
}

/* Whether the spread points are many times the columns, so that they determine the factor. */
static bool is_determined(const sfgp_factor *spread)
{
    return spread->rank > 0 && spread->rank <= SFGP_TWO_STAGE_RANK;
}

sfgp_status sfgp_factor_two_stages(sfgp_context *context, const sfgp_covariance *covariance,
                                   const sfgp_factor_request *request, sfgp_factor *factor, bool *done)
{
    int64_t *index = NULL;
    double *axes = NULL;
    sfgp_factor spread = {0};
    sfgp_extension extension = {0};
    sfgp_status status = SFGP_OK;
    *factor = (sfgp_factor){0};
    *done = false;
    if ((status = sfgp_allocate(context, SPREAD, &index)) != SFGP_OK ||
        (status = sfgp_allocate(context, SPREAD * covariance->dimension, &axes)) != SFGP_OK ||
        (status = choose_spread(context, covariance, index)) != SFGP_OK ||
        (status = factorise_spread(context, covariance, request, index, axes, &spread)) != SFGP_OK ||
        !is_determined(&spread))
        goto cleanup;
    const sfgp_covariance points = {covariance->kernel, SPREAD, covariance->dimension, axes};
    if ((status = sfgp_extension_from_pivots(context, &points, &spread, &extension)) != SFGP_OK ||
        (status = extend(context, covariance, &extension, factor)) != SFGP_OK ||
        (status = translate_pivots(context, index, &spread, factor)) != SFGP_OK)
        goto cleanup;
    *done = factor->residual <= request->accuracy || factor->rank == request->rank;
cleanup:
    sfgp_free(index);
    sfgp_free(axes);
    sfgp_factor_clear(&spread);
    sfgp_extension_clear(&extension);
    if (!*done)
        sfgp_factor_clear(factor);
    return status;
}
