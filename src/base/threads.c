/* The number of threads: what is asked, and what the machine and the environment allow. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#endif

#include "base/threads.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <unistd.h>

#define ROWS_PER_THREAD 500

static int64_t online_cores(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online;
}

/* The cores that the process may run on. */
static int64_t own_cores(void)
{
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return CPU_COUNT(&allowed);
#endif
    return online_cores();
}

/* At most what a variable says, where it says a number. A list of numbers is one for each level of nesting: the first
 * counts. */
static int64_t limit_by(const char *variable, int64_t threads)
{
    const char *text = getenv(variable);
    const int64_t most = text ? strtoll(text, NULL, 10) : 0;
    return most > 0 && most < threads ? most : threads;
}

int sfgp_threads_resolve(int64_t asked)
{
    const int64_t cores = online_cores();
    if (asked < 0)
        return 1;
    if (asked == 0)
        return (int)limit_by("OMP_THREAD_LIMIT", limit_by("OMP_NUM_THREADS", own_cores()));
    return (int)(asked > cores ? cores : asked);
}

int sfgp_threads_for(int64_t asked, int64_t rows)
{
    int threads = sfgp_threads_resolve(asked);
    return rows / ROWS_PER_THREAD + 1 < threads ? (int)(rows / ROWS_PER_THREAD) + 1 : threads;
}

int sfgp_threads_count(void)
{
    return sfgp_parallel_threads();
}

int sfgp_threads_begin(int64_t asked, int64_t rows)
{
    return sfgp_parallel_begin(sfgp_threads_for(asked, rows));
}

void sfgp_threads_end(int before)
{
    sfgp_parallel_end(before);
}
