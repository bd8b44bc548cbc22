/* A child process that serves its parent over a socket, with limits of memory and time: libhdf5 runs in one (ADR 0021). The
 * child ends when the socket is closed, in whatever way the parent ended.
 *
 * The child is a fork without exec, also of programs with threads. ADR 0021 says what it may therefore do. */
#ifndef SFGP_BASE_PLATFORM_CHILD_H
#define SFGP_BASE_PLATFORM_CHILD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sfgp_child {
    int64_t id; /* -1: none */
    int socket;
} sfgp_child;

/* What the child runs, and its limits; 0: no limit. */
typedef struct sfgp_child_task {
    void (*serve)(void *user, int socket); /* the child ends when it returns */
    void *user;
    int64_t memory;   /* bytes of address space above those of the parent */
    int64_t seconds;  /* of the processor */
    int64_t patience; /* seconds that the parent waits for the child to send or receive anything */
} sfgp_child_task;

enum {
    SFGP_CHILD_NO_MEMORY = 6
}; /* exit code of a child that lacks memory: the value of SFGP_ERROR_MEMORY */

/* How a child ended. */
typedef struct sfgp_child_end {
    bool known;   /* false: somebody else has waited for it */
    int code;     /* its exit code; 0 after a signal */
    int signal;   /* that ended it; 0: none */
    bool killed;  /* by the system or by force */
    bool overran; /* by its limit of seconds */
} sfgp_child_end;

/* False: there can be no new process, errno says why. Thread-safe. */
bool sfgp_child_start(const sfgp_child_task *task, sfgp_child *child);
/* Closes the socket and waits for the end of the child; with force it is killed. */
sfgp_child_end sfgp_child_finish(sfgp_child *child, bool force);
/* In the child: its regular end. */
_Noreturn void sfgp_child_exit(int code);

/* Whole blocks over the socket. False when the other end is gone, or does nothing for the time that the task allows
 * (sfgp_child_is_late is then true). Never a signal. */
bool sfgp_child_send(int socket, const void *bytes, int64_t size);
bool sfgp_child_receive(int socket, void *bytes, int64_t size);
/* Whether the last of these calls that failed has waited for too long. */
bool sfgp_child_is_late(void);

#endif
