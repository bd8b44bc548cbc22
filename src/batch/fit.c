/* The fit of one case: reads its files, finds or builds the model, fits, and measures errors against the truth. */
#include "batch/fit.h"

#include <stdlib.h>

/* ---- read -------------------------------------------------------------------------------------------- */

static sfgp_status read_input(batch_work *w, batch_role role, sfgp_mesh **mesh)
{
    const char *cell = batch_cell(&w->b->manifest, w->number, role);
    char *path = batch_beside(w->b, cell);
    sfgp_status status = !path     ? SFGP_ERROR_MEMORY
                         : cell[0] ? sfgp_mesh_read_with(w->context, path, &w->b->read, mesh, NULL)
                                   : SFGP_OK;
    free(path);
    return status;
}

static sfgp_status read_mask(batch_work *w)
{
    const char *cell = batch_cell(&w->b->manifest, w->number, BATCH_MISSING);
    char *path = batch_beside(w->b, cell);
    sfgp_status status = !path ? SFGP_ERROR_MEMORY : SFGP_OK;
    if (path && cell[0] && w->truth)
        status = sfgp_mask_read(w->context, path, w->truth->count, &w->mask);
    free(path);
    return status;
}

static sfgp_status read_inputs(batch_work *w)
{
    const sfgp_mark mark = sfgp_profile_enter(w->context, SFGP_STAGE_READ);
    sfgp_status status = read_input(w, BATCH_TARGET, &w->target);
    if (status == SFGP_OK)
        status = read_input(w, BATCH_TRUTH, &w->truth);
    if (status == SFGP_OK)
        status = read_mask(w);
    sfgp_profile_leave(w->context, mark);
    return status;
}

/* ---- model and fit ----------------------------------------------------------------------------------- */

static const sfgp_model *find_model(const batch_work *w)
{
    return w->own ? w->own : w->b->prior.model;
}

static sfgp_status build_own(batch_work *w)
{
    const batch_prior *p = &w->b->prior;
    const sfgp_mark mark = sfgp_profile_enter(w->context, SFGP_STAGE_MODEL);
    sfgp_status status = sfgp_model_new(w->context, p->reference, (const sfgp_mesh *const *)p->training,
                                        p->training_count, &w->settings, &w->own);
    sfgp_profile_leave(w->context, mark);
    return status;
}

static sfgp_status predict_memory(batch_work *w)
{
    sfgp_run_size size;
    sfgp_run_size_from_model(find_model(w), &size);
    size.targets = w->target->count;
    return sfgp_memory_predict(w->context, &size, &w->settings, &w->memory);
}

static sfgp_status fit(batch_work *w)
{
    sfgp_status status = batch_prior_differs(w->b, &w->settings) ? build_own(w) : SFGP_OK;
    if (status == SFGP_OK)
        status = predict_memory(w);
    const sfgp_mark mark = sfgp_profile_enter(w->context, SFGP_STAGE_FIT);
    if (status == SFGP_OK)
        status = sfgp_solver_new(w->context, find_model(w), &w->settings, &w->solver);
    if (status == SFGP_OK)
        status = sfgp_solver_run(w->solver, w->target, &w->result);
    sfgp_profile_leave(w->context, mark);
    return status;
}

static sfgp_status evaluate(batch_work *w)
{
    sfgp_mesh fitted = *w->b->prior.reference;
    fitted.points = w->result->points;
    if (!w->truth)
        return SFGP_OK;
    sfgp_status status = sfgp_evaluate(w->context, &fitted, w->truth, w->mask, &w->evaluation);
    return status == SFGP_OK ? sfgp_evaluate_surfaces(w->context, &fitted, w->truth, &w->surfaces) : status;
}

sfgp_status batch_work_fit(batch_work *w)
{
    sfgp_status status = read_inputs(w);
    if (status == SFGP_OK && (status = fit(w)) == SFGP_OK)
        status = evaluate(w);
    return status;
}

void batch_work_clear(batch_work *w)
{
    for (size_t k = 0; k < w->warning_count; k++)
        free(w->warnings[k]);
    sfgp_result_free(w->result);
    sfgp_solver_free(w->solver);
    sfgp_model_free(w->own);
    sfgp_mesh_free(w->target);
    sfgp_mesh_free(w->truth);
    sfgp_mask_free(w->mask);
    sfgp_context_free(w->context);
}
