/* What speaks against a fit. The limit stands in tuning.h. */
#include "search/doubt.h"
#include "search/tuning.h"

bool sfgp_search_has_limit(const sfgp_em *em, double spacing)
{
    return sfgp_tuning_of(em->problem->basis)->doubtful > 0 && spacing > 0;
}

bool sfgp_search_doubts(const sfgp_em *em, double sigma, double spacing)
{
    return sfgp_search_has_limit(em, spacing) &&
           sigma > sfgp_tuning_of(em->problem->basis)->doubtful * spacing;
}
