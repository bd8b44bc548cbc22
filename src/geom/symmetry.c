/* Mirror images of a shape beside itself. */
#include "geom/symmetry.h"
#include "base/memory.h"
#include "geom/kdtree.h"
#include "geom/normals.h"
#include "geom/sample.h"

#include <math.h>

#define AXES 3
#define MOST 0.12 /* symmetric shapes have 0.00 to 0.11, others 0.15 to 0.5 (ADR 0136) */

enum { POINTS = 4000, MIRRORED = 500, NEIGHBOURS = 8 };

/* Points of a shape, with their neighbours and normals. Zeros are an empty one. */
typedef struct cloud {
    sfgp_sample shape;
    sfgp_kdtree *tree;
    sfgp_neighbours neighbours;
    double *normals;
} cloud;

static sfgp_status new_cloud(sfgp_context *context, int64_t count, const double *points, uint64_t seed,
                             cloud *of)
{
    *of = (cloud){.tree = NULL};
    sfgp_status status = sfgp_sample_new(context, count, points, POINTS, seed, &of->shape);
    if (status == SFGP_OK)
        status = sfgp_kdtree_new(context, of->shape.count, AXES, of->shape.points, &of->tree);
    if (status == SFGP_OK)
        status = sfgp_neighbours_new(context, of->shape.count, AXES, of->shape.points, NEIGHBOURS,
                                     &of->neighbours);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, of->shape.count * AXES, &of->normals);
    if (status == SFGP_OK)
        sfgp_normals_estimate(&of->neighbours, of->shape.points, of->normals);
    return status;
}

static void clear_cloud(cloud *of)
{
    sfgp_free(of->normals);
    sfgp_neighbours_clear(&of->neighbours);
    sfgp_kdtree_free(of->tree);
    sfgp_sample_clear(&of->shape);
}

/* Squared distance of a point from the surface: along the normal of the nearest point, and beside it as far as that is more than the spacing there. A point
 * of a surface mostly lies between those that were sampled from it. */
static double distance2_from(const cloud *of, const double x[AXES])
{
    double distance2, along = 0;
    const int64_t nearest = sfgp_kdtree_nearest(of->tree, x, &distance2);
    for (int a = 0; a < AXES; a++)
        along += of->normals[nearest * AXES + a] * (x[a] - of->shape.points[nearest * AXES + a]);
    const double spacing = sfgp_neighbours_distance(&of->neighbours, of->shape.points, nearest, 1),
                 beside = fmax(sqrt(fmax(distance2 - along * along, 0)) - spacing, 0);
    return along * along + beside * beside;
}

/* Mean square distance of mirror images from the shape; of some points all over it. */
static double distance2_across(const cloud *of, int axis)
{
    const sfgp_sample *shape = &of->shape;
    const int64_t count = shape->count < MIRRORED ? shape->count : MIRRORED;
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        const double *x = shape->points + AXES * (i * shape->count / count);
        double mirrored[AXES] = {x[0], x[1], x[2]};
        mirrored[axis] = -mirrored[axis];
        sum += distance2_from(of, mirrored);
    }
    return sum / (double)count;
}

/* Mean square coordinates, of each axis. */
static void measure_extents2(const sfgp_sample *shape, double extent2[AXES])
{
    for (int axis = 0; axis < AXES; axis++) {
        extent2[axis] = 0;
        for (int64_t i = 0; i < shape->count; i++)
            extent2[axis] += shape->points[AXES * i + axis] * shape->points[AXES * i + axis];
        extent2[axis] /= (double)shape->count;
    }
}

/* Both ends of a long shape differ by no more than it is thick: its length counts as the second extent. */
static double scale2_of(const double extent2[AXES], int axis)
{
    const double others = fmax(extent2[(axis + 1) % AXES], extent2[(axis + 2) % AXES]);
    return fmin(extent2[axis], others);
}

sfgp_status sfgp_symmetry_axis(sfgp_context *context, int64_t count, const double *points, uint64_t seed,
                               int *axis)
{
    cloud surface;
    double least = MOST, extent2[AXES];
    *axis = -1;
    sfgp_status status = new_cloud(context, count, points, seed, &surface);
    if (status == SFGP_OK)
        measure_extents2(&surface.shape, extent2);
    for (int a = 0; status == SFGP_OK && a < AXES; a++) {
        const double apart = sqrt(distance2_across(&surface, a) / scale2_of(extent2, a));
        if (apart < least) {
            least = apart;
            *axis = a;
        }
    }
    clear_cloud(&surface);
    return status;
}
