/* Whether a fit asks for an adapted shape: a score test, from the labels of the fit as they are.
 *
 * With residuals r = W (label - fitted point) and moves s_k of the mean of the prior (adapt_shape.h), the evidence of a
 * Gaussian process rises in direction s_k by g_k at first, and is quadratic:
 *
 *     g_k = s_k' r,   H_kl = s_k' W (s_l - posterior mean of s_l),   gain = g' H^-1 g / 2   nats
 *
 * (Rao, Proc. Cambridge Phil. Soc. 44, 1948). What the prior itself can express of s counts for nothing. Labels go along with an adapted shape, so that
 * its true gain is several times as large. */
#ifndef SFGP_FIT_ADAPT_GAIN_H
#define SFGP_FIT_ADAPT_GAIN_H

#include "fit/adapt_shape.h"
#include "fit/solver.h"

/* moves: of two adaptations, count x 3 each, or of one and NULL. The shape has no coarse points. After a fit. O(N m^2). SFGP_ERROR_MEMORY,
 * SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_adapt_gain(const sfgp_solver *solver, const double *moves[2], double *gain);

#endif
