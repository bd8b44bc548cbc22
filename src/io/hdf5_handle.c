/* The handle of an HDF5 file: made, with its process or its table, and freed. */
#include "io/hdf5_handle.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/hdf5_digest.h"
#include "io/hdf5_json.h"

static sfgp_status make(sfgp_context *context, const sfgp_hdf5_job *job, sfgp_hdf5 **file)
{
    sfgp_status status = sfgp_allocate(context, 1, file);
    if (status == SFGP_OK)
        **file = (sfgp_hdf5){.context = context,
                             .path = job->path,
                             .verified = job->verified,
                             .job = *job,
                             .process = {.id = -1, .socket = -1},
                             .checksum = SFGP_CHECKSUM_START};
    return status;
}

/* A file in memory, of which no data set is refused for its size: they were counted when the JSON was read. */
static sfgp_status open_json(sfgp_context *context, const char *path, sfgp_hdf5 **file)
{
    sfgp_hdf5_job job = {.size = INT64_MAX / 64,
                         .unpacked_limit = INT64_MAX / 4,
                         .memory_limit = context->read_limit > 0 ? context->read_limit : INT64_MAX};
    sfgp_status status = make(context, &job, file);
    if (status != SFGP_OK || (status = sfgp_hdf5_begin(*file)) != SFGP_OK)
        return status;
    (*file)->path = path;
    status = sfgp_hdf5_fill_from_json(context, path, *file);
    (*file)->checksum = SFGP_CHECKSUM_START;
    return status;
}

/* Takes the input of a file with a table. A table without rows is none. */
static sfgp_status open_rows(const sfgp_input *input, sfgp_hdf5 *file)
{
    const sfgp_hdf5_job *job = &file->job;
    sfgp_status status = sfgp_allocate(file->context, 1, &file->rows);
    if (status != SFGP_OK)
        return status;
    file->rows->input = *input;
    file->rows->left = job->memory_limit < job->unpacked_limit ? job->memory_limit : job->unpacked_limit;
    if ((status = sfgp_hdf5_rows_read_table(file->rows)) == SFGP_OK && file->rows->table.count > 0)
        return SFGP_OK;
    sfgp_free(file->rows);
    file->rows = NULL;
    return status;
}

static sfgp_status begin(sfgp_hdf5 *file)
{
    sfgp_status status;
    do
        status = sfgp_hdf5_begin(file);
    while (sfgp_hdf5_repeats(file, &status));
    return status;
}

/* The process of a file with a table is started when something is asked for that the table does not have. */
static sfgp_status open_input(sfgp_context *context, sfgp_input *input, sfgp_hdf5 **file)
{
    sfgp_hdf5_digest digest = SFGP_HDF5_NO_DIGEST;
    sfgp_hdf5_job job = {.path = input->path,
                         .size = input->size,
                         .unpacked_limit = sfgp_hdf5_unpacked_limit(input->size),
                         .memory_limit = context->read_limit > 0 ? context->read_limit : INT64_MAX};
    if (input->held)
        return sfgp_fail(context, SFGP_ERROR_READ,
                         "HDF5 files are not read from standard input; give the name of the file");
    sfgp_status status = sfgp_hdf5_digest_check(input, &digest);
    job.verified = digest != SFGP_HDF5_NO_DIGEST;
    if (status == SFGP_OK)
        status = make(context, &job, file);
    if (status == SFGP_OK && digest == SFGP_HDF5_DIGEST_WITH_TABLE)
        status = open_rows(input, *file);
    return status == SFGP_OK && !(*file)->rows ? begin(*file) : status;
}

static sfgp_status open_file(sfgp_context *context, const char *path, sfgp_hdf5 **file)
{
    sfgp_input input;
    sfgp_status status = sfgp_input_open(context, path, &input);
    if (status == SFGP_OK)
        status = open_input(context, &input, file);
    if (!*file || !(*file)->rows)
        sfgp_input_close(&input);
    return status;
}

static sfgp_status keep_or_free(sfgp_status status, sfgp_hdf5 **file)
{
    if (status != SFGP_OK) {
        sfgp_hdf5_free(*file);
        *file = NULL;
    }
    return status;
}

sfgp_status sfgp_hdf5_open(sfgp_context *context, const char *path, sfgp_hdf5 **file)
{
    const bool json = sfgp_path_ends_in(path, SFGP_HDF5_JSON);
    *file = NULL;
    return keep_or_free((json ? open_json : open_file)(context, path, file), file);
}

sfgp_status sfgp_hdf5_new(sfgp_context *context, sfgp_hdf5 **file)
{
    const sfgp_hdf5_job job = {.path = NULL};
    const sfgp_status status = make(context, &job, file);
    return keep_or_free(status == SFGP_OK ? sfgp_hdf5_begin(*file) : status, file);
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
    if (file->rows)
        sfgp_input_close(&file->rows->input);
    sfgp_free(file->rows);
    sfgp_free(file);
}
