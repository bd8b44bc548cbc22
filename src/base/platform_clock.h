/* Clocks, and what a process has used. */
#ifndef SFGP_BASE_PLATFORM_CLOCK_H
#define SFGP_BASE_PLATFORM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

double sfgp_platform_seconds(void); /* since an arbitrary time; never goes back */
void sfgp_platform_sleep(double seconds);

/* Seconds and nanoseconds since 1970. */
typedef struct sfgp_platform_time {
    int64_t seconds;
    long nanoseconds;
} sfgp_platform_time;
sfgp_platform_time sfgp_platform_now(void);
/* As 2026-11-23T01:30:00.123Z. */
void sfgp_platform_format_time(sfgp_platform_time time, char text[32]);

/* Of this process, or of its children that have ended and were waited for. */
typedef enum sfgp_platform_who { SFGP_PLATFORM_SELF, SFGP_PLATFORM_CHILDREN } sfgp_platform_who;
double sfgp_platform_cpu_seconds(sfgp_platform_who who);
double sfgp_platform_peak_mib(sfgp_platform_who who); /* largest memory in use */

#endif
