/* A factor under a kernel whose terms have other variances.
 *
 * B is a pivoted Cholesky factor of K = sum_t K_t, with the rows L at its pivots P. Under c ~ N(0, I) the points B c have
 * the covariance K. Under K' = sum_t s_t K_t the same columns serve, with coefficients c ~ N(0, C),
 *
 *     C = L \ K'(P, P) / L',   as then L C L' = K'(P, P).
 *
 * The eigenvalues of C are between the smallest and the largest s_t. The leading block of C belongs to the leading
 * columns. */
#ifndef SFGP_LOWRANK_RESCALE_H
#define SFGP_LOWRANK_RESCALE_H

#include "lowrank/lowrank.h"

/* C (m x m) of a factor with pivots, made from `covariance`; `rescaled` is K'. O(m^3). SFGP_ERROR_MEMORY. sfgp_free. */
sfgp_status sfgp_factor_rescale(sfgp_context *context, const sfgp_covariance *covariance,
                                const sfgp_factor *factor, const sfgp_kernel *rescaled, double **c);

#endif
