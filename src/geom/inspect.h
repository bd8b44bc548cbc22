/* Inspection of a point set before it is used: errors for what no method can fit, warnings for what is
 * probably a mistake. */
#ifndef SFGP_GEOM_INSPECT_H
#define SFGP_GEOM_INSPECT_H

#include "geom/frame.h"
#include "geom/mesh.h"

#include <stdbool.h>

/* SFGP_ERROR_DATA: fewer than dimension + 1 points, a coordinate that is not finite, zero extent.
 * Warnings: collinear, coplanar, a single point far outside, an origin so far away that digits are lost.
 * role ("reference", "target") names the set in the texts. frame gets the set's own frame. O(count). */
sfgp_status sfgp_inspect_points(sfgp_context *context, const char *role, const sfgp_mesh *mesh,
                                sfgp_frame *frame);
/* Warns and returns false when the extents of two sets differ by a factor of 100 or more, as mm and m do. A
 * single outlier does not change an extent. */
bool sfgp_inspect_extents(sfgp_context *context, int dimension, int64_t reference_count,
                          const double *reference, int64_t target_count, const double *target);

#endif
