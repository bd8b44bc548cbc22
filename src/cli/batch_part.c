/* Which cases of a batch this process does, and how many at a time. */
#include "cli/batch_part.h"
#include "base/platform_cores.h"
#include "cli/batch_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parses I/N, or when n is NULL a number. False: malformed. */
static bool parse_part(const char *text, int64_t *i, int64_t *n)
{
    long long first = -1, second = 1;
    int used = 0;
    const char *digits = text;
    for (; *digits; digits++)
        if (!strchr("0123456789/", *digits))
            return false;
    if (n ? sscanf(text, "%lld/%lld%n", &first, &second, &used) != 2
          : sscanf(text, "%lld%n", &first, &used) != 1)
        return false;
    *i = first;
    if (n)
        *n = second;
    return text[used] == '\0' && strlen(text) < 30 && first >= 0 && second > 0;
}

static sfgp_status parse_shard(cli_session *session, const cli_batch_part *asked, batch_part *part)
{
    if (!parse_part(asked->shard, &part->index, &part->count) || part->index >= part->count)
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "--shard: '%.40s' is not I/N with I from 0 to N-1, as 0/4", asked->shard);
    part->cut = BATCH_SHARD;
    return SFGP_OK;
}

sfgp_status cli_batch_find_part(cli_session *session, const cli_batch_part *asked, batch_part *part)
{
    int64_t index = asked->index;
    const char *task = getenv("SLURM_ARRAY_TASK_ID");
    part->chunk = asked->chunk;
    if (asked->chunk < 1)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "--chunk: 0 is below 1");
    if (asked->shard && index >= 0)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "--index and --shard: give one of them");
    if (asked->shard)
        return parse_shard(session, asked, part);
    if (index < 0 && task) {
        if (!parse_part(task, &index, NULL))
            return cli_fail(session, SFGP_ERROR_PARAMETER, "SLURM_ARRAY_TASK_ID: '%.40s' is no index", task);
        if (!session->quiet)
            cli_tell(session, "part %lld of a Slurm array (SLURM_ARRAY_TASK_ID)", (long long)index);
    }
    if (index >= 0)
        part->cut = BATCH_INDEX;
    else if (asked->chunk > 1)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "--chunk: belongs to --index");
    part->index = index;
    return SFGP_OK;
}

/* The number of the command line, or else that of Slurm for this task, or else the processors that the process may
 * use. */
int cli_batch_find_jobs(int64_t asked)
{
    int64_t granted = 0;
    const char *slurm = getenv("SLURM_CPUS_PER_TASK");
    if (asked > 0)
        return (int)asked;
    if (slurm && parse_part(slurm, &granted, NULL) && granted > 0 && granted <= 4096)
        return (int)granted;
    if (cli_mpi_started()) /* mpirun starts one rank for each core */
        return 1;
    return (int)sfgp_platform_own_cores();
}
