/* Work and sums by lanes. Why the result does not depend on the threads stands in lanes.h. */
#include "base/lanes.h"
#include "base/parallel.h"

#include <string.h>

#define GRAIN 16384 /* numbers to copy or to set: some microseconds */

typedef struct lanes {
    int64_t rows;
    sfgp_lane_body *body;
    const void *data;
} lanes;

static void run_some(const void *data, int64_t first, int64_t end)
{
    const lanes *all = data;
    for (int lane = (int)first; lane < end; lane++)
        all->body(all->data, lane, sfgp_lane_start(all->rows, lane), sfgp_lane_start(all->rows, lane + 1));
}

void sfgp_lanes_run(int64_t rows, sfgp_lane_body *body, const void *data)
{
    const lanes all = {rows, body, data};
    sfgp_parallel_for(SFGP_LANES, 1, run_some, &all);
}

typedef struct partial_sums {
    sfgp_lane_part *part;
    const void *data;
    double *sums; /* one for each lane */
} partial_sums;

static void add_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const partial_sums *partial = data;
    partial->sums[lane] = partial->part(partial->data, first, end);
}

double sfgp_lanes_sum(int64_t rows, sfgp_lane_part *part, const void *data)
{
    double sums[SFGP_LANES], sum = 0;
    const partial_sums partial = {part, data, sums};
    sfgp_lanes_run(rows, add_lane, &partial);
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sum += sums[lane];
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

typedef struct copy {
    const char *from;
    char *to;
} copy;

static void copy_range(const void *data, int64_t first, int64_t end)
{
    const copy *c = data;
    memcpy(c->to + 8 * first, c->from + 8 * first, 8 * (size_t)(end - first));
}

void sfgp_lanes_copy(int64_t count, const void *from, void *to)
{
    const copy both = {from, to};
    sfgp_parallel_for(count, GRAIN, copy_range, &both);
}

typedef struct setting {
    double value, *to;
} setting;

static void set_range(const void *data, int64_t first, int64_t end)
{
    const setting *s = data;
    for (int64_t k = first; k < end; k++)
        s->to[k] = s->value;
}

void sfgp_lanes_set(int64_t count, double value, double *to)
{
    const setting all = {value, to};
    sfgp_parallel_for(count, GRAIN, set_range, &all);
}
