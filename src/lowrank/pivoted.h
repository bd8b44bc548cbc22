/* Pivoted Cholesky factor in one stage: pivots among all points, one pass over them for each column. */
#ifndef SFGP_LOWRANK_PIVOTED_H
#define SFGP_LOWRANK_PIVOTED_H

#include "lowrank/lowrank.h"

/* O(n m^2). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_factor_pivoted(sfgp_context *context, const sfgp_covariance *covariance,
                                const sfgp_factor_request *request, sfgp_factor *factor);

#endif
