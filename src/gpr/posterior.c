#include "gpr/posterior.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "gpr/normal.h"
#include "linalg/dense.h"
#include "model/coefficients.h"

sfgp_status sfgp_posterior_new(sfgp_context *context, const sfgp_model *model, int threads,
                               sfgp_posterior *posterior)
{
    const int64_t n = model->count, d = model->dimension;
    sfgp_status status = SFGP_OK;
    *posterior = (sfgp_posterior){.model = model,
                                  .threads = threads,
                                  .normal_size = sfgp_normal_size(model),
                                  .buffer_size = sfgp_normal_buffer_size(model)};
    if ((status = sfgp_allocate(context, SFGP_LANES * posterior->normal_size, &posterior->lane_normals)) ==
            SFGP_OK &&
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

/* A and B'W delta, lane 0 of the sums. */
static void accumulate(const double *weights, const double *labels, sfgp_posterior *posterior)
{
    const sfgp_model *model = posterior->model;
#pragma omp parallel for num_threads(posterior->threads) schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sfgp_normal_accumulate(model, weights, labels, sfgp_lane_start(model->count, lane),
                               sfgp_lane_start(model->count, lane + 1),
                               posterior->lane_normals + lane * posterior->normal_size,
                               posterior->buffers + lane * posterior->buffer_size);
#pragma omp parallel for num_threads(posterior->threads) schedule(static)
    for (int part = 0; part < SFGP_LANES; part++)
        add_up(sfgp_lane_start(posterior->normal_size, part),
               sfgp_lane_start(posterior->normal_size, part + 1), posterior);
}

/* variance: NULL, the mean only */
static void predict(sfgp_posterior *posterior, double *variance)
{
    const sfgp_model *model = posterior->model;
#pragma omp parallel for num_threads(posterior->threads) schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sfgp_normal_predict(model, posterior->lane_normals, sfgp_lane_start(model->count, lane),
                            sfgp_lane_start(model->count, lane + 1),
                            posterior->buffers + lane * posterior->buffer_size, posterior->mean, variance);
}

sfgp_status sfgp_posterior_update(sfgp_context *context, const double *weights, const double *labels,
                                  sfgp_posterior *posterior)
{
    const sfgp_model *model = posterior->model;
    accumulate(weights, labels, posterior);
    sfgp_status status = sfgp_normal_solve(context, model, posterior->lane_normals);
    posterior->solved = status == SFGP_OK;
    if (status != SFGP_OK)
        return status;
    predict(posterior, posterior->hold ? NULL : posterior->variance);
    if (!posterior->hold)
        posterior->covariance = sfgp_normal_log_determinant(model, posterior->lane_normals) -
                                model->dimension * sfgp_dense_dot(model->count, weights, posterior->variance);
    return SFGP_OK;
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
