/* Which cases of a batch this process does: from the command line, or from the workflow engine that started it. */
#ifndef SFGP_CLI_BATCH_PART_H
#define SFGP_CLI_BATCH_PART_H

#include "batch/batch.h"
#include "cli/session.h"

typedef struct cli_batch_part {
    const char *shard; /* I/N; NULL: not given */
    int64_t index;     /* -1: not given */
    int64_t chunk;     /* cases of one index */
} cli_batch_part;

/* Prints errors. SFGP_ERROR_PARAMETER. */
sfgp_status cli_batch_find_part(cli_session *session, const cli_batch_part *asked, batch_part *part);
/* Cases at a time. asked: of the command line; 0: not given. */
int cli_batch_find_jobs(int64_t asked);

#endif
