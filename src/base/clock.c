/* The two clocks of POSIX that the profile and the time limits read. */
#include "base/clock.h"

#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double sfgp_clock(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double sfgp_clock_cpu(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}
