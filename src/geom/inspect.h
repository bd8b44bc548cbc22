/* Inspection of point sets: errors for what no method can fit, warnings for what is probably a mistake. One set in
 * inspect.c, two of them in inspect_pair.c. */
#ifndef SFGP_GEOM_INSPECT_H
#define SFGP_GEOM_INSPECT_H

#include "geom/frame.h"
#include "geom/mesh.h"
#include "geom/target.h"

#include <stdbool.h>

/* SFGP_ERROR_DATA: fewer than dimension + 1 points, a coordinate that is not finite, or that no fit can square, zero extent.
 * Warnings: collinear, coplanar, a single point far outside, an origin so far away that digits are lost.
 * role ("reference", "target") names the set in the texts. frame gets the set's own frame. O(count). */
sfgp_status sfgp_inspect_points(sfgp_context *context, const char *role, const sfgp_mesh *mesh,
                                sfgp_frame *frame);
/* The same for a reference; strays (geom/strays.h) are warned of and do not count for its frame; several
 * objects that make the radius larger or lie apart (geom/pieces.h) are warned of, and corners of faces that are there more than once
 * (geom/copies.h). Also checks the faces: SFGP_ERROR_PARAMETER. O(N log N). */
sfgp_status sfgp_inspect_reference(sfgp_context *context, const sfgp_mesh *mesh, sfgp_frame *frame);
/* SFGP_ERROR_DATA: a point of the target so far from the frame of the reference that no fit can square its place there. O(M). */
sfgp_status sfgp_inspect_reach(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target);
/* Warns and returns false when the extents of two sets differ by a factor of 100 or more, as mm and m do. A
 * single outlier does not change an extent. Warns and returns true of a target that is 3 times larger or 8 times
 * smaller. */
bool sfgp_inspect_extents(sfgp_context *context, int dimension, int64_t reference_count,
                          const double *reference, int64_t target_count, const double *target);
/* Warns of a target whose middle is more than 10 RMS radii away from the centre of the reference's frame. */
void sfgp_inspect_offset(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target);
/* Warns of landmarks whose middle is as far from that of their target; count x dimension, both in the frame. */
void sfgp_inspect_landmarks(sfgp_context *context, const sfgp_frame *frame, const sfgp_target *target,
                            int64_t count, const double *landmarks);
/* Warns of a fit that is 1.6 times larger or smaller than its reference; both have count points. */
void sfgp_inspect_fitted(sfgp_context *context, int dimension, int64_t count, const double *reference,
                         const double *fitted);

#endif
