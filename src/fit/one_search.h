/* One search of the scan that a solver has, and its last steps: the first one, and those of the follow-ups (follow_ups.h). */
#ifndef SFGP_FIT_ONE_SEARCH_H
#define SFGP_FIT_ONE_SEARCH_H

#include "fit/solver.h"

/* After sfgp_solver_load. searches: by a search for the start; else from the standard start. A fit that learns has
 * then classified its missing points and stated its uncertainty. Errors: those of the search. */
sfgp_status sfgp_one_search(sfgp_solver *solver, bool searches, sfgp_outcome *outcome);
/* Another search after a change of solver->problem; the iterations and starts of those before count as well. */
sfgp_status sfgp_one_search_again(sfgp_solver *solver, sfgp_outcome *outcome);
/* Whether a search has ended at a fit that something speaks for. */
bool sfgp_one_search_has_found(sfgp_em *em, sfgp_outcome outcome);

#endif
