/* The two clocks that the profile and the time limits read. */
#include "base/clock.h"
#include "base/platform_clock.h"

double sfgp_clock(void)
{
    return sfgp_platform_seconds();
}

double sfgp_clock_cpu(void)
{
    return sfgp_platform_cpu_seconds(SFGP_PLATFORM_SELF);
}
