/* Result: what a finished fit hands to the caller, in the unit of the files. */
#ifndef SFGP_OUTCOME_RESULT_H
#define SFGP_OUTCOME_RESULT_H

#include "em/em.h"
#include "model/model.h"

/* Room for a fit of this model. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_result_new(sfgp_context *context, const sfgp_model *model, sfgp_result **result);
/* From a fit; outcome, settings and size are set before. The outcome becomes SFGP_NO_OVERLAP when next to nothing
 * speaks for the fit (settings.reject); a large residual is warned of. */
void sfgp_result_fill(sfgp_em *em, const sfgp_model *model, sfgp_result *result);
/* Then: missing are the points in holes of the scan (holes.h), of a fit that learns and has an outcome. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_result_mask(sfgp_em *em, sfgp_result *result);
/* What a baseline left: points without a label above pmin become missing. With points that are not finite, or
 * with all of them missing (settings.reject), nothing was fitted: SFGP_NO_OVERLAP. */
void sfgp_result_judge(const sfgp_model *model, sfgp_result *result);

#endif
