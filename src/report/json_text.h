/* JSON strings from text, and text from JSON. */
#ifndef SFGP_REPORT_JSON_TEXT_H
#define SFGP_REPORT_JSON_TEXT_H

#include "sfgp/sfgp.h"

#include <jansson.h>

/* From here on the program ends with code 6 and a line on stderr when jansson gets no memory: its parser would call the file
 * wrong, or abort. Outputs appear whole or not at all, so that nothing is left half written. */
void report_json_guard_memory(void);
/* A JSON string. When text is not UTF-8, as a path may be, every byte that is not ASCII becomes '?'. NULL: out of
 * memory. */
json_t *report_json_text(const char *text);
/* Indented text with a newline at its end and reals of this many digits; the caller frees it. It has the memory of jansson, so
 * that it is there (report_json_guard_memory). */
char *report_json_dump(const json_t *object, int digits);

#endif
