/* How long a fit may still take: the mean motion of the points decays about geometrically. */
#ifndef SFGP_CLI_ESTIMATE_H
#define SFGP_CLI_ESTIMATE_H

#include "sfgp/sfgp.h"

/* Where a fit stood at some time, in seconds from any start. */
typedef struct cli_moment {
    sfgp_progress progress;
    double seconds;
} cli_moment;

/* Iterations that are left at now, from the decay of change since before; at most up to max_iterations. */
double cli_estimate_iterations(const cli_moment *before, const cli_moment *now);
/* The same as seconds, at the pace since before. */
double cli_estimate_seconds(const cli_moment *before, const cli_moment *now);

#endif
