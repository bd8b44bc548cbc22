/* Help texts, printed to stdout. */
#ifndef SFGP_CLI_HELP_H
#define SFGP_CLI_HELP_H

#include "cli/verb.h"

void cli_help_list(const cli_verb *const *verbs); /* NULL ends the table */
void cli_help_print(const cli_verb *verb);

#endif
