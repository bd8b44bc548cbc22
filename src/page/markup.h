/* Text and numbers in SVG and HTML: escaping, short coordinates, width of text. */
#ifndef SFGP_PAGE_MARKUP_H
#define SFGP_PAGE_MARKUP_H

#include <stdio.h>

/* Writes text with & < > " ' escaped. Bytes that are not UTF-8 and control characters other than tab and
 * newline become '?'. NULL is "". */
void markup_write(FILE *out, const char *text);

/* Length in bytes of the UTF-8 character at text, which is not the end of the text; 0: no character that XML allows. */
int markup_character_size(const char *text);

#define MARKUP_NUMBER_SIZE 32
/* At most two decimals, without trailing zeros, never -0. Returns text. */
const char *markup_coordinate(double value, char text[MARKUP_NUMBER_SIZE]);
/* Writes the attribute ` name="value"`. */
void markup_write_number(FILE *out, const char *name, double value);

/* Estimated width of a text in pixels at this font size, from average widths of sans-serif characters. The error of
 * some 10 % does not matter for margins and columns. */
double markup_width(const char *text, double size);

#endif
