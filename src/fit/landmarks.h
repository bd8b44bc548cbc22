/* Landmarks in a fit: pairs of points that are observed as the labels are, each with the same variance,
 *     y_k = prior mean(x_k) + B(x_k) c + noise,   noise ~ N(0, (sd^2 + left(x_k)) I),
 * B(x_k) and left by model/elsewhere.h, y_k seen from the pose of the fit. Their share of A and of B'W delta
 * does not change while a fit iterates: it is summed when a fit begins and added to every update
 * (posterior.landmarks).
 *
 * A fit starts from the prior mean given the landmarks instead of the prior mean, and with a registration
 * variance that is smaller by as much as they make the prior's deviation: from the full variance0 the first
 * labels, soft as they are, would pull the start away again. On the 24 ears it was chosen on that was the
 * difference between 1.71 and 1.52 mm (docs/apply.md).
 *
 * How well they agree with a pose T is told by their likelihood under the prior, all of them together: turned
 * the wrong way every landmark alone may be where the prior lets it be, but not their pattern. */
#ifndef SFGP_FIT_LANDMARKS_H
#define SFGP_FIT_LANDMARKS_H

#include "fit/solver.h"

/* Sets that start, after the usual one and from its pose; nothing without landmarks. O(count m^2 + m^3 + N
 * m^2). SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_solver_start_at_landmarks(sfgp_solver *solver);
/* delta'(BB' + W^-1)^-1 delta of the landmarks seen from a pose, delta_k = T^-1(y_k) - prior mean(x_k) and
 * W_k = 1 / (sd^2 + left): minus twice the logarithm of their prior density, up to a constant. 0 without
 * landmarks or with such of no weight. Uses the sums of the solver, which must begin again. O(count m^2 +
 * m^3), nothing is allocated. SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_solver_landmark_misfit(sfgp_solver *solver, const sfgp_pose *pose, double *misfit);
/* The pose that brings the prior mean nearest to them, weighted least squares. False, and pose unchanged,
 * when they determine none: fewer than the dimension, no weight, no extent. O(count). */
bool sfgp_solver_landmark_pose(const sfgp_solver *solver, sfgp_pose *pose);
/* Takes them away and frees what they hold. */
void sfgp_solver_clear_landmarks(sfgp_solver *solver);

#endif
