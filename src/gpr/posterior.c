/* The M-step: exact update and prediction, by sums in lanes. Equations in posterior.h; steps in posterior_step.c. */
#include "gpr/posterior.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "gpr/normal.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define GRAIN 2048 /* sums that a thread makes at a time */

static sfgp_status add_field(sfgp_context *context, const sfgp_basis *basis, sfgp_posterior *posterior)
{
    if (!basis->field)
        return SFGP_OK;
    const sfgp_status status = sfgp_allocate(context, 1, &posterior->field);
    return status == SFGP_OK ? sfgp_markov_posterior_new(context, basis, posterior->field) : status;
}

sfgp_status sfgp_posterior_new(sfgp_context *context, const sfgp_basis *basis, sfgp_posterior *posterior)
{
    const int64_t n = basis->count, d = basis->dimension, exact = sfgp_normal_buffer_size(basis),
                  single = (sfgp_normal_single_size(basis) + 1) / 2;
    sfgp_status status = SFGP_OK;
    *posterior = (sfgp_posterior){.basis = basis,
                                  .normal_size = sfgp_normal_size(basis),
                                  .buffer_size = exact > single ? exact : single};
    if ((status = sfgp_allocate(context, SFGP_LANES * posterior->normal_size, &posterior->lane_normals)) ==
            SFGP_OK &&
        (status = sfgp_allocate(context, posterior->normal_size, &posterior->gram)) == SFGP_OK &&
        (status = sfgp_allocate(context, posterior->normal_size, &posterior->narrow)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &posterior->gram_weights)) == SFGP_OK &&
        (status = sfgp_allocate(context, SFGP_LANES * posterior->buffer_size, &posterior->buffers)) ==
            SFGP_OK &&
        (status = sfgp_allocate(context, n * d, &posterior->mean)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &posterior->variance)) == SFGP_OK)
        status = add_field(context, basis, posterior);
    return status;
}

void sfgp_posterior_clear(sfgp_posterior *posterior)
{
    if (posterior->field)
        sfgp_markov_posterior_clear(posterior->field);
    sfgp_free(posterior->field);
    sfgp_free(posterior->lane_normals);
    sfgp_free(posterior->buffers);
    sfgp_free(posterior->landmarks);
    sfgp_free(posterior->gram);
    sfgp_free(posterior->narrow);
    sfgp_free(posterior->gram_weights);
    sfgp_free(posterior->mean);
    sfgp_free(posterior->variance);
    *posterior = (sfgp_posterior){0};
}

sfgp_status sfgp_posterior_add_landmarks(sfgp_context *context, sfgp_posterior *posterior)
{
    sfgp_posterior_drop_landmarks(posterior);
    return sfgp_allocate(context, posterior->normal_size, &posterior->landmarks);
}

void sfgp_posterior_drop_landmarks(sfgp_posterior *posterior)
{
    sfgp_free(posterior->landmarks);
    posterior->landmarks = NULL;
    posterior->solved = false;
}

/* Entries first .. end - 1 of the sums of all lanes, and of the landmarks, into lane 0. */
static void add_up(const void *data, int64_t first, int64_t end)
{
    const sfgp_posterior *posterior = data;
    for (int lane = 1; lane < SFGP_LANES; lane++)
        for (int64_t k = first; k < end; k++)
            posterior->lane_normals[k] += posterior->lane_normals[lane * posterior->normal_size + k];
    for (int64_t k = first; posterior->landmarks && k < end; k++)
        posterior->lane_normals[k] += posterior->landmarks[k];
}

static void add_lanes(sfgp_posterior *posterior)
{
    sfgp_parallel_for(posterior->normal_size, GRAIN, add_up, posterior);
}

typedef struct weighted {
    const double *weights;
    const double *labels; /* of each point, less its mean */
    const sfgp_posterior *posterior;
} weighted;

static void accumulate_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const weighted *w = data;
    sfgp_normal_accumulate(w->posterior->basis, w->weights, w->labels, first, end,
                           w->posterior->lane_normals + lane * w->posterior->normal_size,
                           w->posterior->buffers + lane * w->posterior->buffer_size);
}

/* A and B'W delta, lane 0 of the sums. */
static void accumulate(const double *weights, const double *labels, sfgp_posterior *posterior)
{
    const weighted all = {weights, labels, posterior};
    sfgp_lanes_run(posterior->basis->count, accumulate_lane, &all);
    add_lanes(posterior);
}

typedef struct prediction {
    const sfgp_posterior *posterior;
    double *variance; /* NULL: the mean only */
} prediction;

static void predict_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const prediction *p = data;
    const sfgp_posterior *posterior = p->posterior;
    sfgp_normal_predict(posterior->basis, posterior->lane_normals, first, end,
                        posterior->buffers + lane * posterior->buffer_size, posterior->mean, p->variance);
}

/* variance: NULL, the mean only */
static void predict(sfgp_posterior *posterior, double *variance)
{
    const prediction all = {posterior, variance};
    sfgp_lanes_run(posterior->basis->count, predict_lane, &all);
}

/* Mean, and the variance with its part of the divergence. */
static void set_mean_and_variance(const double *weights, sfgp_posterior *posterior)
{
    const sfgp_basis *basis = posterior->basis;
    predict(posterior, posterior->freeze_variance ? NULL : posterior->variance);
    if (!posterior->freeze_variance)
        posterior->covariance = sfgp_normal_log_determinant(basis, posterior->lane_normals) -
                                basis->dimension * sfgp_dense_dot(basis->count, weights, posterior->variance);
}

static sfgp_status update_with_field(sfgp_context *context, const double *weights, const double *labels,
                                     sfgp_posterior *posterior)
{
    const sfgp_markov_update update = {.weights = weights,
                                       .labels = labels,
                                       .prior = posterior->prior,
                                       .lane_normals = posterior->lane_normals,
                                       .buffers = posterior->buffers,
                                       .mean = posterior->mean,
                                       .variance = posterior->variance,
                                       .covariance = &posterior->covariance};
    const sfgp_status status = sfgp_markov_posterior_update(context, &update, posterior->field);
    posterior->solved = status == SFGP_OK;
    return status;
}

sfgp_status sfgp_posterior_update(sfgp_context *context, const double *weights, const double *labels,
                                  sfgp_posterior *posterior)
{
    if (posterior->field)
        return update_with_field(context, weights, labels, posterior);
    accumulate(weights, labels, posterior);
    sfgp_status status =
        sfgp_normal_solve(context, posterior->basis, posterior->prior, posterior->lane_normals);
    posterior->solved = status == SFGP_OK;
    if (status == SFGP_OK)
        set_mean_and_variance(weights, posterior);
    return status;
}

/* ---- sums of older weights --------------------------------------------------------------------------- */

static void accumulate_gram_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const weighted *w = data;
    sfgp_normal_accumulate_single(w->posterior->basis, w->weights, first, end,
                                  w->posterior->lane_normals + lane * w->posterior->normal_size,
                                  sfgp_posterior_single_buffer(w->posterior, lane));
}

void sfgp_posterior_accumulate_gram(const double *weights, sfgp_posterior *posterior)
{
    const sfgp_basis *basis = posterior->basis;
    const weighted all = {.weights = weights, .posterior = posterior};
    posterior->has_gram = !posterior->landmarks;
    sfgp_lanes_copy(basis->count, weights, posterior->gram_weights);
    posterior->gram_total = sfgp_lanes_total(basis->count, weights);
    sfgp_lanes_run(basis->count, accumulate_gram_lane, &all);
    add_lanes(posterior);
    memcpy(posterior->gram, posterior->lane_normals, (size_t)posterior->normal_size * sizeof(double));
}

void sfgp_posterior_accumulate_gram_exactly(const double *weights, const double *labels,
                                            sfgp_posterior *posterior)
{
    posterior->has_gram = false;
    accumulate(weights, labels, posterior);
    memcpy(posterior->gram, posterior->lane_normals, (size_t)posterior->normal_size * sizeof(double));
}

/* W and ratio W' */
typedef struct drift {
    const double *weights;      /* W */
    const double *gram_weights; /* W' */
    double ratio;
} drift;

static double apart(const void *data, int64_t first, int64_t end)
{
    const drift *w = data;
    double sum = 0;
    for (int64_t i = first; i < end; i++)
        sum += fabs(w->weights[i] - w->ratio * w->gram_weights[i]);
    return sum;
}

double sfgp_posterior_gram_drift(const sfgp_posterior *posterior, const double *weights, double *ratio)
{
    const int64_t n = posterior->basis->count;
    const double now = sfgp_lanes_total(n, weights), then = posterior->gram_total;
    if (!posterior->has_gram || posterior->landmarks || !(now > 0) || !(then > 0))
        return HUGE_VAL;
    *ratio = now / then;
    const drift both = {weights, posterior->gram_weights, *ratio};
    return sfgp_lanes_sum(n, apart, &both) / now;
}

/* ---- what a posterior holds -------------------------------------------------------------------------- */

void sfgp_posterior_copy_factor(const sfgp_posterior *from, sfgp_posterior *to)
{
    memcpy(to->lane_normals, from->lane_normals, (size_t)to->normal_size * sizeof(double));
    to->covariance = from->covariance;
    to->solved = from->solved;
    to->has_gram = false;
}

void sfgp_posterior_set_coefficients(const double *coefficients, sfgp_posterior *posterior)
{
    double *right = sfgp_normal_parts(posterior->basis, posterior->lane_normals).right_scalar;
    memcpy(right, coefficients, (size_t)sfgp_basis_size(posterior->basis) * sizeof *right);
    predict(posterior, NULL);
}

void sfgp_posterior_predict_mean(sfgp_posterior *posterior)
{
    predict(posterior, NULL);
}

void sfgp_posterior_predict_variance(sfgp_posterior *posterior)
{
    predict(posterior, posterior->variance);
}

const double *sfgp_posterior_coefficients(const sfgp_posterior *posterior)
{
    return sfgp_normal_parts(posterior->basis, posterior->lane_normals).right_scalar;
}

double sfgp_posterior_divergence(const sfgp_posterior *posterior)
{
    const double *c = sfgp_posterior_coefficients(posterior);
    const int64_t s = posterior->basis->scalar.rank, d = posterior->basis->dimension;
    return 0.5 *
           (sfgp_prior_square(posterior->prior, s, d, c) + (posterior->field ? posterior->field->square : 0) +
            sfgp_prior_square(NULL, posterior->basis->pca.modes, 1, c + s * d) +
            sfgp_prior_log_determinant(posterior->prior, d) + posterior->covariance);
}
