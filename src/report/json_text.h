/* Texts into JSON and JSON into text. */
#ifndef SFGP_REPORT_JSON_TEXT_H
#define SFGP_REPORT_JSON_TEXT_H

#include "sfgp/sfgp.h"

#include <jansson.h>

/* Paths may hold any bytes and JSON text only UTF-8: where it is not, every byte beyond ASCII becomes '?'.
 * NULL: out of memory. */
json_t *report_json_text(const char *text);
/* Indented, reals with this many digits, ending in a newline; free(). NULL may be given, it was out of
 * memory: SFGP_ERROR_MEMORY, and *text NULL, then too. */
sfgp_status report_json_dump(const json_t *object, int digits, char **text);

#endif
