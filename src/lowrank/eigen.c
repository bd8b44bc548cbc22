/* The method "eigen": the largest eigenpairs of K by ARPACK. K is never stored, and a product is O(n^2).
 * Eigenpairs need the fewest columns for a trace. A pivoted Cholesky factor, which is much cheaper, gives a
 * first guess of their number. */
#include "lowrank/lowrank.h"
#include "lowrank/spectral.h"

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
    const sfgp_operator matrix = {covariance->count, sfgp_covariance_apply, covariance};
    return sfgp_factor_spectral(context, &matrix, sfgp_kernel_variance(covariance->kernel), guess, request,
                                factor);
}

const sfgp_lowrank_method sfgp_lowrank_eigen = {"eigen", factorise};
