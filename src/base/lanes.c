/* Sums and copies by lanes. Why the result does not depend on the threads stands in lanes.h. */
#include "base/lanes.h"

#include <string.h>

double sfgp_lanes_sum(int64_t rows, sfgp_lane_part *part, const void *data)
{
    double share[SFGP_LANES], sum = 0;
#pragma omp parallel for schedule(static)
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

double sfgp_lanes_total(int64_t count, const double *x)
{
    return sfgp_lanes_sum(count, add_up, x);
}

void sfgp_lanes_copy(int64_t count, const double *from, double *to)
{
#pragma omp parallel for schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++) {
        const int64_t first = sfgp_lane_start(count, lane), end = sfgp_lane_start(count, lane + 1);
        memcpy(to + first, from + first, (size_t)(end - first) * sizeof *to);
    }
}
