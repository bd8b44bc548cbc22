/* The bytes of a file or of standard input: see input.h. */
#include "io/input.h"
#include "base/memory.h"
#include "base/platform_file.h"
#include "base/platform_status.h"
#include "io/buffer.h"
#include "io/file.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

enum { CHUNK = 1 << 16, MOST_HELD = 1 << 30 };

static sfgp_status fail_read(const sfgp_input *input, const char *reason)
{
    return sfgp_fail(input->context, SFGP_ERROR_READ, "%s: %s", sfgp_path_shown(input->path), reason);
}

/* The reason is errno. A path of Windows is a name with odd letters here. */
static sfgp_status fail_system(const sfgp_input *input)
{
    const bool foreign = errno == ENOENT && strchr(input->path, '\\');
    return sfgp_fail(input->context, sfgp_system_status(SFGP_ERROR_READ), "%s: %s%s",
                     sfgp_path_shown(input->path), strerror(errno),
                     foreign ? "; here '/' stands between folders and files, not '\\'" : "");
}

/* ---- standard input ---------------------------------------------------------------------------------- */

static sfgp_status read_all(const sfgp_input *input, sfgp_buffer *buffer)
{
    unsigned char chunk[CHUNK];
    while (buffer->size <= MOST_HELD) { /* GCOVR_EXCL_BR_LINE: a gigabyte on standard input */
        const int64_t got = sfgp_platform_read_input(chunk, sizeof chunk);
        if (got < 0)
            return fail_system(input);
        if (got == 0)
            return buffer->status;
        sfgp_buffer_add(buffer, chunk, got);
        if (buffer->status != SFGP_OK)
            return buffer->status;
    }
    return fail_read(input, "has more than 1 GiB; give the name of a file"); /* GCOVR_EXCL_LINE: the same */
}

/* What was put back. The process has one standard input, so this is not a matter of a context. */
static _Atomic(sfgp_input *) waiting;

static bool take_waiting(sfgp_input *input)
{
    sfgp_input *before = atomic_exchange(&waiting, NULL);
    if (!before)
        return false;
    input->path = before->path;
    input->held = before->held;
    input->size = before->size;
    sfgp_free(before);
    return true;
}

/* Without memory for it, standard input is empty for the next one, which is an error there. */
void sfgp_input_put_back(sfgp_input *input)
{
    sfgp_input *copy = NULL;
    if (!input->held || sfgp_allocate(input->context, 1, &copy) != SFGP_OK)
        return;
    *copy = *input;
    input->held = NULL;
    copy = atomic_exchange(&waiting, copy);
    sfgp_free(copy ? copy->held : NULL); /* of another thread */
    sfgp_free(copy);
}

static sfgp_status hold_standard_input(sfgp_input *input)
{
    if (take_waiting(input))
        return SFGP_OK;
    sfgp_buffer buffer = sfgp_buffer_empty(input->context);
    input->path = "standard input";
    sfgp_buffer_reserve(&buffer, CHUNK, 1); /* held is not NULL, even of nothing */
    sfgp_status status = read_all(input, &buffer);
    input->size = buffer.size;
    input->held = status == SFGP_OK ? sfgp_buffer_release(&buffer) : NULL;
    sfgp_buffer_clear(&buffer);
    return status;
}

/* ---- files ------------------------------------------------------------------------------------------- */

sfgp_status sfgp_input_open(sfgp_context *context, const char *path, sfgp_input *input)
{
    sfgp_platform_kind kind;
    *input = (sfgp_input){.context = context, .path = path, .descriptor = -1};
    if (sfgp_path_is_stream(path))
        return hold_standard_input(input);
    input->descriptor = sfgp_platform_open(path, &kind, &input->size);
    if (input->descriptor < 0)
        return fail_system(input);
    if (kind == SFGP_PLATFORM_FOLDER)
        return fail_read(input, "is a folder; give a file");
    if (kind != SFGP_PLATFORM_FILE)
        return fail_read(input,
                         "is not a regular file (pipes and devices are not read; - is standard input)");
    return SFGP_OK;
}

void sfgp_input_close(sfgp_input *input)
{
    sfgp_platform_close(input->descriptor);
    sfgp_free(input->held);
    input->descriptor = -1;
    input->held = NULL;
}

sfgp_status sfgp_input_fail_changed(const sfgp_input *input)
{
    return sfgp_fail(input->context, SFGP_ERROR_FORMAT,
                     "%s: changed its size of %lld bytes while it was read; try again when nobody writes it",
                     sfgp_path_shown(input->path), (long long)input->size);
}

sfgp_status sfgp_input_check_unchanged(const sfgp_input *input)
{
    if (input->held)
        return SFGP_OK;
    const int64_t size = sfgp_platform_size_of(input->descriptor);
    if (size < 0)
        return fail_system(input);
    return size == input->size ? SFGP_OK : sfgp_input_fail_changed(input);
}

sfgp_status sfgp_input_read(const sfgp_input *input, int64_t offset, int64_t length, unsigned char *bytes)
{
    if (input->held && length > 0)
        memcpy(bytes, input->held + offset, (size_t)length);
    const int64_t got =
        input->held ? length : sfgp_platform_read_at(input->descriptor, offset, bytes, length);
    if (got < 0)
        return fail_system(input);
    return got < length ? sfgp_input_fail_changed(input) : SFGP_OK;
}
