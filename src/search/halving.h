/* Successive halving: where a fit starts.
 *
 * EM climbs to the next maximum of the evidence bound, and which one that is depends on the start. So many
 * starts are fitted roughly, few are kept, and those are fitted better. One score (score.h) decides, and
 * duplicates are dropped. The rungs:
 *
 *     rung    points  iterations  starts                                             kept
 *     CHECK   150     12          60 turns, one start each                           is one better than none?
 *     TURNS   400     30          60 turns, one start each                           4 poses
 *     STARTS  400     60          8 starts a pose: sigma2, outlier weight, regions   1 or 2 poses
 *     WHOLE   all     to rest     one start a pose                                   1
 *
 * STARTS tries the pose in place and that at the target's middle, however far it is; if all starts end with nothing but
 * outliers, the same again with outlier weights that are learned late; and the pose that the landmarks ask
 * for, if they contradict. TURNS follows only if no start explains the target, or if CHECK finds a turn that
 * is better than none. WHOLE is in search.c. A shape of up to 400 points is its own subset.
 *
 * The fits are those of the stiff prior where the problem has one; WHOLE is run under both (ADR 0026).
 * These fits do not see the landmarks: their misfit with the pose is part of the score. */
#ifndef SFGP_SEARCH_HALVING_H
#define SFGP_SEARCH_HALVING_H

#include "search/shortlist.h"
#include "em/em.h"

/* The starts for rung WHOLE; none when no start finds a label. *turned: whether rung TURNS was run.
 * Overwrites the sums of the posterior: the fit must begin again. About 16 fits of a few hundred points, some
 * 150 with TURNS. Errors: SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC of landmarks. */
sfgp_status sfgp_halving_run(sfgp_em *em, sfgp_shortlist *list, bool *turned);
/* Rung CHECK only: whether a turn is better than none on its points, by more than chance. No, where there is no such rung.
 * 60 short fits of 150 points. The same errors. */
sfgp_status sfgp_halving_check(sfgp_em *em, bool *turned);
/* Rungs CHECK and TURNS with their STARTS only. About 120 fits. The same errors. */
sfgp_status sfgp_halving_run_turned(sfgp_em *em, sfgp_shortlist *list);

#endif
