/* Frame: the reference's own coordinates, centroid at 0 and root mean square radius 1. The target is brought
 * into the same frame: a target normalised by itself would be moved by whatever is missing from it. */
#ifndef SFGP_GEOM_FRAME_H
#define SFGP_GEOM_FRAME_H

#include "base/context.h"

typedef struct sfgp_frame {
    int dimension;
    double centre[3], scale;
} sfgp_frame;

/* Frame of the points. SFGP_ERROR_DATA "zero extent" when they coincide or a double cannot hold their spread.
 */
sfgp_status sfgp_frame_of(sfgp_context *context, const char *role, const sfgp_mesh *mesh, sfgp_frame *frame);
/* out = (in - centre) / scale, and back; in may be out. */
void sfgp_frame_enter(const sfgp_frame *frame, int64_t count, const double *in, double *out);
void sfgp_frame_leave(const sfgp_frame *frame, int64_t count, const double *in, double *out);

#endif
