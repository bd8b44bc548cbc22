/* Levels: how a dense shape is fitted.
 *
 * The prior has some hundred degrees of freedom, and a few thousand points settle them: the labels of the
 * millionth point only sharpen what is known. So a shape of more than SFGP_DENSE points is fitted by a part
 * of its points and of the target's first: an eighth of them, fitted by a part of those, or SFGP_CELLS evenly
 * spread ones where an eighth would not be dense. The smallest part is searched for its start, fitted and
 * refined as any shape of that size. Then, level by level,
 *
 *     rbar = prior mean + B c,   p_i = |L^-1 b_i|^2 / d,
 *
 * with the coefficients and the factor of the coarse fit and the rows B of all points, which are those of the
 * same prior, and v, w, pose and mixing weights are carried as well. A few iterations with the labels of the
 * next level settle it: the motion is below the tolerance after 10 to 30.
 *
 * They are cheap: labels are looked for within SFGP_LEVEL_REACH deviations, target points are thinned while
 * that leaves enough of them (thinning.h), the variance is held while v does not change, and no pair is kept
 * where there are too many. The last level sees every point of both shapes, or some hundred target points for
 * each where the scan is that dense. Its information is that of the smallest part, whose labels err as those
 * it was chosen for (uncertainty.h). docs/adr/0015-levels.md */
#ifndef SFGP_FIT_LEVEL_H
#define SFGP_FIT_LEVEL_H

#include "fit/solver.h"

#define SFGP_LEVEL_REACH 4.0 /* a label there has exp(-8) of the weight of one in place */

/* A part of the points of a dense fit. */
typedef struct sfgp_level {
    sfgp_model *model;
    sfgp_mesh *target;
    sfgp_solver *solver; /* with the target in */
} sfgp_level;

/* Points of the part of so many, and of the target for it. */
int64_t sfgp_level_points(int64_t whole);
int64_t sfgp_level_targets(int64_t whole, int64_t part, int64_t targets);
/* Whether a fit starts from one of a part of its points. */
bool sfgp_level_wanted(const sfgp_solver *whole);
/* That part, of a fit whose target is in. Its solver borrows the landmarks: free it before `whole`. O(N log
 * N). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_level_new(sfgp_solver *whole, const sfgp_mesh *target, sfgp_level *level);
void sfgp_level_clear(sfgp_level *level);
/* Begins the whole where the fit of its part has ended. O(N m_s (d + m_s) + N_S). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_level_carry(const sfgp_level *level, sfgp_solver *whole);

#endif
