/* Prints what other programs read. */
#ifndef SFGP_CLI_JSON_H
#define SFGP_CLI_JSON_H

#include <jansson.h>

/* Prints a value on standard output, with all digits of its numbers, and releases it. */
void cli_json_print(json_t *value);

#endif
