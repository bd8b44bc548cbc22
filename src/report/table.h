/* The fit as CSV, one row for each reference point: index,x,y,z,sd,missing,target,probability. */
#ifndef SFGP_REPORT_TABLE_H
#define SFGP_REPORT_TABLE_H

#include "sfgp/sfgp.h"

/* Numbers have all their digits; there is no z in 2D. The caller frees *text. Errors: SFGP_ERROR_MEMORY. */
sfgp_status report_table(const sfgp_result *result, char **text, size_t *size);

#endif
