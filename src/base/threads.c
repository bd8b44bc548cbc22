/* The number of threads, kept by OpenMP: OpenMP 5.1, 2.4 "Internal Control Variables". */
#include "base/threads.h"

#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#define ROWS_PER_THREAD 500

#ifndef _OPENMP
static _Thread_local int without_openmp =
    1; /* what begin has set: memory is the same, all work is of one thread */
#endif

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

int sfgp_threads_count(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return without_openmp;
#endif
}

static void set_count(int threads)
{
#ifdef _OPENMP
    omp_set_num_threads(threads);
#else
    without_openmp = threads;
#endif
}

int sfgp_threads_begin(int64_t asked, int64_t rows)
{
    const int before = sfgp_threads_count();
    set_count(sfgp_threads_for(asked, rows));
    return before;
}

void sfgp_threads_end(int before)
{
    set_count(before);
}
