#include "fit/landmarks.h"
#include "base/memory.h"
#include "base/threads.h"
#include "geom/similarity.h"
#include "gpr/normal.h"
#include "linalg/dense.h"
#include "model/elsewhere.h"

#include <math.h>
#include <string.h>

#define BLOCK SFGP_ELSEWHERE_BLOCK
#define SD_STANDARD 0.01 /* RMS radii */

static sfgp_status check_points(sfgp_context *context, const char *role, int64_t count, int d,
                                const double *points)
{
    for (int64_t k = 0; k < count * d; k++)
        if (!isfinite(points[k]))
            return sfgp_fail(context, SFGP_ERROR_DATA, "landmarks: point %lld of the %s is not finite",
                             (long long)(k / d), role);
    return SFGP_OK;
}

static sfgp_status check(const sfgp_solver *solver, int64_t count, const double *reference,
                         const double *target, double sd)
{
    const int d = solver->model->dimension;
    if (solver->method->baseline)
        return sfgp_fail(solver->context, SFGP_ERROR_PARAMETER,
                         "landmarks: method '%s' cannot take them; use an sfgp method or closest-point",
                         solver->settings.method);
    if (!(sd >= 0))
        return sfgp_fail(
            solver->context, SFGP_ERROR_PARAMETER,
            "landmark sd: %g is not a standard deviation; use 0 (1 %% of the RMS radius) or more", sd);
    sfgp_status status = check_points(solver->context, "reference", count, d, reference);
    return status == SFGP_OK ? check_points(solver->context, "target", count, d, target) : status;
}

/* ---- the prior at the landmarks ---------------------------------------------------------------------- */

void sfgp_solver_clear_landmarks(sfgp_solver *solver)
{
    sfgp_landmark_rows *rows = &solver->landmarks;
    sfgp_free(solver->posterior.landmarks);
    solver->posterior.landmarks = NULL;
    sfgp_free(rows->prior.prior_mean);
    sfgp_factor_clear(&rows->prior.scalar);
    sfgp_pca_clear(&rows->prior.pca);
    sfgp_free(rows->target);
    sfgp_free(rows->labels);
    sfgp_free(rows->weights);
    *rows = (sfgp_landmark_rows){0};
}

static sfgp_status make_room(sfgp_solver *solver, int64_t count)
{
    const sfgp_model *model = solver->model;
    const int64_t d = model->dimension, m = model->scalar.rank, p = model->pca.modes;
    sfgp_landmark_rows *rows = &solver->landmarks;
    sfgp_model *prior = &rows->prior;
    sfgp_status status = SFGP_OK;
    prior->count = prior->scalar.rows = count;
    prior->dimension = (int)d;
    prior->scalar.rank = m;
    prior->pca.modes = p;
    if ((status = sfgp_allocate(solver->context, count * d, &prior->prior_mean)) != SFGP_OK ||
        (status = sfgp_allocate(solver->context, count * m, &prior->scalar.values)) != SFGP_OK ||
        (status = sfgp_allocate(solver->context, count * d * p, &prior->pca.factor)) != SFGP_OK ||
        (status = sfgp_allocate(solver->context, count * d, &rows->target)) != SFGP_OK ||
        (status = sfgp_allocate(solver->context, count * d, &rows->labels)) != SFGP_OK ||
        (status = sfgp_allocate(solver->context, count, &rows->weights)) != SFGP_OK)
        return status;
    return sfgp_allocate(solver->context, solver->posterior.normal_size, &solver->posterior.landmarks);
}

/* Rows first .. of the landmarks from those of a block; weights 1 / (sd^2 + left). */
static void keep_block(const sfgp_elsewhere_rows *block, int64_t first, double variance,
                       sfgp_landmark_rows *rows)
{
    const size_t n = (size_t)block->part.count, d = (size_t)rows->prior.dimension, at = (size_t)first,
                 m = (size_t)rows->prior.scalar.rank, p = (size_t)rows->prior.pca.modes;
    memcpy(rows->prior.prior_mean + at * d, block->part.prior_mean, n * d * sizeof(double));
    memcpy(rows->prior.scalar.values + at * m, block->part.scalar.values, n * m * sizeof(double));
    memcpy(rows->prior.pca.factor + at * d * p, block->part.pca.factor, n * d * p * sizeof(double));
    for (size_t k = 0; k < n; k++)
        rows->weights[at + k] = 1 / (variance + block->left[k]);
}

/* The prior at the reference's landmarks, block after block. */
static void fill(const sfgp_elsewhere *elsewhere, const double *reference, double variance,
                 sfgp_elsewhere_rows *block, sfgp_landmark_rows *rows)
{
    const int64_t count = rows->prior.count, d = rows->prior.dimension;
    double x[BLOCK * 3];
    for (int64_t first = 0; first < count; first += BLOCK) {
        const int64_t n = count - first < BLOCK ? count - first : BLOCK;
        sfgp_frame_enter(&elsewhere->model->frame, n, reference + first * d, x);
        sfgp_elsewhere_fill(elsewhere, n, x, block);
        keep_block(block, first, variance, rows);
    }
}

static sfgp_status set_rows(sfgp_solver *solver, int64_t count, const double *reference, const double *target,
                            double sd)
{
    const sfgp_model *model = solver->model;
    const double deviation = sd > 0 ? sd / model->frame.scale : SD_STANDARD;
    sfgp_elsewhere elsewhere = {0};
    sfgp_elsewhere_rows block = {0};
    sfgp_status status = count > 0 ? check(solver, count, reference, target, sd) : SFGP_OK;
    if (status != SFGP_OK)
        return status;
    sfgp_solver_clear_landmarks(solver);
    solver->posterior.solved = false;
    if (count == 0)
        return SFGP_OK;
    if ((status = sfgp_elsewhere_new(solver->context, model, &elsewhere)) == SFGP_OK &&
        (status = sfgp_elsewhere_rows_new(solver->context, &elsewhere, &block)) == SFGP_OK &&
        (status = make_room(solver, count)) == SFGP_OK) {
        fill(&elsewhere, reference, deviation * deviation, &block, &solver->landmarks);
        sfgp_frame_enter(&model->frame, count, target, solver->landmarks.target);
    } else {
        sfgp_solver_clear_landmarks(solver);
    }
    sfgp_elsewhere_rows_clear(&block);
    sfgp_elsewhere_clear(&elsewhere);
    return status;
}

sfgp_status sfgp_solver_set_landmarks(sfgp_solver *solver, int64_t count, const double *reference,
                                      const double *target, double sd)
{
    const int before = sfgp_threads_begin(solver->settings.threads, solver->model->count);
    const sfgp_status status = set_rows(solver, count, reference, target, sd);
    sfgp_threads_end(before);
    return status;
}

/* ---- seen from a pose -------------------------------------------------------------------------------- */

/* delta_k = y_k seen from the pose - prior mean at x_k */
static void observe(const sfgp_pose *pose, sfgp_landmark_rows *rows)
{
    const int64_t count = rows->prior.count, d = rows->prior.dimension;
    sfgp_pose_undo(pose, (int)d, count, rows->target, rows->labels);
    for (int64_t k = 0; k < count * d; k++)
        rows->labels[k] -= rows->prior.prior_mean[k];
}

/* Their normal equations, block after block, into posterior.landmarks. */
static void sum_up(const sfgp_pose *pose, sfgp_solver *solver)
{
    sfgp_landmark_rows *rows = &solver->landmarks;
    const sfgp_posterior *posterior = &solver->posterior;
    const int64_t count = rows->prior.count, size = posterior->normal_size;
    double *block = posterior->lane_normals, *sums = posterior->landmarks;
    observe(pose, rows);
    memset(sums, 0, (size_t)size * sizeof *sums);
    for (int64_t first = 0; first < count; first += BLOCK) {
        const int64_t end = count - first < BLOCK ? count : first + BLOCK;
        sfgp_normal_accumulate(&rows->prior, rows->weights, rows->labels, first, end, block,
                               posterior->buffers);
        for (int64_t k = 0; k < size; k++)
            sums[k] += block[k];
    }
}

/* sum_k w_k |delta_k|^2 */
static double weighted_square(const sfgp_landmark_rows *rows)
{
    const int64_t d = rows->prior.dimension;
    double sum = 0;
    for (int64_t k = 0; k < rows->prior.count; k++)
        sum += rows->weights[k] * sfgp_dense_dot(d, rows->labels + k * d, rows->labels + k * d);
    return sum;
}

sfgp_status sfgp_solver_landmark_misfit(sfgp_solver *solver, const sfgp_pose *pose, double *misfit)
{
    sfgp_posterior *posterior = &solver->posterior;
    const sfgp_model *model = solver->model;
    *misfit = 0;
    if (!posterior->landmarks)
        return SFGP_OK;
    sum_up(pose, solver);
    memcpy(posterior->lane_normals, posterior->landmarks, (size_t)posterior->normal_size * sizeof(double));
    posterior->solved = false;
    sfgp_status status = sfgp_normal_solve(solver->context, model, posterior->lane_normals);
    const sfgp_normal right = sfgp_normal_parts(model, posterior->landmarks);
    const sfgp_normal solved = sfgp_normal_parts(model, posterior->lane_normals);
    if (status == SFGP_OK) /* delta'(BB' + W^-1)^-1 delta = delta'W delta - (B'W delta)'c */
        *misfit =
            weighted_square(&solver->landmarks) -
            sfgp_dense_dot(model->scalar.rank * model->dimension, right.right_scalar, solved.right_scalar) -
            sfgp_dense_dot(model->pca.modes, right.right_pca, solved.right_pca);
    return status;
}

bool sfgp_solver_landmark_pose(const sfgp_solver *solver, sfgp_pose *pose)
{
    const sfgp_landmark_rows *rows = &solver->landmarks;
    const int d = rows->prior.dimension;
    const sfgp_pairs pairs = {.count = rows->prior.count,
                              .dimension = d,
                              .weight = rows->weights,
                              .from = rows->prior.prior_mean,
                              .to = rows->target};
    sfgp_map map;
    if (pairs.count == 0 || pairs.count < d || !sfgp_map_fit_rigid(&pairs, &map))
        return false;
    memcpy(pose->rotation, map.linear, sizeof map.linear);
    memcpy(pose->shift, map.shift, sizeof map.shift);
    return true;
}

/* ---- where a fit starts ------------------------------------------------------------------------------ */

/* Deviation of the prior, mean square over the points, that the landmarks leave: 1 when they say nothing. */
static double deviation_left(const sfgp_solver *solver)
{
    double left = 0, prior = 0;
    for (int64_t i = 0; i < solver->model->count; i++) {
        left += solver->posterior.variance[i];
        prior += sfgp_model_prior_variance(solver->model, i);
    }
    return left < (1 - 1e-9) * prior ? sqrt(left / prior) : 1; /* 1e-9: no weight changes no bit */
}

sfgp_status sfgp_solver_start_at_landmarks(sfgp_solver *solver)
{
    const size_t n = (size_t)solver->model->count, d = (size_t)solver->model->dimension;
    if (!solver->posterior.landmarks)
        return SFGP_OK;
    sum_up(&solver->pose, solver);
    memset(solver->weights, 0, n * sizeof(double));
    sfgp_status status =
        sfgp_posterior_update(solver->context, solver->weights, solver->deltas, &solver->posterior);
    if (status != SFGP_OK)
        return status;
    memcpy(solver->fitted, solver->posterior.mean, n * d * sizeof(double));
    const double share = solver->method->update_noise == sfgp_noise_keep ? 1 : deviation_left(solver);
    for (size_t i = 0; i < n; i++)
        solver->noise[i] *= share;
    return SFGP_OK;
}
