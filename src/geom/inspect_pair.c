/* Checks of two point sets against each other: size, place and unit. The messages say what it looks like. */
#include "geom/inspect.h"
#include "geom/measure.h"

#include <math.h>

#define UNIT_RATIO 100.0 /* extents that differ by this factor have different units */
#define LARGER 3.0       /* a target that is so much larger shows more than the shape */
#define SMALLER 8.0      /* one that is so much smaller is a small part, or in another unit */
#define UNIT_SHARE 0.25  /* by so much the ratio of two units may be missed */
#define FITTED 1.6 /* a fit so much larger or smaller than its reference; fish of the paper: 0.63 to 1.35 */
#define FAR 10.0   /* RMS radii between the middles: not the same coordinate system */

static bool is_near(double ratio, double units)
{
    return ratio > units * (1 - UNIT_SHARE) && ratio < units * (1 + UNIT_SHARE);
}

/* The pair of units whose ratio it is, or something else. */
static const char *guess_unit(double ratio, const char *otherwise)
{
    return is_near(ratio, 10)     ? "is one in cm and the other in mm?"
           : is_near(ratio, 25.4) ? "is one in inches and the other in mm?"
                                  : otherwise;
}

/* By its extent the target is `ratio` times as large as the reference. */
static void warn_extent(sfgp_context *context, double ratio)
{
    if (ratio >= LARGER)
        sfgp_warn(context, "target: %.3g times as large as the reference; %s", ratio,
                  guess_unit(ratio, "crop it to what the reference shows, or bring both into one unit"));
    else if (ratio <= 1 / SMALLER)
        sfgp_warn(context, "target: %.3g times smaller than the reference; %s", 1 / ratio,
                  guess_unit(1 / ratio, "is it a small part of the shape, or in another unit?"));
}

sfgp_status sfgp_inspect_reach(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target)
{
    for (int64_t i = 0; i < target->count; i++)
        if (!sfgp_frame_reaches(frame, target->points + i * target->dimension))
            return sfgp_fail(
                context, SFGP_ERROR_DATA,
                "target: point %lld is farther than %g RMS radii of the reference from it; bring both into one unit, "
                "or remove the point",
                (long long)i, SFGP_FRAME_FARTHEST);
    return SFGP_OK;
}

bool sfgp_inspect_extents(sfgp_context *context, int dimension, int64_t reference_count,
                          const double *reference, int64_t target_count, const double *target)
{
    double middle[3], a = sfgp_points_extent(reference_count, dimension, reference, middle);
    double b = sfgp_points_extent(target_count, dimension, target, middle), ratio = fmax(a / b, b / a);
    if (!(a > 0 && b > 0))
        return true;
    if (ratio < UNIT_RATIO) {
        warn_extent(context, b / a);
        return true;
    }
    sfgp_warn(context, "target: extent ratio %.4g to the reference; are the units the same (mm, m)?", ratio);
    return false;
}

void sfgp_inspect_offset(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target)
{
    double middle[3];
    sfgp_points_extent(target->count, target->dimension, target->points, middle);
    const double offset = sfgp_points_distance(target->dimension, middle, frame->centre);
    if (offset > FAR * frame->scale)
        sfgp_warn(context,
                  "target: its middle lies %.6g away from that of the reference, %.3g of its RMS radii; "
                  "are both in one coordinate system?",
                  offset, offset / frame->scale);
}

void sfgp_inspect_fitted(sfgp_context *context, int dimension, int64_t count, const double *reference,
                         const double *fitted)
{
    const double ratio =
        sfgp_points_radius(count, dimension, fitted) / sfgp_points_radius(count, dimension, reference);
    if (ratio > FITTED || ratio < 1 / FITTED)
        sfgp_warn(context, "fit: %.3g times as large as the reference; are the units the same?", ratio);
}

void sfgp_inspect_landmarks(sfgp_context *context, const sfgp_frame *frame, const sfgp_target *target,
                            int64_t count, const double *landmarks)
{
    double middle[3], own[3];
    sfgp_points_extent(target->count, target->dimension, target->points, middle);
    sfgp_points_extent(count, target->dimension, landmarks, own);
    const double offset = sfgp_points_distance(target->dimension, middle, own);
    if (offset > FAR)
        sfgp_warn(context,
                  "landmarks: the middle of those of the target lies %.6g away from that of the target, %.3g "
                  "RMS radii of the reference; are they in its coordinate system?",
                  offset * frame->scale, offset);
}
