/* The options that every verb has, from one table. bcpd has the letters of BCPD instead. */
#ifndef SFGP_CLI_COMMON_H
#define SFGP_CLI_COMMON_H

#include "cli/options.h"
#include "cli/verb.h"

enum { CLI_COMMON_MOST = 3, CLI_COMMON_LINE = 160 };

/* Their rows for the parser; the values are those of the session. Returns how many the verb has. */
int cli_common_options(cli_session *session, cli_option options[CLI_COMMON_MOST]);
/* Line k of their help, as in the usage of a verb. False, and line unchanged: there is none. */
bool cli_common_line(const cli_verb *verb, int k, char line[CLI_COMMON_LINE]);

#endif
