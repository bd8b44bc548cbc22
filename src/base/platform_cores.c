/* Processors: sysconf, and on Linux the affinity of the process. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/platform_cores.h"
#include "base/platform.h"

#include <sched.h>
#include <unistd.h>

int64_t sfgp_platform_cores(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online;
}

int64_t sfgp_platform_own_cores(void)
{
#if SFGP_PLATFORM_AFFINITY
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) /* GCOVR_EXCL_BR_LINE: > 1024 processors */
        return CPU_COUNT(&allowed);
#endif
    return sfgp_platform_cores(); /* GCOVR_EXCL_LINE: a machine of more than 1024 processors */
}

bool sfgp_platform_has_avx2(void)
{
#if SFGP_PLATFORM_X86
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}
