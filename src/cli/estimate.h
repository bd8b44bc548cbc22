/* Estimates the remaining time of a fit. The mean motion of the points decays about geometrically. */
#ifndef SFGP_CLI_ESTIMATE_H
#define SFGP_CLI_ESTIMATE_H

#include "sfgp/sfgp.h"

/* The progress of a fit at a time in seconds. */
typedef struct cli_moment {
    sfgp_progress progress;
    double seconds;
} cli_moment;

/* Remaining iterations, from the decay of the change between the two moments; not beyond max_iterations. */
double cli_estimate_iterations(const cli_moment *before, const cli_moment *now);
/* Remaining seconds, at the speed between the two moments. */
double cli_estimate_seconds(const cli_moment *before, const cli_moment *now);

#endif
