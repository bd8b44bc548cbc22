/* Processes by fork, pipe and poll, and programs by exec. */
#define _GNU_SOURCE /* putenv */
#include "base/platform_process.h"
#include "base/platform.h"
#include "base/platform_child.h"
#include "base/platform_leave.h"
#include "base/platform_write.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if SFGP_PLATFORM_PARENT_SIGNAL
#include <sys/prctl.h>
#endif
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int64_t sfgp_process_own_id(void)
{
    return getpid();
}

void sfgp_process_begin_again(char **arguments, int count, const sfgp_process_variable *variables)
{
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) /* GCOVR_EXCL_BR_LINE: no /proc */
        return;      /* GCOVR_EXCL_LINE: no /proc */
    for (int k = 0; k < count; k++)
        if (setenv(variables[k].name, variables[k].value, 1) != 0) /* GCOVR_EXCL_BR_LINE: no memory */
            return;                                                /* GCOVR_EXCL_LINE: no memory */
    program[length] = '\0';
    sfgp_platform_keep_counters();
    execv(program, arguments); /* GCOVR_EXCL_LINE: the counters are written before */
}

/* In a new process: it ends when its parent ends, where the system can do that. */
static void end_with_parent(void)
{
#if SFGP_PLATFORM_PARENT_SIGNAL
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static int wait_for(pid_t process)
{
    int state = 0;
    while (waitpid(process, &state, 0) < 0 && errno == EINTR)
        ;
    return state;
}

static sfgp_process_end describe(int state, bool whole)
{
    return (sfgp_process_end){.whole = whole,
                              .signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0,
                              .code = WIFEXITED(state) ? WEXITSTATUS(state) : 0};
}

/* ---- jobs -------------------------------------------------------------------------------------------- */

#define PATIENCE                                                                                             \
    1000 /* milliseconds until a process that waits for a job looks whether its parent is there */

/* In a process that stays: the next job. False: there is none, or the parent has ended. Other children have copies of the parent's
 * end, so that its end alone closes nothing. */
static bool wait_for_job(pid_t parent, int in, int64_t *job)
{
    struct pollfd socket = {in, POLLIN, 0};
    int ready = 0;
    while (ready == 0 && getppid() == parent) {
        ready = poll(&socket, 1, PATIENCE);
        ready = ready < 0 && errno == EINTR ? 0 : ready;
    }
    return ready > 0 && sfgp_child_receive(in, job, sizeof *job) && *job >= 0;
}

/* In the new process: never returns. */
static void run_job(const sfgp_process_job *job, pid_t parent, int out)
{
    int64_t number = job->job;
    setpgid(0, 0);
    end_with_parent();
    if (getppid() != parent) /* the parent ended before */
        sfgp_child_exit(1);  /* GCOVR_EXCL_LINE: only in the instant after fork */
    do {
        memset(job->message, 0, job->size);
        job->work(job->user, number, job->message);
        if (!sfgp_platform_write_all(out, job->message, job->size))
            sfgp_child_exit(1);
    } while (job->stays && wait_for_job(parent, out, &number));
    sfgp_child_exit(0);
}

const char *sfgp_process_start(const sfgp_process_job *job, sfgp_process *process)
{
    int ends[2];
    const pid_t parent = getpid();
    if ((job->stays ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends)) != 0)
        return "cannot make a pipe";
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const pid_t id = fork();
    if (id == 0) {
        if (job->stays)
            close(ends[0]); /* the other end of its own socket: the parent alone keeps it open */
        run_job(job, parent, ends[1]);
    }
    close(ends[1]);
    if (id < 0) {
        const int reason = errno;
        close(ends[0]);
        errno = reason;
        return "cannot start a process";
    }
    setpgid(id, id);
    *process = (sfgp_process){id, ends[0], false};
    return NULL;
}

bool sfgp_process_wait(sfgp_process *processes, int count, int milliseconds)
{
    struct pollfd *pipes = calloc((size_t)count + 1, sizeof *pipes);
    if (!pipes)
        return false;
    for (int k = 0; k < count; k++)
        pipes[k] = (struct pollfd){processes[k].id > 0 ? processes[k].pipe : -1, POLLIN, 0};
    const int ready = poll(pipes, (nfds_t)count, milliseconds);
    const bool good = ready >= 0 || errno == EINTR;
    for (int k = 0; k < count; k++)
        processes[k].ready = ready > 0 && processes[k].id > 0 && pipes[k].revents != 0;
    free(pipes);
    return good;
}

/* Whether the whole message has come. */
static bool read_message(int pipe, char *message, size_t size)
{
    ssize_t got = 1;
    while (size > 0 && (got > 0 || (got < 0 && errno == EINTR)))
        if ((got = read(pipe, message, size)) > 0) {
            message += got;
            size -= (size_t)got;
        }
    return size == 0;
}

bool sfgp_process_receive(const sfgp_process *process, void *message, size_t size)
{
    return read_message(process->pipe, message, size);
}

bool sfgp_process_give(const sfgp_process *process, int64_t job)
{
    const bool given = sfgp_child_send(process->pipe, &job, sizeof job);
    if (!given)
        sfgp_process_kill(process); /* or it would wait for ever, and whoever waits for its end */
    return given;
}

sfgp_process_end sfgp_process_finish(sfgp_process *process, void *message, size_t size)
{
    const pid_t id = (pid_t)process->id;
    const bool whole = read_message(process->pipe, message, size);
    /* One that stays may wait for a job, and others have copies of this end. */
    shutdown(process->pipe, SHUT_RDWR);
    close(process->pipe);
    const int state = wait_for(id);
    kill(-id, SIGKILL);
    *process = (sfgp_process){0, -1, false};
    return describe(state, whole);
}

void sfgp_process_kill(const sfgp_process *process)
{
    kill(-(pid_t)process->id, SIGKILL);
}

/* ---- programs ---------------------------------------------------------------------------------------- */

static void set_variables(const sfgp_program *program)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)program->limit);
    for (int k = 0; program->limit > 0 && program->limits[k]; k++)
        setenv(program->limits[k], text, 1);
    for (int k = 0; k < program->variable_count; k++)
        putenv(program->variables[k]); /* putenv keeps the pointer; the text exists until the process ends */
}

/* Runs in the new process and never returns. */
static void execute(const sfgp_program *program, int nothing, int log)
{
    set_variables(program);
    end_with_parent();
    if (chdir(program->folder) == 0) {
        dup2(nothing, STDIN_FILENO); /* a program that reads its input must not wait */
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
        sfgp_platform_keep_counters();
        execvp(program->words[0], program->words); /* GCOVR_EXCL_LINE: the counters are written before */
    }
    sfgp_child_exit(127);
}

static void close_open(int file)
{
    if (file >= 0)
        close(file);
}

sfgp_process_end sfgp_program_run(const sfgp_program *program)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int log = nothing >= 0 ? open(program->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    const pid_t id = log >= 0 ? fork() : -1;
    const int reason = errno;
    if (id == 0)
        execute(program, nothing, log);
    close_open(nothing);
    close_open(log);
    return id < 0 ? (sfgp_process_end){.error = reason} : describe(wait_for(id), false);
}
