/* What a batch reads, needs and writes: sfgp batch --dry-run, --verbose. */
#ifndef SFGP_CLI_BATCH_PLAN_H
#define SFGP_CLI_BATCH_PLAN_H

#include "batch/batch.h"
#include "cli/session.h"

/* Prints the plan of a batch that is open and planned, line by line. With b->dry it reads the files of the cases: SFGP_ERROR_READ when one is
 * refused. */
sfgp_status cli_batch_tell(cli_session *session, batch *b);

#endif
