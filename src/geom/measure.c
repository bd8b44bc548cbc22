/* Spacing, extent, density and distance of point sets, by medians where outliers must not matter. */
#include "geom/measure.h"
#include "base/extremes.h"
#include "base/lanes.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "base/simd.h"
#include "geom/vector.h"

#include <math.h>

#define FLAT                                                                                                 \
    0.1 /* least ratio of a side of the box to the longest one: a flat target has outliers on both sides of it */

#define SAMPLES 101         /* points whose nearest neighbour is looked for */
#define EXTENT_SAMPLES 1001 /* points whose distance to the middle is computed */

enum {
    SIDES = 8,   /* points side by side: no minimum waits for the last */
    BLOCK = 2048 /* points that stay in the cache for all samples of a thread */
};

/* The least squared distance of x from points in space. */
SFGP_SIMD_EXACT static double least_square_3d(int64_t count, const double *points, const double *x)
{
    double least[SIDES], all = HUGE_VAL;
    int64_t j = 0;
    for (int s = 0; s < SIDES; s++)
        least[s] = HUGE_VAL;
    for (; j + SIDES <= count; j += SIDES) {
#pragma omp simd
        for (int s = 0; s < SIDES; s++) {
            const double *y = points + 3 * (j + s), a = y[0] - x[0], b = y[1] - x[1], c = y[2] - x[2];
            least[s] = sfgp_smaller(a * a + b * b + c * c, least[s]);
        }
    }
    for (; j < count; j++)
        all = sfgp_smaller(sfgp_square_between(3, points + 3 * j, x), all);
    for (int s = 0; s < SIDES; s++)
        all = sfgp_smaller(least[s], all);
    return all;
}

static double least_square(int64_t count, int d, const double *points, const double *x)
{
    double least = HUGE_VAL;
    if (d == 3)
        return least_square_3d(count, points, x);
    for (int64_t j = 0; j < count; j++)
        least = sfgp_smaller(sfgp_square_between(d, points + j * d, x), least);
    return least;
}

typedef struct sampling {
    int64_t points; /* their number */
    int dimension;
    const double *x;
    int64_t count; /* of the samples */
    double *distances;
} sampling;

/* Of point i from the others among first .. end - 1. */
static double least_of_others(const sampling *s, int64_t i, int64_t first, int64_t end)
{
    const int d = s->dimension;
    const double *x = s->x + i * d;
    if (i < first || i >= end)
        return least_square(end - first, d, s->x + first * d, x);
    return sfgp_smaller(least_square(i - first, d, s->x + first * d, x),
                        least_square(end - i - 1, d, x + d, x));
}

static void measure_some(const void *data, int64_t first, int64_t end)
{
    const sampling *s = data;
    for (int64_t k = first; k < end; k++)
        s->distances[k] = HUGE_VAL;
    for (int64_t at = 0; at < s->points; at += BLOCK)
        for (int64_t k = first; k < end; k++)
            s->distances[k] = sfgp_smaller(least_of_others(s, k * s->points / s->count, at,
                                                           at + BLOCK < s->points ? at + BLOCK : s->points),
                                           s->distances[k]);
    for (int64_t k = first; k < end; k++)
        s->distances[k] = sqrt(s->distances[k]);
}

double sfgp_points_spacing_quantile(int64_t count, int dimension, const double *points, double share)
{
    double distances[SAMPLES];
    const sampling all = {count, dimension, points, count < SAMPLES ? count : SAMPLES, distances};
    sfgp_parallel_for(all.count, 1, measure_some, &all);
    sfgp_sort(all.count, distances);
    return sfgp_quantile(all.count, distances, share);
}

double sfgp_points_spacing(int64_t count, int dimension, const double *points)
{
    return sfgp_points_spacing_quantile(count, dimension, points, 0.5);
}

double sfgp_points_distance(int dimension, const double *x, const double *y)
{
    double distance = 0;
    for (int a = 0; a < dimension; a++)
        distance = hypot(distance, x[a] - y[a]);
    return distance;
}

double sfgp_points_extent(int64_t count, int dimension, const double *points, double middle[3])
{
    double values[EXTENT_SAMPLES];
    const int64_t samples = count < EXTENT_SAMPLES ? count : EXTENT_SAMPLES;
    for (int a = 0; a < dimension; a++) {
        for (int64_t k = 0; k < samples; k++)
            values[k] = points[k * count / samples * dimension + a];
        sfgp_sort(samples, values);
        middle[a] = values[samples / 2];
    }
    for (int64_t k = 0; k < samples; k++)
        values[k] = sfgp_points_distance(dimension, points + k * count / samples * dimension, middle);
    sfgp_sort(samples, values);
    return values[samples / 2];
}

static double side_of_box(int64_t count, int d, const double *points, int axis)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int64_t j = 0; j < count; j++) {
        low = sfgp_smaller(points[j * d + axis], low);
        high = sfgp_larger(points[j * d + axis], high);
    }
    return high - low;
}

double sfgp_points_box_density(int64_t count, int dimension, const double *points)
{
    double side[3], longest = 0, volume = 1;
    for (int a = 0; a < dimension; a++) {
        side[a] = side_of_box(count, dimension, points, a);
        longest = fmax(longest, side[a]);
    }
    for (int a = 0; a < dimension; a++)
        volume *= fmax(side[a], FLAT * longest);
    return 1 / volume;
}

double sfgp_points_radius(int64_t count, int dimension, const double *points)
{
    double square = 0;
    for (int a = 0; a < dimension; a++) {
        double mean = 0;
        for (int64_t i = 0; i < count; i++)
            mean += (points[i * dimension + a] - points[a]) / (double)count;
        for (int64_t i = 0; i < count; i++)
            square += pow(points[i * dimension + a] - points[a] - mean, 2) / (double)count;
    }
    return sqrt(square);
}

typedef struct pair {
    int64_t dimension;
    const double *a, *b;
} pair;

static double sum_distances(const void *data, int64_t first, int64_t end)
{
    const pair *p = data;
    double sum = 0;
    for (int64_t i = first; i < end; i++) {
        double square = 0;
        for (int64_t k = i * p->dimension; k < (i + 1) * p->dimension; k++)
            square += (p->a[k] - p->b[k]) * (p->a[k] - p->b[k]);
        sum += sqrt(square);
    }
    return sum;
}

double sfgp_points_apart(int64_t count, int dimension, const double *a, const double *b)
{
    const pair both = {dimension, a, b};
    return sfgp_lanes_sum(count, sum_distances, &both) / (double)count;
}
