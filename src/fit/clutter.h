/* Whether what was taken for clutter is the rest of the shape.
 *
 * A scan of much more area than the reference is taken to show other things around the shape (ADR 0035). If the fit then
 * explains a smaller share of the scan than the shape has room for, what lies around it may be the rest of the shape, in
 * another size. So the target is tried without clutter, and that fit is kept if it is a good one (ADR 0047). A shape of few
 * points explains some of every scan, and is always tried. */
#ifndef SFGP_FIT_CLUTTER_H
#define SFGP_FIT_CLUTTER_H

#include "fit/solver.h"

/* A follow-up (follow_ups.h). Nothing is done to a scan without clutter, and when time is up. Costs a search, of a dense shape up to two. Errors: those
 * of the search. */
sfgp_status sfgp_clutter_try(sfgp_solver *solver, sfgp_outcome *outcome);

#endif
