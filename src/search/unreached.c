/* The part of a scan that a fit does not reach. Rule in unreached.h. */
#include "search/unreached.h"
#include "search/left_over.h"
#include "search/tuning.h"

static bool applies(const sfgp_em *em)
{
    return sfgp_tuning_of(em->problem->basis)->unreached_count > 0 && em->problem->area > 0 &&
           !sfgp_em_has_surfaces(em->problem);
}

sfgp_status sfgp_unreached_share(const sfgp_em *em, double *share)
{
    sfgp_left_over left;
    *share = 0;
    if (!applies(em))
        return SFGP_OK;
    const sfgp_status status =
        sfgp_left_over_find(em, sfgp_tuning_of(em->problem->basis)->unreached_far, &left);
    *share = (double)left.count / (double)em->responsibilities.targets;
    sfgp_left_over_clear(&left);
    return status;
}

bool sfgp_unreached_is_large(const sfgp_em *em, double share)
{
    return share > sfgp_tuning_of(em->problem->basis)->unreached_least;
}
