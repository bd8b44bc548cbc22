/* Landmarks in a fit: pairs of points that are observed as the labels are, each with the same variance,
 *     y_k = prior mean(x_k) + B(x_k) c + noise,   noise ~ N(0, (sd^2 + left(x_k)) I),
 * B(x_k) and left by model/elsewhere.h. Their share of A and of B'W delta does not change while a fit
 * iterates: it is summed once and added to every update (posterior.landmarks).
 *
 * A fit starts from the prior mean given the landmarks instead of the prior mean, and with a registration
 * variance that is smaller by as much as they make the prior's deviation: from the full variance0 the first
 * labels, soft as they are, would pull the start away again. On the 24 ears it was chosen on that was the
 * difference between 1.71 and 1.52 mm (docs/apply.md). */
#ifndef SFGP_FIT_LANDMARKS_H
#define SFGP_FIT_LANDMARKS_H

#include "fit/solver.h"

/* Sets that start, after the usual one; nothing without landmarks. */
sfgp_status sfgp_solver_start_at_landmarks(sfgp_solver *solver);

#endif
