/* Planes beside the shape: the table on which it stands, the floor, a wall.
 *
 * A plane of the scan is left out if it has a quarter of the points, and three times the area of the largest plane of the reference.
 * A shape that is flat, or has flat parts, keeps them, as the reference has them, too. What is behind the plane is not looked at. ADR 0113. */
#ifndef SFGP_FIT_PLANES_H
#define SFGP_FIT_PLANES_H

#include "fit/solver.h"

/* Leaves out of solver->scan the points of up to settings.planes planes, one after the other, and warns. problem.area is that of the
 * scan, and then that of what is left. Nothing is left out of a scan in another unit, with --outlier-density count, or where fewer than 50 points
 * would be left. O(N). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_planes_leave_out(sfgp_solver *solver);

#endif
