/* The warnings of flagged fits. */
#include "report/outcome.h"

#include <stdio.h>

static void write_doubt(const sfgp_result *result, char text[REPORT_WARNING])
{
    if (result->doubts & SFGP_DOUBT_MIRROR)
        return; /* the library has warned, and says which setting helps (fit/sides.h) */
    if (result->doubts & SFGP_DOUBT_DISTANCE)
        snprintf(
            text, REPORT_WARNING,
            "doubtful: the scan lies %.3g from the fit, too far for a shape with so many points; look at "
            "the fit: its pose is wrong, or the scan is very noisy; landmarks (--landmarks) give the pose",
            result->sigma);
    else if (result->doubts & SFGP_DOUBT_POSE)
        snprintf(
            text, REPORT_WARNING,
            "doubtful: at another pose, turned by more than 20 degrees, the shape explains the scan nearly as well "
            "(by %.2g nats a point less); look at the fit: its pose may be wrong; landmarks (--landmarks) give the pose",
            result->pose_margin);
    else if (result->doubts & SFGP_DOUBT_BESIDE)
        snprintf(
            text, REPORT_WARNING,
            "doubtful: the fit takes %.0f %% of the scan for noise and other surfaces beside the shape, as a fit to all of the scan "
            "is doubtful, too; look at the fit, and cut the scan to the shape",
            100 * result->omega);
    else
        snprintf(
            text, REPORT_WARNING,
            "doubtful: the scan says too little of this shape: by the stated deviations the points are %.3g from the true ones in the "
            "mean, much for a shape of this size; look at the fit; training shapes (--train) or landmarks (--landmarks) say more",
            result->expected_error);
}

bool report_outcome_warning(const sfgp_result *result, char text[REPORT_WARNING])
{
    text[0] = '\0';
    switch (result->outcome) {
    case SFGP_MAX_ITERATIONS:
        snprintf(text, REPORT_WARNING,
                 "max_iterations: not converged after %lld iterations, change %.3g, tolerance %.3g",
                 (long long)result->iterations, result->change, result->settings->tolerance);
        break;
    case SFGP_MAX_TIME:
        snprintf(
            text, REPORT_WARNING,
            "max_time: ended after %.3g s, the limit is %.3g s; the result is the best that was found until then",
            result->seconds, result->settings->max_time);
        break;
    case SFGP_DOUBTFUL:
        write_doubt(result, text);
        break;
    case SFGP_NO_OVERLAP:
        snprintf(text, REPORT_WARNING,
                 "no_overlap: too little of the target matches; the result is the reference, unchanged");
        break;
    default:
        break;
    }
    return text[0] != '\0';
}
