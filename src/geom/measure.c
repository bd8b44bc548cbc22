/* Spacing, extent, density and distance of point sets, by medians where outliers must not matter. */
#include "geom/measure.h"
#include "base/lanes.h"
#include "base/parallel.h"
#include "base/quantile.h"

#include <math.h>

#define FLAT                                                                                                 \
    0.1 /* least ratio of a side of the box to the longest one: a flat target has outliers on both sides of it */

#define SAMPLES 101         /* points whose nearest neighbour is looked for */
#define EXTENT_SAMPLES 1001 /* points whose distance to the middle is computed */

static double distance_to_nearest(int64_t count, int d, const double *points, int64_t i)
{
    double least = HUGE_VAL;
    for (int64_t j = 0; j < count; j++) {
        double square = 0;
        for (int a = 0; a < d; a++)
            square += (points[j * d + a] - points[i * d + a]) * (points[j * d + a] - points[i * d + a]);
        if (j != i && square < least)
            least = square;
    }
    return sqrt(least);
}

typedef struct sampling {
    int64_t points; /* their number */
    int dimension;
    const double *x;
    int64_t count; /* of the samples */
    double *distances;
} sampling;

static void measure_some(const void *data, int64_t first, int64_t end)
{
    const sampling *s = data;
    for (int64_t k = first; k < end; k++)
        s->distances[k] = distance_to_nearest(s->points, s->dimension, s->x, k * s->points / s->count);
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
        low = fmin(low, points[j * d + axis]);
        high = fmax(high, points[j * d + axis]);
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
