/* Stated variance of a fit that has ended: that of the observed information, and what the prior cannot
 * express,
 *
 *     p_i = p_i(observed information) + c sigma2 (1 + h_i / 2) + (k h_i s)^2,
 *
 * h_i: how many target spacings s point i is away from the next point that is not missing. What no column of
 * B expresses goes on into a hole without anything that holds it. c = 7 for surfaces without training shapes,
 * 0.02 with them, 0 for curves; k = 0.4 for curves without training shapes, where exact data have sigma2 = 0,
 * else 0. Calibrated on ears 000-005, fish of deformation level 1 and, k, simulated fish with holes, so that
 * 95 % regions cover (ADR 0013). In a warm fit the information is that of the smallest level, and the first c
 * sigma2 is c sigma sigma_level (ADR 0015). */
#ifndef SFGP_OUTCOME_UNCERTAINTY_H
#define SFGP_OUTCOME_UNCERTAINTY_H

#include "em/em.h"

/* After the last step of a fit that learns: responsibilities at the points as they are now, missing points,
 * and the variance above. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_outcome_finish(sfgp_em *em);

#endif
