/* Result: what a finished solver hands to the caller, in the unit of the files. */
#ifndef SFGP_FIT_RESULT_H
#define SFGP_FIT_RESULT_H

#include "fit/solver.h"

/* Labels of a fit in place scatter by less than the target's point spacing: 0.2 to 0.6 of it on real ears,
 * 0.6 to 1.9 when the scan is mirrored or upside down. */
#define SFGP_RESIDUAL_MOST 0.7

sfgp_status sfgp_result_new(sfgp_context *context, const sfgp_model *model, sfgp_result **result);
/* Fills the result from the solver's state; outcome and iterations are set before, and the outcome becomes
 * SFGP_NO_OVERLAP when next to nothing speaks for the fit; a large residual is warned of. */
void sfgp_result_take(sfgp_solver *solver, sfgp_result *result);

/* What a baseline left: marks the points without a label above pmin as missing. With points that are not
 * finite, or with all of them missing (settings.reject), nothing was fitted: SFGP_NO_OVERLAP. */
void sfgp_result_judge(const sfgp_model *model, sfgp_result *result);

#endif
