/* What closes a scan that is cut off, where it is no plane (fit/planes.h), is no surface of the shape.
 *
 * After the fit, points of the scan that are nearest to the squeezed part of it (outcome/squeezed.h) are left out, and the rest is
 * fitted again; up to three times, as the end of the shape reaches farther each time. The last fit is kept if it is not doubtful, no
 * more than 0.4 of the scan is left out, and the rest of the shape lies where it lay: the upper quartile of its motion is at most
 * `squeezed_motion`. Otherwise the first one stays, with its bits (first.h). ADR 0124. */
#ifndef SFGP_FIT_CLOSURES_H
#define SFGP_FIT_CLOSURES_H

#include "fit/solver.h"

/* A follow-up (follow_ups.h). Leaves points out of solver->scan, warns, and searches again; problem.area is that of what is left.
 * O(N) and the searches, up to three; of a dense shape four. Errors: those of the search. */
sfgp_status sfgp_closures_leave_out(sfgp_solver *solver, sfgp_outcome *outcome);

#endif
