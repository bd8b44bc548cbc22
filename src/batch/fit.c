/* The fit of one case: reads its files, fits (choose.c), and measures errors against the truth. */
#include "batch/fit.h"
#include "batch/digest.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- read -------------------------------------------------------------------------------------------- */

static sfgp_status read_input(batch_work *w, batch_role role, sfgp_mesh **mesh)
{
    char *path;
    sfgp_status status = batch_file_of(w->b, w->number, role, NULL, &path);
    if (path)
        status = batch_read_target(w->b, w->context, w->number, path, mesh);
    free(path);
    return status;
}

/* Whether the errors against the truth can be told is known before the fit. */
static sfgp_status read_truth(batch_work *w)
{
    sfgp_status status = read_input(w, BATCH_TRUTH, &w->truth);
    if (status == SFGP_OK && w->truth && (status = batch_truth_check(w->b, w->number, w->truth)) != SFGP_OK)
        snprintf(w->error, sizeof w->error, "%s", w->b->error);
    return status;
}

static sfgp_status read_mask(batch_work *w)
{
    char *path;
    sfgp_status status = batch_file_of(w->b, w->number, BATCH_MISSING, NULL, &path);
    if (path && w->truth)
        status = sfgp_mask_read(w->context, path, w->truth->count, &w->mask);
    free(path);
    return status;
}

static sfgp_status read_inputs(batch_work *w)
{
    const sfgp_mark mark = sfgp_profile_enter(w->context, SFGP_STAGE_READ);
    sfgp_status status = read_input(w, BATCH_TARGET, &w->target);
    if (status == SFGP_OK)
        status = read_truth(w);
    if (status == SFGP_OK)
        status = read_mask(w);
    sfgp_profile_leave(w->context, mark);
    return status;
}

/* ---- fit ------------------------------------------------------------------------------------------------ */

static sfgp_status evaluate(batch_work *w)
{
    sfgp_mesh fitted = *w->best->prior->reference;
    fitted.points = w->result->points;
    if (!w->truth)
        return SFGP_OK;
    sfgp_status status = sfgp_evaluate(w->context, &fitted, w->truth, w->mask, &w->evaluation);
    return status == SFGP_OK ? sfgp_evaluate_surfaces(w->context, &fitted, w->truth, &w->surfaces) : status;
}

sfgp_status batch_work_fit(batch_work *w)
{
    sfgp_status status = read_inputs(w);
    if (status == SFGP_OK && (status = batch_work_choose(w)) == SFGP_OK)
        status = evaluate(w);
    return status;
}

sfgp_status batch_work_digest(batch_work *w, const char *path, char hex[BATCH_DIGEST])
{
    if (digest_file(path, hex))
        return SFGP_OK;
    snprintf(w->error, sizeof w->error, "%s: cannot be read back", path);
    return SFGP_ERROR_WRITE;
}

void batch_work_clear(batch_work *w)
{
    for (size_t k = 0; k < w->warning_count; k++)
        free(w->warnings[k]);
    batch_candidates_clear(w);
    sfgp_mesh_free(w->target);
    sfgp_mesh_free(w->truth);
    sfgp_mask_free(w->mask);
    if (w->b->warm && w->context)
        sfgp_context_set_log(w->context, NULL, NULL);
    else
        sfgp_context_free(w->context);
}
