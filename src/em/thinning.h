/* Thinning: how many target points are in use.
 *
 * While sigma2 is large, every target point is a candidate label of nearly every reference point: N_R x N_S
 * pairs, 1e10 for a hundred thousand points each. A few hundred labels a point say the same. So a
 * cold fit starts with one target point in k, each counting k times, where the power of two k keeps the pairs
 * within a budget. As sigma2 falls, the search radius finds fewer points, and k is halved as soon as twice
 * the pairs fit. Scans of up to 2^25 pairs (5800 points against 5800) are never thinned.
 *
 * A fit ends with k = 1. Only where points have very many labels it ends with the smallest k at which a point has no more than 16 384
 * labels in a cold fit that learns (ADR 0051), and 256 in a warm one (ADR 0109). */
#ifndef SFGP_EM_THINNING_H
#define SFGP_EM_THINNING_H

#include "em/em.h"

/* Uses one target point in so many, seen from the pose of the state. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_thinning_use(sfgp_em *em, int64_t thinning);
/* Chooses the thinning of a fit that starts from that of a subset, likewise. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_thinning_use_warm(sfgp_em *em, const sfgp_em *subset);
/* After a step: uses more target points when that fits the budget, or when the points rest.
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_thinning_refine(sfgp_em *em);
/* Makes the kd-tree over the points in use, unless there is one. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_thinning_tree(sfgp_em *em);
/* Whether the target is thinned no more than it will be at the end. */
bool sfgp_thinning_is_final(const sfgp_em *em);
/* Index in the caller's target of a point in use. */
int64_t sfgp_thinning_original(const sfgp_em *em, int64_t j);

#endif
