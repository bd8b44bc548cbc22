/* Reheating: out of a maximum into a better one.
 *
 * A fit that has settled may have settled next to the right labels: points that lie on a lattice of their own
 * lock one place too far. With the variance raised again the labels blur over several places, and falling
 * once more the points mostly find the better ones. A new maximum is kept when its bound is higher. */
#ifndef SFGP_FIT_REHEAT_H
#define SFGP_FIT_REHEAT_H

#include "fit/solver.h"

/* After a fit that has converged. Errors: those of a step, SFGP_ERROR_MEMORY. */
sfgp_status sfgp_solver_reheat(sfgp_solver *solver, sfgp_outcome *outcome);

#endif
