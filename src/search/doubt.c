/* Compares sigma with the spacing. The limit is `doubtful_sigma` of tuning.h. */
#include "search/doubt.h"
#include "search/tuning.h"

bool sfgp_doubt_is_asked(const sfgp_em *em, double spacing)
{
    return sfgp_tuning_of(em->problem->basis)->doubtful_sigma > 0 && spacing > 0;
}

bool sfgp_doubt_is_far(const sfgp_em *em, double sigma, double spacing)
{
    return sfgp_doubt_is_asked(em, spacing) &&
           sigma > sfgp_tuning_of(em->problem->basis)->doubtful_sigma * spacing;
}
