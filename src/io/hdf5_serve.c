/* In the process that runs libhdf5: receives requests, calls libhdf5 and sends the answers. */
#include "io/hdf5_serve.h"
#include "base/memory.h"
#include "io/hdf5_file.h"
#include "base/platform_child.h"

#include <errno.h>
#include <string.h>

typedef struct server {
    sfgp_hdf5_file file;
    int socket;
    sfgp_status write; /* of the first write that failed; its words are in the context */
    bool starved;      /* an allocation has failed */
} server;

/* ---- answers ----------------------------------------------------------------------------------------- */

static bool send_answer(const server *s, sfgp_hdf5_answer answer, const void *bytes)
{
    return sfgp_child_send(s->socket, &answer, sizeof answer) &&
           sfgp_child_send(s->socket, bytes, answer.size);
}

static bool send_error(const server *s, sfgp_status status)
{
    const char *words = sfgp_context_error(s->file.context);
    const sfgp_hdf5_answer answer = {
        .status = status, .size = (int64_t)strlen(words) + 1, .starved = s->starved || errno == ENOMEM};
    return send_answer(s, answer, words);
}

/* An allocation that failed leaves its mark in errno. libhdf5 may go on without it, and fail with a later request. */
static void look_for_failed_allocations(server *s)
{
    s->starved = s->starved || errno == ENOMEM;
    errno = 0;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static bool answer_has(server *s, const sfgp_hdf5_request *request)
{
    bool found = false;
    sfgp_status status = sfgp_hdf5_file_find(&s->file, request->name, &found);
    const sfgp_hdf5_answer answer = {.size = found};
    return status == SFGP_OK ? sfgp_child_send(s->socket, &answer, sizeof answer) : send_error(s, status);
}

static bool send_rows(const server *s, const sfgp_hdf5_set *data, double *part, int64_t rows, int64_t numbers)
{
    const int64_t all = data->rank > 0 ? (int64_t)data->shape[0] : 1;
    for (int64_t row = 0, left = data->count; left > 0; row += rows, left -= numbers) {
        const int64_t now = rows < all - row ? rows : all - row, count = numbers < left ? numbers : left;
        const sfgp_status status = sfgp_hdf5_set_read_rows(data, row, now, part);
        if (status != SFGP_OK)
            return send_error(s, status);
        if (!send_answer(s, (sfgp_hdf5_answer){.size = count * (int64_t)sizeof *part}, part))
            return false;
    }
    return true;
}

static bool send_numbers(const server *s, const sfgp_hdf5_set *data)
{
    sfgp_hdf5_answer answer = {.rank = data->rank};
    int64_t rows = 0;
    double *part = NULL;
    const int64_t numbers = sfgp_hdf5_set_part(data, &rows);
    for (int k = 0; k < SFGP_HDF5_RANK; k++)
        answer.shape[k] = k < data->rank ? (int64_t)data->shape[k] : 1;
    sfgp_status status = sfgp_allocate_raw(s->file.context, numbers, (int64_t)sizeof *part, (void **)&part);
    const bool sent = status == SFGP_OK
                          ? send_answer(s, answer, NULL) && send_rows(s, data, part, rows, numbers)
                          : send_error(s, status);
    sfgp_free(part);
    return sent;
}

static bool answer_read(server *s, const sfgp_hdf5_request *request)
{
    sfgp_hdf5_set data;
    sfgp_status status = sfgp_hdf5_set_open_numbers(&s->file, request->name, &data);
    const bool sent = status == SFGP_OK ? send_numbers(s, &data) : send_error(s, status);
    sfgp_hdf5_set_close(&data);
    return sent;
}

static bool answer_read_text(server *s, const sfgp_hdf5_request *request)
{
    char *text = NULL;
    sfgp_status status = sfgp_allocate(s->file.context, request->size, &text);
    if (status == SFGP_OK)
        status = sfgp_hdf5_file_read_text(&s->file, request->name, (size_t)request->size, text);
    const bool sent = status == SFGP_OK
                          ? send_answer(s, (sfgp_hdf5_answer){.size = (int64_t)strlen(text) + 1}, text)
                          : send_error(s, status);
    sfgp_free(text);
    return sent;
}

static bool answer_member(server *s, const sfgp_hdf5_request *request)
{
    char name[SFGP_HDF5_NAME];
    sfgp_status status = sfgp_hdf5_file_find_member(&s->file, request->name, request->size, name);
    return status == SFGP_OK ? send_answer(s, (sfgp_hdf5_answer){.size = (int64_t)strlen(name) + 1}, name)
                             : send_error(s, status);
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static sfgp_status write_one(server *s, const sfgp_hdf5_request *request, const void *bytes)
{
    switch (request->verb) {
    case SFGP_HDF5_WRITE:
    case SFGP_HDF5_WRITE_INTEGERS:
        return sfgp_hdf5_file_write_numbers(&s->file, request, bytes);
    case SFGP_HDF5_WRITE_TEXT:
        return sfgp_hdf5_file_write_text(&s->file, request->name, bytes);
    default:
        return sfgp_hdf5_file_write_group(&s->file, request->name);
    }
}

static bool receive_write(server *s, const sfgp_hdf5_request *request)
{
    void *bytes = NULL;
    if (sfgp_allocate_raw(s->file.context, request->size, 1, &bytes) != SFGP_OK)
        sfgp_child_exit(SFGP_CHILD_NO_MEMORY);
    const bool whole = sfgp_child_receive(s->socket, bytes, request->size);
    if (whole && s->write == SFGP_OK)
        s->write = write_one(s, request, bytes);
    sfgp_free(bytes);
    return whole;
}

static bool answer_finish(server *s)
{
    void *image = NULL;
    int64_t size = 0;
    sfgp_status status = sfgp_hdf5_file_image(&s->file, &image, &size);
    const char *table = s->file.table.incomplete ? "" : s->file.table.text;
    const bool sent = status == SFGP_OK
                          ? send_answer(s, (sfgp_hdf5_answer){.size = (int64_t)strlen(table) + 1}, table) &&
                                send_answer(s, (sfgp_hdf5_answer){.size = size}, image)
                          : send_error(s, status);
    sfgp_free(image);
    return sent;
}

/* ---- the loop ---------------------------------------------------------------------------------------- */

static bool answer(server *s, const sfgp_hdf5_request *request)
{
    look_for_failed_allocations(s);
    if (request->verb == SFGP_HDF5_END)
        return false;
    if (s->write != SFGP_OK && request->verb < SFGP_HDF5_WRITE)
        return send_error(s, s->write);
    switch (request->verb) {
    case SFGP_HDF5_HAS:
        return answer_has(s, request);
    case SFGP_HDF5_READ:
        return answer_read(s, request);
    case SFGP_HDF5_READ_TEXT:
        return answer_read_text(s, request);
    case SFGP_HDF5_FIND_MEMBER:
        return answer_member(s, request);
    case SFGP_HDF5_FINISH:
        return answer_finish(s);
    default:
        return receive_write(s, request);
    }
}

void sfgp_hdf5_serve(void *user, int socket)
{
    const sfgp_hdf5_job *job = user;
    server s = {.socket = socket,
                .file = {.path = job->path,
                         .size = job->size,
                         .unpacked_left = job->unpacked_limit - job->taken,
                         .memory_left = job->memory_limit - job->taken,
                         .verified = job->verified}};
    sfgp_hdf5_request request;
    if (sfgp_context_new(NULL, &s.file.context) != SFGP_OK)
        sfgp_child_exit(SFGP_CHILD_NO_MEMORY);
    errno = 0;
    sfgp_status status = sfgp_hdf5_file_open(&s.file);
    bool goes_on =
        status == SFGP_OK ? send_answer(&s, (sfgp_hdf5_answer){.size = 0}, NULL) : send_error(&s, status);
    while (goes_on && status == SFGP_OK && sfgp_child_receive(socket, &request, sizeof request))
        goes_on = answer(&s, &request);
    sfgp_context_free(s.file.context); /* all else ends with the process */
}
