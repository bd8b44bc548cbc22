/* Text: one point a row, in three parts. What stands before the first row of numbers (text_start.c) says how many
 * columns there are and which are the coordinates (columns.h); then every row is read alike (text_read.c). */
#ifndef SFGP_IO_TEXT_H
#define SFGP_IO_TEXT_H

#include "io/builder.h"
#include "io/columns.h"
#include "io/extras.h"

typedef struct sfgp_text_reader {
    sfgp_source *source;
    sfgp_builder builder;
    char separator;       /* ' ' stands for blanks and tabs */
    sfgp_columns columns; /* count is 0 before the first row of numbers */
    sfgp_buffer names;    /* of the header, or of the last comment */
    int64_t names_line;
    bool has_header;  /* names are those of a header, not of a comment */
    int64_t promised; /* points, by a row that holds a count; -1: there is none */
    int64_t promised_line;
    sfgp_extras extras;
} sfgp_text_reader;

/* A row before the columns are known: a comment, a header, or a count. *row: whether it is the first row of
 * numbers; then columns, separator and extras are set. */
sfgp_status sfgp_text_start(sfgp_text_reader *reader, sfgp_text line, bool *row);

#endif
