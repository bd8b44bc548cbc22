/* Many cases, each in a process of its own. */
#include "batch/batch.h"
#include "process/pool.h"
#include "report/file.h"

#include <stdio.h>
#include <stdlib.h>

_Static_assert(sizeof(batch_letter) <= PROCESS_LETTER, "a letter is written at once");

typedef struct running {
    batch *b;
    const batch_dealer *dealer;
    int64_t next; /* of the plan */
} running;

sfgp_status batch_open(batch *b)
{
    report_file file;
    b->event_file = -1;
    sfgp_status status = b->context ? SFGP_OK : sfgp_context_new(NULL, &b->context);
    if (status != SFGP_OK)
        return batch_fail(b, status, "out of memory");
    if ((status = sfgp_settings_check(b->context, &b->settings)) != SFGP_OK)
        return batch_fail(b, status, "%s", sfgp_context_error(b->context));
    if (!report_file_read(b->path, BATCH_MOST_MANIFEST, &file))
        return batch_fail(b, SFGP_ERROR_READ, "%s: cannot read: %s", b->path, file.problem);
    status = batch_manifest_parse(b, file.text, file.size);
    return status == SFGP_OK ? batch_prior_open(b) : status;
}

void batch_clear(batch *b)
{
    batch_events_close(b);
    batch_prior_clear(&b->prior);
    batch_manifest_clear(&b->manifest);
    sfgp_context_free(b->context);
    free(b->todo);
}

int batch_exit_code(const batch_totals *totals)
{
    return totals->unwritten > 0 ? SFGP_ERROR_WRITE : totals->flagged + totals->failed > 0;
}

/* ---- one case ends ----------------------------------------------------------------------------------- */

void batch_totals_add(batch_totals *totals, batch_status status)
{
    totals->good += status == BATCH_GOOD;
    totals->flagged += status == BATCH_FLAGGED;
    totals->failed += status == BATCH_FAILED;
    totals->unwritten += status == BATCH_UNFINISHED;
}

/* A process that ended without a letter leaves a case that failed. */
static void describe_loss(batch *b, const process_done *lost, batch_letter *letter)
{
    *letter =
        (batch_letter){.status = BATCH_FAILED, .exit_code = lost->signal ? 128 + lost->signal : lost->code};
    if (lost->end == PROCESS_LATE)
        snprintf(letter->error, sizeof letter->error, "had not ended after %g seconds", b->timeout);
    else
        snprintf(letter->error, sizeof letter->error, "the process ended with %s %d",
                 lost->signal ? "signal" : "code", lost->signal ? lost->signal : lost->code);
    if (batch_fit_lost(b, lost->job, letter) != SFGP_OK)
        letter->status = BATCH_UNFINISHED;
}

/* A full disk fails every case in the same way: some tell enough. */
static void warn_unwritten(batch *b, int64_t number, const batch_letter *letter)
{
    enum { MOST_SAID = 5 };
    char *words = report_format("%s: %s", batch_cell(&b->manifest, number, BATCH_ID), letter->error);
    if (words && b->warn && b->totals.unwritten <= MOST_SAID)
        b->warn(b->user, words);
    free(words);
}

static sfgp_status take(void *user, const process_done *done)
{
    running *r = user;
    batch *b = r->b;
    batch_letter letter;
    if (done->letter)
        letter = *(const batch_letter *)done->letter;
    else
        describe_loss(b, done, &letter);
    batch_totals_add(&b->totals, letter.status);
    if (letter.status == BATCH_UNFINISHED)
        warn_unwritten(b, done->job, &letter);
    batch_event(b, "case",
                json_pack("{s:s, s:s, s:i, s:f, s:o?}", "id", batch_cell(&b->manifest, done->job, BATCH_ID),
                          "status", batch_status_text(letter.status), "exit_code", letter.exit_code,
                          "seconds", letter.seconds, "error",
                          letter.error[0] ? json_string(letter.error) : NULL));
    if (b->progress)
        b->progress(b->user, &b->totals);
    return r->dealer && r->dealer->done ? r->dealer->done(r->dealer->user, done->job, &letter) : SFGP_OK;
}

/* ---- the pool ---------------------------------------------------------------------------------------- */

static int64_t next(void *user)
{
    running *r = user;
    if (r->dealer)
        return r->dealer->next(r->dealer->user);
    return r->next < r->b->todo_count ? r->b->todo[r->next++] : PROCESS_NONE;
}

static void started(void *user, int64_t job, pid_t process)
{
    batch *b = ((running *)user)->b;
    batch_event(
        b, "start",
        json_pack("{s:s, s:i}", "id", batch_cell(&b->manifest, job, BATCH_ID), "worker", (int)process));
}

static double limit(void *user, int64_t job)
{
    (void)job;
    return ((running *)user)->b->timeout;
}

static void work(void *user, int64_t job, void *letter)
{
    batch_fit(((running *)user)->b, job, letter);
}

static void tick(void *user)
{
    const running *r = user;
    if (r->dealer && r->dealer->tick)
        r->dealer->tick(r->dealer->user);
}

static void report_end(batch *b)
{
    const batch_totals *t = &b->totals;
    batch_event(b, "end",
                json_pack("{s:I, s:I, s:I, s:I, s:f}", "ok", (json_int_t)t->good, "flagged",
                          (json_int_t)t->flagged, "failed", (json_int_t)t->failed, "unwritten",
                          (json_int_t)t->unwritten, "seconds", process_seconds() - t->start));
}

sfgp_status batch_run(batch *b, const batch_dealer *dealer)
{
    running r = {b, dealer, 0};
    process_pool pool = {.at_once = b->at_once > 0 ? b->at_once : 1,
                         .letter_size = sizeof(batch_letter),
                         .user = &r,
                         .next = next,
                         .started = started,
                         .limit = limit,
                         .work = work,
                         .take = take,
                         .tick = dealer ? tick : NULL};
    sfgp_status status = batch_events_open(b);
    if (status != SFGP_OK)
        return status;
    b->totals.start = process_seconds();
    batch_event(b, "begin",
                json_pack("{s:s, s:I, s:I, s:i}", "manifest", b->path, "cases", (json_int_t)b->totals.cases,
                          "before", (json_int_t)b->totals.before, "at_once", pool.at_once));
    status = process_pool_run(&pool);
    if (status != SFGP_OK && pool.error[0])
        batch_fail(b, status, "%s", pool.error);
    report_end(b);
    return status;
}
