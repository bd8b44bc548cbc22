/* What the scan of a curve shows, and which prior it is fitted under. */
#include "search/curve.h"
#include "geom/measure.h"
#include "search/tuning.h"

#include <math.h>

bool sfgp_curve_shows_vertices(const sfgp_em *em)
{
    const double least = sfgp_tuning_of(em->problem->basis)->sampled;
    return sqrt(em->state.sigma2[0]) <= least * em->problem->target.spacing;
}

bool sfgp_curve_is_noisy(const sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    const double most = sfgp_tuning_of(basis)->noisy;
    return most > 0 && sqrt(em->state.sigma2[0]) >
                           most * sfgp_points_spacing(basis->count, basis->dimension, basis->mean);
}

/* T: so many labels of a curve count as one. */
static double temper_of(const sfgp_em *em)
{
    const double labels = sfgp_tuning_of(em->problem->basis)->prior_labels;
    return sfgp_curve_shows_vertices(em) ? 1 : fmax(1, (double)em->problem->basis->count / labels);
}

/* Noise hides how a shape bends, and the stiff prior is better by some nats whatever the shape is. */
static double margin_of(const sfgp_em *em)
{
    return sfgp_curve_is_noisy(em) ? sfgp_tuning_of(em->problem->basis)->prior_margin : 0;
}

bool sfgp_curve_prefers_stiff(const sfgp_em *em, const sfgp_curve_fit *stiff, const sfgp_curve_fit *as_is)
{
    return stiff->score - as_is->score >
           (temper_of(em) - 1) * (stiff->divergence - as_is->divergence) + margin_of(em);
}
