/* The child of base/platform_child.h on a stack of its own in this process: see inside.h. It runs when the parent waits for an
 * answer, and the parent goes on when it waits for a request, so that no system call and no second thread is needed. */
#include "fuzz/inside.h"
#include "base/platform_child.h"
#include "fuzz/kept.h"
#include "fuzz/parts.h"
#include "io/hdf5_serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifdef HAS_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

bool __real_sfgp_child_start(const sfgp_child_task *task, sfgp_child *child);
bool __wrap_sfgp_child_start(const sfgp_child_task *task, sfgp_child *child);
sfgp_child_end __real_sfgp_child_finish(sfgp_child *child, bool force);
sfgp_child_end __wrap_sfgp_child_finish(sfgp_child *child, bool force);
_Noreturn void __real_sfgp_child_exit(int code);
_Noreturn void __wrap_sfgp_child_exit(int code);
bool __real_sfgp_child_send(int socket, const void *bytes, int64_t size);
bool __wrap_sfgp_child_send(int socket, const void *bytes, int64_t size);
bool __real_sfgp_child_receive(int socket, void *bytes, int64_t size);
bool __wrap_sfgp_child_receive(int socket, void *bytes, int64_t size);

enum {
    STACK = 1 << 22,
    PARENT = -2, /* the ends of the socket */
    CHILD = -3
};
#define ID INT64_MAX /* no process has this number */

/* Bytes on their way to one end. */
typedef struct way {
    char *bytes;
    size_t size, at, room;
} way;

/* One at a time: readers open one file after the other. */
static struct {
    bool forks, inside, runs, ended,
        closed; /* forks: a process for each file; ended: the child; closed: by the parent */
    sfgp_child_task task;
    way to_parent, to_child;
    ucontext_t parent, child;
    void *stack, *fake; /* fake: of AddressSanitizer */
    const void *parent_stack;
    size_t parent_size;
} state;

void fuzz_inside(bool inside)
{
    state.forks = getenv("SFGP_FUZZ_FORKS") != NULL;
    state.inside = inside && !state.forks;
}

/* ---- bytes ------------------------------------------------------------------------------------------------- */

static void add(way *w, const void *bytes, size_t size)
{
    if (w->at == w->size)
        w->at = w->size = 0;
    if (size > w->room - w->size) {
        w->room = 2 * (w->size + size);
        w->bytes = realloc(w->bytes, w->room);
        fuzz_require(w->bytes != NULL, "there is memory");
    }
    if (size > 0)
        memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

static bool take(way *w, void *bytes, size_t size)
{
    if (w->size - w->at < size)
        return false;
    if (size > 0)
        memcpy(bytes, w->bytes + w->at, size);
    w->at += size;
    return true;
}

/* ---- stacks ------------------------------------------------------------------------------------------------ */

static void arrive(bool in_child)
{
#ifdef HAS_ASAN
    if (in_child)
        __sanitizer_finish_switch_fiber(NULL, &state.parent_stack, &state.parent_size);
    else
        __sanitizer_finish_switch_fiber(state.fake, NULL, NULL);
#else
    (void)in_child;
#endif
}

static void go_to_child(void)
{
#ifdef HAS_ASAN
    __sanitizer_start_switch_fiber(&state.fake, state.stack, STACK);
#endif
    swapcontext(&state.parent, &state.child);
    arrive(false);
}

static void go_to_parent(void)
{
#ifdef HAS_ASAN
    __sanitizer_start_switch_fiber(NULL, state.parent_stack, state.parent_size);
#endif
    swapcontext(&state.child, &state.parent);
    arrive(true);
}

static _Noreturn void end(void)
{
    fuzz_close_hdf5();
    state.ended = true;
    for (;;)
        go_to_parent();
}

static void run(void)
{
    arrive(true);
    state.task.serve(state.task.user, CHILD);
    end();
}

/* ---- in front of platform_child.c -------------------------------------------------------------------------- */

bool __wrap_sfgp_child_start(const sfgp_child_task *task, sfgp_child *child)
{
    if (!state.inside)
        return state.forks || !((const sfgp_hdf5_job *)task->user)->path
                   ? __real_sfgp_child_start(task, child)
                   : fuzz_kept_start(task, child);
    fuzz_require(!state.runs, "one file is open at a time");
    state.runs = true;
    state.ended = state.closed = false;
    state.task = *task;
    state.to_parent.size = state.to_parent.at = state.to_child.size = state.to_child.at = 0;
    if (!state.stack)
        state.stack = malloc(STACK);
    fuzz_require(state.stack && getcontext(&state.child) == 0, "there is a stack");
    state.child.uc_stack.ss_sp = state.stack;
    state.child.uc_stack.ss_size = STACK;
    state.child.uc_link = NULL;
    makecontext(&state.child, run, 0);
    *child = (sfgp_child){.id = ID, .socket = PARENT};
    return true;
}

sfgp_child_end __wrap_sfgp_child_finish(sfgp_child *child, bool force)
{
    if (fuzz_kept_has(child))
        return fuzz_kept_finish(child, force);
    if (child->id != ID)
        return __real_sfgp_child_finish(child, force);
    state.closed = true;
    if (!state.ended)
        go_to_child();
    fuzz_require(state.ended, "the child ends when the socket is closed");
    state.runs = false;
    *child = (sfgp_child){.id = -1, .socket = -1};
    return (sfgp_child_end){.known = true};
}

_Noreturn void __wrap_sfgp_child_exit(int code)
{
    if (state.runs)
        end();
    __real_sfgp_child_exit(code);
}

bool __wrap_sfgp_child_send(int socket, const void *bytes, int64_t size)
{
    if (socket != PARENT && socket != CHILD)
        return __real_sfgp_child_send(socket, bytes, size);
    if (socket == PARENT ? state.ended : state.closed)
        return errno = EPIPE, false;
    add(socket == PARENT ? &state.to_child : &state.to_parent, bytes, (size_t)size);
    return true;
}

bool __wrap_sfgp_child_receive(int socket, void *bytes, int64_t size)
{
    if (socket != PARENT && socket != CHILD)
        return __real_sfgp_child_receive(socket, bytes, size);
    if (socket == PARENT) {
        if (take(&state.to_parent, bytes, (size_t)size))
            return true;
        if (!state.ended)
            go_to_child();
        const bool taken = take(&state.to_parent, bytes, (size_t)size);
        fuzz_require(taken || state.ended, "the child answers before it waits");
        errno = EPIPE;
        return taken;
    }
    while (!take(&state.to_child, bytes, (size_t)size)) {
        if (state.closed)
            return errno = EPIPE, false;
        go_to_parent();
    }
    return true;
}
