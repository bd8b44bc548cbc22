/* Planes of the scan that are not of the shape: the table on which it stands, the floor, a wall, and flat ends, where a program has closed a
 * scan that is cut off.
 *
 * A plane of the scan is left out if it has a quarter of the points, and three times the area of the largest plane of the reference.
 * A shape that is flat, or has flat parts, keeps them, as the reference has them, too. There may be points behind the plane. ADR 0113.
 *
 * Then a flat end is left out: a plane with 4 % of the points behind which there are at most 1.5 % of them, with 2.5 times the area of the
 * largest such end of the reference. Its thickness is at most a quarter of the spacing of 1000 points of the scan. Twice as thick it
 * has at most 1.3 times the points; a dome has twice as many. ADR 0119. */
#ifndef SFGP_FIT_PLANES_H
#define SFGP_FIT_PLANES_H

#include "fit/solver.h"

/* Leaves out of solver->scan the points of up to settings.planes planes, one after the other, and warns. problem.area is that of the
 * scan, and then that of what is left. Nothing is left out of a scan in another unit, with --outlier-density count, or where fewer than 50 points
 * would be left. O(N). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_planes_leave_out(sfgp_solver *solver);

#endif
