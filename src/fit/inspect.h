/* What looks like a mistake once a fit is there: its size, a reference and a target that are swapped, a fit of next to
 * nothing. */
#ifndef SFGP_FIT_INSPECT_H
#define SFGP_FIT_INSPECT_H

#include "model/model.h"

/* Warns; nothing of a fit with SFGP_NO_OVERLAP, which says so itself, or without an iteration. */
void sfgp_fit_inspect(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                      const sfgp_result *result);

#endif
