/* Carrying points: lanes over the points, blocks in a lane. */
#include "base/lanes.h"
#include "base/memory.h"
#include "base/threads.h"
#include "deformation/deformation.h"
#include "gpr/normal.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define BLOCK SFGP_PRIOR_AT_BLOCK

/* One lane's room. */
typedef struct carrier {
    const sfgp_deformation *map;
    sfgp_prior_rows rows;
    double *block;  /* the map's, as functions of gpr want one of their own */
    double *buffer; /* of the prediction */
    double points[BLOCK * 3], moved[BLOCK * 3], variance[BLOCK];
} carrier;

static void carrier_clear(carrier *lane)
{
    sfgp_prior_rows_clear(&lane->rows);
    sfgp_free(lane->buffer);
}

static sfgp_status carrier_new(sfgp_context *context, const sfgp_deformation *map, carrier *lane)
{
    lane->map = map;
    lane->block = map->block;
    sfgp_status status = sfgp_prior_rows_new(context, &map->prior, &lane->rows);
    lane->rows.basis.across = map->basis.across;
    return status == SFGP_OK ? sfgp_allocate(context, sfgp_normal_buffer_size(&map->basis), &lane->buffer)
                             : status;
}

/* Rows of B become those of Z. */
static void eliminate_field(carrier *lane, int64_t i)
{
    const sfgp_basis *from = &lane->map->eliminated, *to = &lane->rows.basis;
    const sfgp_prior_support *at = &lane->rows.along[i];
    const int64_t s = from->scalar.rank, p = from->dimension * from->pca.modes;
    for (int k = 0; k < at->count; k++) {
        for (int64_t c = 0; c < s; c++)
            to->scalar.values[i * s + c] -= at->weight[k] * from->scalar.values[at->index[k] * s + c];
        for (int64_t c = 0; c < p; c++)
            to->pca.factor[i * p + c] -= at->weight[k] * from->pca.factor[at->index[k] * p + c];
    }
}

/* + residual and variance, interpolated */
static void add_residual(carrier *lane, int64_t i)
{
    const sfgp_deformation *map = lane->map;
    const sfgp_neighbourhood *near = &lane->rows.nearby[i];
    const sfgp_prior_support *along = map->model->field ? &lane->rows.along[i] : NULL;
    const int64_t d = map->model->dimension;
    double added = 0, least = HUGE_VAL;
    for (int k = 0; k < (along ? along->count : near->count); k++) {
        const double weight = along ? along->weight[k] : near->weight[k];
        const int64_t from = along ? along->index[k] : near->index[k];
        added += weight * map->added[from];
        least = fmin(least, map->stated[from]);
        for (int64_t a = 0; a < d; a++)
            lane->moved[i * d + a] += weight * map->residual[from * d + a];
    }
    lane->variance[i] += lane->rows.left[i] + added;
    if (added < 0)
        lane->variance[i] = fmax(lane->variance[i], least);
}

/* The first n points of lane->points to lane->moved and lane->variance. Blocks are always full: BLAS rounds
 * otherwise in short ones, and where a point goes would depend on what is carried with it. */
static void carry(carrier *lane, int64_t n)
{
    const int d = lane->map->model->dimension;
    for (int64_t k = n * d; k < BLOCK * d; k++)
        lane->points[k] = lane->points[k - d];
    sfgp_prior_at_fill(&lane->map->prior, BLOCK, lane->points, &lane->rows);
    for (int64_t i = 0; i < BLOCK && lane->map->model->field; i++)
        eliminate_field(lane, i);
    sfgp_normal_predict(&lane->rows.basis, lane->block, 0, BLOCK, lane->buffer, lane->moved, lane->variance);
    for (int64_t i = 0; i < n; i++)
        add_residual(lane, i);
    sfgp_similarity_apply(&lane->map->pose, n, lane->moved, lane->moved);
}

typedef struct carried {
    carrier *lanes; /* SFGP_LANES */
    const double *in;
    double *out;
    double *sd;   /* NULL: not wanted */
    double *left; /* the same */
} carried;

static void carry_range(const void *data, int number, int64_t first, int64_t end)
{
    const carried *all = data;
    carrier *lane = &all->lanes[number];
    const sfgp_frame *frame = &lane->map->model->frame, *left = &lane->map->frame;
    for (int64_t at = first; at < end; at += BLOCK) {
        const int64_t n = end - at < BLOCK ? end - at : BLOCK;
        sfgp_frame_enter(frame, n, all->in + at * frame->dimension, lane->points);
        carry(lane, n);
        sfgp_frame_leave(left, n, lane->moved, all->out + at * frame->dimension);
        for (int64_t i = 0; all->sd && i < n; i++)
            all->sd[at + i] = left->scale * sqrt(lane->variance[i]);
        for (int64_t i = 0; all->left && i < n; i++)
            all->left[at + i] = lane->rows.left[i];
    }
}

static sfgp_status carry_all(sfgp_context *context, const sfgp_deformation *map, int64_t count,
                             const carried *job)
{
    carrier *lanes = NULL;
    sfgp_status status = sfgp_allocate(context, SFGP_LANES, &lanes);
    for (int lane = 0; lane < SFGP_LANES && status == SFGP_OK; lane++)
        status = carrier_new(context, map, &lanes[lane]);
    const carried all = {lanes, job->in, job->out, job->sd, job->left};
    if (status == SFGP_OK)
        sfgp_lanes_run(count, carry_range, &all);
    for (int lane = 0; lanes && lane < SFGP_LANES; lane++)
        carrier_clear(&lanes[lane]);
    sfgp_free(lanes);
    return status;
}

/* R'(points - moved), in the frame: what T turns into the gap between them. */
static void set_residual(sfgp_deformation *made, const double *moved)
{
    const sfgp_model *model = made->model;
    sfgp_similarity turn = made->pose;
    memset(turn.shift, 0, sizeof turn.shift);
    for (int64_t k = 0; k < model->count * model->dimension; k++)
        made->residual[k] = (made->points[k] - moved[k]) / made->frame.scale;
    sfgp_frame_enter_columns(&model->frame, model->count, 1, made->residual);
    sfgp_similarity_undo(&turn, model->count, made->residual, made->residual);
}

/* What the carried points of the reference lack of the variance of the fit. */
static void set_stated(sfgp_deformation *made, const double *sd, const double *left)
{
    for (int64_t i = 0; i < made->model->count; i++) {
        const double variance = pow(sd[i] / made->frame.scale, 2) - left[i];
        made->stated[i] = fmax(variance + made->extra_variance[i], 0);
        made->added[i] = made->extra_variance[i] - left[i];
    }
}

/* room: N (d + 2) numbers */
static sfgp_status carry_reference(sfgp_context *context, sfgp_deformation *made, double *room)
{
    const int64_t n = made->model->count;
    double *sd = room + n * made->model->dimension;
    const carried job = {.in = made->model->original, .out = room, .sd = sd, .left = sd + n};
    const sfgp_status status = carry_all(context, made, n, &job);
    if (status == SFGP_OK) {
        set_residual(made, room);
        set_stated(made, job.sd, job.left);
    }
    return status;
}

sfgp_status sfgp_deformation_finish(sfgp_context *context, sfgp_deformation *made)
{
    const sfgp_model *model = made->model;
    double *room = NULL;
    sfgp_status status = sfgp_prior_at_new(context, model, &made->prior);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, model->count * (model->dimension + 2), &room);
    if (status == SFGP_OK)
        status = carry_reference(context, made, room);
    sfgp_free(room);
    return status;
}

sfgp_status sfgp_deformation_apply(sfgp_context *context, const sfgp_deformation *deformation, int64_t count,
                                   const double *in, int64_t threads, double *out, double *sd)
{
    const int d = deformation->model->dimension;
    for (int64_t i = 0; i < count; i++)
        if (!sfgp_frame_reaches(&deformation->model->frame, in + i * d))
            return sfgp_fail(context, SFGP_ERROR_DATA,
                             "apply: point %lld is not finite, or farther than %g RMS radii: remove it",
                             (long long)i, SFGP_FRAME_FARTHEST);
    const int before = sfgp_threads_begin(threads, count);
    sfgp_status status = sfgp_dense_prepare(context);
    if (status == SFGP_OK)
        status = carry_all(context, deformation, count, &(carried){.in = in, .out = out, .sd = sd});
    sfgp_threads_end(before);
    return status;
}
