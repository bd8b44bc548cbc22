/* Area and density of a sampled surface, by the nearest of some of its points (ADR 0035). */
#include "geom/area.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "geom/kdtree.h"
#include "geom/normals.h"
#include "geom/sample.h"

#include <math.h>

#define PI 3.14159265358979323846
#define GRAIN 256 /* points that a thread takes at a time */

enum {
    AREA_POINTS = 2000,
    NEIGHBOUR = 8, /* k: fewer would tell an even from a random sample, more would see borders and folds */
    DENSITY_POINTS = 3000
};

/* Spacings; Gaussians as wide as balls of 2.2 to 6.7 find the same ears in heads (ADR 0035). */
#define REACH 4.5

/* ---- area ------------------------------------------------------------------------------------------------ */

/* Median squared distance to the farthest of a neighbourhood. Overwrites distance2 (count). */
static double median_reach2(const sfgp_neighbours *neighbours, const double *points, double *distance2)
{
    const int size = neighbours->size;
    for (int64_t i = 0; i < neighbours->count; i++) {
        const double *a = points + 3 * i, *b = points + 3 * (int64_t)neighbours->index[i * size + size - 1];
        const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
        distance2[i] = x * x + y * y + z * z;
    }
    sfgp_sort(neighbours->count, distance2);
    return sfgp_quantile(neighbours->count, distance2, 0.5);
}

sfgp_status sfgp_points_area(sfgp_context *context, int64_t count, const double *points, uint64_t seed,
                             double *area)
{
    double *distance2 = NULL;
    sfgp_neighbours neighbours = {0};
    sfgp_sample some;
    *area = 0;
    if (count <= NEIGHBOUR)
        return SFGP_OK;
    sfgp_status status = sfgp_sample_new(context, count, points, AREA_POINTS, seed, &some);
    if (status == SFGP_OK)
        status = sfgp_neighbours_new(context, some.count, 3, some.points, NEIGHBOUR + 1, &neighbours);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, some.count, &distance2);
    if (status == SFGP_OK)
        *area = (double)some.count * PI * median_reach2(&neighbours, some.points, distance2) / NEIGHBOUR;
    sfgp_free(distance2);
    sfgp_neighbours_clear(&neighbours);
    sfgp_sample_clear(&some);
    return status;
}

/* ---- density --------------------------------------------------------------------------------------------- */

typedef struct balls {
    const sfgp_kdtree *tree; /* over the points that are counted */
    const double *points;
    double radius;
    double each; /* density of one point in a ball */
    double *density;
} balls;

static void count_some(const void *data, int64_t first, int64_t end)
{
    const balls *b = data;
    for (int64_t i = first; i < end; i++)
        b->density[i] =
            b->each * (double)sfgp_kdtree_count(b->tree, b->points + 3 * i, b->radius * b->radius);
}

sfgp_status sfgp_points_density(sfgp_context *context, int64_t count, const double *points, double area,
                                uint64_t seed, double *density)
{
    sfgp_kdtree *tree = NULL;
    sfgp_sample some;
    sfgp_status status = sfgp_sample_new(context, count, points, DENSITY_POINTS, seed, &some);
    if (status == SFGP_OK)
        status = sfgp_kdtree_new(context, some.count, 3, some.points, &tree);
    if (status == SFGP_OK) {
        const double radius = REACH * sqrt(area / (double)some.count),
                     each = 3 / (4 * PI * pow(radius, 3) * (double)some.count);
        const balls all = {tree, points, radius, each, density};
        sfgp_parallel_for(count, GRAIN, count_some, &all);
    }
    sfgp_kdtree_free(tree);
    sfgp_sample_clear(&some);
    return status;
}
