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
#define BLOCK 128 /* points whose rows are made at once */
#define TRIAL 16  /* one block in so many is tried first */
#define WORST SFGP_TWO_STAGE_WORST
#define EACH (WORST / SFGP_LANES / (ROUNDS - 1)) /* of a lane, of a round */
#define ROUNDS 3                                 /* two were enough for faces */

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

/* ---- stage one --------------------------------------------------------------------------------------- */

/* The points of stage one, and their factor. */
typedef struct stage_one {
    int64_t count;
    int64_t *index; /* SPREAD + WORST */
    double *axes;   /* d x count */
    sfgp_covariance points;
    sfgp_factor factor;
    sfgp_extension extension;
} stage_one;

static sfgp_status stage_one_new(sfgp_context *context, const sfgp_covariance *covariance, stage_one *one)
{
    sfgp_status status = SFGP_OK;
    *one = (stage_one){.count = SPREAD};
    if ((status = sfgp_allocate(context, SPREAD + WORST, &one->index)) == SFGP_OK &&
        (status = sfgp_allocate(context, (SPREAD + WORST) * covariance->dimension, &one->axes)) == SFGP_OK)
        status = choose_spread(context, covariance, one->index);
    return status;
}

static void stage_one_clear(stage_one *one)
{
    sfgp_free(one->index);
    sfgp_free(one->axes);
    sfgp_factor_clear(&one->factor);
    sfgp_extension_clear(&one->extension);
}

/* Whether the points are many times the columns, so that they determine the factor. */
static bool is_determined(const stage_one *one)
{
    return one->factor.rank > 0 && one->factor.rank <= SFGP_TWO_STAGE_RANK;
}

static sfgp_status factorise_points(sfgp_context *context, const sfgp_covariance *covariance,
                                    const sfgp_factor_request *request, double margin, stage_one *one)
{
    const sfgp_factor_request own = {margin * request->accuracy, request->rank, request->seed, false};
    for (int axis = 0; axis < covariance->dimension; axis++)
        for (int64_t k = 0; k < one->count; k++)
            one->axes[axis * one->count + k] = covariance->axes[axis * covariance->count + one->index[k]];
    one->points = (sfgp_covariance){covariance->kernel, one->count, covariance->dimension, one->axes};
    sfgp_factor_clear(&one->factor);
    sfgp_extension_clear(&one->extension);
    const sfgp_status status = sfgp_factor_pivoted(context, &one->points, &own, &one->factor);
    return status == SFGP_OK && is_determined(one)
               ? sfgp_extension_from_pivots(context, &one->points, &one->factor, &one->extension)
               : status;
}

/* ---- stage two --------------------------------------------------------------------------------------- */

/* The worst points of a lane, at most one of a block. */
typedef struct worst {
    double most; /* the largest residual variance */
    int64_t count, index[EACH];
} worst;

typedef struct stage_two {
    const sfgp_covariance *covariance;
    const sfgp_extension *extension;
    const sfgp_factor *factor; /* of all points: its values are set */
    double least;              /* residual variance of the points that are noted */
    bool trial;                /* the first of TRIAL blocks of a lane, else the others */
    worst *lanes;              /* SFGP_LANES */
} stage_two;

static void note_worst(const stage_two *s, int64_t at, int64_t n, const double *left, worst *lane)
{
    int64_t found = 0;
    for (int64_t i = 1; i < n; i++)
        found = left[i] > left[found] ? i : found;
    lane->most = fmax(lane->most, left[found]);
    if (left[found] > s->least && lane->count < EACH)
        lane->index[lane->count++] = at + found;
}

static void extend_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const stage_two *s = data;
    double points[BLOCK * 3], left[BLOCK];
    for (int64_t at = first; at < end; at += BLOCK) {
        const int64_t n = end - at < BLOCK ? end - at : BLOCK;
        if (((at - first) / BLOCK % TRIAL == 0) != s->trial)
            continue;
        gather_rows(s->covariance, at, n, points);
        sfgp_extension_rows(s->extension, n, points, NULL, s->factor->values + at * s->factor->rank, left);
        note_worst(s, at, n, left, s->lanes + lane);
    }
}

/* Some rows; returns the largest residual variance of all that there are. */
static double extend_some(const stage_two *s)
{
    double most = 0;
    sfgp_lanes_run(s->covariance->count, extend_lane, s);
    for (int lane = 0; lane < SFGP_LANES; lane++)
        most = fmax(most, s->lanes[lane].most);
    return most;
}

static sfgp_status make_room(sfgp_context *context, const sfgp_covariance *covariance, int64_t rank,
                             sfgp_factor *factor)
{
    sfgp_factor_clear(factor);
    factor->rows = covariance->count;
    factor->rank = rank;
    factor->residual = DBL_EPSILON * (double)(rank + 8) * sfgp_kernel_variance(covariance->kernel);
    return sfgp_allocate_raw(context, factor->rows, rank * (int64_t)sizeof(double), (void **)&factor->values);
}

static bool suffices(const sfgp_factor_request *request, const sfgp_factor *factor, double most)
{
    return factor->residual + most <= request->accuracy || factor->rank == request->rank;
}

/* The rows of a trial, and if it is good enough those of all points. */
static sfgp_status extend(sfgp_context *context, const sfgp_covariance *covariance,
                          const sfgp_factor_request *request, const stage_one *one, worst *lanes,
                          sfgp_factor *factor, bool *done)
{
    const sfgp_status status = make_room(context, covariance, one->extension.rank, factor);
    if (status != SFGP_OK)
        return status;
    stage_two two = {covariance, &one->extension, factor, MARGIN * request->accuracy, true, lanes};
    double most = extend_some(&two);
    two.trial = false;
    if (suffices(request, factor, most))
        most = extend_some(&two);
    *done = suffices(request, factor, most);
    factor->residual += most;
    return SFGP_OK;
}

/* The pivots of the spread points as indices of all points. */
static sfgp_status translate_pivots(sfgp_context *context, const stage_one *one, sfgp_factor *factor)
{
    sfgp_status status = sfgp_allocate(context, one->factor.rank, &factor->pivots);
    for (int64_t k = 0; status == SFGP_OK && k < one->factor.rank; k++)
        factor->pivots[k] = one->index[one->factor.pivots[k]];
    return status;
}

static void add_worst(const worst *lanes, stage_one *one)
{
    for (int lane = 0; lane < SFGP_LANES; lane++)
        for (int64_t k = 0; k < lanes[lane].count; k++)
            one->index[one->count++] = lanes[lane].index[k];
}

/* A round with the spread points, and more with the worst points of those before. */
static sfgp_status run(sfgp_context *context, const sfgp_covariance *covariance,
                       const sfgp_factor_request *request, stage_one *one, sfgp_factor *factor, bool *done)
{
    sfgp_status status = SFGP_OK;
    double margin = MARGIN;
    for (int round = 0; round < ROUNDS && !*done; round++, margin *= MARGIN) {
        worst lanes[SFGP_LANES] = {{0}};
        status = factorise_points(context, covariance, request, margin, one);
        if (status != SFGP_OK || !is_determined(one))
            return status;
        if ((status = extend(context, covariance, request, one, lanes, factor, done)) != SFGP_OK)
            return status;
        if (round < ROUNDS - 1)
            add_worst(lanes, one);
    }
    return *done ? translate_pivots(context, one, factor) : SFGP_OK;
}

sfgp_status sfgp_factor_two_stages(sfgp_context *context, const sfgp_covariance *covariance,
                                   const sfgp_factor_request *request, sfgp_factor *factor, bool *done)
{
    stage_one one;
    *factor = (sfgp_factor){0};
    *done = false;
    sfgp_status status = stage_one_new(context, covariance, &one);
    if (status == SFGP_OK)
        status = run(context, covariance, request, &one, factor, done);
    stage_one_clear(&one);
    if (status != SFGP_OK || !*done)
        sfgp_factor_clear(factor);
    return status;
}
