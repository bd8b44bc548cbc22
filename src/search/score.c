/* The one score by which fits are compared (ADR 0013). */
#include "search/score.h"
#include "em/landmarks.h"
#include "em/mixing.h"
#include "geom/measure.h"
#include "geom/rotations.h"
#include "search/tuning.h"

#include <math.h>

sfgp_status sfgp_search_score(sfgp_em *em, double *score)
{
    const sfgp_basis *basis = em->problem->basis;
    const sfgp_responsibilities *r = &em->responsibilities;
    const double cosine = sfgp_rotation_cosine(em->state.pose.rotation, basis->dimension),
                 turning = sfgp_tuning_of(basis)->turning * (1 - cosine);
    const bool fitted = r->missing < r->count && !sfgp_mixing_all_outliers(em);
    double misfit = 0;
    const sfgp_status status = sfgp_landmarks_misfit(em, &em->state.pose, &misfit);
    *score = fitted ? em->state.bound - sfgp_mixing_bic(em) - turning - 0.5 * misfit : -HUGE_VAL;
    return status;
}

sfgp_status sfgp_search_tempered_score(sfgp_em *em, double *score)
{
    const sfgp_status status = sfgp_search_score(em, score);
    *score -= (sfgp_tuning_of(em->problem->basis)->temper - 1) * em->state.divergence;
    return status;
}

sfgp_status sfgp_search_score_start(sfgp_em *em, double *score)
{
    return em->state.start.stiff ? sfgp_search_tempered_score(em, score) : sfgp_search_score(em, score);
}

bool sfgp_search_sees_vertices(const sfgp_em *em)
{
    const double least = sfgp_tuning_of(em->problem->basis)->sampled;
    return sqrt(em->state.sigma2[0]) <= least * em->problem->target.spacing;
}

bool sfgp_search_is_noisy(const sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    const double most = sfgp_tuning_of(basis)->noisy;
    return most > 0 && sqrt(em->state.sigma2[0]) >
                           most * sfgp_points_spacing(basis->count, basis->dimension, basis->mean);
}

/* T: so many labels of a curve count as one. */
static double temper_of_curve(const sfgp_em *em)
{
    const double labels = sfgp_tuning_of(em->problem->basis)->prior_labels;
    return sfgp_search_sees_vertices(em) ? 1 : fmax(1, (double)em->problem->basis->count / labels);
}

/* Noise hides how a shape bends, and the stiff prior is better by some nats whatever the shape is. */
static double margin_of_curve(const sfgp_em *em)
{
    return sfgp_search_is_noisy(em) ? sfgp_tuning_of(em->problem->basis)->prior_margin : 0;
}

bool sfgp_search_prefers_stiff(const sfgp_em *em, const sfgp_rated *stiff, const sfgp_rated *as_is)
{
    return stiff->score - as_is->score >
           (temper_of_curve(em) - 1) * (stiff->divergence - as_is->divergence) + margin_of_curve(em);
}
