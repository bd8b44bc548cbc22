/* Uncertainty of a fit that has ended.
 *
 * The observed information (gpr/information.h) is that of labels which err independently, about a prior that
 * can express the shape. A scan is neither: neighbours sample one surface and are off together, labels that
 * are next to each other are interchangeable, and along the surface a smooth prior may slide without any
 * label telling. So the information is that of labels T times as uncertain, and what no mode expresses
 * adds its part of the label variance to every point,
 *
 *     p_i = p_i(labels and noise at T v) + c v (1 + h_i / 2) + (k h_i s)^2,
 *
 * h_i: how many target spacings s point i is away from the next point that is not missing, as what no mode
 * expresses goes on into a hole without anything that holds it. T = 2, or 1 when the fit ended before it
 * settled, wide as it was; c = 7 for surfaces without training shapes, 0.02 with them, 0 for curves; k = 0.4
 * for curves without training shapes, where exact data have v = 0, else 0. Chosen on ears 000-005, fish of
 * def level 1 and, k, simulated fish with holes, so that 95 % regions cover
 * (docs/adr/0013-default-method.md). In a fit with levels (level.h) p_i(T v) is that of the smallest part,
 * and the first c v is c sqrt(v v_part), v_part being the part's (docs/adr/0015-levels.md).
 */
#ifndef SFGP_FIT_UNCERTAINTY_H
#define SFGP_FIT_UNCERTAINTY_H

#include "fit/solver.h"

/* After the last step: the variance of the observed information, p_i above, instead of that of the labels as
 * if they were known. Two E-steps (labels of the second: where the points are now, at v) and one
 * sfgp_information_variance. */
sfgp_status sfgp_solver_inform(sfgp_solver *solver);

/* After the last step of a method that searches: labels at the points as they are now, those of missing
 * points taken away (sfgp_strays_judge), and variance as above instead of that of the labels as if they were
 * known. Two E-steps, one sfgp_information_variance and one kd-tree. */
sfgp_status sfgp_solver_finish(sfgp_solver *solver);

#endif
