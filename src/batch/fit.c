/* One case, in its process: read -> fit -> fit.ply -> case.json. */
#include "batch/digest.h"
#include "process/pool.h"
#include "report/fitted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_WARNINGS = 32 };

/* What one step hands to the next. */
typedef struct work {
    batch *b;
    int64_t number;
    const char *id;
    sfgp_context *context;
    sfgp_settings settings;
    batch_digests digests;
    sfgp_mesh *target, *truth;
    unsigned char *mask;
    sfgp_model *own; /* for settings that ask for another prior than the batch's */
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_evaluation evaluation;
    sfgp_memory memory;
    char *warnings[MOST_WARNINGS];
    size_t warning_count;
    char error[BATCH_ERROR]; /* where it is not the context's */
    double start;
} work;

static void keep_warning(void *user, const char *text)
{
    work *w = user;
    if (w->warning_count < MOST_WARNINGS && (w->warnings[w->warning_count] = strdup(text)))
        w->warning_count++;
}

/* ---- the fit ----------------------------------------------------------------------------------------- */

static sfgp_status read_input(work *w, batch_role role, sfgp_mesh **mesh)
{
    const char *cell = batch_cell(&w->b->manifest, w->number, role);
    char *path = batch_beside(w->b, cell);
    sfgp_status status = !path     ? SFGP_ERROR_MEMORY
                         : cell[0] ? sfgp_mesh_read_with(w->context, path, &w->b->read, mesh, NULL)
                                   : SFGP_OK;
    free(path);
    return status;
}

static sfgp_status read_mask(work *w)
{
    const char *cell = batch_cell(&w->b->manifest, w->number, BATCH_MISSING);
    char *path = batch_beside(w->b, cell);
    sfgp_status status = !path ? SFGP_ERROR_MEMORY : SFGP_OK;
    if (path && cell[0] && w->truth)
        status = sfgp_mask_read(w->context, path, w->truth->count, &w->mask);
    free(path);
    return status;
}

static sfgp_status read_inputs(work *w)
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

static const sfgp_model *model_of(const work *w)
{
    return w->own ? w->own : w->b->prior.model;
}

static sfgp_status build_own(work *w)
{
    const batch_prior *p = &w->b->prior;
    const sfgp_mark mark = sfgp_profile_enter(w->context, SFGP_STAGE_MODEL);
    sfgp_status status = sfgp_model_new(w->context, p->reference, (const sfgp_mesh *const *)p->training,
                                        p->training_count, &w->settings, &w->own);
    sfgp_profile_leave(w->context, mark);
    return status;
}

static sfgp_status predict_memory(work *w)
{
    sfgp_run_size size;
    sfgp_run_size_from_model(model_of(w), &size);
    size.targets = w->target->count;
    return sfgp_memory_predict(w->context, &size, &w->settings, &w->memory);
}

static sfgp_status fit(work *w)
{
    sfgp_status status = batch_prior_differs(w->b, &w->settings) ? build_own(w) : SFGP_OK;
    if (status == SFGP_OK)
        status = predict_memory(w);
    const sfgp_mark mark = sfgp_profile_enter(w->context, SFGP_STAGE_FIT);
    if (status == SFGP_OK)
        status = sfgp_solver_new(w->context, model_of(w), &w->settings, &w->solver);
    if (status == SFGP_OK)
        status = sfgp_solver_run(w->solver, w->target, &w->result);
    sfgp_profile_leave(w->context, mark);
    return status;
}

static sfgp_status evaluate(work *w)
{
    const sfgp_mesh fitted = {
        .count = w->result->count, .dimension = w->result->dimension, .points = w->result->points};
    return w->truth ? sfgp_evaluate(w->context, &fitted, w->truth, w->mask, &w->evaluation) : SFGP_OK;
}

static sfgp_status write_fit(work *w)
{
    const sfgp_mark mark = sfgp_profile_enter(w->context, SFGP_STAGE_WRITE);
    char *path = batch_in_case(w->b->folder, w->id, "fit.ply");
    sfgp_status status =
        path ? report_fitted_write(w->context, path, w->b->prior.reference, w->result) : SFGP_ERROR_MEMORY;
    if (status == SFGP_OK && !digest_file(path, w->digests.fit)) {
        snprintf(w->error, sizeof w->error, "%s: cannot be read back", path);
        status = SFGP_ERROR_WRITE;
    }
    free(path);
    sfgp_profile_leave(w->context, mark);
    return status;
}

/* ---- case.json --------------------------------------------------------------------------------------- */

static double peak_mib(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static sfgp_status write_record(work *w, const batch_letter *letter)
{
    sfgp_model_info info = w->b->prior.info;
    sfgp_profile profile;
    sfgp_profile_read(w->context, &profile);
    if (w->own)
        sfgp_model_describe(w->own, &info);
    const batch_case c = {.id = w->id,
                          .target = batch_cell(&w->b->manifest, w->number, BATCH_TARGET),
                          .letter = letter,
                          .digests = &w->digests,
                          .b = w->b,
                          .model = &info,
                          .result = w->result,
                          .evaluation = w->result && w->truth ? &w->evaluation : NULL,
                          .by_mask = w->mask != NULL,
                          .points_target = w->target ? w->target->count : 0,
                          .warnings = (const char *const *)w->warnings,
                          .warning_count = w->warning_count,
                          .profile = &profile,
                          .peak_mib = peak_mib(),
                          .memory = w->memory};
    char *text = NULL, *path = batch_in_case(w->b->folder, w->id, "case.json");
    sfgp_status status = path ? batch_record_make(&c, &text) : SFGP_ERROR_MEMORY;
    if (status == SFGP_OK)
        status = sfgp_file_write(w->context, path, text, strlen(text));
    free(text);
    free(path);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static sfgp_status open_work(batch *b, int64_t number, work *w)
{
    *w = (work){.b = b,
                .number = number,
                .id = batch_cell(&b->manifest, number, BATCH_ID),
                .start = process_seconds()};
    sfgp_status status = sfgp_context_new(NULL, &w->context);
    if (status == SFGP_OK) {
        sfgp_context_set_log(w->context, keep_warning, w);
        sfgp_profile_start(w->context);
    }
    if (status == SFGP_OK)
        status = batch_folder_prepare(b, w->id, w->error, sizeof w->error);
    if (status != SFGP_OK || (status = batch_digests_make(b, number, &w->digests)) != SFGP_OK)
        return status;
    return batch_settings(b, number, &w->settings);
}

static void clear(work *w)
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

static void describe(const work *w, sfgp_status status, batch_letter *letter)
{
    const char *words = w->error[0] ? w->error : w->context ? sfgp_context_error(w->context) : "";
    const bool good = status == SFGP_OK && w->result->outcome == SFGP_CONVERGED;
    *letter = (batch_letter){.status = status == SFGP_ERROR_WRITE ? BATCH_UNFINISHED
                                       : status != SFGP_OK        ? BATCH_FAILED
                                       : good                     ? BATCH_GOOD
                                                                  : BATCH_FLAGGED,
                             .exit_code = status == SFGP_OK ? !good : (int)status,
                             .seconds = process_seconds() - w->start};
    if (status != SFGP_OK)
        snprintf(letter->error, sizeof letter->error, "%s", words[0] ? words : sfgp_status_text(status));
}

/* A failed case has no fit. */
static void forget_fit(work *w)
{
    char *path = batch_in_case(w->b->folder, w->id, "fit.ply");
    if (path)
        unlink(path);
    free(path);
    sfgp_result_free(w->result);
    w->result = NULL;
    w->digests.fit[0] = '\0';
}

void batch_fit(batch *b, int64_t number, batch_letter *letter)
{
    work w;
    sfgp_status status = open_work(b, number, &w);
    if (status == SFGP_OK && (status = read_inputs(&w)) == SFGP_OK && (status = fit(&w)) == SFGP_OK &&
        (status = evaluate(&w)) == SFGP_OK)
        status = write_fit(&w);
    describe(&w, status, letter);
    if (letter->status == BATCH_FAILED)
        forget_fit(&w);
    if (letter->status != BATCH_UNFINISHED && write_record(&w, letter) != SFGP_OK) {
        describe(&w, SFGP_ERROR_WRITE, letter);
        forget_fit(&w);
    }
    clear(&w);
}

sfgp_status batch_fit_lost(batch *b, int64_t number, const batch_letter *letter)
{
    work w;
    sfgp_status status = open_work(b, number, &w);
    if (status == SFGP_OK)
        status = write_record(&w, letter);
    if (status != SFGP_OK)
        batch_fail(b, status, "%s", w.error[0] ? w.error : w.context ? sfgp_context_error(w.context) : "");
    clear(&w);
    return status;
}
