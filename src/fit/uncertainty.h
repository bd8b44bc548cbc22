/* Uncertainty of a fit that has ended.
 *
 * The observed information (gpr/information.h) is that of labels which err independently, about a prior that
 * can express the shape. A scan is neither: neighbours sample one surface and are off together, labels that
 * are next to each other are interchangeable, and along the surface a smooth prior may slide without any
 * label telling. So the information is that of labels T times as uncertain, and what no mode expresses
 * adds its part of the label variance to every point,
 *
 *     p_i = p_i(labels and noise at T v) + c v.
 *
 * T = 2, or 1 when the fit ended before it settled, wide as it was; c = 10 for surfaces without training
 * shapes, 0.05 with them, 0 for curves. Chosen on fish of def level 1 and ears 000-005, so that 95 % regions
 * cover (docs/adr/0013-default-method.md). */
#ifndef SFGP_FIT_UNCERTAINTY_H
#define SFGP_FIT_UNCERTAINTY_H

#include "fit/solver.h"

/* After the last step of a method that searches: labels at the points as they are now, and variance as above
 * instead of that of the labels as if they were known. Two E-steps and one sfgp_information_variance. */
sfgp_status sfgp_solver_finish(sfgp_solver *solver);

#endif
