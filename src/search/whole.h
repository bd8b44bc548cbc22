/* Rung WHOLE: fits of the whole shape, from the starts that the search has found.
 *
 *     for prior in stiff, as it is (surfaces without training shapes; of curves that of the search; else the latter only):
 *         for each pose, with a wide and a narrow sigma2: 30 iterations with some of the points and columns    rough.h
 *         the best two go on with all points
 *         (small shapes and curves, and with landmarks: each start with all points; one that is far behind is given up    pace.h)
 *         the fit with the largest score
 *     the one of both with the larger tempered score                                                      score.h */
#ifndef SFGP_SEARCH_WHOLE_H
#define SFGP_SEARCH_WHOLE_H

#include "search/rivals.h"
#include "search/shortlist.h"

/* What the search has found: starts of the rungs, and poses at which the shape lies in the scan as a rigid whole. */
typedef struct sfgp_findings {
    sfgp_shortlist rungs, rigid;
    bool turned;      /* rung TURNS was run */
    sfgp_rivals ends; /* of rung WHOLE */
} sfgp_findings;

/* The fit is in em; found->ends has where each of them has ended. SFGP_ERROR_MEMORY, SFGP_CANCELLED, and SFGP_ERROR_NUMERIC if
 * no start can be fitted. */
sfgp_status sfgp_whole_run(sfgp_em *em, sfgp_findings *found, sfgp_outcome *outcome);

#endif
