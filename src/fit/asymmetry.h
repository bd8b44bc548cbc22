/* Whether a scan speaks against the symmetric prior of a symmetric reference (priors.h).
 *
 * A face is much the same on both sides, but a body in a pose is not: a leg that steps forward would pull at the other one. After the fit its
 * labels and weights W are asked, of points whose mirror image has a label, too. The evidence of a Gaussian process with the prior C of the coefficients is
 *
 *     E(C) = - sum_i W_i |label_i - mean_i|^2 / 2 - KL - sum_i W_i d p_i / 2 + constant,
 *
 * by the posterior under C (gpr/posterior.h). If it is larger by `asymmetry_gain` nats without symmetry, or if the fit is doubtful or does not reach a part of
 * the scan, the scan is searched again without. That fit is taken if its score is larger by `asymmetry_margin`; else the first one comes back (first.h).
 * ADR 0136. */
#ifndef SFGP_FIT_ASYMMETRY_H
#define SFGP_FIT_ASYMMETRY_H

#include "fit/solver.h"

/* A follow-up (follow_ups.h). Nothing is done where the priors are not symmetric. Costs a search, of a dense shape up to two. Errors: those of the search. */
sfgp_status sfgp_asymmetry_try(sfgp_solver *solver, sfgp_outcome *outcome);
/* E of the prior without symmetry less E of that of the fit, from the labels of the fit: those of 3000 of its points at most. solver->asymmetric is made.
 * Overwrites em->weights and em->deltas. O(N + m^2 (3000 + m)). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_asymmetry_gain(sfgp_solver *solver, double *gain);

#endif
