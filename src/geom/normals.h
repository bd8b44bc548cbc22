/* Normals of a point cloud: the direction in which the nearest neighbours of a point spread least (principal
 * components of the neighbourhood; Hoppe et al., SIGGRAPH 1992, section 3.2). In 2D: the normal of a curve.
 *
 * The neighbourhood of each point is found once. When the points move, as a fitted reference does, it keeps
 * its points, like the faces of a mesh, and only the directions are computed again. */
#ifndef SFGP_GEOM_NORMALS_H
#define SFGP_GEOM_NORMALS_H

#include "base/context.h"

typedef struct sfgp_neighbours {
    int64_t count;
    int dimension;
    int size;       /* points of a neighbourhood, the point itself included */
    int32_t *index; /* count x size: nearest first, then the smaller index */
} sfgp_neighbours;

/* The `size` nearest points of each of count points (all of them when there are fewer). One kd-tree; about
 * O(count (log count + size log size)) for points of even density. SFGP_ERROR_MEMORY. Clear also after an
 * error. */
sfgp_status sfgp_neighbours_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                                int size, sfgp_neighbours *neighbours);
void sfgp_neighbours_clear(sfgp_neighbours *neighbours);
/* The `size` nearest points of each, of neighbourhoods that have as many or more. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_neighbours_narrow(sfgp_context *context, const sfgp_neighbours *more, int size,
                                   sfgp_neighbours *nearest);
/* Distance of point i from its k-th neighbour, at their present places; of k = 0, itself, it is 0. */
double sfgp_neighbours_distance(const sfgp_neighbours *neighbours, const double *points, int64_t i, int k);

/* Unit normals (count x dimension) of the points at their present places. The sign is arbitrary: the entry of
 * largest size is positive. Coincident neighbours give an arbitrary unit vector. O(count size). */
void sfgp_normals_estimate(const sfgp_neighbours *neighbours, const double *points, double *normals);

#endif
