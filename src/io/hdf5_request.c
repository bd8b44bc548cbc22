/* The start of the process that runs libhdf5, requests to it and its answers. Errors: those that it sends, those of its own end,
 * and the first one of a write or a search, which is kept. */
#include "base/memory.h"
#include "io/file.h"
#include "io/hdf5_handle.h"
#include "io/hdf5_library.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- its start --------------------------------------------------------------------------------------- */

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

/* Starts the process for file->job; its first answer follows. */
static sfgp_status start(sfgp_hdf5 *file)
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

/* ---- what became of the process ---------------------------------------------------------------------- */

static sfgp_status fail(sfgp_hdf5 *file, sfgp_status status, const char *words, int number)
{
    char text[256];
    snprintf(text, sizeof text, words, number);
    return sfgp_hdf5_keep_error(file, sfgp_fail(file->context, status, "%s: %s",
                                                sfgp_path_shown(file->path ? file->path : "new file"), text));
}

/* A file whose digest agrees, and one that is being made, are not damaged: memory is the cause. */
static sfgp_status fail_signal(sfgp_hdf5 *file, const sfgp_child_end *end)
{
    if (end->killed || file->verified || !file->job.path)
        return fail(file, SFGP_ERROR_MEMORY, "out of memory: HDF5 broke down (signal %d)", end->signal);
    if (end->overran)
        return fail(file, SFGP_ERROR_FORMAT,
                    "HDF5 takes longer than a file of its size can need: it is damaged", end->signal);
    return fail(file, SFGP_ERROR_FORMAT, "is damaged: HDF5 broke down on it (signal %d)", end->signal);
}

/* After sfgp_child_send or _receive has failed. */
static sfgp_status fail_broken(sfgp_hdf5 *file)
{
    const bool late = sfgp_child_is_late();
    const sfgp_child_end end = sfgp_child_finish(&file->process, late);
    file->broken = true;
    file->unsure = !late && end.known && !end.killed && !end.overran;
    if (late)
        return fail(file, file->job.path ? SFGP_ERROR_READ : SFGP_ERROR_WRITE,
                    "the process that runs HDF5 gives no answer; does the disk of the file answer?", 0);
    if (end.signal != 0)
        return fail_signal(file, &end);
    if (end.code == SFGP_CHILD_NO_MEMORY || file->verified || !file->job.path)
        return fail(file, SFGP_ERROR_MEMORY, "out of memory in the process that runs HDF5 (code %d)",
                    end.code);
    return fail(file, SFGP_ERROR_FORMAT, "is damaged: the process that runs HDF5 ended by itself (code %d)",
                end.code);
}

/* ---- requests and answers ---------------------------------------------------------------------------- */

sfgp_status sfgp_hdf5_keep_error(sfgp_hdf5 *file, sfgp_status status)
{
    file->status = status;
    snprintf(file->words, sizeof file->words, "%s", sfgp_context_error(file->context));
    return status;
}

void sfgp_hdf5_abandon(sfgp_hdf5 *file)
{
    file->broken = true;
    sfgp_hdf5_keep_error(file, SFGP_ERROR_MEMORY);
}

static sfgp_status fail_kept(const sfgp_hdf5 *file)
{
    return sfgp_fail(file->context, file->status, "%s", file->words);
}

sfgp_status sfgp_hdf5_status(const sfgp_hdf5 *file)
{
    return file->status == SFGP_OK ? SFGP_OK : fail_kept(file);
}

sfgp_status sfgp_hdf5_request_new(sfgp_hdf5 *file, sfgp_hdf5_verb verb, const char *name,
                                  sfgp_hdf5_request *request)
{
    const size_t length = strlen(name);
    if (file->status != SFGP_OK)
        return fail_kept(file);
    if (length >= sizeof request->name)
        return sfgp_hdf5_fail(file, name, "its name is too long");
    file->unsure = false;
    memset(request, 0, sizeof *request);
    request->verb = verb;
    memcpy(request->name, name, length);
    return SFGP_OK;
}

static sfgp_status send_request(sfgp_hdf5 *file, const sfgp_hdf5_request *request, const void *bytes)
{
    return sfgp_child_send(file->process.socket, request, sizeof *request) &&
                   (!bytes || sfgp_child_send(file->process.socket, bytes, request->size))
               ? SFGP_OK
               : fail_broken(file);
}

sfgp_status sfgp_hdf5_receive_bytes(sfgp_hdf5 *file, void *bytes, int64_t size)
{
    return sfgp_child_receive(file->process.socket, bytes, size) ? SFGP_OK : fail_broken(file);
}

/* A file may have taken over the process that read it: every field of an answer is checked. */
static bool is_sound(const sfgp_hdf5_answer *answer)
{
    bool sound = answer->rank >= 0 && answer->rank <= SFGP_HDF5_RANK && answer->size >= 0;
    for (int k = 0; k < SFGP_HDF5_RANK; k++)
        sound = sound && answer->shape[k] >= 0;
    return sound && (answer->status == SFGP_OK || answer->size <= SFGP_HDF5_WORDS);
}

sfgp_status sfgp_hdf5_receive(sfgp_hdf5 *file, sfgp_hdf5_answer *answer)
{
    char words[SFGP_HDF5_WORDS];
    sfgp_status status = sfgp_hdf5_receive_bytes(file, answer, sizeof *answer);
    if (status == SFGP_OK && !is_sound(answer)) {
        file->broken = true;
        return fail(file, SFGP_ERROR_FORMAT, "is damaged: HDF5 gave a wrong answer", 0);
    }
    if (status != SFGP_OK || answer->status == SFGP_OK)
        return status;
    if ((status = sfgp_hdf5_receive_bytes(file, words, answer->size)) != SFGP_OK)
        return status;
    words[answer->size > 0 ? answer->size - 1 : 0] = '\0';
    file->unsure = answer->starved != 0;
    return sfgp_fail(file->context, answer->status, "%s", words);
}

sfgp_status sfgp_hdf5_begin(sfgp_hdf5 *file)
{
    sfgp_hdf5_answer answer;
    sfgp_status status = start(file);
    return status == SFGP_OK ? sfgp_hdf5_receive(file, &answer) : status;
}

sfgp_status sfgp_hdf5_send(sfgp_hdf5 *file, const sfgp_hdf5_request *request, const void *bytes)
{
    sfgp_status status = SFGP_OK;
    if (file->process.id < 0 && (status = sfgp_hdf5_begin(file)) != SFGP_OK)
        return sfgp_hdf5_keep_error(file, status);
    return send_request(file, request, bytes);
}

sfgp_status sfgp_hdf5_fail(const sfgp_hdf5 *file, const char *name, const char *format, ...)
{
    char words[512];
    va_list arguments;
    if (file->status != SFGP_OK)
        return fail_kept(file);
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return sfgp_fail(file->context, SFGP_ERROR_FORMAT, "%s: data set '%s': %s",
                     sfgp_path_shown(file->path ? file->path : "new file"), sfgp_path_shown(name), words);
}

sfgp_status sfgp_hdf5_fail_answer(sfgp_hdf5 *file)
{
    file->broken = true;
    return sfgp_hdf5_keep_error(file, sfgp_hdf5_fail(file, "", "HDF5 gave a wrong answer"));
}
