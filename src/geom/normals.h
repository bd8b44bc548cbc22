/* Normals of a point cloud: the direction in which the nearest neighbours of a point spread least (principal
 * components of the neighbourhood; Hoppe et al., SIGGRAPH 1992, section 3.2). In 2D: the normal of a curve.
 *
 * The neighbourhood of every point is found once and kept: when the points move, as a fitted reference does,
 * it moves with them like the faces of a mesh, and only the directions are computed anew. */
#ifndef SFGP_GEOM_NORMALS_H
#define SFGP_GEOM_NORMALS_H

#include "base/context.h"

typedef struct sfgp_neighbours {
    int64_t count;
    int dimension, size; /* of a neighbourhood, the point itself included */
    int32_t *index;      /* count x size, nearest first, the smaller index among equally near ones */
} sfgp_neighbours;

/* The `size` nearest points of each of count points (all of them when there are fewer). One kd-tree; about
 * O(count (log count + size log size)) for points of even density. SFGP_ERROR_MEMORY. Clear also after an
 * error. */
sfgp_status sfgp_neighbours_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                                int size, sfgp_neighbours *neighbours);
void sfgp_neighbours_clear(sfgp_neighbours *neighbours);

/* Unit normals (count x dimension) of the points as they lie now. The sign has no meaning; it is chosen so
 * that the entry of largest size is positive. Coincident neighbours give some unit vector. O(count size). */
void sfgp_normals_estimate(const sfgp_neighbours *neighbours, const double *points, double *normals);

#endif
