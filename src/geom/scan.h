/* Scan: the points of a target as a fit sees them, in the frame of the reference. */
#ifndef SFGP_GEOM_SCAN_H
#define SFGP_GEOM_SCAN_H

#include "geom/frame.h"
#include "geom/plane.h"

typedef struct sfgp_scan {
    sfgp_mesh *points;       /* in the frame, without faces */
    int32_t *first;          /* points->count: index in the target; NULL: that of the scan */
    const sfgp_frame *frame; /* of rounded points, like the target: the caller's, who keeps both; else NULL */
    const sfgp_mesh *target;
} sfgp_scan;

/* The points as they are, in their order. O(N). SFGP_ERROR_MEMORY. Clear also after an error; so the others. */
sfgp_status sfgp_scan_enter(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target,
                            sfgp_scan *scan);
/* Each point once (geom/copies.h), in the order of first appearance; all of them if too few would be left. Expected O(N). */
sfgp_status sfgp_scan_enter_once(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target,
                                 sfgp_scan *scan);
/* The points rounded to multiples of a step, each place once, in ascending order of their coordinates; all points as they are if too few
 * would be left. A fit to them does not depend on the order of the points in the file, and almost never on digits
 * that are far below what a scanner measures (ADR 0083). A very uneven scan in space is made even (geom/even.h). The step is
 * 2^-13 of the RMS radius of the reference, less in proportion, by powers of two, where no side of the box of the scan is as long as that radius. Where points meet, the first of the target gives the index. O(N log N). */
sfgp_status sfgp_scan_enter_rounded(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target,
                                    sfgp_scan *scan);
/* Leaves the points of the plane out of a rounded scan. O(N). */
void sfgp_scan_leave_out(const sfgp_plane *plane, sfgp_scan *scan);
/* Leaves the points out of a rounded scan for which out (points->count) is not 0. O(N). */
void sfgp_scan_drop(const unsigned char *out, sfgp_scan *scan);
/* A copy of a rounded scan. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_scan_copy(sfgp_context *context, const sfgp_scan *scan, sfgp_scan *copy);
/* Into a frame that is so many times as large, which the caller makes of scan->frame. O(N). */
void sfgp_scan_resize(double size, sfgp_scan *scan);
/* Of rounded points, point j as it is in the target, in the frame. */
void sfgp_scan_exact(const sfgp_scan *scan, int64_t j, double *point);
void sfgp_scan_clear(sfgp_scan *scan);

#endif
