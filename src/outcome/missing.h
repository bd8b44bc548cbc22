/* Points without labels: which reference points no target speaks for. What a result calls missing: holes.h.
 *
 * The mass nu_i of one point says little: its labels are easily those of a neighbour. A point is missing when
 * it and the ring around it have less than half of the mass that such a ring has where labels are, or than
 * half of one label a point where the target is dense, as a scan that is dense in places is not missing
 * elsewhere. ADR 0013.
 *
 * Where the points of a reference lie more densely than elsewhere, each has less mass. So on a surface a point with little
 * mass is missing only if, for half of the ring or more, no label is within 0.7 spacings of the scan. ADR 0036.
 *
 * Where a point of the scan stands for more area than two points of the reference, most points have no label although the scan shows
 * the surface there, and mass tells nothing. There a point is missing if the mean distance from its neighbours, up to 1.5 spacings of the scan around, to
 * the nearest target that is explained is more than 0.8 spacings. A seen point without a label gets that target, with
 * probability 0. ADR 0055.
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
