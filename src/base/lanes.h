/* Lanes: sums in parallel that have the same bits on any number of threads (docs/adr/0006-lanes.md).
 *
 * Work over n rows is split into SFGP_LANES contiguous ranges, whatever the number of threads. A sum has one
 * partial sum for each lane, and the partial sums are added in the order of the lanes. The threads decide who
 * computes a lane, never what is added to what. Loops without sums may use any schedule. */
#ifndef SFGP_BASE_LANES_H
#define SFGP_BASE_LANES_H

#include <stdint.h>

#define SFGP_LANES 8

/* First row of a lane; the lane ends where the next one starts. */
static inline int64_t sfgp_lane_start(int64_t rows, int lane)
{
    return rows / SFGP_LANES * lane + (rows % SFGP_LANES) * lane / SFGP_LANES;
}

/* Runs the body once for each lane, in parallel: lane, its first row, and the first row after it. */
typedef void sfgp_lane_body(const void *data, int lane, int64_t first, int64_t end);
void sfgp_lanes_run(int64_t rows, sfgp_lane_body *body, const void *data);

/* Sum over the rows. part returns the sum over a range of them, and is called once for each lane. */
typedef double sfgp_lane_part(const void *data, int64_t first, int64_t end);
double sfgp_lanes_sum(int64_t rows, sfgp_lane_part *part, const void *data);

/* Sum of count numbers. */
double sfgp_lanes_total(int64_t count, const double *x);

/* to = from, count numbers of 64 bits. */
void sfgp_lanes_copy(int64_t count, const void *from, void *to);
/* to = value, count numbers. */
void sfgp_lanes_set(int64_t count, double value, double *to);

#endif
