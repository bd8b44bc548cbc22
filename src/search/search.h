/* Search: which fits are run, and which one is kept. In pseudo-code, the whole of the default method:
 *
 *     for a curve without training shapes: the following for either prior, and the better fit    curve.h
 *     list = poses of the rigid search                             poses.h
 *     list += rungs CHECK, TURNS, STARTS, unless that is sure      halving.h
 *     best = the fit of `list` with the largest score              whole.h (rung WHOLE)
 *     for each proposal: accept it if score > best + gain          proposals.h
 *     for each finer level: best = warm start from best            levels.h
 */
#ifndef SFGP_SEARCH_SEARCH_H
#define SFGP_SEARCH_SEARCH_H

#include "em/em.h"

/* A fit of a variant that learns, its target brought in: the smallest level of a dense shape, or all of
 * another. Errors: those of halving and of the steps. */
sfgp_status sfgp_search_run(sfgp_em *em, sfgp_outcome *outcome);
/* The last step of a fit that has converged, of the level that has it: labels that err less along the normals. Errors:
 * those of em/anisotropic.h. */
sfgp_status sfgp_search_refine(sfgp_em *em);

#endif
