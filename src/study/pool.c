/* Pool: every run in a process of its own. What one does cannot harm another: a crash is a failed run, its
 * memory is its own, and a time limit ends it together with the programs it started. The parent never starts
 * threads of its own, so that forking is safe. */
#include "study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What comes back; less than PIPE_BUF bytes, so that it is written at once. */
typedef struct letter {
    sfgp_status status;
    study_row row;
    char error[STUDY_ERROR];
} letter;

typedef struct worker {
    pid_t process; /* 0: free */
    study_key key;
    double deadline;
    bool late;
} worker;

typedef struct pool {
    study *study;
    int count;
    worker *workers;
    struct pollfd *pipes; /* one a worker, fd -1: free */
} pool;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* In the new process: never returns. */
static void work(study *s, study_key key, int out)
{
    letter message;
    memset(&message, 0, sizeof message);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    message.status = study_run_one(s, key, &message.row);
    memcpy(message.error, s->error, sizeof message.error);
    ssize_t written = write(out, &message, sizeof message);
    _exit(written == (ssize_t)sizeof message ? 0 : 1);
}

static sfgp_status start(pool *p, int k, study_key key)
{
    int ends[2];
    const double limit = p->study->methods[key.method].timeout;
    if (pipe(ends) != 0)
        return study_fail(p->study, SFGP_ERROR_MEMORY, "cannot make a pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t process = fork();
    if (process == 0)
        work(p->study, key, ends[1]);
    close(ends[1]);
    if (process < 0)
        return close(ends[0]),
               study_fail(p->study, SFGP_ERROR_MEMORY, "cannot start a process: %s", strerror(errno));
    setpgid(process, process);
    p->workers[k] = (worker){process, key, limit > 0 ? now() + limit : (double)INFINITY, false};
    p->pipes[k] = (struct pollfd){ends[0], POLLIN, 0};
    return SFGP_OK;
}

/* A process that ended without a letter. */
static void report_loss(const worker *lost, int state, study_row *row)
{
    *row = study_row_unknown(lost->key);
    snprintf(row->status, sizeof row->status, lost->late ? "timeout" : "crashed");
    if (lost->late)
        snprintf(row->words, sizeof row->words, "had not ended in time");
    else
        snprintf(row->words, sizeof row->words, "the run ended with %s %d",
                 WIFSIGNALED(state) ? "signal" : "code",
                 WIFSIGNALED(state) ? WTERMSIG(state) : WEXITSTATUS(state));
}

/* Removes DIR/work/PID, where an external program had its files. */
static void remove_work(const study *s, pid_t process)
{
    char *folder = study_format("%s/work/%lld", s->output, (long long)process);
    if (folder)
        study_folder_remove(folder);
    free(folder);
}

static sfgp_status finish(pool *p, int k, sfgp_status (*take)(void *user, const study_row *row), void *user)
{
    letter message;
    worker *done = &p->workers[k];
    int state = 0;
    ssize_t got = read(p->pipes[k].fd, &message, sizeof message);
    close(p->pipes[k].fd);
    while (waitpid(done->process, &state, 0) < 0 && errno == EINTR)
        ;
    kill(-done->process, SIGKILL); /* what an external program left running */
    remove_work(p->study, done->process);
    p->pipes[k].fd = -1;
    done->process = 0;
    if (got != (ssize_t)sizeof message) {
        report_loss(done, state, &message.row);
        message.status = SFGP_OK;
    }
    if (message.status != SFGP_OK)
        return study_fail(p->study, message.status, "%s", message.error);
    return take(user, &message.row);
}

/* Milliseconds until the next deadline, -1 for none; ends those that are over. */
static int enforce_deadlines(pool *p)
{
    double next = INFINITY;
    for (int k = 0; k < p->count; k++) {
        worker *each = &p->workers[k];
        if (each->process > 0 && each->deadline <= now() && !each->late) {
            each->late = true;
            kill(-each->process, SIGKILL);
        }
        if (each->process > 0 && !each->late)
            next = fmin(next, each->deadline);
    }
    return isfinite(next) ? (int)(1000 * fmax(next - now(), 0)) + 1 : -1;
}

static int busy(const pool *p)
{
    int count = 0;
    for (int k = 0; k < p->count; k++)
        count += p->workers[k].process > 0;
    return count;
}

/* Ends everything, after an error. */
static void stop(pool *p)
{
    for (int k = 0; k < p->count; k++)
        if (p->workers[k].process > 0) {
            kill(-p->workers[k].process, SIGKILL);
            waitpid(p->workers[k].process, NULL, 0);
            remove_work(p->study, p->workers[k].process);
            close(p->pipes[k].fd);
        }
}

static sfgp_status turn(pool *p, const study_key *keys, int64_t count,
                        sfgp_status (*take)(void *user, const study_row *row), void *user)
{
    sfgp_status status = SFGP_OK;
    for (int64_t next = 0; status == SFGP_OK && (next < count || busy(p) > 0);) {
        for (int k = 0; k < p->count && next < count && status == SFGP_OK; k++)
            if (p->workers[k].process == 0)
                status = start(p, k, keys[next++]);
        if (status == SFGP_OK && poll(p->pipes, (nfds_t)p->count, enforce_deadlines(p)) < 0 && errno != EINTR)
            status = study_fail(p->study, SFGP_ERROR_READ, "cannot wait: %s", strerror(errno));
        for (int k = 0; k < p->count && status == SFGP_OK; k++)
            if (p->workers[k].process > 0 && p->pipes[k].revents != 0)
                status = finish(p, k, take, user);
    }
    return status;
}

sfgp_status study_pool(study *s, const study_key *keys, int64_t count,
                       sfgp_status (*take)(void *user, const study_row *row), void *user)
{
    pool p = {s, s->jobs, NULL, NULL};
    sfgp_status status = SFGP_ERROR_MEMORY;
    p.workers = calloc((size_t)p.count, sizeof *p.workers);
    p.pipes = calloc((size_t)p.count, sizeof *p.pipes);
    for (int k = 0; p.pipes && k < p.count; k++)
        p.pipes[k].fd = -1;
    if (p.workers && p.pipes)
        status = turn(&p, keys, count, take, user);
    else
        study_fail(s, status, "out of memory");
    if (status != SFGP_OK && p.workers && p.pipes)
        stop(&p);
    free(p.workers);
    free(p.pipes);
    return status;
}
