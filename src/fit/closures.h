/* What closes a scan that is cut off, where it is no plane (fit/planes.h), is no surface of the shape.
 *
 * After the fit, points of the scan that are nearest to the squeezed part of it (outcome/squeezed.h) are left out, and the rest is fitted again; up to three times,
 * as the end of the shape then reaches farther each time. ADR 0124. */
#ifndef SFGP_FIT_CLOSURES_H
#define SFGP_FIT_CLOSURES_H

#include "fit/solver.h"

/* After sfgp_attempt. Leaves points out of solver->scan, warns, and searches again; problem.area is that of what is left. Nothing is left out of curves, without the
 * setting closures, after a fit that has not converged, where the scan has twice the area of the shape, with a limit of time, as the second search would leave none
 * for the first, and where fewer points than a fit needs would be left. O(N) and the searches. Errors: those of the search. */
sfgp_status sfgp_closures_leave_out(sfgp_solver *solver, sfgp_outcome *outcome);

#endif
