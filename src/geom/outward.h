/* Outward normals of a mesh: which side of its surface is outside. */
#ifndef SFGP_GEOM_OUTWARD_H
#define SFGP_GEOM_OUTWARD_H

#include "base/context.h"

#include <stdbool.h>

/* normals (count x 3): unit normals at `points` (count x 3), where those of the mesh have moved to; 0 at points in no face. The
 * normal of a point is the sum N_i of the areas of its faces, along their normals, made a unit vector. With x_i from the centroid,
 * all have the sign that makes sum_i x_i'N_i positive. Of a closed mesh it is in proportion to the volume (divergence theorem),
 * whichever way its faces turn.
 *
 * False where outside is not known, and the normals are unfinished then: without faces, where faces turn in different ways, and of
 * a flat surface. O(count + corners). */
bool sfgp_outward_normals(const sfgp_mesh *mesh, const double *points, double *normals);

#endif
