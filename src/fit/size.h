/* Another size of the shape in a scan.
 *
 * The rigid search and the prior know the size of the reference. A shape that is a third smaller or larger is mostly found, but not always at
 * another turn, and not a long bone. Such fits are doubtful, leave a part of the scan unreached, or take most of it for other things. Then the
 * rigid search is asked at some sizes (search/poses.h). If the shape lies much better in the scan at another one, the scan is searched again in the
 * frame of a reference of that size (solver->frame). That fit is kept if nothing speaks against it that does not speak against the first one. Otherwise
 * the first one stays, with its bits (first.h), and a warning names the size. If the mirror image is better at the other size, the first one
 * has that doubt. ADR 0131, 0132. */
#ifndef SFGP_FIT_SIZE_H
#define SFGP_FIT_SIZE_H

#include "fit/solver.h"

/* A follow-up (follow_ups.h). Not asked with training shapes, and where the mirror image is better.
 * No search with a limit of time, or of so few points that they were not rounded. Costs up to 15 searches for a pose, and a
 * search, of a dense shape up to two. Errors: those of the search. */
sfgp_status sfgp_size_try(sfgp_solver *solver, sfgp_outcome *outcome);

#endif
