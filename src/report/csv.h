/* Fields of CSV (RFC 4180), without the commas between them. */
#ifndef SFGP_REPORT_CSV_H
#define SFGP_REPORT_CSV_H

#include <stdio.h>

/* In quotes where it has to be. What a spreadsheet would compute (= + - @ first, and no number) begins with '. */
void report_csv_text(FILE *out, const char *text);
/* The shortest text of the number; nothing when it is not finite: not known. */
void report_csv_number(FILE *out, double value);

#endif
