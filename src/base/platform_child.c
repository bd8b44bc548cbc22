/* Start and end of a child process, its limits, and blocks of bytes over its socket (ADR 0021). */
#include "base/platform_child.h"
#include "base/platform_leave.h"
#include "base/platform_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- limits, in the child ---------------------------------------------------------------------------- */

/* Lowers the soft limit. That of the time sends SIGXCPU, which tells why the process ended. */
static void lower_limit(int resource, rlim_t limit)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0 || (now.rlim_cur != RLIM_INFINITY && now.rlim_cur <= limit))
        return;
    now.rlim_cur = limit;
    setrlimit(resource, &now);
}

/* Bytes of address space in use; 0 where /proc does not say. */
static int64_t address_space(void)
{
    char text[64];
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    return strtoll(text, NULL, 10) * sysconf(_SC_PAGESIZE);
}

static void set_limits(const sfgp_child_task *task)
{
    const int64_t used = task->memory > 0 ? address_space() : 0;
    lower_limit(RLIMIT_CORE, 0);
    if (used > 0)
        lower_limit(RLIMIT_AS, (rlim_t)(used + task->memory));
    if (task->seconds > 0)
        lower_limit(RLIMIT_CPU, (rlim_t)task->seconds);
}

/* No handler of the parent runs in the child. Signals from the terminal are for the parent, and the child
 * ends with it. */
static void set_signals(void)
{
    static const int IGNORED[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM};
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number <= SIGRTMAX; number++)
        signal(number, SIG_DFL);
    for (size_t k = 0; k < sizeof IGNORED / sizeof *IGNORED; k++)
        signal(IGNORED[k], SIG_IGN);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Libraries that break down print what a user cannot use. The input and output of the parent would stay open
 * as long as the child runs. */
static void close_terminal(void)
{
    const int null = open("/dev/null", O_RDWR);
    for (int descriptor = 0; null >= 0 && descriptor <= 2; descriptor++)
        dup2(null, descriptor);
    if (null > 2)
        close(null);
}

/* ---- start and end ----------------------------------------------------------------------------------- */

/* Not exit: it would write the buffers of the parent's open files a second time. */
_Noreturn void sfgp_child_exit(int code)
{
    sfgp_platform_leave(code);
}

/* libhdf5 calls exit in places: what the parent has registered with atexit must not run in the child.
 * Functions that are registered later run first. */
static void leave(void)
{
    sfgp_child_exit(EXIT_FAILURE);
}

static _Noreturn void run(const sfgp_child_task *task, int socket)
{
    set_signals();
    close_terminal();
    set_limits(task);
    if (atexit(leave) != 0)                    /* GCOVR_EXCL_BR_LINE: there is always room for 32 functions */
        sfgp_child_exit(SFGP_CHILD_NO_MEMORY); /* GCOVR_EXCL_LINE: there is always room for 32 functions */
    task->serve(task->user, socket);
    sfgp_child_exit(0);
}

static bool make_socket(const sfgp_child_task *task, int ends[2])
{
    const struct timeval patience = {.tv_sec = (time_t)task->patience};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    for (int k = 0; k < 2; k++)
        fcntl(ends[k], F_SETFD, FD_CLOEXEC);
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    return true;
}

/* All signals wait until the child has set its own: a handler of the parent must not run in the child. */
static pid_t fork_child(const sfgp_child_task *task, const int ends[2])
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t id = fork();
    if (id == 0) {
        close(ends[0]);
        run(task, ends[1]);
    }
    const int reason = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return id;
}

/* One at a time: a child that was forked while another one starts would keep the end of its socket open,
 * and the parent would not see that one die. */
bool sfgp_child_start(const sfgp_child_task *task, sfgp_child *child)
{
    static sfgp_mutex mutex = SFGP_MUTEX_START;
    int ends[2] = {-1, -1};
    *child = (sfgp_child){.id = -1, .socket = -1};
    sfgp_mutex_lock(&mutex);
    const pid_t id = make_socket(task, ends) ? fork_child(task, ends) : -1;
    const int reason = errno;
    if (id >= 0)
        *child = (sfgp_child){.id = id, .socket = ends[0]};
    if (ends[1] >= 0)
        close(ends[1]);
    if (id < 0 && ends[0] >= 0)
        close(ends[0]);
    sfgp_mutex_unlock(&mutex);
    errno = reason;
    return id >= 0;
}

/* A host that waits for all of its children may have waited for this one: its number may then be that of
 * another process, which must not be killed. */
sfgp_child_end sfgp_child_finish(sfgp_child *child, bool force)
{
    int state = -1;
    if (child->id <= 0)
        return (sfgp_child_end){0};
    close(child->socket);
    pid_t got = waitpid((pid_t)child->id, &state, WNOHANG);
    if (got == 0 && force)
        kill((pid_t)child->id, SIGKILL);
    while (got == 0 || (got < 0 && errno == EINTR))
        got = waitpid((pid_t)child->id, &state, 0);
    *child = (sfgp_child){.id = -1, .socket = -1};
    if (got < 0)
        return (sfgp_child_end){0};
    const int number = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    return (sfgp_child_end){.known = true,
                            .code = WIFEXITED(state) ? WEXITSTATUS(state) : 0,
                            .signal = number,
                            .killed = number == SIGKILL,
                            .overran = number == SIGXCPU};
}

/* ---- blocks of bytes --------------------------------------------------------------------------------- */

bool sfgp_child_send(int socket, const void *bytes, int64_t size)
{
    const char *next = bytes;
    while (size > 0) {
        const ssize_t sent = send(socket, next, (size_t)size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        if (sent > 0) {
            next += sent;
            size -= sent;
        }
    }
    return true;
}

bool sfgp_child_receive(int socket, void *bytes, int64_t size)
{
    char *next = bytes;
    while (size > 0) {
        const ssize_t got = recv(socket, next, (size_t)size, 0);
        if (got == 0)
            errno = EPIPE;
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            next += got;
            size -= got;
        }
    }
    return true;
}

bool sfgp_child_is_late(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK;
}
