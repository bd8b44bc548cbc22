/* The fit as CSV, one row for each reference point: index,x,y,z,sd,missing,target,probability. */
#ifndef SFGP_REPORT_TABLE_H
#define SFGP_REPORT_TABLE_H

#include "sfgp/sfgp.h"

/* Numbers have all their digits; there is no z in 2D. The caller frees the text; NULL: memory has run out. */
char *report_table(const sfgp_result *result);

#endif
