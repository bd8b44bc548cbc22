/* Frame: coordinates in which the reference has its centroid at 0 and the root mean square (RMS) radius 1, and in which a
 * surface lies along its principal axes, so that a fit does not depend on how both shapes lie in their files (ADR 0083).
 * The target is converted to the frame of the reference. In a frame of its own it would be shifted by what is
 * missing from it. */
#ifndef SFGP_GEOM_FRAME_H
#define SFGP_GEOM_FRAME_H

#include "base/context.h"

#include <stdbool.h>

typedef struct sfgp_frame {
    int dimension;
    double centre[3]; /* centroid of the reference */
    double scale;     /* its RMS radius */
    double step;      /* coordinates in the frame are multiples of it; 0: any numbers */
    double axes[9];   /* d x d: rows are the axes of the frame, unit vectors in the coordinates of the file */
} sfgp_frame;

/* The frame of a point set, with the axes of the file. SFGP_ERROR_DATA when all points coincide, or when a double cannot hold their
 * spread. */
sfgp_status sfgp_frame_of(sfgp_context *context, const char *role, const sfgp_mesh *mesh, sfgp_frame *frame);
/* RMS radii: the square of more is no number, and no point is nearest then. */
#define SFGP_FRAME_FARTHEST 1e150
/* Whether a point in the coordinates of the file is finite and nearer than that along each axis. */
bool sfgp_frame_reaches(const sfgp_frame *frame, const double *point);
/* Centre 0, scale 1, the axes of the file. */
sfgp_frame sfgp_frame_plain(int dimension);
/* The frame of a shape that is so many times as large, about the same centre. */
sfgp_frame sfgp_frame_resized(const sfgp_frame *frame, double size);
/* Turns the axes of the frame to the principal axes of a mesh in 3D, and sets its step, so that a fit starts from the same bits however the
 * reference lies in its file; in 2D both stay. The axes are right-handed; along each of the first two, points
 * with large numbers lie more on its positive side. After sfgp_dense_prepare. O(N). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_frame_turn(sfgp_context *context, const sfgp_mesh *mesh, sfgp_frame *frame);

/* The same with axes that are known. */
void sfgp_frame_set_axes(const double *axes, sfgp_frame *frame);
/* out = A (in - centre) / scale for the axes A, rounded to the step, and back; in may be out. */
void sfgp_frame_enter(const sfgp_frame *frame, int64_t count, const double *in, double *out);
void sfgp_frame_leave(const sfgp_frame *frame, int64_t count, const double *in, double *out);
/* The same as sfgp_frame_enter, not rounded: for points that have left the frame. */
void sfgp_frame_enter_exactly(const sfgp_frame *frame, int64_t count, const double *in, double *out);
/* Turns displacements into the axes of the frame, and back; in place. values: (count d) x columns, row-major, a displacement of every
 * point in each column. */
void sfgp_frame_enter_columns(const sfgp_frame *frame, int64_t count, int64_t columns, double *values);
void sfgp_frame_leave_columns(const sfgp_frame *frame, int64_t count, int64_t columns, double *values);

#endif
