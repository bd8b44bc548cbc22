/* Scale and smooth motion of a fit. */
#include "report/motion.h"

#include <math.h>

/* The length of the first column of the linear part. */
double report_scale(const sfgp_result *result)
{
    double sum = 0;
    for (int a = 0; a < result->dimension; a++)
        sum += result->similarity[4 * a] * result->similarity[4 * a];
    return sqrt(sum);
}

/* v = R'(y - t) / s - source, with s R = L and hence R' / s = L' / s^2. */
void report_motion(const sfgp_result *result, const sfgp_mesh *source, double *motion)
{
    const int d = result->dimension;
    const double *const map = result->similarity, scale = report_scale(result);
    for (int64_t i = 0; i < result->count; i++)
        for (int b = 0; b < d; b++) {
            double sum = 0;
            for (int a = 0; a < d; a++)
                sum += map[4 * a + b] * (result->points[i * d + a] - map[4 * a + 3]) / (scale * scale);
            motion[i * d + b] = sum - source->points[i * d + b];
        }
}

double report_spread(const sfgp_mesh *shape)
{
    const int64_t size = shape->count * shape->dimension;
    double mean[3] = {0, 0, 0}, sum = 0;
    for (int64_t k = 0; k < size; k++)
        mean[k % shape->dimension] += shape->points[k] / (double)shape->count;
    for (int64_t k = 0; k < size; k++) {
        const double from = shape->points[k] - mean[k % shape->dimension];
        sum += from * from;
    }
    return sqrt(sum / (double)size);
}
