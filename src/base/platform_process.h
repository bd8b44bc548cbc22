/* Processes that do a job for their parent, and programs. */
#ifndef SFGP_BASE_PLATFORM_PROCESS_H
#define SFGP_BASE_PLATFORM_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int64_t sfgp_process_own_id(void);
/* A variable of the environment. */
typedef struct sfgp_process_variable {
    const char *name, *value;
} sfgp_process_variable;
/* Begins this program again from its start, in the same process, with some variables set. Returns only where
 * the system cannot do that. For the start of main: nothing is flushed or released. */
void sfgp_process_begin_again(char **arguments, int count, const sfgp_process_variable *variables);

/* ---- jobs -------------------------------------------------------------------------------------------- */

/* What a new process runs: a fork of this one, in a process group of its own, which ends when this one ends (Linux). */
typedef struct sfgp_process_job {
    void (*work)(void *user, int64_t job, void *message);
    void *user;
    int64_t job;
    void *message; /* size bytes, which work fills */
    size_t size;   /* at most 4096, so that a message arrives whole or not at all */
    bool stays;    /* after its message it waits for the next job (sfgp_process_give) */
} sfgp_process_job;

typedef struct sfgp_process {
    int64_t id; /* 0: none */
    int pipe;   /* of its message; a socket if it stays, which takes jobs as well */
    bool ready; /* it has sent its message or ended */
} sfgp_process;

/* NULL, or what cannot be done, where errno says why. */
const char *sfgp_process_start(const sfgp_process_job *job, sfgp_process *process);
/* Waits until some are ready, at most so many milliseconds (-1: without limit), or a signal comes. False: errno says
 * why. */
bool sfgp_process_wait(sfgp_process *processes, int count, int milliseconds);

/* Of a process that stays. Reads its message; false: it ended before the message was whole. */
bool sfgp_process_receive(const sfgp_process *process, void *message, size_t size);
/* Gives it the next job; a negative one: it ends. False: it has ended, or is killed because it cannot be told. */
bool sfgp_process_give(const sfgp_process *process, int64_t job);

typedef struct sfgp_process_end {
    bool whole; /* the message is there */
    int signal; /* that ended it; 0: it exited */
    int code;   /* its exit code when it exited */
    int error;  /* errno: the system could not start it (sfgp_program_run) */
} sfgp_process_end;

/* Reads the message, waits for the end, and kills programs that it started and left running. */
sfgp_process_end sfgp_process_finish(sfgp_process *process, void *message, size_t size);
void sfgp_process_kill(const sfgp_process *process); /* with the programs that it started */

/* ---- programs ---------------------------------------------------------------------------------------- */

/* A program that runs without a shell, without input, and with its output in a file. Variables are NAME=VALUE texts. */
typedef struct sfgp_program {
    char **words; /* the program and its arguments, NULL at the end */
    char **variables;
    int variable_count;
    const char *const *limits; /* names of variables that get the value limit before, NULL at the end */
    int64_t limit;             /* 0: they stay as they are */
    const char *folder;        /* it runs there */
    const char *log;           /* path of the file */
} sfgp_program;

/* Waits for its end. Code 127: there is no such program. */
sfgp_process_end sfgp_program_run(const sfgp_program *program);

#endif
