/* The loop of a fit: iterations until the points rest. */
#ifndef SFGP_EM_LOOP_H
#define SFGP_EM_LOOP_H

#include "em/em.h"

/* One iteration: E-step, guard, M-step, sigma2, mixing, extrapolation, thinning. When no point has a label it
 * only sets responsibilities.missing = count. Allocates nothing, but trees when more of the target comes into
 * use. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_em_step(sfgp_em *em);
/* Tells the caller's progress function how far the fit is. SFGP_CANCELLED. */
sfgp_status sfgp_em_report(const sfgp_em *em);
/* Iterates until the points rest or the state has so many iterations. Errors of a step, SFGP_CANCELLED. */
sfgp_status sfgp_em_run_to(sfgp_em *em, int64_t iteration, sfgp_outcome *outcome);
/* The same, to the limit of the fit. */
sfgp_status sfgp_em_run(sfgp_em *em, sfgp_outcome *outcome);

#endif
