/* One iteration of a mixture: labels, posterior, map and variance. The equations stand in mixture.h. */
#include "baseline/mixture.h"

#include <math.h>

/* Least sigma^2. With 0 no label would be possible. It is reached for shapes that agree in all digits. */
#define SIGMA2_LEAST 1e-12

/* s^2 sigma_i^2, or 0 for methods that do not use it. */
static double uncertainty(const sfgp_mixture *mixture, int64_t i)
{
    const double scale = mixture->map.scale;
    return mixture->task.method->variances ? scale * scale * mixture->variance[i] : 0;
}

/* p_i = s^2 sigma_i^2 - (2 sigma^2 / d) ln(alpha_i N_R) */
sfgp_status sfgp_mixture_label(sfgp_mixture *mixture)
{
    const int d = mixture->task.basis->dimension;
    const sfgp_estep_state state = {mixture->fitted, mixture->point_variance, mixture->point_sigma2};
    for (int64_t i = 0; i < mixture->labels.count; i++) {
        mixture->point_sigma2[i] = mixture->sigma2;
        mixture->point_variance[i] = uncertainty(mixture, i) - 2 * mixture->sigma2 / d * mixture->mixing[i];
    }
    return sfgp_estep_soft(mixture->context, &mixture->rule, mixture->tree, mixture->target, state,
                           &mixture->labels);
}

/* N, counting each target point in use `thinning` times. */
static double total_mass(const sfgp_mixture *mixture)
{
    double sum = 0;
    for (int64_t i = 0; i < mixture->labels.count; i++)
        sum += mixture->labels.mass[i];
    return (double)mixture->thinning * sum;
}

/* xhat = y + sum_j P_ij (x_j - y_i) / nu_i, and y for points without labels. */
static void average_labels(sfgp_mixture *mixture)
{
    const int d = mixture->task.basis->dimension;
    const sfgp_responsibilities *labels = &mixture->labels;
    for (int64_t i = 0; i < labels->count; i++)
        for (int a = 0; a < d; a++) {
            const double shift = labels->mass[i] > 0 ? labels->first[i * d + a] / labels->mass[i] : 0;
            mixture->labelled[i * d + a] = mixture->fitted[i * d + a] + shift;
        }
}

/* v given T^-1(xhat) - reference, each with the weight nu_i s^2 / sigma^2. */
sfgp_status sfgp_mixture_deform(sfgp_mixture *mixture)
{
    const sfgp_basis *basis = mixture->task.basis;
    const int d = basis->dimension;
    const double scale = mixture->map.scale;
    for (int64_t i = 0; i < basis->count; i++)
        mixture->weights[i] =
            (double)mixture->thinning * mixture->labels.mass[i] * scale * scale / mixture->sigma2;
    sfgp_similarity_undo(&mixture->map, basis->count, mixture->labelled, mixture->deltas);
    for (int64_t k = 0; k < basis->count * d; k++)
        mixture->deltas[k] -= basis->mean[k];
    sfgp_status status =
        sfgp_posterior_update(mixture->context, mixture->weights, mixture->deltas, &mixture->posterior);
    for (int64_t k = 0; k < basis->count * d && status == SFGP_OK; k++)
        mixture->smooth[k] = mixture->posterior.mean[k];
    for (int64_t i = 0; i < basis->count && status == SFGP_OK && mixture->task.method->bayesian; i++)
        mixture->variance[i] = mixture->posterior.variance[i];
    return status;
}

static bool fit_map(sfgp_mixture *mixture)
{
    const sfgp_basis *basis = mixture->task.basis;
    const sfgp_pairs pairs = {.count = basis->count,
                              .dimension = basis->dimension,
                              .weight = mixture->labels.mass,
                              .variance = mixture->task.method->variances ? mixture->variance : NULL,
                              .from = mixture->smooth,
                              .to = mixture->labelled};
    switch (mixture->task.method->map) {
    case SFGP_MIXTURE_SIMILARITY:
        return sfgp_similarity_fit(SFGP_ALIGN_SIMILARITY, &pairs, &mixture->map);
    case SFGP_MIXTURE_AFFINE:
        return sfgp_affine_fit(&pairs, &mixture->affine);
    default:
        return true;
    }
}

/* Updates sigma^2. Compared without fmax, which would hide NaN. */
static void update_sigma2(sfgp_mixture *mixture)
{
    const int d = mixture->task.basis->dimension;
    const double before = sqrt(mixture->sigma2), tolerance = mixture->task.settings->tolerance;
    double sum = 0, mass = 0;
    for (int64_t i = 0; i < mixture->labels.count; i++) {
        const double nu = mixture->labels.mass[i];
        mass += nu;
        sum += sfgp_responsibilities_spread(&mixture->labels, i, mixture->fitted, mixture->moved) / d +
               nu * uncertainty(mixture, i);
    }
    mixture->sigma2 = sum / mass < SIGMA2_LEAST ? SIGMA2_LEAST : sum / mass;
    mixture->collapsed = !isfinite(mixture->sigma2);
    const double after = sqrt(mixture->sigma2);
    mixture->settled = !mixture->collapsed && mixture->iterations + 1 >= SFGP_MIXTURE_LEAST &&
                       fabs(after - before) < tolerance;
}

/* y = T(u), and the mean motion. */
static void move(sfgp_mixture *mixture)
{
    const int d = mixture->task.basis->dimension;
    const int64_t n = mixture->task.basis->count;
    double sum = 0;
    if (mixture->task.method->map == SFGP_MIXTURE_AFFINE)
        sfgp_affine_apply(&mixture->affine, n, mixture->smooth, mixture->moved);
    else
        sfgp_similarity_apply(&mixture->map, n, mixture->smooth, mixture->moved);
    for (int64_t i = 0; i < n; i++) {
        double square = 0;
        for (int a = 0; a < d; a++) {
            const double step = mixture->moved[i * d + a] - mixture->fitted[i * d + a];
            square += step * step;
        }
        sum += sqrt(square);
    }
    mixture->change = sum / (double)n;
}

static void swap_points(sfgp_mixture *mixture)
{
    double *moved = mixture->moved;
    mixture->moved = mixture->fitted;
    mixture->fitted = moved;
}

sfgp_status sfgp_mixture_step(sfgp_mixture *mixture)
{
    const sfgp_mixture_method *method = mixture->task.method;
    const double kappa = mixture->task.settings->kappa;
    bool refined = false;
    sfgp_status status = sfgp_mixture_label(mixture);
    if (status != SFGP_OK)
        return status;
    mixture->collapsed = !(total_mass(mixture) > 0);
    if (mixture->collapsed)
        return SFGP_OK;
    average_labels(mixture);
    if (method->smooth && (status = sfgp_mixture_deform(mixture)) != SFGP_OK)
        return status;
    if (method->bayesian && kappa > 0)
        sfgp_mixture_mix(kappa, (double)mixture->thinning, &mixture->labels, mixture->mixing);
    mixture->collapsed = !fit_map(mixture);
    if (mixture->collapsed)
        return SFGP_OK;
    move(mixture);
    update_sigma2(mixture);
    swap_points(mixture);
    mixture->iterations++;
    status = sfgp_mixture_refine(mixture, &refined);
    mixture->settled = mixture->settled && !refined;
    return status;
}

sfgp_status sfgp_mixture_label_all(sfgp_mixture *mixture)
{
    bool refined = true;
    sfgp_status status = SFGP_OK;
    while (refined && status == SFGP_OK && (status = sfgp_mixture_label(mixture)) == SFGP_OK)
        status = sfgp_mixture_refine(mixture, &refined);
    return status;
}
