/* Attempts at a target: the search, and another one where what was taken for clutter may be the shape itself.
 *
 * A scan of much more area than the reference is taken to show other things around the shape (ADR 0035). If the fit then
 * explains a smaller share of the scan than the shape has room for, what lies around it may be the rest of the shape, in
 * another size. So the target is tried without clutter, and that fit is kept if it is a good one (ADR 0047). A shape of few
 * points explains some of every scan, and is always tried. */
#ifndef SFGP_FIT_ATTEMPT_H
#define SFGP_FIT_ATTEMPT_H

#include "fit/solver.h"

/* After sfgp_solver_load. searches: by a search for the start; else from the standard start. A fit that learns has
 * then classified its missing points and stated its uncertainty. Errors: those of the search. */
sfgp_status sfgp_attempt(sfgp_solver *solver, bool searches, sfgp_outcome *outcome);

#endif
