/* A factor from eigenpairs of FF', F a pivoted Cholesky factor of a higher accuracy than the one that is asked for.
 *
 * K - FF' is positive semi-definite with a diagonal of at most e, the residual of F, so that |(K - FF') x| <= n e |x| bounds the error of a product, and
 * an eigenvalue of FF' is below that of K by n e at most. A product costs O(n m) instead of O(n^2). What is left of K by the eigenpairs is known from
 * its diagonal in any case. */
#ifndef SFGP_LOWRANK_IMPLICIT_H
#define SFGP_LOWRANK_IMPLICIT_H

#include "lowrank/lowrank.h"

/* finer: accuracy and most columns of F; guess: pairs of the first attempt, 0: 7 / 8 of the columns of F. Errors as sfgp_factor_spectral. */
sfgp_status sfgp_factor_implicit(sfgp_context *context, const sfgp_covariance *covariance,
                                 const sfgp_factor_request *finer, int64_t guess,
                                 const sfgp_factor_request *request, sfgp_factor *factor);

#endif
