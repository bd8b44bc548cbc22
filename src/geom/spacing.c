#include "geom/spacing.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLES 101

static double nearest_other(int64_t count, int d, const double *points, int64_t i)
{
    double least = INFINITY;
    for (int64_t j = 0; j < count; j++) {
        double square = 0;
        for (int a = 0; a < d; a++)
            square += (points[j * d + a] - points[i * d + a]) * (points[j * d + a] - points[i * d + a]);
        if (j != i && square < least)
            least = square;
    }
    return sqrt(least);
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double sfgp_points_spacing(int64_t count, int dimension, const double *points)
{
    double distances[SAMPLES];
    const int64_t samples = count < SAMPLES ? count : SAMPLES;
    for (int64_t k = 0; k < samples; k++)
        distances[k] = nearest_other(count, dimension, points, k * count / samples);
    qsort(distances, (size_t)samples, sizeof *distances, compare);
    return distances[samples / 2];
}
