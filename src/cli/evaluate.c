/* sfgp evaluate: distances between a fit and the truth, as JSON on stdout. */
#include "cli/mesh.h"
#include "cli/verb.h"
#include "report/json.h"

#include <stdio.h>
#include <stdlib.h>

struct job {
    cli_session *session;
    cli_list files;        /* FITTED, TRUTH */
    const char *mask_path; /* NULL: no mask */
    sfgp_mesh *fitted;
    sfgp_mesh *truth;
    unsigned char *mask;
    sfgp_evaluation evaluation;
};

static sfgp_status parse(struct job *job, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"FITTED", "TRUTH", NULL};
    const cli_option options[] = {{"missing", 0, CLI_PATH, &job->mask_path}, CLI_COLUMNS(job->session), {0}};
    return cli_options_parse(job->session, argc, argv,
                             &(cli_grammar){.options = options, .operands = OPERANDS, .taken = &job->files});
}

static sfgp_status read_files(struct job *job)
{
    sfgp_context *context = job->session->context;
    sfgp_status status = cli_mesh_read(job->session, job->files.items[0], &job->fitted);
    if (status == SFGP_OK)
        status = cli_mesh_read(job->session, job->files.items[1], &job->truth);
    if (status != SFGP_OK || !job->mask_path)
        return status;
    return cli_check(job->session, sfgp_mask_read(context, job->mask_path, job->truth->count, &job->mask));
}

static sfgp_status evaluate(struct job *job)
{
    return cli_check(job->session, sfgp_evaluate(job->session->context, job->fitted, job->truth, job->mask,
                                                 &job->evaluation));
}

static sfgp_status print(struct job *job)
{
    char *text = NULL;
    if (report_evaluation(&job->evaluation, job->mask != NULL, &text) != SFGP_OK)
        return cli_fail(job->session, SFGP_ERROR_MEMORY, "out of memory");
    fputs(text, stdout);
    free(text);
    return SFGP_OK;
}

static int run(cli_session *session, int argc, char **argv)
{
    struct job job = {.session = session};
    sfgp_status status;
    if ((status = parse(&job, argc, argv)) == SFGP_OK && (status = read_files(&job)) == SFGP_OK &&
        (status = evaluate(&job)) == SFGP_OK)
        status = print(&job);
    cli_list_clear(&job.files);
    sfgp_mesh_free(job.fitted);
    sfgp_mesh_free(job.truth);
    sfgp_mask_free(job.mask);
    return (int)status;
}

const cli_verb CLI_EVALUATE = {
    "evaluate", "distances between a fit and the truth",
    "sfgp evaluate FITTED TRUTH [--missing MASK] [--columns X,Y,Z]\n"
    "\nPoint i of FITTED is compared with point i of TRUTH. JSON on stdout, in the unit of the files:\n"
    "{\"all\": {\"count\", \"mean\", \"median\", \"p95\"}}, and the same for \"observed\" and \"missing\" with a mask.\n"
    "\n  --missing MASK       text, one line, 0 or 1, for every point; 1 = missing from the scan\n" CLI_COLUMNS_USAGE,
    false, run};
