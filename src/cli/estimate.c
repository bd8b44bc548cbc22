/* Estimates how long a fit will still take; equation in cli_estimate_iterations. */
#include "cli/estimate.h"

#include <math.h>

/* With ratio the factor of one iteration: change now = change before * ratio^steps, tolerance = change now * ratio^left. */
double cli_estimate_iterations(const cli_moment *before, const cli_moment *now)
{
    const sfgp_progress *p = &now->progress;
    double steps = (double)(p->iteration - before->progress.iteration);
    double most = (double)(p->max_iterations - p->iteration);
    if (p->change <= p->tolerance || most <= 0)
        return 0;
    if (steps <= 0 || !(p->change < before->progress.change))
        return most;
    double ratio = log(p->change / before->progress.change) / steps;
    return fmin(most, ceil(log(p->tolerance / p->change) / ratio));
}

double cli_estimate_seconds(const cli_moment *before, const cli_moment *now)
{
    double steps = (double)(now->progress.iteration - before->progress.iteration);
    double pace = steps > 0 ? (now->seconds - before->seconds) / steps : 0;
    return pace * cli_estimate_iterations(before, now);
}
