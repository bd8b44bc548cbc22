/* Checks of two point sets against each other: size, place and unit. The messages say what it looks like. */
#include "geom/inspect.h"
#include "geom/measure.h"

#include <math.h>
#include <stdio.h>

#define UNIT_RATIO 100.0 /* extents that differ by this factor have different units */
#define LARGER 3.0       /* a target that is so much larger shows more than the shape */
#define SMALLER 8.0      /* one that is so much smaller is a small part, or in another unit */
#define UNIT_OFF 1.6     /* by so much the ratio of two units may be missed, as that of 10 and 25.4 */
#define FITTED 1.6 /* a fit so much larger or smaller than its reference; fish of the paper: 0.63 to 1.35 */
#define FAR 10.0   /* RMS radii between the middles: not the same coordinate system */

static const struct {
    double ratio;
    const char *small, *large;
} UNITS[] = {{10, "mm", "cm"}, {25.4, "mm", "inches"}, {100, "cm", "m"}, {1000, "mm", "m"}};

/* The row of two units of about this ratio, which is above 1; -1: none. */
static int find_units(double ratio)
{
    for (int k = 0; k < (int)(sizeof UNITS / sizeof *UNITS); k++)
        if (fabs(log(ratio / UNITS[k].ratio)) < log(UNIT_OFF))
            return k;
    return -1;
}

/* A target whose extent is so many times that of the reference, or so many times smaller. */
typedef struct extent {
    bool larger;
    double times;
} extent;

enum { TEXT = 160 };

static void describe(const extent *target, char text[TEXT])
{
    snprintf(text, TEXT, "%.*g times %s the reference", target->times < UNIT_RATIO ? 3 : 4, target->times,
             target->larger ? "as large as" : "smaller than");
}

/* What it may be, and what to do. */
static void advise(const extent *target, char text[TEXT])
{
    const int k = find_units(target->times);
    if (k < 0)
        snprintf(text, TEXT, "%s bring both into one unit (--target-scale)",
                 target->larger ? "crop it to what the reference shows, or"
                                : "if it is no small part of the shape,");
    else if (target->larger)
        snprintf(text, TEXT, "is it in %s and the reference in %s? then --target-scale %g", UNITS[k].small,
                 UNITS[k].large, 1 / UNITS[k].ratio);
    else
        snprintf(text, TEXT, "is it in %s and the reference in %s? then --target-scale %g", UNITS[k].large,
                 UNITS[k].small, UNITS[k].ratio);
}

/* ratio: of the extent of the target to that of the reference. */
static void warn_extent(sfgp_context *context, double ratio)
{
    const extent target = {ratio > 1, ratio > 1 ? ratio : 1 / ratio};
    char size[TEXT], advice[TEXT];
    describe(&target, size);
    advise(&target, advice);
    sfgp_warn(context, "target: %s; %s", size, advice);
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
    double middle[3];
    const double own = sfgp_points_extent(reference_count, dimension, reference, middle),
                 other = sfgp_points_extent(target_count, dimension, target, middle), ratio = other / own;
    if (!(own > 0 && other > 0))
        return true;
    if (ratio >= LARGER || ratio <= 1 / SMALLER)
        warn_extent(context, ratio);
    return ratio < UNIT_RATIO && ratio > 1 / UNIT_RATIO;
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
