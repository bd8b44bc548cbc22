/* Adapts the reference to a scan that shows a smoother, rougher or thicker surface (adapt_shape.h).
 *
 * A prior of smooth deformations cannot take a nose off, or make every finger thicker at once. Such a scan is fitted with its points
 * slid along the surface, and what it does not show keeps the shape of the reference.
 *
 * After the fit a score test asks whether the mean of the prior should be smoother or rougher, or lie farther out (adapt_gain.h; shapes
 * of more than 6000 points always go on). If it gains `adapt_gain` nats, short fits choose an adapted reference (adapt_choose.h). This
 * becomes the mean of the prior, and the scan is searched again. That fit is kept if its score is larger by `adapt_margin`, of a sharpened
 * reference by `adapt_sharpened`, and a warning says so; else the first one comes back (first.h). ADR 0130, 0134. */
#ifndef SFGP_FIT_ADAPT_H
#define SFGP_FIT_ADAPT_H

#include "fit/solver.h"

/* A follow-up (follow_ups.h). Sets solver->adaptation. Nothing is done with training shapes. Errors: those of the search. */
sfgp_status sfgp_adapt_try(sfgp_solver *solver, sfgp_outcome *outcome);
/* Sets adapted_smooth and adapted_offset of a result whose outcome is set. */
void sfgp_adapt_tell(const sfgp_solver *solver, sfgp_result *result);
/* Before another target: the prior has its own mean again. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_adapt_undo(sfgp_solver *solver);

#endif
