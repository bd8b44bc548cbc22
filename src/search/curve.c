/* What the scan of a curve shows, and which prior it is fitted under. */
#include "search/curve.h"
#include "base/memory.h"
#include "geom/measure.h"
#include "search/tuning.h"

#include <math.h>
#include <string.h>

bool sfgp_curve_shows_vertices(const sfgp_em *em)
{
    const double least = sfgp_tuning_of(em->problem->basis)->sampled_sigma;
    return sqrt(em->state.sigma2[0]) <= least * em->problem->target.spacing;
}

bool sfgp_curve_is_noisy(const sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    const double most = sfgp_tuning_of(basis)->noisy_sigma;
    return most > 0 && sqrt(em->state.sigma2[0]) >
                           most * sfgp_points_spacing(basis->count, basis->dimension, basis->mean);
}

bool sfgp_curve_is_sampled(const sfgp_em *em)
{
    return em->problem->basis->dimension == 2 && !sfgp_curve_shows_vertices(em) && !sfgp_curve_is_noisy(em);
}

double sfgp_curve_temper(const sfgp_em *em)
{
    return (double)em->problem->basis->count / sfgp_tuning_of(em->problem->basis)->information_points;
}

/* T between priors: so many labels of a curve count as one. */
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

double sfgp_curve_gain_of_stiff(const sfgp_em *em, const sfgp_curve_fit *stiff, const sfgp_curve_fit *as_is)
{
    const double behind =
        stiff->divergence - as_is->divergence - sfgp_tuning_of(em->problem->basis)->stiff_margin;
    return stiff->score - as_is->score - (temper_of(em) - 1) * behind - margin_of(em);
}

/* ---- the variance between both fits ----------------------------------------------------------------------- */

/* w |x_i - y_i|^2 / d, both seen from the pose of the fit. */
static void set_between(sfgp_em *em, const sfgp_em_state *stiff, double w)
{
    const int64_t n = em->problem->basis->count;
    const int d = em->problem->basis->dimension;
    double *points = em->deltas; /* free between steps */
    sfgp_similarity_apply(&stiff->pose, n, stiff->points, points);
    sfgp_similarity_undo(&em->state.pose, n, points, points);
    memset(em->between, 0, (size_t)n * sizeof *em->between);
    for (int64_t k = 0; k < n * d; k++)
        em->between[k / d] += w * (points[k] - em->state.points[k]) * (points[k] - em->state.points[k]) / d;
}

sfgp_status sfgp_curve_set_between(sfgp_em *em, const sfgp_em_state *stiff, double gain)
{
    sfgp_status status = SFGP_OK;
    if (!sfgp_curve_is_sampled(em) || !isfinite(gain)) /* infinite: one of both explains nothing */
        return status;
    if (!em->between)
        status = sfgp_allocate(em->context, em->problem->basis->count, &em->between);
    if (status == SFGP_OK)
        set_between(em, stiff, 1 / (1 + exp(-gain / sfgp_curve_temper(em))));
    return status;
}
