/* Training shapes that are bad fits of a batch. */
#ifndef SFGP_CLI_TRAINED_H
#define SFGP_CLI_TRAINED_H

#include "cli/options.h"

/* Warns of files that are fits of sfgp batch and did not end as converged, as case.json beside them says. */
void cli_trained_tell(cli_session *session, const cli_list *files);

#endif
