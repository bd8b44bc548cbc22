#include "process/pool.h"

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
#define LATER 0.02 /* until next is asked again */

typedef struct worker {
    pid_t process; /* 0: free */
    int64_t job;
    double deadline;
    bool late;
} worker;

typedef struct crew {
    process_pool *pool;
    worker *workers;
    struct pollfd *pipes; /* one a worker, fd -1: free */
    _Alignas(max_align_t) unsigned char letter[PROCESS_LETTER];
    bool exhausted, waiting; /* next said NONE, LATER */
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
static void work(crew *c, int64_t job, pid_t parent, int out)
{
    const size_t size = c->pool->letter_size;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it was gone before that */
        _exit(1);
    memset(c->letter, 0, size);
    c->pool->work(c->pool->user, job, c->letter);
    _exit(write(out, c->letter, size) == (ssize_t)size ? 0 : 1);
}

static sfgp_status start(crew *c, int k, int64_t job)
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
        work(c, job, parent, ends[1]);
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

static sfgp_status fill(crew *c)
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
            status = start(c, k, job);
    }
    return status;
}

/* ---- end --------------------------------------------------------------------------------------------- */

static void reap(pid_t process, int *state)
{
    while (waitpid(process, state, 0) < 0 && errno == EINTR)
        ;
}

static sfgp_status finish(crew *c, int k)
{
    worker *each = &c->workers[k];
    int state = 0;
    const ssize_t got = read(c->pipes[k].fd, c->letter, c->pool->letter_size);
    const bool whole = got == (ssize_t)c->pool->letter_size;
    close(c->pipes[k].fd);
    reap(each->process, &state);
    kill(-each->process, SIGKILL); /* what a program that it started left running */
    const process_done done = {.job = each->job,
                               .process = each->process,
                               .end = whole        ? PROCESS_RETURNED
                                      : each->late ? PROCESS_LATE
                                                   : PROCESS_CRASHED,
                               .signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0,
                               .code = WIFEXITED(state) ? WEXITSTATUS(state) : 0,
                               .letter = whole ? c->letter : NULL};
    c->pipes[k].fd = -1;
    each->process = 0;
    return c->pool->take(c->pool->user, &done);
}

/* Ends everything, after an error. */
static void stop(crew *c)
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

static void end_late(crew *c)
{
    for (int k = 0; k < c->pool->at_once; k++)
        if (c->workers[k].process > 0 && !c->workers[k].late && c->workers[k].deadline <= process_seconds()) {
            c->workers[k].late = true;
            kill(-c->workers[k].process, SIGKILL);
        }
}

/* Milliseconds until there is something to do without a letter, -1: nothing. */
static int patience(const crew *c)
{
    double rest = c->waiting ? LATER : c->pool->tick ? TICK : HUGE_VAL;
    for (int k = 0; k < c->pool->at_once; k++)
        if (c->workers[k].process > 0 && !c->workers[k].late)
            rest = fmin(rest, fmax(c->workers[k].deadline - process_seconds(), 0));
    return rest < 1e6 ? (int)(1000 * rest) + 1 : isfinite(rest) ? 1000000000 : -1;
}

static bool busy(const crew *c)
{
    for (int k = 0; k < c->pool->at_once; k++)
        if (c->workers[k].process > 0)
            return true;
    return false;
}

static sfgp_status turn(crew *c)
{
    sfgp_status status = SFGP_OK;
    while ((status = fill(c)) == SFGP_OK && (!c->exhausted || busy(c))) {
        end_late(c);
        const int ready = poll(c->pipes, (nfds_t)c->pool->at_once, patience(c));
        if (ready < 0 && errno != EINTR)
            return fail(c, "cannot wait");
        for (int k = 0; k < c->pool->at_once && status == SFGP_OK && ready > 0; k++)
            if (c->workers[k].process > 0 && c->pipes[k].revents != 0)
                status = finish(c, k);
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
    if (!c || pool->letter_size > PROCESS_LETTER)
        return free(c), status;
    c->pool = pool;
    c->workers = calloc(count + 1, sizeof *c->workers);
    c->pipes = calloc(count + 1, sizeof *c->pipes);
    for (size_t k = 0; c->pipes && k < count; k++)
        c->pipes[k].fd = -1;
    if (c->workers && c->pipes) {
        pool->error[0] = '\0';
        if ((status = turn(c)) != SFGP_OK)
            stop(c);
    }
    free(c->workers);
    free(c->pipes);
    free(c);
    return status;
}
