/* Rung WHOLE: fits of the whole shape, from the starts that the search has found.
 *
 *     surfaces of enough points without training shapes:                                                   rough.h
 *         for prior in stiff, as it is, for each pose, with a wide and a narrow sigma2: 20 iterations with some of the points
 *         the best one of each prior goes on with all points, unless it is far behind
 *     else, for prior in stiff, as it is (of curves that of the search; with training shapes the latter only):
 *         for each pose, with a wide and a narrow sigma2: a fit; one that is far behind is given up        pace.h
 *         the one with the largest score
 *     of both priors the fit with the larger tempered score                                                score.h
 *     where a shape with the proportions of the fit lies otherwise in the scan, the same from there, if that fit is better: proportions.h
 *     where it leaves a part of the scan unreached, the same under the loose prior, if that fit is better: unreached.h, stretch.h */
#ifndef SFGP_SEARCH_WHOLE_H
#define SFGP_SEARCH_WHOLE_H

#include "search/starts.h"

/* The fit is in em; found->ends has where each of them has ended. SFGP_ERROR_MEMORY, SFGP_CANCELLED, and SFGP_ERROR_NUMERIC if
 * no start can be fitted. */
sfgp_status sfgp_whole_run(sfgp_em *em, sfgp_findings *found, sfgp_outcome *outcome);

#endif
