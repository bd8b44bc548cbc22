/* The method "eigen": the largest eigenpairs of K, which need the fewest columns for a trace, by ARPACK. K is never stored. Its products are those
 * of a pivoted Cholesky factor of a hundredth of the accuracy (implicit.h). A factor of the accuracy itself, which is cheap, gives a first guess of
 * their number. */
#include "lowrank/implicit.h"

#define FINER 0.01                    /* accuracy of the products, of the requested one */
#define SPARE(rank) (4 * (rank) + 64) /* columns of the products, where the rank is limited */

static sfgp_status factorise(sfgp_context *context, const sfgp_covariance *covariance,
                             const sfgp_factor_request *request, sfgp_factor *factor)
{
    sfgp_factor pivoted;
    sfgp_factor_request finer = *request;
    sfgp_status status = sfgp_lowrank_cholesky.factorise(context, covariance, request, &pivoted);
    const int64_t guess = pivoted.rank;
    sfgp_factor_clear(&pivoted);
    *factor = pivoted;
    if (status != SFGP_OK)
        return status;
    finer.accuracy *= FINER;
    finer.rank = SPARE(request->rank);
    return sfgp_factor_implicit(context, covariance, &finer, guess, request, factor);
}

const sfgp_lowrank_method sfgp_lowrank_eigen = {"eigen", factorise};
