/* A factor from the largest eigenpairs of a matrix, for the methods eigen and nystrom. */
#ifndef SFGP_LOWRANK_SPECTRAL_H
#define SFGP_LOWRANK_SPECTRAL_H

#include "linalg/eig.h"
#include "lowrank/lowrank.h"

/* The smallest number of eigenpairs that reaches the accuracy of the request, at every point or in the mean over the points. diagonal (n): that of
 * the matrix, or more; what the matrix lacks counts as residual. The first attempt computes `guess` pairs. Errors:
 * SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC, SFGP_ERROR_PARAMETER when too many pairs would be needed. */
sfgp_status sfgp_factor_spectral(sfgp_context *context, const sfgp_operator *matrix, const double *diagonal,
                                 int64_t guess, const sfgp_factor_request *request, sfgp_factor *factor);

#endif
