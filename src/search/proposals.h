/* Proposals: ways out of the maximum that a fit has reached.
 *
 *     proposal  applies to                       what it proposes
 *     REPOSE    shapes of up to 400 points, and  the fit again, from the rigid motion that is in it
 *               surfaces with training shapes
 *               whose fit has turned
 *     REHEAT    a fit that has converged         the fit goes on with sigma2 times 80, under the stiff prior
 *                                                times 8; curves, and surfaces with training shapes: times
 *                                                8, then times 30
 *     TURN      a fit with a large residual      the best fit of rung TURNS, unless that was run before
 *
 * A proposal is accepted if its score is larger than that of the fit by its gain. Else the fit is restored
 * from its snapshot. After an accepted proposal the table goes on from an earlier row.
 *
 * REPOSE: a prior bends more easily than it turns. From a pose that is off by 20 degrees a fit reaches the
 * target bent, and stays there; the rigid motion nearest to the bent fit is mostly the right pose. REHEAT: a
 * fit may have converged next to the right labels. With a larger sigma2 responsibilities reach over several
 * places, and when it falls again the points mostly find better ones. TURN: a subset may fit turned the wrong
 * way; the whole shape tells. ADR 0013, 0017. */
#ifndef SFGP_SEARCH_PROPOSALS_H
#define SFGP_SEARCH_PROPOSALS_H

#include "em/em.h"

/* Rows of the table that may be used, as bits. */
enum {
    SFGP_PROPOSE_NONE = 0,
    SFGP_PROPOSE_REPOSE = 1,
    SFGP_PROPOSE_REHEAT = 2,
    SFGP_PROPOSE_TURN = 4,
    SFGP_PROPOSE_ALL = 7
};

/* Runs the rows on a fit that has ended. Errors: those of the steps, of halving, SFGP_ERROR_MEMORY. */
sfgp_status sfgp_proposals_run(sfgp_em *em, unsigned rows, sfgp_outcome *outcome);

#endif
