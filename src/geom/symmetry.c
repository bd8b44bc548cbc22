/* Mirror images of a shape beside itself. */
#include "geom/symmetry.h"
#include "geom/kdtree.h"
#include "geom/sample.h"

#include <math.h>

#define AXES 3
#define MOST 0.12 /* symmetric shapes of 2500 points have 0.04 to 0.11, others 0.22 to 1.2 (ADR 0135) */

enum { POINTS = 8000, MIRRORED = 500 };

/* Mean square distance of mirror images from the shape; of some points all over it. */
static double distance2_across(const sfgp_kdtree *tree, const sfgp_sample *shape, int axis)
{
    const int64_t count = shape->count < MIRRORED ? shape->count : MIRRORED;
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        const double *x = shape->points + AXES * (i * shape->count / count);
        double mirrored[AXES] = {x[0], x[1], x[2]}, distance2;
        mirrored[axis] = -mirrored[axis];
        sfgp_kdtree_nearest(tree, mirrored, &distance2);
        sum += distance2;
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
    sfgp_sample shape;
    sfgp_kdtree *tree = NULL;
    double least = MOST, extent2[AXES];
    *axis = -1;
    sfgp_status status = sfgp_sample_new(context, count, points, POINTS, seed, &shape);
    if (status == SFGP_OK)
        status = sfgp_kdtree_new(context, shape.count, AXES, shape.points, &tree);
    if (status == SFGP_OK)
        measure_extents2(&shape, extent2);
    for (int a = 0; status == SFGP_OK && a < AXES; a++) {
        const double apart = sqrt(distance2_across(tree, &shape, a) / scale2_of(extent2, a));
        if (apart < least) {
            least = apart;
            *axis = a;
        }
    }
    sfgp_kdtree_free(tree);
    sfgp_sample_clear(&shape);
    return status;
}
