/* Processors: sysconf, and on Linux the affinity of the process. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#endif

#include "base/platform_cores.h"

#include <unistd.h>

int64_t sfgp_platform_cores(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online;
}

int64_t sfgp_platform_own_cores(void)
{
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return CPU_COUNT(&allowed);
#endif
    return sfgp_platform_cores();
}
