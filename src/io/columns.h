/* Columns: which columns of a table hold the coordinates. The caller says so, or a header row names them, or
 * there are no others. What cannot be told is refused with the flag that tells it. */
#ifndef SFGP_IO_COLUMNS_H
#define SFGP_IO_COLUMNS_H

#include "io/header.h"
#include "io/source.h"

/* What a caller may say: 2 or 3 columns, separated by commas, each by its name or by its number from 1.
 * Errors: SFGP_ERROR_PARAMETER. NULL is fine. */
sfgp_status sfgp_columns_check(sfgp_context *context, const char *columns);

/* Sets columns for rows of count fields: by source->columns where it is set, else by the header, else all of 2
 * or 3. The header may lack the name of the first column, as that of R does.
 * Errors: SFGP_ERROR_PARAMETER (no such column), SFGP_ERROR_FORMAT (cannot be told). */
sfgp_status sfgp_columns_resolve(sfgp_source *source, const sfgp_header *header, int64_t count,
                                 sfgp_columns *columns);
/* The coordinate that a column holds, -1: none. */
int sfgp_columns_axis(const sfgp_columns *columns, int64_t column);

#endif
