/* The one score by which fits are compared (ADR 0013). */
#include "search/score.h"
#include "em/landmarks.h"
#include "em/mixing.h"
#include "geom/rotations.h"
#include "search/tuning.h"

#include <math.h>

sfgp_status sfgp_search_score(sfgp_em *em, double *score)
{
    const sfgp_basis *basis = em->problem->basis;
    const sfgp_responsibilities *r = &em->responsibilities;
    const double cosine = sfgp_rotation_cosine(em->state.pose.rotation, basis->dimension),
                 turning = sfgp_tuning_of(basis)->turn_cost * (1 - cosine);
    const bool fitted = r->missing < r->count && !sfgp_mixing_all_outliers(em);
    double misfit = 0;
    const sfgp_status status = sfgp_landmarks_misfit(em, &em->state.pose, &misfit);
    *score = fitted ? em->state.bound - sfgp_mixing_bic(em) - turning - 0.5 * misfit : -HUGE_VAL;
    return status;
}

sfgp_status sfgp_search_tempered_score(sfgp_em *em, double *score)
{
    const sfgp_status status = sfgp_search_score(em, score);
    *score -= (sfgp_tuning_of(em->problem->basis)->score_temper - 1) * em->state.divergence;
    return status;
}

sfgp_status sfgp_search_score_start(sfgp_em *em, double *score)
{
    return em->state.start.prior == SFGP_PRIOR_STIFF ? sfgp_search_tempered_score(em, score)
                                                     : sfgp_search_score(em, score);
}
