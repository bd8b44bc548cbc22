/* Carries the state of a coarse fit to all points (ADR 0015). */
#include "em/warm.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "em/landmarks.h"
#include "em/thinning.h"

#include <math.h>
#include <string.h>

#define SPREAD 0.13     /* sigma2 without noise, in squared spacings: ADR 0109 */
#define LEAST_PART 0.25 /* of sigma2: the rest of a fall is left to the fit */
#define GRAIN 4096      /* points that a thread takes at a time */

/* Of a shape that is not dense every point is its own cell. */
static int64_t cell_of(const sfgp_regions *regions, int64_t point)
{
    return regions->cell ? regions->cell[point] : point;
}

sfgp_status sfgp_em_find_nearest(sfgp_em *em, const sfgp_basis *coarse, int64_t *nearest)
{
    const double *mean = em->problem->basis->mean;
    sfgp_kdtree *tree = NULL;
    double distance2;
    sfgp_status status = sfgp_kdtree_new(em->context, coarse->count, coarse->dimension, coarse->mean, &tree);
    for (int64_t c = 0; status == SFGP_OK && c < em->regions.count; c++)
        nearest[c] = sfgp_kdtree_nearest(
            tree, mean + sfgp_regions_centre(&em->regions, c) * coarse->dimension, &distance2);
    sfgp_kdtree_free(tree);
    return status;
}

typedef struct carrying {
    const sfgp_regions *regions;
    const int64_t *nearest;
    const double *coarse;
    double *fine;
} carrying;

static void carry_some(const void *data, int64_t first, int64_t end)
{
    const carrying *c = data;
    for (int64_t i = first; i < end; i++)
        c->fine[i] = c->coarse[c->nearest[cell_of(c->regions, i)]];
}

/* Values of the subset at all points, cell by cell. */
static void carry_values(const sfgp_regions *regions, const int64_t *nearest, const double *coarse,
                         double *fine)
{
    const carrying all = {regions, nearest, coarse, fine};
    sfgp_parallel_for(regions->points, GRAIN, carry_some, &all);
}

/* Mixing weights, posterior variance, and the variance by the information of the smallest subset. */
static sfgp_status carry_all_values(sfgp_em *em, const sfgp_em *subset)
{
    const double *information = sfgp_em_is_warm(subset) ? subset->coarse.variance : subset->state.variance;
    int64_t *nearest = NULL;
    sfgp_status status = sfgp_allocate(em->context, em->regions.count, &nearest);
    if (status == SFGP_OK)
        status = sfgp_em_find_nearest(em, subset->problem->basis, nearest);
    if (status == SFGP_OK) {
        carry_values(&em->regions, nearest, subset->state.mixing, em->state.mixing);
        carry_values(&em->regions, nearest, subset->posterior.variance, em->posterior.variance);
        carry_values(&em->regions, nearest, information, em->coarse.variance);
        sfgp_lanes_copy(em->problem->basis->count, em->posterior.variance, em->state.variance);
    }
    sfgp_free(nearest);
    return status;
}

/* The posterior of the subset, whose coefficients are those of all points. */
static void carry_posterior(sfgp_em *em, const sfgp_em *subset)
{
    sfgp_posterior *posterior = &em->posterior;
    sfgp_em_state *state = &em->state;
    const size_t size = (size_t)sfgp_basis_size(em->problem->basis);
    sfgp_posterior_copy_factor(&subset->posterior, posterior);
    sfgp_posterior_predict_mean(posterior);
    sfgp_lanes_copy(em->problem->basis->count * em->problem->basis->dimension, posterior->mean,
                    state->points);
    memcpy(state->coefficients, sfgp_posterior_coefficients(posterior), size * sizeof(double));
    em->variance_sigma2 = subset->state.sigma2[0];
}

/* Labels of a finer level are nearer to their points. Of dense shapes: others gain nothing by it. */
static double finer_sigma2(const sfgp_em *em, const sfgp_em *subset)
{
    const double sigma2 = subset->state.sigma2[0], coarse = sfgp_em_spacing(subset->problem),
                 fine = sfgp_em_spacing(em->problem);
    if (em->problem->basis->count <= em->schedule->dense)
        return sigma2;
    return fmax(sigma2 - SPREAD * (coarse * coarse - fine * fine), LEAST_PART * sigma2);
}

static void carry_state(sfgp_em *em, const sfgp_em *subset)
{
    const bool warm = sfgp_em_is_warm(subset);
    em->coarse.sigma = warm ? subset->coarse.sigma : sqrt(subset->state.sigma2[0]);
    em->coarse.point_spacing = warm ? subset->coarse.point_spacing : sfgp_em_spacing(subset->problem);
    em->coarse.spacing = warm ? subset->coarse.spacing : subset->problem->target.spacing;
    em->facts = subset->facts;
    em->state.start = subset->state.start;
    sfgp_em_use_prior(em);
    em->state.pose = subset->state.pose;
    sfgp_landmarks_observe(em, &em->state.pose);
    em->state.omega = subset->state.omega;
    em->state.divergence = subset->state.divergence;
    em->state.iteration = 0;
    sfgp_em_state_set_sigma2(em->problem->basis->count, finer_sigma2(em, subset), &em->state);
}

sfgp_status sfgp_em_warm_start(sfgp_em *em, const sfgp_em *subset)
{
    sfgp_status status = SFGP_OK;
    if (!em->coarse.variance &&
        (status = sfgp_allocate(em->context, em->problem->basis->count, &em->coarse.variance)) != SFGP_OK)
        return status;
    em->schedule = em->problem->warm;
    em->view.exact = em->problem->exact != NULL;
    em->settled = false;
    em->starts++;
    carry_state(em, subset);
    carry_posterior(em, subset);
    sfgp_extrapolation_reset(em);
    status = carry_all_values(em, subset);
    return status == SFGP_OK ? sfgp_thinning_use_warm(em, subset) : status;
}

/* Columns that the coarse basis has not have coefficients of 0. */
static void carry_coefficients(const sfgp_basis *coarse, const double *from, const sfgp_basis *basis,
                               double *to)
{
    const int64_t all = basis->scalar.rank, some = coarse->scalar.rank, d = basis->dimension;
    memset(to, 0, (size_t)(d * all) * sizeof *to);
    memcpy(to, from, (size_t)(d * some) * sizeof *to);
    memcpy(to + d * all, from + d * some, (size_t)basis->pca.modes * sizeof *to);
}

sfgp_status sfgp_em_go_on(sfgp_em *em, const sfgp_basis *coarse, const int64_t *nearest,
                          const sfgp_em_state *from)
{
    const sfgp_basis *basis = em->problem->basis;
    sfgp_em_state *state = &em->state;
    const sfgp_status status = sfgp_em_begin(em, &from->start);
    if (status != SFGP_OK)
        return status;
    carry_coefficients(coarse, from->coefficients, basis, state->coefficients);
    sfgp_basis_multiply(basis, state->coefficients, 0, basis->count, state->points);
    carry_values(&em->regions, nearest, from->variance, state->variance);
    carry_values(&em->regions, nearest, from->mixing, state->mixing);
    sfgp_em_state_set_sigma2(basis->count, from->sigma2[0], state);
    state->omega = from->omega;
    state->pose = from->pose;
    state->divergence = from->divergence;
    state->iteration = from->iteration;
    return SFGP_OK;
}

void sfgp_em_judge_by_itself(sfgp_em *em)
{
    em->coarse.sigma = sqrt(em->state.sigma2[0]);
    em->coarse.spacing = em->problem->target.spacing;
    em->coarse.point_spacing = sfgp_em_spacing(em->problem);
}
