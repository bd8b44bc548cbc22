/* Fields: a row of text cut at its separator, as CSV and tables of numbers have them. Blanks around a field are
 * free. In double quotes (RFC 4180) a separator is text and "" is one quote. */
#ifndef SFGP_IO_FIELDS_H
#define SFGP_IO_FIELDS_H

#include "io/token.h"

/* ';' if the row has one outside quotes, else ',' if it has one, else ' ', which stands for blanks and tabs. */
char sfgp_fields_separator(sfgp_text row);
/* Cuts the first field off rest; true when another one follows. The field is without its quotes, but "" in it
 * is still two characters. Quotes that are not closed, or not closed at the end of the field, are text. */
bool sfgp_fields_next(char separator, sfgp_text *rest, sfgp_text *field);
int64_t sfgp_fields_count(char separator, sfgp_text row);
/* Whether one tab separates in a table, so that its fields may be empty or hold blanks: names, its header, has them, no name
 * behind the first is empty, and row, below it, has as many fields. Others may line up their columns by tabs. */
bool sfgp_fields_have_tabs(sfgp_text names, sfgp_text row);
/* A row of so many fields: whole, if tabs separate and the first or the last of them are empty, else line, which is whole without
 * the blanks at its ends. */
sfgp_text sfgp_fields_row(char separator, int64_t count, sfgp_text line, sfgp_text whole);
/* sep=; as spreadsheets read it, in front of a table: it holds nothing. */
bool sfgp_fields_is_separator_line(sfgp_text row);

#endif
