/* What speaks against a fit. The limit stands in tuning.h. */
#include "search/doubt.h"
#include "search/tuning.h"

bool sfgp_search_doubts(const sfgp_em *em, double sigma, double spacing)
{
    const double most = sfgp_tuning_of(em->problem->basis)->doubtful;
    return most > 0 && spacing > 0 && sigma > most * spacing;
}
