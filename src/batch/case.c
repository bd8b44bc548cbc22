/* One case, in its own process: locks it, fits, writes fit.ply, then case.json, which completes it. */
#include "base/platform_clock.h"
#include "base/platform_file.h"
#include "batch/fit.h"
#include "batch/lock.h"
#include "batch/warm.h"
#include "report/fitted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- open -------------------------------------------------------------------------------------------- */

static void keep_warning(void *user, const char *text)
{
    batch_work_warn(user, text);
}

static sfgp_status open_work(batch *b, int64_t number, batch_work *w)
{
    *w = (batch_work){.b = b,
                      .number = number,
                      .id = batch_cell(&b->manifest, number, BATCH_ID),
                      .start = sfgp_platform_seconds()};
    sfgp_status status = SFGP_OK;
    if (b->warm && b->warm->context)
        w->context = b->warm->context;
    else
        status = sfgp_context_new(NULL, &w->context);
    if (b->warm)
        b->warm->context = w->context;
    if (status == SFGP_OK) {
        sfgp_context_set_log(w->context, keep_warning, w);
        sfgp_context_set_threads(w->context, b->settings.threads);
        sfgp_profile_start(w->context);
    }
    return status;
}

/* Makes an empty folder for the case, and sets what the fit needs. */
static sfgp_status prepare(batch_work *w)
{
    sfgp_status status = batch_folder_prepare(w->b, w->id, w->error, sizeof w->error);
    if (status == SFGP_OK && (status = batch_digests_make(w->b, w->number, &w->digests)) == SFGP_OK)
        status = batch_settings(w->b, w->number, &w->settings);
    w->carries = w->b->save || batch_cell(&w->b->manifest, w->number, BATCH_APPLY)[0] ||
                 (w->b->reference_count > 0 && w->b->references[0].apply);
    return status;
}

/* Locks the case. False: another process works on it, or has done it since the plan was made. */
static bool claim(batch *b, int64_t number, bool wait, int *lock, batch_outcome *outcome)
{
    batch_status done = BATCH_UNFINISHED;
    *outcome = (batch_outcome){.status = BATCH_UNFINISHED};
    if (batch_lock_case(b, batch_cell(&b->manifest, number, BATCH_ID), wait, lock) == SFGP_LOCK_BUSY)
        return outcome->claim = BATCH_BUSY, false;
    if (batch_check_done(b, number, true, &done) != SFGP_OK || done == BATCH_UNFINISHED)
        return true;
    *outcome = (batch_outcome){.claim = BATCH_DONE_BY_OTHER, .status = done};
    sfgp_platform_close(*lock);
    return false;
}

/* Fits, and keeps the warning of a flagged fit behind those of the library, as sfgp register does. */
static sfgp_status fit(batch_work *w)
{
    char text[SFGP_WARNING_SIZE];
    const sfgp_status status = batch_work_fit(w);
    if (status == SFGP_OK && sfgp_result_warning(w->result, text)[0])
        batch_work_warn(w, text);
    return status;
}

/* ---- write ------------------------------------------------------------------------------------------- */

static sfgp_status write_fit(batch_work *w)
{
    const sfgp_mark mark = sfgp_profile_enter(w->context, SFGP_STAGE_WRITE);
    char *path = batch_in_case(w->b->folder, w->id, "fit.ply");
    sfgp_status status =
        path ? report_fitted_write(w->context, path, w->best->prior->reference, w->target, w->result)
             : SFGP_ERROR_MEMORY;
    if (status == SFGP_OK)
        status = batch_work_digest(w, path, w->digests.fit);
    free(path);
    sfgp_profile_leave(w->context, mark);
    return status;
}

static sfgp_status write_page(batch_work *w)
{
    const sfgp_page_options options = {.reference = w->best->prior->name,
                                       .target = batch_cell(&w->b->manifest, w->number, BATCH_TARGET),
                                       .unit = w->b->unit,
                                       .training = w->b->training_count,
                                       .warnings = (const char *const *)w->warnings,
                                       .warning_count = (int64_t)w->warning_count};
    if (!w->b->html)
        return SFGP_OK;
    char *path = batch_in_case(w->b->folder, w->id, "fit.html");
    sfgp_status status = path ? sfgp_result_write_html(w->context, w->result, w->best->prior->reference,
                                                       w->target, &options, path)
                              : SFGP_ERROR_MEMORY;
    free(path);
    return status;
}

static sfgp_status write_record(batch_work *w, const batch_outcome *outcome)
{
    char *text = batch_record_make(w, outcome), *path = batch_in_case(w->b->folder, w->id, "case.json");
    const sfgp_status status =
        path ? sfgp_file_write(w->context, path, text, strlen(text)) : SFGP_ERROR_MEMORY;
    free(text);
    free(path);
    return status;
}

static const char *find_message(const batch_work *w)
{
    return w->error[0] ? w->error : w->context ? sfgp_context_error(w->context) : "";
}

/* Of the case so far. */
static double processor_seconds(const batch_work *w)
{
    sfgp_profile profile = {0};
    if (w->context)
        sfgp_profile_read(w->context, &profile);
    return profile.cpu;
}

static void describe(const batch_work *w, sfgp_status status, batch_outcome *outcome)
{
    const char *message = find_message(w);
    const bool good = status == SFGP_OK && w->result->outcome == SFGP_CONVERGED;
    *outcome = (batch_outcome){.status = status == SFGP_ERROR_WRITE ? BATCH_UNFINISHED
                                         : status != SFGP_OK        ? BATCH_FAILED
                                         : good                     ? BATCH_GOOD
                                                                    : BATCH_FLAGGED,
                               .exit_code = status == SFGP_OK ? !good : (int)status,
                               .seconds = sfgp_platform_seconds() - w->start,
                               .processor = processor_seconds(w)};
    if (status != SFGP_OK)
        snprintf(outcome->error, sizeof outcome->error, "%s",
                 message[0] ? message : sfgp_status_text(status));
}

static void remove_fit(batch_work *w)
{
    char *path = batch_in_case(w->b->folder, w->id, "fit.ply");
    if (path)
        sfgp_platform_remove(path);
    free(path);
}

/* A failed case has no result. */
static void drop_result(batch_work *w)
{
    w->result = NULL;
    w->digests.fit[0] = w->digests.carried[0] = '\0';
    remove_fit(w);
}

/* ---- all steps --------------------------------------------------------------------------------------- */

void batch_case_run(batch *b, int64_t number, bool wait, batch_outcome *outcome)
{
    batch_work w;
    int lock;
    if (!claim(b, number, wait, &lock, outcome))
        return;
    sfgp_status status = open_work(b, number, &w);
    if (status == SFGP_OK && (status = prepare(&w)) == SFGP_OK && (status = fit(&w)) == SFGP_OK)
        status = write_fit(&w);
    if (status == SFGP_OK)
        status = write_page(&w);
    if (status == SFGP_OK)
        status = batch_work_carry(&w);
    describe(&w, status, outcome);
    if (outcome->status == BATCH_FAILED)
        drop_result(&w);
    if (outcome->status != BATCH_UNFINISHED && write_record(&w, outcome) != SFGP_OK) {
        describe(&w, SFGP_ERROR_WRITE, outcome);
        remove_fit(&w);
    }
    batch_work_clear(&w);
    if (b->warm &&
        outcome->exit_code > 1) /* texts and workspaces of a failed case are no good for another one */
        batch_warm_clear(b->warm);
    sfgp_platform_close(lock);
}

void batch_case_lost(batch *b, int64_t number, batch_outcome *outcome)
{
    const batch_outcome lost = *outcome;
    batch_work w;
    int lock;
    if (!claim(b, number, false, &lock, outcome))
        return;
    *outcome = lost;
    sfgp_status status = open_work(b, number, &w);
    if (status == SFGP_OK && (status = prepare(&w)) == SFGP_OK)
        status = write_record(&w, outcome);
    if (status != SFGP_OK) {
        outcome->status = BATCH_UNFINISHED;
        snprintf(outcome->error, sizeof outcome->error, "%s", find_message(&w));
    }
    batch_work_clear(&w);
    sfgp_platform_close(lock);
}
