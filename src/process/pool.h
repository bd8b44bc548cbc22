/* Pool: every job in a process of its own, some at once. What one does cannot harm another: a crash is a lost
 * job, its memory is its own, a time limit ends it together with the programs it started, and all end when
 * the process that runs the pool does, in whatever way. What the parent has read or built before is shared
 * with all of them, copy on write. The parent must not have started threads that hold locks.
 *
 * A job is a number. It hands back a letter of letter_size bytes, at most PROCESS_LETTER so that it arrives
 * whole or not at all. */
#ifndef SFGP_PROCESS_POOL_H
#define SFGP_PROCESS_POOL_H

#include "sfgp/sfgp.h"

#include <sys/types.h>

#define PROCESS_LETTER 4096 /* PIPE_BUF of Linux */
#define PROCESS_ERROR 256

/* What next says instead of a job: there will be none; none now, ask again. */
enum { PROCESS_NONE = -1, PROCESS_LATER = -2 };

typedef enum process_end { PROCESS_RETURNED, PROCESS_CRASHED, PROCESS_LATE } process_end;

typedef struct process_done {
    int64_t job;
    pid_t process; /* is gone */
    process_end end;
    int signal;         /* that ended a crashed one, 0: it ended by itself */
    int code;           /* its exit code then */
    const void *letter; /* of one that returned */
} process_done;

typedef struct process_pool {
    int at_once;
    size_t letter_size;
    void *user; /* handed to the functions; those marked may be NULL */
    int64_t (*next)(void *user);
    void (*started)(void *user, int64_t job, pid_t process); /* may be NULL */
    double (*limit)(void *user, int64_t job);                /* seconds, 0: none; may be NULL */
    void (*work)(void *user, int64_t job, void *letter);     /* in the new process */
    sfgp_status (*take)(void *user, const process_done *done);
    void (*abandon)(void *user, pid_t process); /* after an error; may be NULL */
    void (*tick)(void *user);                   /* every half second or more often; may be NULL */
    char error[PROCESS_ERROR];
} process_pool;

/* Until next says PROCESS_NONE and all have ended, or until take fails, which ends the others. Returns what
 * take returned, or SFGP_ERROR_MEMORY with words in error when no process can be made. */
sfgp_status process_pool_run(process_pool *pool);

double process_seconds(void); /* from an arbitrary start */

#endif
