/* Text and numbers in SVG and HTML: escaping, short coordinates, width of text. */
#ifndef SFGP_REPORT_CHART_TEXT_H
#define SFGP_REPORT_CHART_TEXT_H

#include <stdio.h>

/* Writes text with & < > " ' escaped. Bytes that are not UTF-8 and control characters other than tab and
 * newline become '?'. NULL is "". */
void chart_write_text(FILE *out, const char *text);

/* Length in bytes of the UTF-8 character at text, which is not the end of the text; 0: no character that XML allows. */
int chart_character_size(const char *text);

#define CHART_NUMBER_SIZE 32
/* At most two decimals, without trailing zeros, never -0. Returns text. */
const char *chart_coordinate(double value, char text[CHART_NUMBER_SIZE]);
/* Writes the attribute ` name="value"`. */
void chart_write_number(FILE *out, const char *name, double value);

/* Estimated width of a text in pixels at this font size, from average widths of sans-serif characters. The error of
 * some 10 % does not matter for margins and columns. */
double chart_text_width(const char *text, double size);

#endif
