/* The handle of an HDF5 file: made with its process and the limits of it, and freed. */
#include "io/hdf5_handle.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/hdf5_digest.h"
#include "io/hdf5_json.h"
#include "io/hdf5_serve.h"

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

/* Bytes that the numbers of a file of this size may take. */
static int64_t unpacked_limit(int64_t size)
{
    int64_t more = 0;
    return sfgp_product(size, EXPANSION, &more) && more < INT64_MAX / 4 ? LEAST_UNPACKED + more
                                                                        : INT64_MAX / 4;
}

static sfgp_status start(sfgp_hdf5 *file, sfgp_hdf5_job *job)
{
    const int64_t seconds = LEAST_SECONDS + job->unpacked_limit / RATE;
    sfgp_child_task task = {.serve = sfgp_hdf5_serve, .user = job, .patience = WRITE_PATIENCE};
    sfgp_hdf5_answer answer;
    if (job->path) {
        task.memory = 2 * job->unpacked_limit; /* packed and unpacked */
        task.seconds = seconds;
        task.patience = LEAST_PATIENCE + PATIENCE_A_SECOND * seconds;
    }
    if (!sfgp_child_start(&task, &file->process))
        return sfgp_fail(file->context, SFGP_ERROR_MEMORY,
                         "HDF5 cannot be started in a process of its own: %s", strerror(errno));
    return sfgp_hdf5_receive(file, &answer);
}

static sfgp_status make(sfgp_context *context, sfgp_hdf5_job *job, sfgp_hdf5 **file)
{
    sfgp_hdf5 *made = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &made);
    *file = NULL;
    if (status != SFGP_OK)
        return status;
    *made = (sfgp_hdf5){.context = context,
                        .path = job->path,
                        .verified = job->verified,
                        .process = {.id = -1, .socket = -1},
                        .checksum = SFGP_CHECKSUM_START};
    if ((status = start(made, job)) == SFGP_OK)
        *file = made;
    else
        sfgp_hdf5_free(made);
    return status;
}

/* A file in memory, of which no data set is refused for its size: they were counted when the JSON was read. */
static sfgp_status open_json(sfgp_context *context, const char *path, sfgp_hdf5 **file)
{
    sfgp_hdf5_job job = {.size = INT64_MAX / 64,
                         .unpacked_limit = INT64_MAX / 4,
                         .memory_limit = context->read_limit > 0 ? context->read_limit : INT64_MAX};
    sfgp_status status = make(context, &job, file);
    if (status != SFGP_OK)
        return status;
    (*file)->path = path;
    if ((status = sfgp_hdf5_fill_from_json(context, path, *file)) != SFGP_OK) {
        sfgp_hdf5_free(*file);
        *file = NULL;
        return status;
    }
    (*file)->checksum = SFGP_CHECKSUM_START;
    return SFGP_OK;
}

sfgp_status sfgp_hdf5_open(sfgp_context *context, const char *path, sfgp_hdf5 **file)
{
    sfgp_hdf5_job job = {.path = path,
                         .memory_limit = context->read_limit > 0 ? context->read_limit : INT64_MAX};
    *file = NULL;
    if (sfgp_path_ends_in(path, SFGP_HDF5_JSON))
        return open_json(context, path, file);
    sfgp_status status = sfgp_hdf5_digest_check(context, path, &job.size, &job.verified);
    job.unpacked_limit = unpacked_limit(job.size);
    return status == SFGP_OK ? make(context, &job, file) : status;
}

sfgp_status sfgp_hdf5_new(sfgp_context *context, sfgp_hdf5 **file)
{
    sfgp_hdf5_job job = {.path = NULL};
    return make(context, &job, file);
}

void sfgp_hdf5_free(sfgp_hdf5 *file)
{
    const sfgp_hdf5_request end = {.verb = SFGP_HDF5_END};
    if (!file)
        return;
    if (file->process.id > 0) {
        const bool told = !file->broken && sfgp_child_send(file->process.socket, &end, sizeof end);
        sfgp_child_finish(&file->process, !told);
    }
    sfgp_free(file);
}
