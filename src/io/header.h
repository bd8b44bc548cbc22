/* Header: the row of a table that names its columns. Names are compared without regard to case. */
#ifndef SFGP_IO_HEADER_H
#define SFGP_IO_HEADER_H

#include "io/token.h"

typedef struct sfgp_header {
    sfgp_text names; /* the whole row; start is NULL: there is none */
    char separator;
    int64_t line;
} sfgp_header;

/* Where the coordinates stand. */
typedef struct sfgp_columns {
    int64_t count; /* of a row */
    int dimension;
    int64_t axes[3]; /* column of each coordinate, from 0 */
} sfgp_columns;

/* Whether the first row of a table is a header: it has words and no numbers, or it names x and y, or its first
 * field is empty. */
bool sfgp_header_is(const sfgp_header *row);

/* The column of this name; a name that differs in case counts where there is no equal one. -1: none, or
 * several. */
int64_t sfgp_header_find(const sfgp_header *header, sfgp_text name);
/* x, y and, where it is there, z; also with a unit, as in x (mm). Else Points:0 to Points:2, as ParaView writes
 * them. False when x or y is not there, or one of the three twice. */
bool sfgp_header_find_axes(const sfgp_header *header, sfgp_columns *columns);
/* 2 or 3 names that only count: 0,1,2 (pandas), V1,V2,V3 (R). A first column without a name is an index; unnamed:
 * the header lacks it. */
bool sfgp_header_find_counted(const sfgp_header *header, bool unnamed, sfgp_columns *columns);

#endif
