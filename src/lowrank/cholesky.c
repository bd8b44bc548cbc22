/* The method "cholesky": in two stages where there are many points, in one otherwise. */
#include "lowrank/pivoted.h"
#include "lowrank/two_stage.h"

static sfgp_status factorise(sfgp_context *context, const sfgp_covariance *covariance,
                             const sfgp_factor_request *request, sfgp_factor *factor)
{
    const sfgp_mark mark = sfgp_profile_enter(context, SFGP_STAGE_FACTOR);
    sfgp_status status = SFGP_OK;
    bool done = false;
    if (covariance->count > SFGP_TWO_STAGE_POINTS)
        status = sfgp_factor_two_stages(context, covariance, request, factor, &done);
    if (status == SFGP_OK && !done)
        status = sfgp_factor_pivoted(context, covariance, request, factor);
    sfgp_profile_leave(context, mark);
    return status;
}

const sfgp_lowrank_method sfgp_lowrank_cholesky = {"cholesky", factorise};
