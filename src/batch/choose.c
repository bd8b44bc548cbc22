/* Fits a case with each of its references, and keeps the fit with the largest evidence. */
#include "batch/fit.h"
#include "batch/pairs.h"
#include "batch/warm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const sfgp_model *batch_candidate_model(const batch_candidate *c)
{
    return c->own ? c->own : c->prior->model;
}

static sfgp_status build_own(batch_work *w, batch_candidate *c)
{
    const batch_prior *p = c->prior;
    const sfgp_mark mark = sfgp_profile_enter(w->context, SFGP_STAGE_MODEL);
    sfgp_status status = sfgp_model_new(w->context, p->reference, (const sfgp_mesh *const *)p->training,
                                        p->training_count, &w->settings, &c->own);
    sfgp_profile_leave(w->context, mark);
    return status;
}

static sfgp_status predict_memory(batch_work *w, const batch_candidate *c)
{
    sfgp_run_size size;
    sfgp_run_size_from_model(batch_candidate_model(c), &size);
    size.targets = w->target->count;
    return sfgp_memory_predict(w->context, &size, &w->settings, &w->memory);
}

/* ---- landmarks --------------------------------------------------------------------------------------- */

static sfgp_status set_landmarks(batch_work *w, int k, sfgp_solver *solver)
{
    char *of_reference = NULL, *of_target = NULL;
    sfgp_landmark_pairs *pairs = NULL;
    sfgp_status status = batch_file_of(w->b, w->number, BATCH_LANDMARKS, NULL, &of_target);
    if (status == SFGP_OK && !of_target)
        return sfgp_solver_set_landmarks(solver, 0, NULL, NULL, 0); /* another case may have had some */
    if (status == SFGP_OK)
        status = batch_landmarks_of(w->b, w->number, k, &of_reference);
    if (status == SFGP_OK)
        status = batch_pairs_read(w->context, of_reference, of_target, batch_target_scale(w->b, w->number),
                                  w->error, &pairs);
    if (status == SFGP_OK && pairs->dimension != w->target->dimension) {
        snprintf(w->error, sizeof w->error, "landmarks: they are %dD, the target is %dD", pairs->dimension,
                 w->target->dimension);
        status = SFGP_ERROR_DATA;
    }
    if (status == SFGP_OK)
        status =
            sfgp_solver_set_landmarks(solver, pairs->count, pairs->first, pairs->second, w->b->landmark_sd);
    sfgp_landmark_pairs_free(pairs);
    free(of_reference);
    free(of_target);
    return status;
}

/* ---- warnings ---------------------------------------------------------------------------------------- */

void batch_work_warn(batch_work *w, const char *text)
{
    if (w->warning_count < BATCH_MOST_WARNINGS && (w->warnings[w->warning_count] = strdup(text)))
        w->warning_count++;
}

/* Drops the warnings from `first` on, up to `end`. */
static void drop_warnings(batch_work *w, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++)
        free(w->warnings[k]);
    for (size_t k = end; k < w->warning_count; k++)
        w->warnings[first + k - end] = w->warnings[k];
    w->warning_count -= end - first;
}

/* ---- one reference, all references ------------------------------------------------------------------- */

/* Of an earlier case, with the warnings that it was made with; or a new one, which is kept unless its model is of this case
 * alone. *owned: it is not kept. */
static sfgp_status find_solver(batch_work *w, int k, const batch_candidate *c, sfgp_solver **solver,
                               bool *owned)
{
    batch_warm *warm = c->own ? NULL : w->b->warm;
    const batch_kept *kept = warm ? batch_warm_find(warm, k, batch_candidate_model(c), &w->settings) : NULL;
    const size_t before = w->warning_count;
    *owned = false;
    if (kept) {
        *solver = kept->solver;
        for (size_t n = 0; n < kept->note_count; n++)
            batch_work_warn(w, kept->notes[n]);
        return SFGP_OK;
    }
    const sfgp_status status = sfgp_solver_new(w->context, batch_candidate_model(c), &w->settings, solver);
    *owned = !warm || status != SFGP_OK ||
             !batch_warm_keep(warm, k, batch_candidate_model(c), &w->settings, *solver, w->warnings + before,
                              w->warning_count - before);
    return status;
}

static sfgp_status fit(batch_work *w, int k, batch_candidate *c)
{
    sfgp_solver *solver = NULL;
    bool owned = true;
    c->prior = &w->b->priors[k];
    sfgp_status status = batch_prior_differs(w->b, c->prior, &w->settings) ? build_own(w, c) : SFGP_OK;
    if (status == SFGP_OK)
        status = predict_memory(w, c);
    const sfgp_mark mark = sfgp_profile_enter(w->context, SFGP_STAGE_FIT);
    if (status == SFGP_OK)
        status = find_solver(w, k, c, &solver, &owned);
    if (status == SFGP_OK)
        status = set_landmarks(w, k, solver);
    if (status == SFGP_OK)
        status = sfgp_solver_run(solver, w->target, &c->result);
    if (status == SFGP_OK && w->carries)
        status = sfgp_solver_deformation(solver, c->result, &c->deformation);
    if (owned)
        sfgp_solver_free(solver);
    sfgp_profile_leave(w->context, mark);
    return status;
}

/* A fit without overlap has no evidence, NaN. */
static bool is_better(const batch_candidate *c, const batch_candidate *best)
{
    return !best || (isnan(best->result->evidence) && !isnan(c->result->evidence)) ||
           c->result->evidence > best->result->evidence;
}

sfgp_status batch_work_choose(batch_work *w)
{
    const batch_choice choice = batch_choice_of(w->b, w->number);
    const size_t read = w->warning_count; /* warnings of reading stay */
    w->candidates = calloc((size_t)choice.count, sizeof *w->candidates);
    if (!w->candidates)
        return SFGP_ERROR_MEMORY;
    for (int k = 0; k < choice.count; k++) {
        batch_candidate *c = &w->candidates[w->candidate_count++];
        const size_t before = w->warning_count;
        const sfgp_status status = fit(w, choice.first + k, c);
        if (status != SFGP_OK)
            return status;
        if (!is_better(c, w->best)) {
            drop_warnings(w, before, w->warning_count);
            continue;
        }
        drop_warnings(w, read, before);
        w->best = c;
    }
    w->result = w->best->result;
    return SFGP_OK;
}

void batch_candidates_clear(batch_work *w)
{
    for (int k = 0; k < w->candidate_count; k++) {
        sfgp_deformation_free(w->candidates[k].deformation);
        sfgp_result_free(w->candidates[k].result);
        sfgp_model_free(w->candidates[k].own);
    }
    free(w->candidates);
}
