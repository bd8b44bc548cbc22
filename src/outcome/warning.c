/* The warning of a flagged fit, for the program, its reports and other languages. */
#include "sfgp/sfgp.h"

#include <stdbool.h>
#include <stdio.h>

static void write_doubt(const sfgp_result *result, char text[SFGP_WARNING_SIZE])
{
    if (result->doubts & SFGP_DOUBT_MIRROR)
        return; /* sfgp_solver_run has warned, and said which setting helps (fit/sides.h) */
    if (result->doubts & SFGP_DOUBT_DISTANCE)
        snprintf(
            text, SFGP_WARNING_SIZE,
            "doubtful: the scan lies %.3g from the fit, too far for a shape with so many points; look at "
            "the fit: its pose is wrong, or the scan is very noisy, uneven, or shows other things as well; landmarks (--landmarks) give the pose",
            result->sigma);
    else if (result->doubts & SFGP_DOUBT_POSE)
        snprintf(
            text, SFGP_WARNING_SIZE,
            "doubtful: at another pose, turned by more than 20 degrees, the shape explains the scan nearly as well "
            "(by %.2g nats a point less); look at the fit: its pose may be wrong; landmarks (--landmarks) give the pose",
            result->pose_margin);
    else if (result->doubts & SFGP_DOUBT_BESIDE)
        snprintf(
            text, SFGP_WARNING_SIZE,
            "doubtful: the fit takes %.0f %% of the scan for noise and other surfaces beside the shape, as a fit to all of the scan "
            "is doubtful, too; look at the fit, and cut the scan to the shape",
            100 * result->omega);
    else if (result->doubts & SFGP_DOUBT_LENGTH)
        snprintf(
            text, SFGP_WARNING_SIZE,
            "doubtful: the scan does not show one end of this long shape, and the fit is shorter than the reference there: the length is a "
            "guess; landmarks (--landmarks) at that end or training shapes (--train) tell it");
    else
        snprintf(
            text, SFGP_WARNING_SIZE,
            "doubtful: the scan says too little of this shape: by the stated deviations the points are %.3g from the true ones in the "
            "mean, much for a shape of this size; look at the fit; training shapes (--train) or landmarks (--landmarks) say more",
            result->expected_error);
}

/* Sigma has to rest as well (em/loop.c), so that the motion may be below the tolerance. */
static void write_unconverged(const sfgp_result *result, char text[SFGP_WARNING_SIZE])
{
    const bool rests = result->iterations > 0 && result->change < result->settings->tolerance;
    snprintf(
        text, SFGP_WARNING_SIZE,
        "max_iterations: not converged after %lld iterations, change %.3g, tolerance %.3g%s",
        (long long)result->iterations, result->change, result->settings->tolerance,
        rests
            ? "; the points move less than that, but sigma does not rest yet, as with a scan that has nearly no noise"
            : "");
}

const char *sfgp_result_warning(const sfgp_result *result, char text[SFGP_WARNING_SIZE])
{
    text[0] = '\0';
    switch (result->outcome) {
    case SFGP_MAX_ITERATIONS:
        write_unconverged(result, text);
        break;
    case SFGP_MAX_TIME:
        snprintf(
            text, SFGP_WARNING_SIZE,
            "max_time: ended after %.3g s, the limit is %.3g s; the result is the best that was found until then",
            result->seconds, result->settings->max_time);
        break;
    case SFGP_DOUBTFUL:
        write_doubt(result, text);
        break;
    case SFGP_NO_OVERLAP:
        snprintf(text, SFGP_WARNING_SIZE,
                 "no_overlap: too little of the target matches; the result is the reference, unchanged");
        break;
    default:
        break;
    }
    return text;
}
