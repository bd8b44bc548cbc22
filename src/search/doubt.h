/* Whether a converged fit of a surface has failed, as far as it can tell itself: the scan lies too far from it (ADR 0038), or
 * not near although the shape is bent far (ADR 0049). */
#ifndef SFGP_SEARCH_DOUBT_H
#define SFGP_SEARCH_DOUBT_H

#include "em/em.h"

/* sigma: how far the labels scatter; spacing: of the points, 0 where it was not measured. Both in radii. False for curves.
 * Overwrites em->deltas. O(N). */
bool sfgp_search_doubts(sfgp_em *em, double sigma, double spacing);

#endif
