/* Collects the results of a batch, for sfgp collect and sfgp batch --collect. */
#ifndef SFGP_CLI_COLLECT_H
#define SFGP_CLI_COLLECT_H

#include "cli/session.h"

/* Returns the exit code. unit may be NULL. */
int cli_collect(cli_session *session, const char *folder, const char *unit);

#endif
