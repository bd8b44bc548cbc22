/* Outward normals of a mesh: which side of its surface is outside. */
#ifndef SFGP_GEOM_OUTWARD_H
#define SFGP_GEOM_OUTWARD_H

#include "base/context.h"

#include <stdbool.h>

/* normals (count x 3): unit normals at `points` (count x 3), where those of the mesh have moved to; 0 at points in no face. A normal is the sum of those
 * of the faces at a point, by their areas. All have the sign that makes the sum of x'N positive, with x from the centroid and N of the length of the
 * area: by the divergence theorem that is three times the volume inside of a closed mesh, whichever way its faces turn.
 *
 * False where outside is not known, and normals are unfinished: without faces, where faces turn in different ways, and of a surface that is about as
 * flat as its centroid. O(count + corners). */
bool sfgp_outward_normals(const sfgp_mesh *mesh, const double *points, double *normals);

#endif
