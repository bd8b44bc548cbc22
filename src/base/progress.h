/* How far a run is, and whether its caller wants it to stop. A run is made of stages, whose number and length are
 * not known before. So each takes a stated share of what is left, and the fraction never goes back. */
#ifndef SFGP_BASE_PROGRESS_H
#define SFGP_BASE_PROGRESS_H

#include "base/context.h"

/* Begins a run at fraction 0. seconds: its limit of time; 0: none. */
void sfgp_progress_begin(sfgp_context *context, double seconds);
/* Whether the limit of time is over. A loop that is told so ends after the iteration that it is in. */
bool sfgp_progress_is_late(sfgp_context *context);
/* Enters a stage, which covers a share (0 to 1) of what is left of the stage around it. Returns the stage around,
 * for sfgp_progress_leave. */
sfgp_progress_range sfgp_progress_enter(sfgp_context *context, double share);
/* Leaves a stage: its share is done. */
void sfgp_progress_leave(sfgp_context *context, sfgp_progress_range outer);
/* Calls the call-back of the context with the fraction of the run, which is computed from the other fields.
 * SFGP_CANCELLED when it wants the run to stop. */
sfgp_status sfgp_progress_report(sfgp_context *context, const sfgp_progress *progress);

#endif
