/* Runs the cases of the plan, or of a scheduler, in processes that do one after the other, or each in one of its own. */
#include "batch/parts.h"
#include "batch/pool.h"
#include "batch/warm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(batch_outcome) <= PROCESS_MESSAGE, "a message is written at once");

/* Of a full disk, which fails every case in the same way. */
enum {
    MOST_SAID = 5,     /* warnings */
    MOST_UNWRITTEN = 5 /* cases one after the other; then no other is begun, which would be fitted in vain */
};

/* A job is the number of a case, and this much more if it waits for the lock of another runner. */
#define WAITS (INT64_C(1) << 48)

typedef struct running {
    batch *b;
    const batch_scheduler *scheduler;
    int64_t next;       /* index of the next case in the plan */
    int64_t started;    /* jobs that have not ended */
    int64_t *busy;      /* cases that another runner had locked; they are tried again in the end */
    int64_t busy_count; /* number of them */
    int64_t busy_next;  /* index of the next one to try again */
    int64_t unwritten;  /* cases in a row that could not be written */
} running;

int batch_exit_code(const batch_totals *totals)
{
    return totals->unwritten > 0 ? SFGP_ERROR_WRITE : totals->flagged + totals->failed > 0;
}

/* ---- one case ends ----------------------------------------------------------------------------------- */

void batch_totals_add(batch_totals *totals, const batch_outcome *outcome)
{
    const batch_status status = outcome->status;
    const bool busy = outcome->claim == BATCH_BUSY;
    totals->busy += busy;
    totals->by_others += outcome->claim == BATCH_DONE_BY_OTHER;
    totals->here += outcome->claim == BATCH_DONE_HERE && !outcome->lost;
    totals->processor += outcome->processor;
    totals->good += status == BATCH_GOOD;
    totals->flagged += status == BATCH_FLAGGED;
    totals->failed += status == BATCH_FAILED;
    totals->unwritten += status == BATCH_UNFINISHED && !busy;
}

/* A case whose process ended without an outcome has failed. */
static void describe_loss(batch *b, const process_done *lost, batch_outcome *outcome)
{
    *outcome = (batch_outcome){
        .status = BATCH_FAILED, .exit_code = lost->signal ? 128 + lost->signal : lost->code, .lost = true};
    if (lost->end == PROCESS_LATE)
        snprintf(outcome->error, sizeof outcome->error, "had not ended after %g seconds", b->timeout);
    else
        snprintf(outcome->error, sizeof outcome->error, "the process ended with %s %d",
                 lost->signal ? "signal" : "code", lost->signal ? lost->signal : lost->code);
    batch_case_lost(b, lost->job % WAITS, outcome);
}

/* Only the first of these warnings are shown. Who is told of every case is told of the failed ones there. */
static bool is_said(const batch *b, const batch_outcome *outcome)
{
    if (outcome->status == BATCH_FAILED && outcome->claim == BATCH_DONE_HERE)
        return !b->tell && b->totals.failed <= MOST_SAID;
    return outcome->status == BATCH_UNFINISHED && outcome->claim != BATCH_BUSY &&
           b->totals.unwritten <= MOST_SAID;
}

/* Says why a case has no result. */
static void warn_of_case(batch *b, int64_t number, const batch_outcome *outcome)
{
    if (!b->warn || !is_said(b, outcome))
        return;
    char *message = report_format("%s: %s%s", batch_cell(&b->manifest, number, BATCH_ID),
                                  outcome->status == BATCH_FAILED ? "failed: " : "", outcome->error);
    if (message)
        b->warn(b->user, message);
    free(message);
}

static void report_case(batch *b, int64_t number, const batch_outcome *outcome)
{
    const char *id = batch_cell(&b->manifest, number, BATCH_ID);
    if (outcome->claim == BATCH_DONE_HERE)
        batch_event(b, "case",
                    json_pack("{s:s, s:s, s:i, s:o, s:o?}", "id", id, "status",
                              batch_status_text(outcome->status), "exit_code", outcome->exit_code, "seconds",
                              batch_seconds(outcome, outcome->seconds), "error",
                              outcome->error[0] ? json_string(outcome->error) : NULL));
    else
        batch_event(b, "other",
                    json_pack("{s:s, s:s}", "id", id, "status",
                              outcome->claim == BATCH_BUSY ? "busy" : batch_status_text(outcome->status)));
}

static sfgp_status finish_case(void *user, const process_done *done)
{
    running *r = user;
    batch *b = r->b;
    const int64_t number = done->job % WAITS;
    batch_outcome outcome;
    r->started--;
    if (done->message)
        outcome = *(const batch_outcome *)done->message;
    else
        describe_loss(b, done, &outcome);
    if (outcome.claim == BATCH_BUSY && !r->scheduler && r->busy_next == 0) {
        r->busy[r->busy_count++] = number; /* tried again in the end */
        return SFGP_OK;
    }
    if (outcome.claim != BATCH_BUSY)
        r->unwritten = outcome.status == BATCH_UNFINISHED ? r->unwritten + 1 : 0;
    batch_totals_add(&b->totals, &outcome);
    warn_of_case(b, number, &outcome);
    report_case(b, number, &outcome);
    if (b->tell)
        b->tell(b->user, batch_cell(&b->manifest, number, BATCH_ID), &outcome);
    if (b->progress)
        b->progress(b->user, &b->totals);
    return r->scheduler ? r->scheduler->done(r->scheduler->user, number, &outcome) : SFGP_OK;
}

/* ---- the pool ---------------------------------------------------------------------------------------- */

/* The cases of the plan; when they have all ended, those that other runners had locked. */
static int64_t next_case(void *user)
{
    running *r = user;
    if (r->scheduler)
        return r->scheduler->next(r->scheduler->user);
    if (r->unwritten >= MOST_UNWRITTEN)
        return PROCESS_NONE;
    if (r->next < r->b->todo_count)
        return r->b->todo[r->next++];
    if (r->busy_next == 0 && r->started > 0)
        return PROCESS_LATER;
    return r->busy_next < r->busy_count ? r->busy[r->busy_next++] + WAITS : PROCESS_NONE;
}

static void started(void *user, int64_t job, int64_t process)
{
    batch *b = ((running *)user)->b;
    ((running *)user)->started++;
    batch_event(b, "start",
                json_pack("{s:s, s:i}", "id", batch_cell(&b->manifest, job % WAITS, BATCH_ID), "worker",
                          (int)process));
}

static double limit(void *user, int64_t job)
{
    (void)job;
    return ((running *)user)->b->timeout;
}

static void run_case(void *user, int64_t job, void *message)
{
    const running *r = user;
    static batch_warm warm; /* of this process */
    r->b->warm = r->b->isolate ? NULL : &warm;
    batch_case_run(r->b, job % WAITS, job >= WAITS, message);
}

static void tick(void *user)
{
    const running *r = user;
    r->scheduler->tick(r->scheduler->user);
}

static bool stop(void *user)
{
    const batch *b = ((const running *)user)->b;
    return b->stop(b->user);
}

static void abandon(void *user, int64_t job, int64_t process)
{
    batch *b = ((running *)user)->b;
    (void)process;
    batch_folder_abandon(b, batch_cell(&b->manifest, job % WAITS, BATCH_ID));
}

static void report_end(batch *b)
{
    const batch_totals *t = &b->totals;
    batch_event(b, "end",
                json_pack("{s:I, s:I, s:I, s:I, s:f}", "ok", (json_int_t)t->good, "flagged",
                          (json_int_t)t->flagged, "failed", (json_int_t)t->failed, "unwritten",
                          (json_int_t)t->unwritten, "seconds", sfgp_platform_seconds() - t->start));
}

static sfgp_status run_pool(running *r)
{
    batch *b = r->b;
    process_pool pool = {.at_once = b->at_once > 0 ? b->at_once : 1,
                         .message_size = sizeof(batch_outcome),
                         .stays = !b->isolate,
                         .user = r,
                         .next = next_case,
                         .started = started,
                         .limit = limit,
                         .work = run_case,
                         .finished = finish_case,
                         .abandon = abandon,
                         .tick = r->scheduler ? tick : NULL,
                         .stop = b->stop ? stop : NULL};
    batch_event(b, "begin",
                json_pack("{s:s, s:I, s:I, s:i}", "manifest", b->path, "cases", (json_int_t)b->totals.cases,
                          "before", (json_int_t)b->totals.before, "at_once", pool.at_once));
    sfgp_status status = process_pool_run(&pool);
    if (status != SFGP_OK && pool.error[0])
        batch_fail(b, status, "%s", pool.error);
    report_end(b);
    return status;
}

sfgp_status batch_run(batch *b, const batch_scheduler *scheduler)
{
    running r = {.b = b, .scheduler = scheduler};
    sfgp_status status = batch_events_open(b);
    if (status != SFGP_OK)
        return status;
    b->totals.start = sfgp_platform_seconds();
    r.busy = malloc(((size_t)b->todo_count + 1) * sizeof *r.busy);
    if (r.busy && !scheduler)
        batch_absent_first(b, r.busy);
    status = r.busy ? run_pool(&r) : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    if (r.unwritten >= MOST_UNWRITTEN && !scheduler)
        b->totals.not_begun = b->todo_count - r.next + r.busy_count - r.busy_next;
    free(r.busy);
    return status;
}
