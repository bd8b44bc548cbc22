#include "lowrank/lowrank.h"

/* Leading eigenpairs of K by ARPACK, K applied on the fly: the fewest columns for a trace, O(n^2) per
 * product. A pivoted Cholesky, much cheaper, tells about how many are needed. */
static sfgp_status factorise(sfgp_context *context, const sfgp_covariance *covariance,
                             const sfgp_factor_request *request, sfgp_factor *factor)
{
    sfgp_factor pivoted;
    sfgp_status status = sfgp_lowrank_cholesky.factorise(context, covariance, request, &pivoted);
    int64_t guess = pivoted.rank;
    sfgp_factor_clear(&pivoted);
    *factor = pivoted;
    if (status != SFGP_OK)
        return status;
    return sfgp_factor_spectral(context, covariance->count, sfgp_covariance_apply, covariance,
                                sfgp_kernel_variance(covariance->kernel), guess, request, factor);
}

const sfgp_lowrank_method sfgp_lowrank_eigen = {"eigen", factorise};
