/* The warning that a fit is flagged with, for a single run and for a case of a batch. */
#ifndef SFGP_REPORT_OUTCOME_H
#define SFGP_REPORT_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>

#include "sfgp/sfgp.h"

enum { REPORT_WARNING = 512 }; /* bytes that hold every warning */

/* Writes the warning, which begins with the name of the outcome. False, with text "": the fit has converged, or the library itself
 * has warned, of the mirror image. */
bool report_outcome_warning(const sfgp_result *result, char text[REPORT_WARNING]);

#endif
