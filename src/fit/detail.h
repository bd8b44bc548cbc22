/* Detail of a fit that has ended: the setting, and what the result says of it (em/detail.h). */
#ifndef SFGP_FIT_DETAIL_H
#define SFGP_FIT_DETAIL_H

#include "fit/solver.h"

/* Adds the field to the fit, and its deviation, length and number of points to the result, whose outcome is set. Nothing for curves, for fewer than 1000
 * points, without overlap or time, or unless the setting asks for it; a warning if its equations have no solution. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_fit_detail(sfgp_solver *solver, sfgp_result *result);

#endif
