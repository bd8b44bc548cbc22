/* Judges whether a fit has found its target, by the labelled points and sigma (ADR 0005). */
#include "outcome/overlap.h"
#include "base/quantile.h"
#include "em/mixing.h"
#include "outcome/length.h"
#include "search/doubt.h"
#include "search/effort.h"
#include "search/tuning.h"
#include "search/unreached.h"

#include <math.h>

#define NEARLY 0.99 /* of the largest sigma2: the limit, but for rounding */

double sfgp_overlap_sigma(sfgp_em *em)
{
    const sfgp_responsibilities *r = &em->responsibilities;
    double *sorted = em->weights;
    int64_t count = 0;
    if (em->problem->variant->learns) /* one for all points */
        return r->missing < r->count ? sqrt(em->state.sigma2[0]) : 0;
    for (int64_t i = 0; i < r->count; i++)
        if (r->weight[i] > 0)
            sorted[count++] = em->state.sigma2[i];
    sfgp_sort(count, sorted);
    return count > 0 ? sqrt(sfgp_quantile(count, sorted, 0.5)) : 0;
}

/* A search that found nothing ends with nothing but outliers, or with the largest sigma2. */
static bool is_scattered(sfgp_em *em)
{
    if (em->problem->variant->learns)
        return sfgp_mixing_all_outliers(em) || em->state.sigma2[0] > NEARLY * em->problem->cold->sigma2_most;
    return !em->problem->variant->fixed_sigma2 &&
           sfgp_overlap_sigma(em) > sfgp_tuning_of(em->problem->basis)->sigma_most;
}

bool sfgp_overlap_is_none(sfgp_em *em, sfgp_outcome outcome)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    const sfgp_responsibilities *r = &em->responsibilities;
    const double labelled = (double)(r->count - r->missing) / (double)r->count;
    const bool settled = outcome == SFGP_CONVERGED || (double)em->state.iteration >= tuning->settled_after;
    return labelled < tuning->labelled_least || (settled && is_scattered(em));
}

/* Of the target points that the search sees: in a warm fit those of the smallest level, as the points of a dense target may be
 * closer than their noise. */
static double spacing_of_search(const sfgp_em *em)
{
    return sfgp_em_is_warm(em) ? em->coarse.spacing : em->problem->target.spacing;
}

static double label_scatter(sfgp_em *em)
{
    return sfgp_em_is_warm(em) ? em->coarse.sigma : sfgp_overlap_sigma(em);
}

double sfgp_overlap_scatter(sfgp_em *em)
{
    const double spacing = spacing_of_search(em);
    return !em->problem->variant->fixed_sigma2 && spacing > 0 ? label_scatter(em) / spacing : 0;
}

bool sfgp_overlap_scatters(sfgp_em *em)
{
    return sfgp_overlap_scatter(em) > sfgp_tuning_of(em->problem->basis)->residual_most;
}

static double point_spacing(const sfgp_em *em)
{
    return sfgp_em_is_warm(em) ? em->coarse.point_spacing : sfgp_em_spacing(em->problem);
}

bool sfgp_overlap_is_judged(const sfgp_em *em)
{
    return em->problem->variant->learns && em->problem->effort->sides &&
           sfgp_doubt_is_asked(em, point_spacing(em));
}

bool sfgp_overlap_is_far(sfgp_em *em)
{
    return sfgp_doubt_is_far(em, label_scatter(em), point_spacing(em));
}

bool sfgp_overlap_is_mirrored(const sfgp_em *em)
{
    return em->facts.mirror_gain > sfgp_tuning_of(em->problem->basis)->mirror_margin;
}

/* The deviations of a curve without training shapes under the prior as it is are too small where much is missing (ADR 0075), but where that
 * between the fits under two priors is added (ADR 0093). */
static bool is_calibrated(const sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    return basis->dimension == 3 || basis->pca.modes > 0 || em->state.start.prior == SFGP_PRIOR_STIFF ||
           em->between;
}

static unsigned doubt_if(bool speaks, sfgp_doubt doubt)
{
    return speaks ? (unsigned)doubt : 0;
}

/* A fit beside other surfaces that is not sure of itself, or leaves what lies over the shape. */
static bool is_beside(const sfgp_em *em, double expected_error)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    return em->problem->beside &&
           (expected_error > tuning->beside_expected || em->facts.inside > tuning->inside_most);
}

unsigned sfgp_overlap_doubts(sfgp_em *em, double expected_error)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    const bool pose_is_open = tuning->rival_margin > 0 && em->facts.pose_margin < tuning->rival_margin;
    const bool is_uncertain = is_calibrated(em) && expected_error > em->problem->effort->expected_error_most;
    return doubt_if(sfgp_overlap_is_far(em), SFGP_DOUBT_DISTANCE) | doubt_if(pose_is_open, SFGP_DOUBT_POSE) |
           doubt_if(is_uncertain, SFGP_DOUBT_ERROR) |
           doubt_if(sfgp_overlap_is_mirrored(em), SFGP_DOUBT_MIRROR) |
           doubt_if(is_beside(em, expected_error), SFGP_DOUBT_BESIDE) |
           doubt_if(sfgp_length_is_doubtful(em), SFGP_DOUBT_LENGTH);
}

void sfgp_overlap_warn(sfgp_em *em, double unit)
{
    const double sigma = label_scatter(em);
    if (sfgp_overlap_scatters(em))
        sfgp_warn(em->context,
                  "residual: labels scatter by %.3g, %.2g times the spacing of %s; look at the fit: "
                  "a noisy scan, or one that is turned, mirrored or in another unit",
                  sigma * unit, sigma / spacing_of_search(em),
                  sfgp_em_is_warm(em) ? "the part of the target that is fitted first" : "the target");
}

void sfgp_overlap_warn_of_beside(const sfgp_em *em)
{
    if (em->problem->beside)
        sfgp_warn(
            em->context,
            "beside: the fit takes %.0f %% of the scan for noise and other surfaces beside the shape, as one to all of the "
            "scan is stretched and doubtful; look at the fit",
            100 * em->state.omega);
    else if (em->problem->clutter > 0)
        sfgp_warn(
            em->context,
            "beside: the scan has %.2g times the area of the reference, and the fit takes %.0f %% of its points for noise "
            "and other things around the shape; look at the fit",
            em->problem->area / em->problem->shape_area, 100 * em->state.omega);
}

void sfgp_overlap_warn_of_unreached(const sfgp_em *em)
{
    if (sfgp_unreached_is_large(em, em->facts.unreached))
        sfgp_warn(
            em->context,
            "unreached: %.2g %% of the scan lies on a surface away from the fit; look at the fit: a part of "
            "the shape that bends far, or something beside it",
            100 * em->facts.unreached);
    else if (em->state.start.prior == SFGP_PRIOR_LOOSE)
        sfgp_warn(em->context,
                  "unreached: a part of the scan was reached only by a prior with more variance; look at the "
                  "fit: it bends far, or is pulled to something beside the shape");
}
