/* Area and density of a sampled surface, by the nearest of some of its points (ADR 0035). */
#include "geom/area.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "base/random.h"
#include "geom/kdtree.h"
#include "geom/normals.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define GRAIN 256 /* points that a thread takes at a time */

enum {
    AREA_POINTS = 2000,
    NEIGHBOUR = 8, /* k: fewer would tell an even from a random sample, more would see borders and folds */
    DENSITY_POINTS = 3000
};

/* Spacings; Gaussians as wide as balls of 2.2 to 6.7 find the same ears in heads (ADR 0035). */
#define REACH 4.5

/* Up to `most` of the points, at random. */
static sfgp_status choose(sfgp_context *context, int64_t count, const double *points, int64_t most,
                          uint64_t seed, int64_t *chosen, double **some)
{
    int64_t *index = NULL;
    *chosen = count < most ? count : most;
    sfgp_status status = sfgp_allocate(context, *chosen, &index);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 3 * *chosen, some);
    if (status == SFGP_OK)
        *chosen = sfgp_random_some(seed, count, *chosen, index);
    for (int64_t k = 0; status == SFGP_OK && k < *chosen; k++)
        memcpy(*some + 3 * k, points + 3 * index[k], 3 * sizeof(double));
    sfgp_free(index);
    return status;
}

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
    double *some = NULL, *distance2 = NULL;
    sfgp_neighbours neighbours = {0};
    int64_t chosen = 0;
    *area = 0;
    if (count <= NEIGHBOUR)
        return SFGP_OK;
    sfgp_status status = choose(context, count, points, AREA_POINTS, seed, &chosen, &some);
    if (status == SFGP_OK)
        status = sfgp_neighbours_new(context, chosen, 3, some, NEIGHBOUR + 1, &neighbours);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, chosen, &distance2);
    if (status == SFGP_OK)
        *area = (double)chosen * PI * median_reach2(&neighbours, some, distance2) / NEIGHBOUR;
    sfgp_free(distance2);
    sfgp_neighbours_clear(&neighbours);
    sfgp_free(some);
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
    double *some = NULL;
    sfgp_kdtree *tree = NULL;
    int64_t chosen = 0;
    sfgp_status status = choose(context, count, points, DENSITY_POINTS, seed, &chosen, &some);
    if (status == SFGP_OK)
        status = sfgp_kdtree_new(context, chosen, 3, some, &tree);
    if (status == SFGP_OK) {
        const double radius = REACH * sqrt(area / (double)chosen);
        const balls all = {tree, points, radius, 3 / (4 * PI * pow(radius, 3) * (double)chosen), density};
        sfgp_parallel_for(count, GRAIN, count_some, &all);
    }
    sfgp_kdtree_free(tree);
    sfgp_free(some);
    return status;
}
