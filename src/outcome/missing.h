/* Missing points: which reference points the scan does not show.
 *
 * The mass nu_i of one point says little: its labels are easily those of a neighbour. A point is missing when
 * it and the ring around it have less than half of the mass that such a ring has where labels are, or than
 * half of one label a point where the target is dense, as a scan that is dense in places is not missing
 * elsewhere. ADR 0013.
 *
 * Where the points of a reference lie more densely than elsewhere, each has less mass. So on a surface a point with little
 * mass is missing only if, for half of the ring or more, no label is within 0.7 spacings of the scan. ADR 0036. */
#ifndef SFGP_OUTCOME_MISSING_H
#define SFGP_OUTCOME_MISSING_H

#include "em/em.h"

/* After the last E-step of a fit that learns: sets the label weight of missing points to 0, and counts them.
 * O(N). */
void sfgp_missing_classify(sfgp_em *em);

#endif
