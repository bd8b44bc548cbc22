/* Leaves out parts of a scan that a fit to all of it has shown to be no surface of the shape: inner walls (walls.h), fuzzy layers (fuzzy.h),
 * and what closes a scan that is cut off (closures.h). */
#ifndef SFGP_FIT_LEAVE_OUT_H
#define SFGP_FIT_LEAVE_OUT_H

#include "fit/solver.h"

/* Points where the scan is, some of which are flagged. */
typedef struct sfgp_flagged {
    int64_t count;
    const double *points;      /* count x 3 */
    const unsigned char *part; /* count: 1: flagged */
} sfgp_flagged;

/* Leaves out of solver->scan the points whose nearest one of these is flagged; problem.area is that of what is left. *changed: it did so. Nothing
 * is left out where that is less than the share `least` of the scan, or where fewer than 50 points would be left.
 * O((N + count) log count). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_leave_out_nearest(sfgp_solver *solver, const sfgp_flagged *flagged, double least,
                                   bool *changed);

/* How many percent of a scan that had `before` points are left out, for warnings. */
double sfgp_leave_out_percent(const sfgp_solver *solver, int64_t before);

#endif
