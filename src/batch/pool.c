/* The pool: starts jobs by fork, waits for their pipes by poll, and kills the late ones. */
#include "batch/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TICK 0.5   /* seconds between two calls of tick */
#define LATER 0.02 /* seconds after PROCESS_LATER until next is called again */

typedef struct worker {
    pid_t process; /* 0: no job runs here */
    int64_t job;
    double deadline; /* by process_seconds; infinite: none */
    bool late;       /* was killed at its deadline */
} worker;

typedef struct crew {
    process_pool *pool;
    worker *workers;
    struct pollfd *pipes; /* one for each worker; fd -1: no job runs there */
    _Alignas(max_align_t) unsigned char message[PROCESS_MESSAGE];
    bool exhausted; /* next has returned PROCESS_NONE */
    bool waiting;   /* next has returned PROCESS_LATER */
} crew;

double process_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static sfgp_status fail(crew *c, const char *what)
{
    snprintf(c->pool->error, sizeof c->pool->error, "%s: %s", what, strerror(errno));
    return SFGP_ERROR_MEMORY;
}

/* ---- start ------------------------------------------------------------------------------------------- */

/* In the new process: never returns. */
static void run_in_child(crew *c, int64_t job, pid_t parent, int out)
{
    const size_t size = c->pool->message_size;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* the parent ended before prctl */
        _exit(1);
    memset(c->message, 0, size);
    c->pool->work(c->pool->user, job, c->message);
    _exit(write(out, c->message, size) == (ssize_t)size ? 0 : 1);
}

static sfgp_status start_job(crew *c, int k, int64_t job)
{
    int ends[2];
    process_pool *pool = c->pool;
    const pid_t parent = getpid();
    const double limit = pool->limit ? pool->limit(pool->user, job) : 0;
    if (pipe(ends) != 0)
        return fail(c, "cannot make a pipe");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t process = fork();
    if (process == 0)
        run_in_child(c, job, parent, ends[1]);
    close(ends[1]);
    if (process < 0)
        return close(ends[0]), fail(c, "cannot start a process");
    setpgid(process, process);
    c->workers[k] = (worker){process, job, limit > 0 ? process_seconds() + limit : HUGE_VAL, false};
    c->pipes[k] = (struct pollfd){ends[0], POLLIN, 0};
    if (pool->started)
        pool->started(pool->user, job, process);
    return SFGP_OK;
}

static sfgp_status start_jobs(crew *c)
{
    sfgp_status status = SFGP_OK;
    c->waiting = false;
    for (int k = 0; k < c->pool->at_once && !c->exhausted && !c->waiting && status == SFGP_OK; k++) {
        if (c->workers[k].process > 0)
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

static void reap(pid_t process, int *state)
{
    while (waitpid(process, state, 0) < 0 && errno == EINTR)
        ;
}

static sfgp_status finish_job(crew *c, int k)
{
    worker *each = &c->workers[k];
    int state = 0;
    const ssize_t got = read(c->pipes[k].fd, c->message, c->pool->message_size);
    const bool whole = got == (ssize_t)c->pool->message_size;
    close(c->pipes[k].fd);
    reap(each->process, &state);
    kill(-each->process, SIGKILL); /* programs that it started and left running */
    const process_done done = {.job = each->job,
                               .process = each->process,
                               .end = whole        ? PROCESS_RETURNED
                                      : each->late ? PROCESS_LATE
                                                   : PROCESS_CRASHED,
                               .signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0,
                               .code = WIFEXITED(state) ? WEXITSTATUS(state) : 0,
                               .message = whole ? c->message : NULL};
    c->pipes[k].fd = -1;
    each->process = 0;
    return c->pool->finished(c->pool->user, &done);
}

/* Kills all jobs, after an error. */
static void kill_all(crew *c)
{
    for (int k = 0; k < c->pool->at_once; k++)
        if (c->workers[k].process > 0) {
            kill(-c->workers[k].process, SIGKILL);
            reap(c->workers[k].process, NULL);
            close(c->pipes[k].fd);
            if (c->pool->abandon)
                c->pool->abandon(c->pool->user, c->workers[k].process);
        }
}

/* ---- the loop ---------------------------------------------------------------------------------------- */

static void kill_late(crew *c)
{
    for (int k = 0; k < c->pool->at_once; k++)
        if (c->workers[k].process > 0 && !c->workers[k].late && c->workers[k].deadline <= process_seconds()) {
            c->workers[k].late = true;
            kill(-c->workers[k].process, SIGKILL);
        }
}

/* Milliseconds that poll may wait: until the next deadline, tick or call of next. -1: without limit. */
static int poll_timeout(const crew *c)
{
    double rest = c->waiting ? LATER : c->pool->tick ? TICK : HUGE_VAL;
    for (int k = 0; k < c->pool->at_once; k++)
        if (c->workers[k].process > 0 && !c->workers[k].late)
            rest = fmin(rest, fmax(c->workers[k].deadline - process_seconds(), 0));
    return rest < 1e6 ? (int)(1000 * rest) + 1 : isfinite(rest) ? 1000000000 : -1;
}

static bool has_running(const crew *c)
{
    for (int k = 0; k < c->pool->at_once; k++)
        if (c->workers[k].process > 0)
            return true;
    return false;
}

static sfgp_status run_jobs(crew *c)
{
    sfgp_status status = SFGP_OK;
    while ((status = start_jobs(c)) == SFGP_OK && (!c->exhausted || has_running(c))) {
        kill_late(c);
        const int ready = poll(c->pipes, (nfds_t)c->pool->at_once, poll_timeout(c));
        if (ready < 0 && errno != EINTR)
            return fail(c, "cannot wait");
        for (int k = 0; k < c->pool->at_once && status == SFGP_OK && ready > 0; k++)
            if (c->workers[k].process > 0 && c->pipes[k].revents != 0)
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
    c->pipes = calloc(count + 1, sizeof *c->pipes);
    for (size_t k = 0; c->pipes && k < count; k++)
        c->pipes[k].fd = -1;
    if (c->workers && c->pipes) {
        pool->error[0] = '\0';
        if ((status = run_jobs(c)) != SFGP_OK)
            kill_all(c);
    }
    free(c->workers);
    free(c->pipes);
    free(c);
    return status;
}
