/* JSON strings from text, and text from JSON. */
#ifndef SFGP_REPORT_JSON_TEXT_H
#define SFGP_REPORT_JSON_TEXT_H

#include "sfgp/sfgp.h"

#include <jansson.h>

/* A JSON string. When text is not UTF-8, as a path may be, every byte that is not ASCII becomes '?'. NULL: out of
 * memory. */
json_t *report_json_text(const char *text);
/* Indented text with a newline at its end and reals of this many digits; the caller frees it. SFGP_ERROR_MEMORY, with
 * *text NULL, also when object is NULL: then it could not be built. */
sfgp_status report_json_dump(const json_t *object, int digits, char **text);

#endif
