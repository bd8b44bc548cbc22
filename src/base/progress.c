/* Progress and cancelling of a run. */
#include "base/progress.h"
#include "base/platform_clock.h"

#include <math.h>

void sfgp_progress_begin(sfgp_context *context, double seconds)
{
    context->deadline = seconds > 0 ? sfgp_platform_seconds() + seconds : 0;
    context->late = false;
    context->range = (sfgp_progress_range){0, 1};
    context->fraction = 0;
    context->cancelled = 0;
}

bool sfgp_progress_is_late(sfgp_context *context)
{
    if (!context->late && context->deadline > 0)
        context->late = sfgp_platform_seconds() >= context->deadline;
    return context->late;
}

sfgp_progress_range sfgp_progress_enter(sfgp_context *context, double share)
{
    const sfgp_progress_range outer = context->range;
    const double low = context->fraction;
    context->range = (sfgp_progress_range){low, low + share * (outer.high - low)};
    return outer;
}

void sfgp_progress_leave(sfgp_context *context, sfgp_progress_range outer)
{
    context->fraction = context->range.high;
    context->range = outer;
}

/* Share of a loop that is done: change falls about geometrically, from about one RMS radius to the tolerance. */
static double estimate_done(const sfgp_progress *p)
{
    const double by_count = (double)p->iteration / (double)p->max_iterations,
                 by_change = p->tolerance < 1 ? log(p->change) / log(p->tolerance) : 1;
    return fmin(fmax(by_count, by_change), 1);
}

sfgp_status sfgp_progress_report(sfgp_context *context, const sfgp_progress *progress)
{
    const sfgp_progress_range range = context->range;
    sfgp_progress now = *progress;
    if (!context->progress)
        return SFGP_OK;
    now.fraction = range.low + estimate_done(progress) * (range.high - range.low);
    now.fraction = context->fraction = fmax(context->fraction, now.fraction);
    if (!context->cancelled)
        context->cancelled = context->progress(context->progress_user, &now) != 0;
    if (!context->cancelled)
        return SFGP_OK;
    return sfgp_fail(context, SFGP_CANCELLED, "cancelled by the caller in iteration %lld",
                     (long long)now.iteration);
}
