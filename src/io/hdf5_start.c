/* Starts the process that runs libhdf5, with the limits of reading. */
#include "base/memory.h"
#include "io/hdf5_handle.h"
#include "io/hdf5_library.h"

#include <errno.h>
#include <string.h>

/* Limits of reading, for files of others (docs/models.md). */
#define MIB ((int64_t)1 << 20)
#define LEAST_UNPACKED (64 * MIB) /* bytes that the numbers of a file may take, however small it is */
#define EXPANSION 32              /* and for every byte of it: packed meshes and masks unpack to less */
#define LEAST_SECONDS 10          /* of the processor */
#define RATE (16 * MIB)           /* bytes a second that the slowest machine unpacks */
/* Seconds that the process may send nothing: long enough for a loaded machine, for a file that is read and
 * for one that is made. */
#define LEAST_PATIENCE 60
#define PATIENCE_A_SECOND 4 /* of the processor */
#define WRITE_PATIENCE 600

int64_t sfgp_hdf5_unpacked_limit(int64_t size)
{
    int64_t more = 0;
    return sfgp_product(size, EXPANSION, &more) && more < INT64_MAX / 4 ? LEAST_UNPACKED + more
                                                                        : INT64_MAX / 4;
}

sfgp_status sfgp_hdf5_start(sfgp_hdf5 *file)
{
    const sfgp_hdf5_job *job = &file->job;
    const int64_t seconds = LEAST_SECONDS + job->unpacked_limit / RATE;
    sfgp_child_task task = {.serve = sfgp_hdf5_serve, .user = &file->job, .patience = WRITE_PATIENCE};
    if (job->path) {
        task.memory = 2 * job->unpacked_limit; /* packed and unpacked */
        task.seconds = seconds;
        task.patience = LEAST_PATIENCE + PATIENCE_A_SECOND * seconds;
    }
    const sfgp_status status = sfgp_hdf5_load(file->context); /* here, so that the next process has it, too */
    if (status != SFGP_OK)
        return status;
    return sfgp_child_start(&task, &file->process)
               ? SFGP_OK
               : sfgp_fail(file->context, SFGP_ERROR_MEMORY,
                           "HDF5 cannot be started in a process of its own: %s", strerror(errno));
}
