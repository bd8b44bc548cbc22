#include "geom/spacing.h"
#include "base/quantile.h"

#include <math.h>

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

double sfgp_points_spacing(int64_t count, int dimension, const double *points)
{
    double distances[SAMPLES];
    const int64_t samples = count < SAMPLES ? count : SAMPLES;
    for (int64_t k = 0; k < samples; k++)
        distances[k] = nearest_other(count, dimension, points, k * count / samples);
    sfgp_sort(samples, distances);
    return sfgp_quantile(samples, distances, 0.5);
}
