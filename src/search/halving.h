/* Successive halving: where a fit starts, if the rigid search (poses.h) is not sure or does not apply.
 *
 * EM climbs to the next maximum of the evidence bound, and which one that is depends on the start. So many
 * starts are fitted roughly, few are kept, and those are fitted better. One score (score.h) decides, and
 * duplicates are dropped. The rungs:
 *
 *     rung    points    iterations  starts                                             kept
 *     CHECK   150       12          59 turns, none, in place                           1 or 2 poses, if no turn is better
 *     STARTS  400       60          8 starts a pose: sigma2, outlier weight, regions   1 or 2 poses
 *     TURNS   150, 400  12, 30      59 turns; 24                                       12 poses, 2 starts of STARTS each
 *     WHOLE   all       to rest     see whole.h                                        1
 *
 * CHECK is a glance. If no turn is better than none, and the centroid is no better than in place, there are no more rungs: the shape is
 * fitted in place, and also from the centroid if 150 points cannot tell.
 *
 * Else STARTS tries the pose in place and that at the target's middle, however far it is. If all starts end with nothing but outliers, it
 * tries the same again with outlier weights that are learned late. If the landmarks contradict, it tries the pose that they ask for.
 *
 * TURNS follows only if no start explains the target, or if a turn is better than none. A turn of the table is up to 44 degrees from the
 * right one, and a fit bends to make up for that. So each goes on from the rigid motion that its fit has found (ADR 0045). With training
 * shapes it goes on from a smaller sigma2, which does not fall so fast there (ADR 0056).
 *
 * A shape of up to 400 points is its own subset. It has no rung CHECK, and its turns are not moved.
 *
 * In the plane there are 8 turns, and TURNS keeps 4 poses with all 8 starts. But in the search of a curve under the stiff prior, or with
 * training shapes, there are 11 turns, and they are moved (ADR 0094).
 *
 * The fits are those of the stiff prior where the problem has one. These fits do not see the landmarks: their misfit with the pose is part
 * of the score. */
#ifndef SFGP_SEARCH_HALVING_H
#define SFGP_SEARCH_HALVING_H

#include "search/shortlist.h"
#include "search/tuning.h"
#include "em/em.h"

/* Points of the target beside so many of the n points of the reference: as many in proportion, within limits. */
int64_t sfgp_halving_targets(const sfgp_tuning *tuning, int64_t points, int64_t n, int64_t targets);
/* The starts for rung WHOLE; none when no start finds a label. *turned: whether rung TURNS was run.
 * The sums of the landmarks become those seen from another pose: the fit must begin again. About 16
 * fits of a few hundred points, some 150 with TURNS. Errors: SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC of landmarks. */
sfgp_status sfgp_halving_run(sfgp_em *em, sfgp_shortlist *list, bool *turned);
/* The same, but if rung CHECK finds the shape in place the standard start there, and that at the centroid where it cannot tell:
 * 61 short fits of 150 points. A shape without that rung is always searched. The same errors. */
sfgp_status sfgp_halving_glance(sfgp_em *em, sfgp_shortlist *list, bool *turned);
/* Rungs CHECK and TURNS with their STARTS only. About 120 fits. The same errors. */
sfgp_status sfgp_halving_run_turned(sfgp_em *em, sfgp_shortlist *list);
/* Rung STARTS only, at the poses of some starts; what goes on lies where its fit has moved. Two fits a pose. The same errors. */
sfgp_status sfgp_halving_run_at(sfgp_em *em, const sfgp_shortlist *given, sfgp_shortlist *list);

#endif
