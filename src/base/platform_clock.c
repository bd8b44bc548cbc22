/* Clocks and use of a process, by POSIX. */
#include "base/platform_clock.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double to_seconds(struct timespec time)
{
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return to_seconds(now);
}

double sfgp_platform_seconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

void sfgp_platform_sleep(double seconds) /* GCOVR_EXCL_LINE: only mpirun builds sleep */
{
    const time_t whole = (time_t)seconds; /* GCOVR_EXCL_LINE: only mpirun builds sleep */
    nanosleep(&(struct timespec){whole, (long)(1e9 * (seconds - (double)whole))}, NULL); /* GCOVR_EXCL_LINE */
}

sfgp_platform_time sfgp_platform_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (sfgp_platform_time){now.tv_sec, now.tv_nsec};
}

void sfgp_platform_format_time(sfgp_platform_time time, char text[32])
{
    struct tm utc;
    const time_t seconds = (time_t)time.seconds;
    gmtime_r(&seconds, &utc);
    const size_t length = strftime(text, 24, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + length, 32 - length, ".%03ldZ", time.nanoseconds / 1000000);
}

static struct rusage usage_of(sfgp_platform_who who)
{
    struct rusage usage = {0};
    getrusage(who == SFGP_PLATFORM_SELF ? RUSAGE_SELF : RUSAGE_CHILDREN, &usage);
    return usage;
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

double sfgp_platform_cpu_seconds(sfgp_platform_who who)
{
    if (who == SFGP_PLATFORM_SELF)
        return read_clock(CLOCK_PROCESS_CPUTIME_ID); /* in nanoseconds */
    const struct rusage usage = usage_of(who);
    return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

double sfgp_platform_peak_mib(sfgp_platform_who who)
{
    return (double)usage_of(who).ru_maxrss / 1024; /* Linux and BSD: KiB; macOS: bytes */
}
