/* Low-rank factor of the terms "surface" of a kernel (kernel/surface.h): columns sqrt(S(lambda_k)) phi_k with the smoothest
 * eigenfunctions (lowrank/harmonics.h). All terms share them: S is the sum of their spectral densities.
 *
 * The exact covariance of the elements is
 *
 *     K = sum_k S(lambda_k) phi_k phi_k' = (1 / tau^2) (A^-1 C)^(alpha - 1) A^-1,   A = G + kappa^2 C    (eq. 10 to 12 there)
 *
 * with one exception: a constant has at most the variance of the term. That of a piece with an area below 2 pi length^2 would have
 * more, without bound as the piece shrinks. A point without elements has its own constant only.
 *
 * Certificate: f_i(s) = ((G + s C)^-1)_ii = sum_k phi_k(i)^2 / (s + lambda_k), which is the diagonal of an inverse, known from
 * the factor by CHOLMOD. Divided differences of 1 / (s + lambda) are products, so that for alpha shifts s_j <= kappa^2
 *
 *     |f_i[s_1, ..., s_alpha]| = sum_k phi_k(i)^2 / prod_j (s_j + lambda_k) >= sum_k phi_k(i)^2 / (kappa^2 + lambda_k)^alpha.
 *
 * What is left of it after the pairs of the factor bounds the residual variance of point i: from above, and closely for
 * lambda_k large against kappa^2. No eigenpair that is left out is needed. */
#ifndef SFGP_LOWRANK_SURFACE_FACTOR_H
#define SFGP_LOWRANK_SURFACE_FACTOR_H

#include "lowrank/lowrank.h"

/* mesh: the reference in the unit of the lengths, with faces or without; kernel: terms "surface" only. The factor has no pivots,
 * and its field `surface` is its rank. SFGP_ERROR_MEMORY, _NUMERIC, _PARAMETER when the accuracy needs too many pairs. */
sfgp_status sfgp_surface_factor_new(sfgp_context *context, const sfgp_mesh *mesh, const sfgp_kernel *kernel,
                                    const sfgp_factor_request *request, sfgp_factor *factor);
/* About how many columns it will have, from the area of the surface (Weyl's law). O(n log n). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_surface_factor_guess(sfgp_context *context, const sfgp_mesh *mesh, const sfgp_kernel *kernel,
                                      const sfgp_factor_request *request, int64_t *rank);

#endif
