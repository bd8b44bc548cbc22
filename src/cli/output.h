/* Writes what a verb has made. */
#ifndef SFGP_CLI_OUTPUT_H
#define SFGP_CLI_OUTPUT_H

#include "cli/session.h"

#include <jansson.h>

/* Prints a value on standard output, with all digits of its numbers, and releases it. */
void cli_output_json(json_t *value);
/* Writes a text to a file, and frees it. path NULL: to none. text NULL: memory has run out. Prints errors. */
sfgp_status cli_output_text(cli_session *session, const char *path, char *text);

#endif
