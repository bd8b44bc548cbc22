/* How much of a batch this process does, from the command line and from the engine that started it. */
#ifndef SFGP_CLI_BATCH_PART_H
#define SFGP_CLI_BATCH_PART_H

#include "batch/batch.h"
#include "cli/session.h"

typedef struct cli_batch_part {
    const char *shard;    /* I/N, NULL: not given */
    int64_t index, chunk; /* index -1: not given */
    bool quiet;
} cli_batch_part;

/* Errors: SFGP_ERROR_PARAMETER, said. */
sfgp_status cli_batch_find_part(cli_session *session, const cli_batch_part *asked, batch_part *part);
/* asked 0: not given. */
int cli_batch_find_jobs(int64_t asked);

#endif
