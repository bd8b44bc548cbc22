/* The runs of a study, each in a process of its own (batch/pool.h). */
#include "batch/pool.h"
#include "study/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a run sends back. */
typedef struct run_message {
    sfgp_status status;
    study_row row;
    char error[STUDY_ERROR];
} run_message;

_Static_assert(sizeof(run_message) <= PROCESS_MESSAGE, "a message is written at once");

typedef struct runs {
    study *study;
    const study_key *keys;
    int64_t count;
    int64_t next;     /* index of the next key to run */
    study_key *again; /* runs of the tuning that were lost, to be run once more; NULL: none is */
    int64_t again_count;
    sfgp_status (*record)(void *user, const study_row *row);
    void *user; /* passed to record */
} runs;

static int64_t next(void *user)
{
    runs *r = user;
    return r->next < r->count ? r->next++ : PROCESS_NONE;
}

static double limit(void *user, int64_t job)
{
    const runs *r = user;
    return r->study->methods[r->keys[job].method].timeout;
}

static void run_key(void *user, int64_t job, void *out)
{
    runs *r = user;
    run_message *message = out;
    message->status = study_run_one(r->study, r->keys[job], &message->row);
    memcpy(message->error, r->study->error, sizeof message->error);
}

/* Exited without a message, or the message could not be read. */
static bool is_lost(const process_done *done)
{
    return done->end == PROCESS_CRASHED && !done->signal;
}

/* A run of the tuning is not left to the next compare: the runs after it rest on what was chosen. */
static const char *status_of(const process_done *lost, study_key key)
{
    if (lost->end == PROCESS_LATE)
        return "timeout";
    return lost->signal || key.choice >= 0 ? "crashed" : STUDY_LOST;
}

/* The row of a run whose process ended without a message. */
static void report_loss(const process_done *lost, study_key key, study_row *row)
{
    *row = study_row_unknown(key);
    snprintf(row->status, sizeof row->status, "%s", status_of(lost, key));
    if (lost->end == PROCESS_LATE)
        snprintf(row->message, sizeof row->message, "had not ended in time");
    else
        snprintf(row->message, sizeof row->message, "the run ended with %s %d",
                 lost->signal ? "signal" : "code", lost->signal ? lost->signal : lost->code);
}

/* Removes DIR/.sfgp-work/PID, where an external program had its files. */
static void remove_work(void *user, int64_t process)
{
    const runs *r = user;
    char *folder = report_format("%s/%s/%lld", r->study->output, STUDY_NAME[STUDY_WORK], (long long)process);
    if (folder)
        study_folder_remove(folder);
    free(folder);
}

static void abandon(void *user, int64_t job, int64_t process)
{
    (void)job;
    remove_work(user, process);
}

static sfgp_status finished(void *user, const process_done *done)
{
    runs *r = user;
    const run_message *message = done->message;
    study_row row;
    remove_work(user, done->process);
    if (!message && r->again && is_lost(done) && r->keys[done->job].choice >= 0) {
        r->again[r->again_count++] = r->keys[done->job];
        return SFGP_OK;
    }
    if (message && message->status != SFGP_OK)
        return study_fail(r->study, message->status, "%s", message->error);
    if (message)
        row = message->row;
    else
        report_loss(done, r->keys[done->job], &row);
    return r->record(r->user, &row);
}

static sfgp_status run_all(runs *r)
{
    process_pool pool = {.at_once = r->study->jobs,
                         .message_size = sizeof(run_message),
                         .user = r,
                         .next = next,
                         .limit = limit,
                         .work = run_key,
                         .finished = finished,
                         .abandon = abandon};
    sfgp_status status = process_pool_run(&pool);
    if (status != SFGP_OK && !r->study->error[0])
        study_fail(r->study, status, "%s", pool.error);
    return status;
}

sfgp_status study_pool(study *s, const study_key *keys, int64_t count,
                       sfgp_status (*record)(void *user, const study_row *row), void *user)
{
    runs first = {.study = s, .keys = keys, .count = count, .record = record, .user = user};
    s->error[0] = '\0';
    if (count <= 0)
        return SFGP_OK;
    if (!(first.again = malloc((size_t)count * sizeof *first.again)))
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    sfgp_status status = run_all(&first);
    runs second = first;
    second.keys = first.again;
    second.count = first.again_count;
    second.next = 0;
    second.again = NULL;
    if (status == SFGP_OK && second.count > 0)
        status = run_all(&second);
    free(first.again);
    return status;
}
