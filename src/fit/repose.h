/* Reposing: the rotation and shift that are left in a fit go into its pose, and it begins again from there.
 *
 * The prior bends more easily than it turns: from a pose that is off by 20 degrees a fit reaches the target
 * bent, and locks. The rigid motion nearest to the bent fit is mostly the right pose. */
#ifndef SFGP_FIT_REPOSE_H
#define SFGP_FIT_REPOSE_H

#include "fit/solver.h"

/* After a fit; kept as long as the score of the search grows, three times at most. Errors: those of a step.
 */
sfgp_status sfgp_solver_repose(sfgp_solver *solver, sfgp_outcome *outcome);

#endif
