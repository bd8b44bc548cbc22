/* The method "nystrom". A pivoted Cholesky factor F gives FF' = K_:P K_PP^-1 K_P:, the Nystrom approximation of K with the
 * pivots P; this method takes its largest eigenpairs. */
#include "lowrank/implicit.h"

#define FINER 0.25                            /* accuracy of F, of the requested one */
#define SPARE(rank) ((rank) + (rank) / 2 + 8) /* columns of F */

static sfgp_status factorise(sfgp_context *context, const sfgp_covariance *covariance,
                             const sfgp_factor_request *request, sfgp_factor *factor)
{
    sfgp_factor_request finer = *request;
    finer.accuracy *= FINER;
    finer.rank = SPARE(request->rank);
    return sfgp_factor_implicit(context, covariance, &finer, 0, request, factor);
}

const sfgp_lowrank_method sfgp_lowrank_nystrom = {"nystrom", factorise};
