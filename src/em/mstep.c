/* The M-step: exact, or quasi-Newton with an older B'WB (paper, eq. 6; ADR 0016). */
#include "em/mstep.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

#define GRAIN 2048 /* points that a thread takes at a time */

/* W_i = n_i / sigma2_i, delta_i = label_i - mean_i with label_i = rbar_i + (sum_j P_ij (s_j - rbar_i)) / n_i.
 * A target point counts for as many as it stands for, each with its weight. */
static void weigh_labels(sfgp_em *em)
{
    const double each = (double)em->state.thinning * em->label_weight;
    const int d = em->problem->basis->dimension;
    const sfgp_responsibilities *r = &em->responsibilities;
    const double *mean = em->problem->basis->mean, *points = em->state.points;
    for (int64_t i = 0; i < r->count; i++) {
        const double n = r->weight[i];
        em->weights[i] = each * n / em->state.sigma2[i];
        for (int a = 0; a < d && n > 0; a++)
            em->deltas[i * d + a] = points[i * d + a] + r->shift[i * d + a] / n - mean[i * d + a];
    }
}

typedef struct shifts {
    const sfgp_em *em;
    double *weights, *shifts;
} shifts;

static void weigh_shifts(const void *data, int64_t first, int64_t end)
{
    const shifts *s = data;
    const sfgp_em *em = s->em;
    const int d = em->problem->basis->dimension;
    const sfgp_responsibilities *r = &em->responsibilities;
    const double each = (double)em->state.thinning * em->label_weight;
    for (int64_t i = first; i < end; i++) {
        const double scale = each / em->state.sigma2[i];
        s->weights[i] = scale * r->weight[i];
        for (int a = 0; a < d; a++)
            s->shifts[i * d + a] = scale * r->shift[i * d + a];
    }
}

void sfgp_em_weigh_shifts(const sfgp_em *em, double *weights, double *residuals)
{
    const shifts s = {em, weights, residuals};
    sfgp_parallel_for(em->responsibilities.count, GRAIN, weigh_shifts, &s);
}

/* Mean posterior variance of a label's point. */
static double labelled_variance(const sfgp_em *em)
{
    const sfgp_responsibilities *r = &em->responsibilities;
    double sum = 0, mass = 0;
    for (int64_t i = 0; i < r->count; i++) {
        sum += r->weight[i] * em->state.variance[i];
        mass += r->weight[i];
    }
    return sum / mass;
}

static bool sigma2_is_near(const sfgp_em *em, double most)
{
    return fabs(em->state.sigma2[0] - em->variance_sigma2) <= most * em->variance_sigma2;
}

/* Whether the posterior variance may stay as it is. */
static bool variance_may_stay(const sfgp_em *em)
{
    const sfgp_em_schedule *s = em->schedule;
    if (!em->view.tiles || em->variance_sigma2 == 0)
        return false;
    return sigma2_is_near(em, s->variance_change) ||
           (s->variance_small > 0 && labelled_variance(em) < s->variance_small * em->state.sigma2[0]);
}

bool sfgp_em_variance_is_current(sfgp_em *em)
{
    const bool current = !em->posterior.freeze_variance || sigma2_is_near(em, em->schedule->variance_final);
    if (!current)
        em->variance_sigma2 = 0;
    return current;
}

/* c + A'^-1 (B'W (label - rbar) - c), where A' has an older B'WB as long as little weight has moved. */
static sfgp_status quasi_newton_step(sfgp_em *em)
{
    sfgp_posterior *posterior = &em->posterior;
    const double most = em->guard.gram_scale * em->schedule->gram_drift;
    double ratio = 1;
    sfgp_em_weigh_shifts(em, em->weights, em->deltas);
    em->guard.reused = !em->guard.fell && sfgp_posterior_gram_drift(posterior, em->weights, &ratio) < most;
    if (!em->guard.reused) {
        sfgp_posterior_accumulate_gram(em->weights, posterior);
        ratio = 1;
    }
    return sfgp_posterior_newton_step(em->context, ratio, em->deltas, em->state.coefficients, posterior);
}

/* The paper's methods follow exact data down to the least sigma2, where rounding of the update would decide when a fit
 * rests (ADR 0076). The labels become residuals. */
static void refine(sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    const int64_t d = basis->dimension;
    for (int64_t i = 0; i < basis->count; i++)
        for (int64_t k = i * d; k < (i + 1) * d; k++)
            em->deltas[k] = em->weights[i] > 0
                                ? em->weights[i] * (em->deltas[k] + basis->mean[k] - em->posterior.mean[k])
                                : 0;
    memcpy(em->state.coefficients, sfgp_posterior_coefficients(&em->posterior),
           (size_t)sfgp_basis_size(basis) * sizeof(double));
    sfgp_posterior_refine(em->deltas, em->state.coefficients, &em->posterior);
}

static sfgp_status exact_step(sfgp_em *em)
{
    em->guard.reused = false;
    weigh_labels(em);
    const sfgp_status status = sfgp_posterior_update(em->context, em->weights, em->deltas, &em->posterior);
    if (status == SFGP_OK && !em->problem->variant->learns && !em->posterior.field)
        refine(em);
    return status;
}

sfgp_status sfgp_em_mstep(sfgp_em *em)
{
    em->posterior.freeze_variance = variance_may_stay(em);
    if (!em->posterior.freeze_variance)
        em->variance_sigma2 = em->state.sigma2[0];
    if (!em->view.tiles || em->posterior.landmarks)
        return exact_step(em);
    const sfgp_status status = quasi_newton_step(em);
    if (status != SFGP_ERROR_NUMERIC)
        return status;
    /* GCOVR_EXCL_START: in single precision I + B'WB has lost its smallest eigenvalues; the short tests have no such fit */
    em->posterior.has_gram = false;
    return exact_step(em);
    /* GCOVR_EXCL_STOP */
}
