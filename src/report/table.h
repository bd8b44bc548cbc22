/* The fit as a table, one row a reference point: index,x,y,z,sd,missing,target,probability. */
#ifndef SFGP_REPORT_TABLE_H
#define SFGP_REPORT_TABLE_H

#include "sfgp/sfgp.h"

/* All digits of every number; without z in 2D. Text is the caller's, free(). Errors: SFGP_ERROR_MEMORY. */
sfgp_status report_table(const sfgp_result *result, char **text, size_t *size);

#endif
