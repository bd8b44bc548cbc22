/* Text and numbers of SVG and HTML: escaping, short coordinates, the width of words. */
#ifndef SFGP_REPORT_CHART_TEXT_H
#define SFGP_REPORT_CHART_TEXT_H

#include <stdio.h>

/* Writes text with & < > " ' escaped. Bytes that are not UTF-8 and control characters other than tab and
 * newline become '?'. NULL is "". */
void chart_put_text(FILE *out, const char *text);

/* Length in bytes of the UTF-8 character at text, 0 when there is none that XML allows (text not at its end).
 */
int chart_character_size(const char *text);

#define CHART_NUMBER_SIZE 32
/* Two decimals at most, no zeros at the end, never -0. Returns text. */
const char *chart_coordinate(double value, char text[CHART_NUMBER_SIZE]);
/* Writes the attribute ` name="value"`. */
void chart_put_number(FILE *out, const char *name, double value);

/* About how wide text is in pixels at that font size: a sans-serif's average widths by kind of character.
 * Good to some 10 %, which is enough for margins and columns. */
double chart_text_width(const char *text, double size);

#endif
