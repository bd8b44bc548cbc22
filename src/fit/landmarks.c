#include "fit/landmarks.h"
#include "base/memory.h"
#include "gpr/normal.h"
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

/* Weights 1 / (sd^2 + left) and labels y - prior mean of the block that is in rows. */
static void observe(const sfgp_elsewhere_rows *rows, const double *targets, double variance, double *weights,
                    double *labels)
{
    const int64_t d = rows->part.dimension;
    for (int64_t k = 0; k < rows->part.count; k++) {
        weights[k] = 1 / (variance + rows->left[k]);
        for (int64_t a = 0; a < d; a++)
            labels[k * d + a] = targets[k * d + a] - rows->part.prior_mean[k * d + a];
    }
}

/* sums += the normal equations of all landmarks, block after block. */
static void add_landmarks(const sfgp_solver *solver, const sfgp_elsewhere *elsewhere,
                          sfgp_elsewhere_rows *rows, int64_t count, const double *reference,
                          const double *target, double variance, double *sums)
{
    const sfgp_posterior *posterior = &solver->posterior;
    const sfgp_frame *frame = &solver->model->frame;
    const int64_t d = solver->model->dimension;
    double x[BLOCK * 3], y[BLOCK * 3], weights[BLOCK], labels[BLOCK * 3], *block = posterior->lane_normals;
    for (int64_t first = 0; first < count; first += BLOCK) {
        const int64_t n = count - first < BLOCK ? count - first : BLOCK;
        sfgp_frame_enter(frame, n, reference + first * d, x);
        sfgp_frame_enter(frame, n, target + first * d, y);
        sfgp_elsewhere_fill(elsewhere, n, x, rows);
        observe(rows, y, variance, weights, labels);
        sfgp_normal_accumulate(&rows->part, weights, labels, 0, n, block, posterior->buffers);
        for (int64_t k = 0; k < posterior->normal_size; k++)
            sums[k] += block[k];
    }
}

sfgp_status sfgp_solver_set_landmarks(sfgp_solver *solver, int64_t count, const double *reference,
                                      const double *target, double sd)
{
    const sfgp_model *model = solver->model;
    const double deviation = sd > 0 ? sd / model->frame.scale : SD_STANDARD;
    sfgp_elsewhere elsewhere = {0};
    sfgp_elsewhere_rows rows = {0};
    double *sums = NULL;
    sfgp_status status = count > 0 ? check(solver, count, reference, target, sd) : SFGP_OK;
    if (status != SFGP_OK)
        return status;
    sfgp_free(solver->posterior.landmarks);
    solver->posterior.landmarks = NULL;
    solver->posterior.solved = false;
    if (count == 0)
        return SFGP_OK;
    if ((status = sfgp_elsewhere_new(solver->context, model, (int)solver->settings.threads, &elsewhere)) ==
            SFGP_OK &&
        (status = sfgp_elsewhere_rows_new(solver->context, &elsewhere, &rows)) == SFGP_OK &&
        (status = sfgp_allocate(solver->context, solver->posterior.normal_size, &sums)) == SFGP_OK) {
        add_landmarks(solver, &elsewhere, &rows, count, reference, target, deviation * deviation, sums);
        solver->posterior.landmarks = sums;
    }
    sfgp_elsewhere_rows_clear(&rows);
    sfgp_elsewhere_clear(&elsewhere);
    return status;
}

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
