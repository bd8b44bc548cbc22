/* The damages of a scan, one function for each kind. The warp is in warp.c, their order in scan.c. */
#include "simulate/damage.h"
#include "geom/vector.h"

#include <math.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)

void sfgp_damage_holes(const sfgp_cloud *cloud, int64_t holes, double radius, sfgp_random *random,
                       unsigned char *mask)
{
    for (int64_t hole = 0; hole < holes; hole++) {
        const double *middle = cloud->points + cloud->dimension * sfgp_random_below(random, cloud->count);
        for (int64_t k = 0; k < cloud->count; k++)
            if (sfgp_square_between(cloud->dimension, cloud->points + k * cloud->dimension, middle) <=
                radius * radius)
                mask[k] = 1;
    }
}

void sfgp_damage_box(const sfgp_cloud *cloud, int64_t point, double width, unsigned char *mask)
{
    const double *middle = cloud->points + point * cloud->dimension;
    for (int64_t k = 0; k < cloud->count; k++) {
        double farthest = 0;
        for (int axis = 0; axis < cloud->dimension; axis++)
            farthest = fmax(farthest, fabs(cloud->points[k * cloud->dimension + axis] - middle[axis]));
        if (farthest <= width / 2)
            mask[k] = 1;
    }
}

/* Selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S): one pass, no memory. */
void sfgp_damage_points(const sfgp_cloud *cloud, int64_t points, sfgp_random *random, unsigned char *mask)
{
    for (int64_t k = 0; k < cloud->count; k++)
        if (sfgp_random_below(random, cloud->count - k) < points) {
            mask[k] = 1;
            points--;
        }
}

void sfgp_damage_remove(const unsigned char *mask, sfgp_cloud *cloud)
{
    int64_t kept = 0, d = cloud->dimension;
    for (int64_t k = 0; k < cloud->count; k++)
        if (!mask[k])
            memmove(cloud->points + d * kept++, cloud->points + d * k, (size_t)d * sizeof *cloud->points);
    cloud->count = kept;
}

void sfgp_damage_noise(double deviation, sfgp_random *random, sfgp_cloud *cloud)
{
    for (int64_t k = 0; k < cloud->count * cloud->dimension; k++)
        cloud->points[k] += deviation * sfgp_random_normal(random);
}

void sfgp_damage_outliers(int64_t outliers, const double low[3], const double high[3], sfgp_random *random,
                          sfgp_cloud *cloud)
{
    double *next = cloud->points + cloud->count * cloud->dimension;
    for (int64_t k = 0; k < outliers; k++)
        for (int axis = 0; axis < cloud->dimension; axis++)
            *next++ = low[axis] + (high[axis] - low[axis]) * sfgp_random_uniform(random);
    cloud->count += outliers;
}

/* Uniform on the unit sphere, or circle. */
static void draw_direction(int dimension, sfgp_random *random, double direction[3])
{
    double square;
    do {
        square = direction[2] = 0;
        for (int axis = 0; axis < dimension; axis++) {
            direction[axis] = sfgp_random_normal(random);
            square += direction[axis] * direction[axis];
        }
    } while (square < 1e-12);
    for (int axis = 0; axis < dimension; axis++)
        direction[axis] /= sqrt(square);
}

/* p cos + (a x p) sin + a (a . p) (1 - cos): Rodrigues' formula for a turn around the unit vector a. */
static void turn_point(const double a[3], double angle, const double p[3], double turned[3])
{
    double along = a[0] * p[0] + a[1] * p[1] + a[2] * p[2];
    for (int axis = 0; axis < 3; axis++) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        turned[axis] = p[axis] * cos(angle) + (a[next] * p[last] - a[last] * p[next]) * sin(angle) +
                       a[axis] * along * (1 - cos(angle));
    }
}

void sfgp_damage_similarity(double rotation, double translation, double scale, sfgp_random *random,
                            sfgp_cloud *cloud)
{
    const int d = cloud->dimension == 2 ? 2 : 3;
    double turn_axis[3], direction[3], sign = sfgp_random_uniform(random) < 0.5 ? -1 : 1;
    draw_direction(3, random, turn_axis);
    draw_direction(d, random, direction);
    if (d == 2)
        turn_axis[0] = turn_axis[1] = 0, turn_axis[2] = sign;
    for (int64_t k = 0; k < cloud->count; k++) {
        double *point = cloud->points + k * d, old[3] = {0}, turned[3];
        memcpy(old, point, (size_t)d * sizeof *point);
        turn_point(turn_axis, rotation * DEGREE, old, turned);
        for (int axis = 0; axis < d; axis++)
            point[axis] = (1 + scale) * turned[axis] + translation * direction[axis];
    }
}

void sfgp_damage_shuffle(sfgp_random *random, sfgp_cloud *cloud)
{
    size_t size = (size_t)cloud->dimension * sizeof *cloud->points;
    for (int64_t k = cloud->count - 1; k > 0; k--) {
        double *here = cloud->points + k * cloud->dimension, kept[3];
        double *there = cloud->points + sfgp_random_below(random, k + 1) * cloud->dimension;
        memcpy(kept, here, size);
        memmove(here, there, size);
        memcpy(there, kept, size);
    }
}
