/* Landmarks in a fit: pairs of points that are observed as labels are, each with a variance of its own,
 *     y_k = mean(x_k) + B(x_k) c + noise,   noise ~ N(0, (sd^2 + left(x_k)) I),
 * with B(x_k) and left as in model/prior_at.h and y_k seen from the pose of the fit. Their share of A and of
 * B'W delta is constant while a fit iterates: it is summed when a fit begins and added to every update of the
 * posterior.
 *
 * A fit with landmarks starts from the mean of the prior given the landmarks, and with sigma2 smaller by the
 * factor by which they reduce the prior's deviation. With the full sigma2 the first responsibilities would be so
 * wide that they pull the fit away from this start: on the 24 ears that was 1.71 mm instead of 1.52 (docs/apply.md).
 *
 * How well landmarks agree with a pose is measured by their joint likelihood under the prior. At a pose that is turned the
 * wrong way the prior may allow each landmark alone, but not all of them together. */
#ifndef SFGP_EM_LANDMARKS_H
#define SFGP_EM_LANDMARKS_H

#include "em/em.h"
#include "model/model.h"

/* Landmarks from points of the reference to points of the target (unit of the files), known to sd >= 0 RMS radii.
 * O(count N). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. Clear also after an error. */
sfgp_status sfgp_landmarks_new(sfgp_context *context, const sfgp_model *model, const sfgp_pairs *pairs,
                               double sd, sfgp_em_landmarks *landmarks);
void sfgp_landmarks_clear(sfgp_em_landmarks *landmarks);

/* Sums the landmarks of the problem, seen from a pose, for the updates that follow. O(count m^2). */
void sfgp_landmarks_observe(sfgp_em *em, const sfgp_similarity *pose);
/* The start above, from the pose of the state; nothing without landmarks. O(count m^2 + m^3 + N m^2).
 * SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_landmarks_start(sfgp_em *em);
/* delta'(BB' + W^-1)^-1 delta of the landmarks seen from a pose: minus twice the logarithm of their density,
 * up to a constant. 0 without landmarks or with such of no weight. The posterior keeps its factors and
 * coefficients, and its sums of the landmarks become those seen from this pose: a fit with another one must begin again or
 * be restored. O(count m^2 + m^3), allocates nothing. SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_landmarks_misfit(sfgp_em *em, const sfgp_similarity *pose, double *misfit);
/* The pose that brings the mean of the prior nearest to them, weighted least squares. False, and pose
 * unchanged, when they do not determine one: fewer than the dimension, no weight, no extent. O(count). */
bool sfgp_landmarks_pose(const sfgp_em_landmarks *landmarks, sfgp_similarity *pose);

#endif
