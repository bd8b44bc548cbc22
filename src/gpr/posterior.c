#include "gpr/posterior.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "gpr/normal.h"
#include "linalg/dense.h"
#include "model/coefficients.h"

#include <math.h>
#include <string.h>

sfgp_status sfgp_posterior_new(sfgp_context *context, const sfgp_model *model, sfgp_posterior *posterior)
{
    const int64_t n = model->count, d = model->dimension, exact = sfgp_normal_buffer_size(model),
                  single = (sfgp_normal_single_size(model) + 1) / 2;
    sfgp_status status = SFGP_OK;
    *posterior = (sfgp_posterior){.model = model,
                                  .normal_size = sfgp_normal_size(model),
                                  .buffer_size = exact > single ? exact : single};
    if ((status = sfgp_allocate(context, SFGP_LANES * posterior->normal_size, &posterior->lane_normals)) ==
            SFGP_OK &&
        (status = sfgp_allocate(context, posterior->normal_size, &posterior->sums)) == SFGP_OK &&
        (status = sfgp_allocate(context, posterior->normal_size, &posterior->factors)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &posterior->held)) == SFGP_OK &&
        (status = sfgp_allocate(context, SFGP_LANES * posterior->buffer_size, &posterior->buffers)) ==
            SFGP_OK &&
        (status = sfgp_allocate(context, n * d, &posterior->mean)) == SFGP_OK)
        status = sfgp_allocate(context, n, &posterior->variance);
    return status;
}

void sfgp_posterior_clear(sfgp_posterior *posterior)
{
    sfgp_free(posterior->lane_normals);
    sfgp_free(posterior->buffers);
    sfgp_free(posterior->landmarks);
    sfgp_free(posterior->sums);
    sfgp_free(posterior->factors);
    sfgp_free(posterior->held);
    sfgp_free(posterior->mean);
    sfgp_free(posterior->variance);
    *posterior = (sfgp_posterior){0};
}

/* Entries first .. end - 1 of the sums of all lanes, and of the landmarks, into lane 0. */
static void add_up(int64_t first, int64_t end, sfgp_posterior *posterior)
{
    for (int lane = 1; lane < SFGP_LANES; lane++)
        for (int64_t k = first; k < end; k++)
            posterior->lane_normals[k] += posterior->lane_normals[lane * posterior->normal_size + k];
    for (int64_t k = first; posterior->landmarks && k < end; k++)
        posterior->lane_normals[k] += posterior->landmarks[k];
}

static void add_lanes(sfgp_posterior *posterior)
{
#pragma omp parallel for schedule(static)
    for (int part = 0; part < SFGP_LANES; part++)
        add_up(sfgp_lane_start(posterior->normal_size, part),
               sfgp_lane_start(posterior->normal_size, part + 1), posterior);
}

/* A and B'W delta, lane 0 of the sums. */
static void accumulate(const double *weights, const double *labels, sfgp_posterior *posterior)
{
    const sfgp_model *model = posterior->model;
#pragma omp parallel for schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sfgp_normal_accumulate(model, weights, labels, sfgp_lane_start(model->count, lane),
                               sfgp_lane_start(model->count, lane + 1),
                               posterior->lane_normals + lane * posterior->normal_size,
                               posterior->buffers + lane * posterior->buffer_size);
    add_lanes(posterior);
}

/* variance: NULL, the mean only */
static void predict(sfgp_posterior *posterior, double *variance)
{
    const sfgp_model *model = posterior->model;
#pragma omp parallel for schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sfgp_normal_predict(model, posterior->lane_normals, sfgp_lane_start(model->count, lane),
                            sfgp_lane_start(model->count, lane + 1),
                            posterior->buffers + lane * posterior->buffer_size, posterior->mean, variance);
}

/* Mean, and the variance with its part of the divergence. */
static void take(const double *weights, sfgp_posterior *posterior)
{
    const sfgp_model *model = posterior->model;
    predict(posterior, posterior->hold ? NULL : posterior->variance);
    if (!posterior->hold)
        posterior->covariance = sfgp_normal_log_determinant(model, posterior->lane_normals) -
                                model->dimension * sfgp_dense_dot(model->count, weights, posterior->variance);
}

sfgp_status sfgp_posterior_update(sfgp_context *context, const double *weights, const double *labels,
                                  sfgp_posterior *posterior)
{
    accumulate(weights, labels, posterior);
    sfgp_status status = sfgp_normal_solve(context, posterior->model, posterior->lane_normals);
    posterior->solved = status == SFGP_OK;
    if (status == SFGP_OK)
        take(weights, posterior);
    return status;
}

/* ---- steps ------------------------------------------------------------------------------------------ */

static float *single_buffer(const sfgp_posterior *posterior, int lane)
{
    return (float *)(posterior->buffers + lane * posterior->buffer_size);
}

void sfgp_posterior_sum(const double *weights, sfgp_posterior *posterior)
{
    const sfgp_model *model = posterior->model;
    posterior->summed = !posterior->landmarks;
    sfgp_lanes_copy(model->count, weights, posterior->held);
    posterior->held_total = sfgp_lanes_total(model->count, weights);
#pragma omp parallel for schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sfgp_normal_accumulate_single(
            model, weights, sfgp_lane_start(model->count, lane), sfgp_lane_start(model->count, lane + 1),
            posterior->lane_normals + lane * posterior->normal_size, single_buffer(posterior, lane));
    add_lanes(posterior);
    memcpy(posterior->sums, posterior->lane_normals, (size_t)posterior->normal_size * sizeof(double));
}

/* W and ratio W' */
typedef struct drift {
    const double *weights, *held;
    double ratio;
} drift;

static double apart(const void *data, int64_t first, int64_t end)
{
    const drift *w = data;
    double sum = 0;
    for (int64_t i = first; i < end; i++)
        sum += fabs(w->weights[i] - w->ratio * w->held[i]);
    return sum;
}

double sfgp_posterior_drift(const sfgp_posterior *posterior, const double *weights, double *ratio)
{
    const int64_t n = posterior->model->count;
    const double now = sfgp_lanes_total(n, weights), then = posterior->held_total;
    if (!posterior->summed || posterior->landmarks || !(now > 0) || !(then > 0))
        return HUGE_VAL;
    *ratio = now / then;
    const drift both = {weights, posterior->held, *ratio};
    return sfgp_lanes_sum(n, apart, &both) / now;
}

/* B' pulls, into the right-hand side of lane 0. */
static void pull(const double *pulls, sfgp_posterior *posterior)
{
    const sfgp_model *model = posterior->model;
    const int64_t m = sfgp_coefficients_size(model), size = posterior->normal_size;
    double *right = sfgp_normal_parts(model, posterior->lane_normals).right_scalar;
#pragma omp parallel for schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++) {
        memset(right + lane * size, 0, (size_t)m * sizeof *right);
        sfgp_coefficients_pull(model, pulls, sfgp_lane_start(model->count, lane),
                               sfgp_lane_start(model->count, lane + 1), right + lane * size);
    }
    for (int lane = 1; lane < SFGP_LANES; lane++)
        for (int64_t k = 0; k < m; k++)
            right[k] += right[lane * size + k];
}

/* The variance of A' with its part of the divergence. */
static void take_variance(double ratio, sfgp_posterior *posterior)
{
    const sfgp_model *model = posterior->model;
    sfgp_normal_narrow(model, posterior->lane_normals, posterior->factors);
#pragma omp parallel for schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sfgp_normal_predict_single(model, posterior->factors, sfgp_lane_start(model->count, lane),
                                   sfgp_lane_start(model->count, lane + 1), single_buffer(posterior, lane),
                                   posterior->variance);
    posterior->covariance =
        sfgp_normal_log_determinant(model, posterior->lane_normals) -
        model->dimension * ratio * sfgp_dense_dot(model->count, posterior->held, posterior->variance);
}

sfgp_status sfgp_posterior_step(sfgp_context *context, double ratio, const double *pulls,
                                const double *coefficients, sfgp_posterior *posterior)
{
    const int64_t m = sfgp_coefficients_size(posterior->model);
    double *right = sfgp_normal_parts(posterior->model, posterior->lane_normals).right_scalar;
    pull(pulls, posterior);
    for (double *a = posterior->lane_normals, *sum = posterior->sums; a < right; a++, sum++)
        *a = ratio * *sum;
    for (int64_t k = 0; k < m; k++)
        right[k] -= coefficients[k];
    sfgp_status status = sfgp_normal_solve(context, posterior->model, posterior->lane_normals);
    posterior->solved = status == SFGP_OK;
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < m; k++)
        right[k] += coefficients[k];
    predict(posterior, NULL);
    if (!posterior->hold)
        take_variance(ratio, posterior);
    return SFGP_OK;
}

void sfgp_posterior_place(sfgp_posterior *posterior)
{
    predict(posterior, NULL);
}

void sfgp_posterior_refresh(sfgp_posterior *posterior)
{
    predict(posterior, posterior->variance);
}

const double *sfgp_posterior_coefficients(const sfgp_posterior *posterior)
{
    return sfgp_normal_parts(posterior->model, posterior->lane_normals).right_scalar;
}

double sfgp_posterior_divergence(const sfgp_posterior *posterior)
{
    const double *c = sfgp_posterior_coefficients(posterior);
    const int64_t m = sfgp_coefficients_size(posterior->model);
    return 0.5 * (sfgp_dense_dot(m, c, c) + posterior->covariance);
}
