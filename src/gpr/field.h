/* Posterior mean of a Gaussian Markov field along the surface: kernel/surface.h with smoothness 1. Each axis has a field
 * u ~ N(0, Q^-1) of its own, and point i with W_i > 0 a label y_i = u_i + e_i, e_i ~ N(0, 1 / W_i):
 *
 *     mean = (Q + W)^-1 W y,   Q = tau^2 K C^-1 K,   K = G + kappa^2 C      (Lindgren, Rue, Lindstrom, eq. 10 to 12 there)
 *
 * by conjugate gradients: (Q + W) x costs two products with K, and Q is never formed. The preconditioner is
 *
 *     M = tau^2 (K + S) C^-1 (K + S),   S = diag(sqrt(W_i C_i)) / tau,   so that tau^2 S C^-1 S = W:
 *
 * Q + W and the terms between K and S, which are at most as large where W is alike at neighbours. A factor of K + S is there,
 * so that elements of very different sizes take no more iterations (ADR 0053). */
#ifndef SFGP_GPR_FIELD_H
#define SFGP_GPR_FIELD_H

#include "geom/laplacian.h"
#include "lowrank/lowrank.h"

/* weights: N. values (N x axes, axes <= 3): labels, then the mean. The residual r is brought down until r'M^-1 r is tolerance^2 of
 * what it was. O(N) an iteration and a solve with the factor. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_field_mean(sfgp_context *context, const sfgp_laplacian *laplacian,
                            const struct sfgp_kernel_term *term, const double *weights, int axes,
                            double tolerance, double *values);

#endif
