#include "base/lanes.h"

#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#define ROWS_PER_THREAD 500

/* All cores, or fewer where OMP_NUM_THREADS, OMP_THREAD_LIMIT or the process's affinity say so. */
static int64_t usual_threads(int64_t cores)
{
#ifdef _OPENMP
    const int64_t most =
        omp_get_max_threads() < omp_get_thread_limit() ? omp_get_max_threads() : omp_get_thread_limit();
    return most < cores ? most : cores;
#else
    return cores;
#endif
}

int sfgp_threads_resolve(int64_t asked)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const int64_t cores = online < 1 ? 1 : online;
    if (asked < 0)
        return 1;
    if (asked == 0)
        return (int)usual_threads(cores);
    return (int)(asked > cores ? cores : asked);
}

int sfgp_threads_for(int64_t asked, int64_t rows)
{
    int threads = sfgp_threads_resolve(asked);
    return rows / ROWS_PER_THREAD + 1 < threads ? (int)(rows / ROWS_PER_THREAD) + 1 : threads;
}
