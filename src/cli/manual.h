/* The manual page. */
#ifndef SFGP_CLI_MANUAL_H
#define SFGP_CLI_MANUAL_H

#include "cli/verb.h"

void cli_manual_print(const cli_verb *const *verbs); /* sfgp(1) on stdout, for man; NULL ends the table */

#endif
