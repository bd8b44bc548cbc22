/* Starts: from where a fit goes, and which of several it keeps.
 *
 * A search among a part of the points names the starts (search.h). The whole is fitted from each, the better
 * one is kept and taken out of its maximum into better ones (reheat.h, repose.h). If its labels still scatter
 * by more than a right fit's do, and the search was content and never turned the shape, the shape is turned
 * all around after all. */
#ifndef SFGP_FIT_STARTS_H
#define SFGP_FIT_STARTS_H

#include "fit/solver.h"

/* A fit of a method that searches, its target brought in. Errors: those of a search and of steps. */
sfgp_status sfgp_starts_fit(sfgp_solver *solver, const sfgp_mesh *target, sfgp_outcome *outcome);

#endif
