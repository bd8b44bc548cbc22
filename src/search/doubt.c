/* What speaks against a fit. The limits stand in tuning.h. */
#include "search/doubt.h"
#include "search/tuning.h"

bool sfgp_search_doubts(sfgp_em *em, double sigma, double spacing)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    if (!(tuning->doubtful > 0) || !(spacing > 0))
        return false;
    const bool scatters = tuning->bent_scatter > 0 && sigma > tuning->bent_scatter * spacing;
    return sigma > tuning->doubtful * spacing || (scatters && sfgp_em_bend(em) > tuning->bent);
}
