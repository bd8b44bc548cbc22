/* Frame: coordinates in which the reference has its centroid at 0 and the root mean square (RMS) radius 1.
 * The target is converted to the frame of the reference. In a frame of its own it would be shifted by what is
 * missing from it. */
#ifndef SFGP_GEOM_FRAME_H
#define SFGP_GEOM_FRAME_H

#include "base/context.h"

typedef struct sfgp_frame {
    int dimension;
    double centre[3]; /* centroid of the reference */
    double scale;     /* its RMS radius */
} sfgp_frame;

/* The frame of a point set. SFGP_ERROR_DATA when all points coincide, or when a double cannot hold their
 * spread. */
sfgp_status sfgp_frame_of(sfgp_context *context, const char *role, const sfgp_mesh *mesh, sfgp_frame *frame);
/* out = (in - centre) / scale, and back; in may be out. */
void sfgp_frame_enter(const sfgp_frame *frame, int64_t count, const double *in, double *out);
void sfgp_frame_leave(const sfgp_frame *frame, int64_t count, const double *in, double *out);

#endif
