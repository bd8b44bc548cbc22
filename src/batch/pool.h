/* Pool: runs jobs in processes, several at a time: each in one of its own, or, where processes stay, one after the other.
 *
 * A job in a process of its own cannot harm another one. A process that stays and crashes loses the job that it was at; the jobs after it
 * have a new process. When it crashes, only this job is lost; its memory is its own; at its time limit it
 * is killed, with the programs that it started. All jobs end when the process that runs the pool ends, for any
 * reason. What the parent has read or built before is shared with all jobs, copy on write. The parent must not have
 * started threads that hold locks.
 *
 * A job is a number. It sends a message of message_size bytes to the parent. The size is at most PROCESS_MESSAGE, so
 * that a message arrives whole or not at all. */
#ifndef SFGP_BATCH_POOL_H
#define SFGP_BATCH_POOL_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

#define PROCESS_MESSAGE 4096 /* PIPE_BUF of Linux */
#define PROCESS_ERROR 256

/* What next returns instead of a job. NONE: there are no more jobs. LATER: there is none now, ask again. */
enum { PROCESS_NONE = -1, PROCESS_LATER = -2 };

typedef enum process_end {
    PROCESS_RETURNED, /* sent its message */
    PROCESS_CRASHED,  /* ended without a message */
    PROCESS_LATE      /* was killed at its time limit */
} process_end;

typedef struct process_done {
    int64_t job;
    int64_t process; /* its id; it no longer exists, unless it stays */
    process_end end;
    int signal;          /* the signal that ended a crashed job; 0: it exited */
    int code;            /* its exit code when it exited */
    const void *message; /* NULL unless it returned */
} process_done;

/* limit, started, abandon, tick and stop may be NULL. */
typedef struct process_pool {
    int at_once;         /* largest number of jobs at a time */
    size_t message_size; /* bytes */
    bool stays;          /* a process does one job after the other, with what it has kept in its memory */
    void *user;          /* passed to the functions below */
    int64_t (*next)(void *user);
    void (*started)(void *user, int64_t job, int64_t process);
    double (*limit)(void *user, int64_t job);                      /* time limit in seconds; 0: none */
    void (*work)(void *user, int64_t job, void *message);          /* runs in the new process */
    sfgp_status (*finished)(void *user, const process_done *done); /* an error ends the pool */
    void (*abandon)(void *user, int64_t job,
                    int64_t process); /* a job that was killed after an error or a stop */
    void (*tick)(void *user);         /* called at least twice a second */
    bool (*stop)(void *user);         /* asked at least twice a second; true ends the pool */
    char error[PROCESS_ERROR];
} process_pool;

/* Runs until next returns PROCESS_NONE and all jobs have ended, or until finished returns an error, when it kills the
 * other jobs. Returns the last status of finished, SFGP_CANCELLED after a stop, or SFGP_ERROR_MEMORY with a text in error when a process cannot be
 * started. */
sfgp_status process_pool_run(process_pool *pool);

#endif
