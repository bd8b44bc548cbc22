/* The pool: starts jobs, waits for their messages, and kills the late ones. */
#include "batch/pool.h"
#include "base/platform_clock.h"
#include "base/platform_process.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK 0.5   /* seconds between two calls of tick, and of stop */
#define LATER 0.02 /* seconds after PROCESS_LATER until next is called again */

#define NO_JOB (-1)

typedef struct worker {
    int64_t job;     /* NO_JOB: it waits for the next one */
    double deadline; /* by sfgp_platform_seconds; infinite: none */
    bool late;       /* was killed at its deadline */
} worker;

typedef struct crew {
    process_pool *pool;
    worker *workers;
    sfgp_process *processes; /* of each worker; id 0: no job runs there */
    _Alignas(max_align_t) unsigned char message[PROCESS_MESSAGE];
    bool exhausted; /* next has returned PROCESS_NONE */
    bool waiting;   /* next has returned PROCESS_LATER */
} crew;

static sfgp_status fail(crew *c, const char *what)
{
    snprintf(c->pool->error, sizeof c->pool->error, "%s: %s", what, strerror(errno));
    return SFGP_ERROR_MEMORY;
}

/* ---- start ------------------------------------------------------------------------------------------- */

static bool is_busy(const crew *c, int k)
{
    return c->processes[k].id > 0 && c->workers[k].job != NO_JOB;
}

/* By the process that waits there, or a new one. */
static sfgp_status hand_over(crew *c, int k, int64_t job)
{
    const process_pool *pool = c->pool;
    const sfgp_process_job task = {pool->work, pool->user, job, c->message, pool->message_size, pool->stays};
    if (c->processes[k].id > 0 && sfgp_process_give(&c->processes[k], job))
        return SFGP_OK;
    if (c->processes[k].id > 0) /* it was killed while it waited */
        sfgp_process_finish(&c->processes[k], c->message, pool->message_size);
    const char *problem = sfgp_process_start(&task, &c->processes[k]);
    return problem ? fail(c, problem) : SFGP_OK;
}

static sfgp_status start_job(crew *c, int k, int64_t job)
{
    const process_pool *pool = c->pool;
    const double limit = pool->limit ? pool->limit(pool->user, job) : 0;
    const sfgp_status status = hand_over(c, k, job);
    if (status != SFGP_OK)
        return status;
    c->workers[k] = (worker){job, limit > 0 ? sfgp_platform_seconds() + limit : HUGE_VAL, false};
    if (pool->started)
        pool->started(pool->user, job, c->processes[k].id);
    return SFGP_OK;
}

static sfgp_status start_jobs(crew *c)
{
    sfgp_status status = SFGP_OK;
    c->waiting = false;
    for (int k = 0; k < c->pool->at_once && !c->exhausted && !c->waiting && status == SFGP_OK; k++) {
        if (is_busy(c, k))
            continue;
        const int64_t job = c->pool->next(c->pool->user);
        c->exhausted = job == PROCESS_NONE;
        c->waiting = job == PROCESS_LATER;
        if (job >= 0)
            status = start_job(c, k, job);
    }
    return status;
}

/* ---- end --------------------------------------------------------------------------------------------- */

/* The message of a process that stays, or the end of any other. */
static sfgp_process_end take_message(crew *c, int k)
{
    const size_t size = c->pool->message_size;
    if (c->pool->stays && sfgp_process_receive(&c->processes[k], c->message, size)) {
        c->processes[k].ready = false;
        return (sfgp_process_end){.whole = true};
    }
    return sfgp_process_finish(&c->processes[k], c->message, size);
}

static sfgp_status finish_job(crew *c, int k)
{
    worker *each = &c->workers[k];
    const int64_t process = c->processes[k].id, job = each->job;
    const sfgp_process_end end = take_message(c, k);
    each->job = NO_JOB;
    if (job == NO_JOB) /* it ended while it waited */
        return SFGP_OK;
    const process_done done = {.job = job,
                               .process = process,
                               .end = end.whole    ? PROCESS_RETURNED
                                      : each->late ? PROCESS_LATE
                                                   : PROCESS_CRASHED,
                               .signal = end.signal,
                               .code = end.code,
                               .message = end.whole ? c->message : NULL};
    return c->pool->finished(c->pool->user, &done);
}

/* Those that wait for a job. */
static void dismiss_all(crew *c)
{
    for (int k = 0; k < c->pool->at_once; k++)
        if (c->processes[k].id > 0) {
            sfgp_process_give(&c->processes[k], NO_JOB);
            sfgp_process_finish(&c->processes[k], c->message, c->pool->message_size);
        }
}

/* Kills all jobs, after an error or a stop. */
static void kill_all(crew *c)
{
    for (int k = 0; k < c->pool->at_once; k++) {
        const int64_t process = c->processes[k].id;
        if (process == 0)
            continue;
        sfgp_process_kill(&c->processes[k]);
        sfgp_process_finish(&c->processes[k], c->message, c->pool->message_size);
        if (c->pool->abandon && c->workers[k].job != NO_JOB)
            c->pool->abandon(c->pool->user, c->workers[k].job, process);
    }
}

/* ---- the loop ---------------------------------------------------------------------------------------- */

static void kill_late(crew *c)
{
    for (int k = 0; k < c->pool->at_once; k++)
        if (is_busy(c, k) && !c->workers[k].late && c->workers[k].deadline <= sfgp_platform_seconds()) {
            c->workers[k].late = true;
            sfgp_process_kill(&c->processes[k]);
        }
}

/* Milliseconds to wait at most: until the next deadline, tick, stop or call of next. -1: without limit. */
static int find_timeout(const crew *c)
{
    double rest = c->waiting ? LATER : c->pool->tick || c->pool->stop ? TICK : HUGE_VAL;
    for (int k = 0; k < c->pool->at_once; k++)
        if (is_busy(c, k) && !c->workers[k].late)
            rest = fmin(rest, fmax(c->workers[k].deadline - sfgp_platform_seconds(), 0));
    return rest < 1e6 ? (int)(1000 * rest) + 1 : isfinite(rest) ? 1000000000 : -1;
}

static bool has_running(const crew *c)
{
    for (int k = 0; k < c->pool->at_once; k++)
        if (is_busy(c, k))
            return true;
    return false;
}

static sfgp_status run_jobs(crew *c)
{
    sfgp_status status = SFGP_OK;
    while ((status = start_jobs(c)) == SFGP_OK && (!c->exhausted || has_running(c))) {
        kill_late(c);
        status = sfgp_process_wait(c->processes, c->pool->at_once, find_timeout(c)) ? SFGP_OK
                                                                                    : fail(c, "cannot wait");
        if (status == SFGP_OK && c->pool->stop && c->pool->stop(c->pool->user))
            status = SFGP_CANCELLED;
        for (int k = 0; k < c->pool->at_once && status == SFGP_OK; k++)
            if (c->processes[k].ready)
                status = finish_job(c, k);
        if (status != SFGP_OK)
            return status;
        if (c->pool->tick)
            c->pool->tick(c->pool->user);
    }
    return status;
}

sfgp_status process_pool_run(process_pool *pool)
{
    crew *c = calloc(1, sizeof *c);
    sfgp_status status = SFGP_ERROR_MEMORY;
    const size_t count = pool->at_once > 0 ? (size_t)pool->at_once : 0;
    snprintf(pool->error, sizeof pool->error, "out of memory");
    if (!c || pool->message_size > PROCESS_MESSAGE)
        return free(c), status;
    c->pool = pool;
    c->workers = calloc(count + 1, sizeof *c->workers);
    c->processes = calloc(count + 1, sizeof *c->processes);
    if (c->workers && c->processes) {
        pool->error[0] = '\0';
        if ((status = run_jobs(c)) != SFGP_OK)
            kill_all(c);
        dismiss_all(c);
    }
    free(c->workers);
    free(c->processes);
    free(c);
    return status;
}
