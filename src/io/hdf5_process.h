/* The process that runs libhdf5. A damaged file can make libhdf5 end its process, loop, or ask for any amount
 * of memory, and so can a failed malloc. So libhdf5 runs in a child process, one for each open file, with
 * limits of memory and time. The library asks it over a socket (hdf5_wire.h); what becomes of the child is an
 * error that names the file. The child ends when the socket is closed, in whatever way the parent ended.
 *
 * The child is a fork without exec, also of programs with threads. ADR 0021 says what it may therefore do. */
#ifndef SFGP_IO_HDF5_PROCESS_H
#define SFGP_IO_HDF5_PROCESS_H

#include "base/context.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct sfgp_hdf5_process {
    pid_t id;
    int socket;
} sfgp_hdf5_process;

/* What the child runs, and its limits; 0: no limit. */
typedef struct sfgp_hdf5_task {
    void (*serve)(void *user, int socket); /* the child ends when it returns */
    void *user;
    int64_t memory;   /* bytes of address space above those of the parent */
    int64_t seconds;  /* of the processor */
    int64_t patience; /* seconds that the parent waits for the child to send or receive anything */
} sfgp_hdf5_task;

/* SFGP_ERROR_MEMORY when there can be no new process. Thread-safe. */
sfgp_status sfgp_hdf5_process_start(sfgp_context *context, const sfgp_hdf5_task *task,
                                    sfgp_hdf5_process *process);
/* Closes the socket and waits for the end of the child; with force it is killed. Returns the state that
 * waitpid gave, -1 when somebody else has waited for it. */
int sfgp_hdf5_process_end(sfgp_hdf5_process *process, bool force);
/* In the child: its regular end. */
_Noreturn void sfgp_hdf5_process_exit(int code);

#endif
