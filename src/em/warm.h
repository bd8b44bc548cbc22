/* Warm start: a fit continues from the fit of a subset of its points under the same prior.
 *
 *     rbar = mean + B c,   p_i = |L^-1 b_i|^2 / d
 *
 * with the coefficients and the factor of the coarse fit and the rows B of all points. sigma2, the outlier
 * weight, the pose and the mixing weights are carried over as well. sigma2 of a dense shape is made smaller, as its labels lie
 * nearer (ADR 0109). ADR 0015. */
#ifndef SFGP_EM_WARM_H
#define SFGP_EM_WARM_H

#include "em/em.h"

/* Begins `em` where `subset` has ended. Both have the prior of the same model. O(N m_s (d + m_s) + N_S).
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_em_warm_start(sfgp_em *em, const sfgp_em *subset);

/* For each point of em, or each cell of a dense shape, the index of the point of `coarse` next to it; em->regions.count of them.
 * SFGP_ERROR_MEMORY. O(N log N). */
sfgp_status sfgp_em_find_nearest(sfgp_em *em, const sfgp_basis *coarse, int64_t *nearest);

/* Goes on with all points and columns, and the schedule of a fit from a start, where a fit of fewer stood at `from`: its basis,
 * which has the first columns, and the nearest of its points (sfgp_em_find_nearest). The shape is not dense. O(N d m_s).
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_em_go_on(sfgp_em *em, const sfgp_basis *coarse, const int64_t *nearest,
                          const sfgp_em_state *from);

/* From here on doubts look at the sigma and the spacings of this fit, and not at those of the smallest subset. For a shape that is not
 * dense: the limits of doubt were tuned on such shapes. */
void sfgp_em_judge_by_itself(sfgp_em *em);

#endif
