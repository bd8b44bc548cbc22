/* Fields of CSV (RFC 4180), without the commas between them. */
#ifndef SFGP_REPORT_CSV_H
#define SFGP_REPORT_CSV_H

#include <stdio.h>

/* Writes a text, in quotes where RFC 4180 requires them. A ' is put before a text that a spreadsheet would take for a
 * formula: one that begins with = + - or @ and is not a number. */
void report_csv_text(FILE *out, const char *text);
/* Writes the shortest text of the number. A number that is not finite is an empty field: not known. */
void report_csv_number(FILE *out, double value);

#endif
