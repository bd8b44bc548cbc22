/* One iteration of expectation maximisation, and the loop. */
#include "em/loop.h"
#include "base/lanes.h"
#include "base/progress.h"
#include "em/estep.h"
#include "em/mixing.h"
#include "em/mstep.h"
#include "em/thinning.h"
#include "geom/measure.h"

#include <math.h>
#include <string.h>

static bool is_unlabelled(const sfgp_em *em)
{
    return em->responsibilities.missing == em->responsibilities.count;
}

/* E-step; a rejected extrapolation is retracted, and the E-step made again. */
static sfgp_status guarded_estep(sfgp_em *em)
{
    sfgp_status status = sfgp_em_estep(em);
    if (status == SFGP_OK && sfgp_guard_rejects(em)) {
        sfgp_extrapolation_retract(em);
        status = sfgp_em_estep(em);
    }
    if (status == SFGP_OK)
        sfgp_guard_record(em);
    return status;
}

static sfgp_status mstep(sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_MSTEP);
    const sfgp_status status = sfgp_em_mstep(em);
    sfgp_profile_leave(em->context, mark);
    if (status != SFGP_OK)
        return status;
    em->change = sfgp_points_apart(basis->count, basis->dimension, em->posterior.mean, em->state.points);
    if (!isfinite(em->change)) /* GCOVR_EXCL_START: a guard; no shape is known that gets here */
        return sfgp_fail(em->context, SFGP_ERROR_NUMERIC, "fit: the points are no longer finite");
    /* GCOVR_EXCL_STOP */
    em->state.divergence = sfgp_posterior_divergence(&em->posterior);
    return SFGP_OK;
}

static void update_parameters(sfgp_em *em)
{
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_PARAMETERS);
    em->problem->variant->update_sigma2(em);
    if (em->problem->variant->learns)
        sfgp_mixing_learn(em);
    sfgp_profile_leave(em->context, mark);
}

/* The posterior becomes the state. */
static void accept_posterior(sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    sfgp_lanes_copy(basis->count * basis->dimension, em->posterior.mean, em->state.points);
    sfgp_lanes_copy(basis->count, em->posterior.variance, em->state.variance);
    memcpy(em->state.coefficients, sfgp_posterior_coefficients(&em->posterior),
           (size_t)sfgp_basis_size(basis) * sizeof(double));
    em->state.iteration++;
    em->iterations++;
}

/* The motion counts against sigma, which must rest as well: exact data are followed far below the tolerance.
 */
static bool rests(const sfgp_em *em, double last_sigma2)
{
    const double tolerance = em->problem->tolerance, sigma2 = em->state.sigma2[0];
    return em->change < fmin(sfgp_em_rest_motion(em), em->schedule->rest_step * sqrt(sigma2)) &&
           (fabs(sigma2 - last_sigma2) < em->schedule->rest_sigma2 * sigma2 ||
            sigma2 < tolerance * tolerance * tolerance);
}

sfgp_status sfgp_em_step(sfgp_em *em)
{
    sfgp_status status = guarded_estep(em);
    if (status != SFGP_OK || is_unlabelled(em))
        return status;
    if ((status = mstep(em)) != SFGP_OK)
        return status;
    const double last_sigma2 = em->state.sigma2[0];
    update_parameters(em);
    accept_posterior(em);
    const bool is_final = sfgp_thinning_is_final(em);
    em->settled =
        is_final && !em->extrapolation.pending && rests(em, last_sigma2) && sfgp_em_variance_is_current(em);
    sfgp_extrapolation_advance(em, last_sigma2, is_final);
    return sfgp_thinning_refine(em);
}

sfgp_status sfgp_em_report(const sfgp_em *em)
{
    const sfgp_responsibilities *r = &em->responsibilities;
    const sfgp_progress progress = {.iteration = em->state.iteration,
                                    .max_iterations = em->max_iterations,
                                    .change = em->change,
                                    .tolerance = sfgp_em_rest_motion(em),
                                    .missing = (double)r->missing / (double)r->count};
    return sfgp_progress_report(em->context, &progress);
}

sfgp_status sfgp_em_run_to(sfgp_em *em, int64_t iteration, sfgp_outcome *outcome)
{
    const bool comparable = em->problem->comparable;
    *outcome = comparable ? SFGP_MAX_ITERATIONS : SFGP_NO_OVERLAP;
    while (comparable && em->state.iteration < iteration) {
        sfgp_status status = sfgp_em_step(em);
        if (status != SFGP_OK)
            return status;
        if (is_unlabelled(em)) { /* a fit that learns and runs out of labels keeps what it had */
            if (!em->problem->variant->learns || em->state.iteration == 0)
                *outcome = SFGP_NO_OVERLAP;
            break;
        }
        if ((status = sfgp_em_report(em)) != SFGP_OK)
            return status;
        if (em->settled) {
            *outcome = SFGP_CONVERGED;
            break;
        }
        if (!em->extrapolation.pending && sfgp_progress_is_late(em->context))
            break;
    }
    return SFGP_OK;
}

sfgp_status sfgp_em_run(sfgp_em *em, sfgp_outcome *outcome)
{
    return sfgp_em_run_to(em, em->max_iterations, outcome);
}
