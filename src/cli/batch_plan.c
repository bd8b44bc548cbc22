/* Prints the plan of a batch: references, cases, memory, outputs. */
#include "cli/batch_plan.h"
#include "batch/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MIB 1048576.0

enum { MOST_SAID = 5 };

static void tell_references(cli_session *session, const batch *b)
{
    for (int k = 0; k < b->prior_count; k++) {
        const sfgp_mesh *mesh = b->priors[k].reference;
        const sfgp_model_info *info = &b->priors[k].info;
        cli_tell(session, "reference: %s: %s, %" PRId64 " points, %" PRId64 " faces, %dD; rank %" PRId64,
                 cli_path_shown(b->priors[k].name), mesh->format, mesh->count, mesh->face_count,
                 mesh->dimension, info->rank_scalar + info->rank_pca);
    }
}

static void tell_cases(cli_session *session, const batch *b)
{
    cli_tell(session,
             "cases: %" PRId64 " in %s, %" PRId64 " of this part, %" PRId64 " done before, %" PRId64
             " to do, %d at a time",
             b->manifest.count, cli_path_shown(b->path), b->totals.cases, b->totals.before, b->todo_count,
             b->at_once);
}

/* The files of a case that its run would refuse, of which the first five of all cases are named. */
static void count_refused(cli_session *session, batch *b, int64_t number, int64_t *refused)
{
    static const batch_role FILES[] = {BATCH_TARGET, BATCH_TRUTH, BATCH_MISSING, BATCH_LANDMARKS,
                                       BATCH_REFERENCE_LANDMARKS};
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++)
        if (batch_input_check(b, number, FILES[k]) != SFGP_OK && (*refused)++ < MOST_SAID)
            cli_fail(session, SFGP_ERROR_READ, "%s: %s", batch_cell(&b->manifest, number, BATCH_ID),
                     b->error);
}

/* Returns how many files are refused. */
static int64_t tell_refused(cli_session *session, batch *b)
{
    int64_t refused = 0;
    for (int64_t k = 0; k < b->todo_count; k++)
        count_refused(session, b, b->todo[k], &refused);
    if (refused > MOST_SAID)
        cli_fail(session, SFGP_ERROR_READ, "%" PRId64 " files cannot be read or used", refused);
    return refused;
}

static void print_memory(cli_session *session, batch *b, const sfgp_mesh *target)
{
    sfgp_run_size size;
    sfgp_memory memory;
    sfgp_run_size_from_model(b->priors[0].model, &size);
    size.targets = target->count;
    if (sfgp_memory_predict(session->context, &size, &b->settings, &memory) != SFGP_OK || memory.peak == 0)
        cli_tell(session, "memory: not predicted for this method");
    else
        cli_tell(session,
                 "memory: %.1f MiB for the model, which cases share, and %.1f MiB a case like the first, "
                 "whose scan has %" PRId64 " points",
                 (double)memory.model / MIB, (double)memory.fit / MIB, target->count);
}

static sfgp_status tell_memory(cli_session *session, batch *b)
{
    sfgp_mesh *target = NULL;
    if (b->todo_count == 0)
        return SFGP_OK;
    char *path = batch_beside(b, batch_cell(&b->manifest, b->todo[0], BATCH_TARGET));
    const sfgp_status status =
        path ? cli_check(session, batch_read_target(b, session->context, b->todo[0], path, &target))
             : cli_fail(session, SFGP_ERROR_MEMORY, "out of memory");
    if (status == SFGP_OK)
        print_memory(session, b, target);
    sfgp_mesh_free(target);
    free(path);
    return status;
}

static void tell_outputs(cli_session *session, const batch *b)
{
    const bool carried = b->reference_count > 0 && b->references[0].apply;
    cli_tell(session, "outputs: %s/ID/fit.ply, case.json%s%s%s", cli_path_shown(b->folder),
             carried ? ", and what is carried along" : "", b->save ? ", fit.h5" : "",
             b->html ? ", fit.html" : "");
}

sfgp_status cli_batch_tell(cli_session *session, batch *b)
{
    tell_references(session, b);
    tell_cases(session, b);
    tell_outputs(session, b);
    if (b->dry && tell_refused(session, b) > 0)
        return SFGP_ERROR_READ;
    return tell_memory(session, b);
}
