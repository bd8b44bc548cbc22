#include "base/lanes.h"

#include <string.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#define ROWS_PER_THREAD 500

double sfgp_lanes_sum(int threads, int64_t rows, sfgp_lane_part *part, const void *data)
{
    double share[SFGP_LANES], sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        share[lane] = part(data, sfgp_lane_start(rows, lane), sfgp_lane_start(rows, lane + 1));
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sum += share[lane];
    return sum;
}

static double add_up(const void *data, int64_t first, int64_t end)
{
    const double *x = data;
    double sum = 0;
    for (int64_t k = first; k < end; k++)
        sum += x[k];
    return sum;
}

double sfgp_lanes_total(int threads, int64_t count, const double *x)
{
    return sfgp_lanes_sum(threads, count, add_up, x);
}

void sfgp_lanes_copy(int threads, int64_t count, const double *from, double *to)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++) {
        const int64_t first = sfgp_lane_start(count, lane), end = sfgp_lane_start(count, lane + 1);
        memcpy(to + first, from + first, (size_t)(end - first) * sizeof *to);
    }
}

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
