/* Whether a shape is symmetric to a plane, as faces, skulls and most animals are. */
#ifndef SFGP_GEOM_SYMMETRY_H
#define SFGP_GEOM_SYMMETRY_H

#include "base/context.h"

/* The axis across the plane of symmetry of points (count x 3) in a frame along their principal axes (geom/frame.h); -1: there is none. The plane
 * is through the origin: that of a symmetric shape is, and is across one of these axes.
 *
 * A shape is symmetric if the mirror images of its points lie on its surface: the root mean square distance is below 0.12 of the root mean square coordinate along
 * that axis, or along the longer one of the others where that is less. A distance is that along the normal of the nearest point; beside it only what is more
 * than the spacing there counts, so that coarse shapes are recognised, too. Of two such planes it is the better one. 500 mirrored points among 4000 at random
 * (seeded), at most. O(count). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_symmetry_axis(sfgp_context *context, int64_t count, const double *points, uint64_t seed,
                               int *axis);

#endif
