/* Points without labels: which reference points no target speaks for. What a result calls missing: holes.h.
 *
 * The mass nu_i of one point says little: its labels are easily those of a neighbour. So masses are averaged over a ring, the points
 * nearest to i. With this mean m_i, point i is missing if
 *
 *     m_i < 0.5 min(1, sum_k m_k^2 / sum_k m_k).
 *
 * The last term is the mean mass where labels are. It counts up to one label a point: a scan that is very dense in some places is not
 * missing elsewhere. ADR 0013.
 *
 * Where the points of a reference lie more densely than elsewhere, each has less mass. So on a surface a point with little
 * mass is missing only if, for half of the ring or more, no label is within 0.7 spacings of the scan. ADR 0036.
 *
 * Where a point of the scan stands for more area than two points of the reference, most points have no label although the scan shows
 * the surface there, and mass tells nothing. There each neighbour of a point, up to 1.5 spacings of the scan around
 * it, has a distance from the nearest target that is explained. The point is missing if the mean of these distances is more than 0.8
 * spacings. A seen point without a label gets the nearest such target, with probability 0. ADR 0055.
 */
#ifndef SFGP_OUTCOME_MISSING_H
#define SFGP_OUTCOME_MISSING_H

#include "em/em.h"

/* Whether a point of the scan stands for more area than two points of the reference. */
bool sfgp_missing_is_thin(const sfgp_em *em);
/* Point i has no label. */
void sfgp_missing_set(sfgp_responsibilities *r, int64_t i);
/* Counts the points without a best target. O(N). */
void sfgp_missing_count(sfgp_responsibilities *r);
/* After the last E-step of a fit that learns: sets the label weight of missing points to 0 and their best target to -1, and
 * counts them. O(N), of a thin scan O(N log M). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_missing_classify(sfgp_em *em);

#endif
