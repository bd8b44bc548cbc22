#include "io/source.h"
#include "base/memory.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_WINDOW = 1 << 18 };

static sfgp_status fail_read(sfgp_source *source, const char *reason)
{
    return sfgp_fail(source->context, SFGP_ERROR_READ, "%s: %s", sfgp_path_shown(source->path), reason);
}

/* O_NONBLOCK: opening a pipe that nobody writes to must not wait. */
sfgp_status sfgp_source_open(sfgp_context *context, const char *path, sfgp_source *source)
{
    struct stat status;
    *source = (sfgp_source){.context = context, .path = path};
    source->descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (source->descriptor < 0 || fstat(source->descriptor, &status) != 0)
        return fail_read(source, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return fail_read(source, "is a folder; give a file");
    if (!S_ISREG(status.st_mode))
        return fail_read(source, "is not a regular file (pipes and devices are not read)");
    source->size = status.st_size;
    source->window_capacity = source->size < FIRST_WINDOW ? source->size : FIRST_WINDOW;
    return sfgp_allocate(context, source->window_capacity, &source->window);
}

void sfgp_source_close(sfgp_source *source)
{
    sfgp_free(source->window);
    if (source->descriptor >= 0)
        close(source->descriptor);
    *source = (sfgp_source){.descriptor = -1};
}

static sfgp_status fail_changed(const sfgp_source *source)
{
    return sfgp_fail(source->context, SFGP_ERROR_FORMAT,
                     "%s: changed its size of %lld bytes while it was read; try again when nobody writes it",
                     sfgp_path_shown(source->path), (long long)source->size);
}

sfgp_status sfgp_source_check_unchanged(sfgp_source *source)
{
    struct stat status;
    if (fstat(source->descriptor, &status) != 0)
        return fail_read(source, strerror(errno));
    return status.st_size == source->size ? SFGP_OK : fail_changed(source);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static sfgp_status read_window(sfgp_source *source)
{
    int64_t wanted = least(source->window_capacity, source->size - source->window_start);
    while (source->window_size < wanted) {
        ssize_t got = pread(source->descriptor, source->window + source->window_size,
                            (size_t)(wanted - source->window_size),
                            (off_t)(source->window_start + source->window_size));
        if (got == 0)
            return fail_changed(source);
        if (got < 0 && errno != EINTR)
            return fail_read(source, strerror(errno));
        if (got > 0)
            source->window_size += got;
    }
    return SFGP_OK;
}

/* Slides the window to the current offset, in a larger block where length asks for one. */
static sfgp_status fill(sfgp_source *source, int64_t length)
{
    int64_t kept = source->window_start + source->window_size - source->offset;
    if (kept >= length)
        return SFGP_OK;
    if (kept < 0)
        kept = 0;
    unsigned char *block = source->window, *rest = block + source->window_size - kept;
    if (length > source->window_capacity) {
        int64_t capacity = length > 2 * source->window_capacity ? length : 2 * source->window_capacity;
        sfgp_status status = sfgp_allocate(source->context, capacity, &block);
        if (status != SFGP_OK)
            return status;
        source->window_capacity = capacity;
    }
    memmove(block, rest, (size_t)kept);
    if (block != source->window)
        sfgp_free(source->window);
    source->window = block;
    source->window_start = source->offset;
    source->window_size = kept;
    return read_window(source);
}

sfgp_status sfgp_source_look(sfgp_source *source, int64_t length, const unsigned char **bytes, int64_t *got)
{
    sfgp_status status = fill(source, least(length, source->size - source->offset));
    int64_t start = source->offset - source->window_start;
    *bytes = source->window + least(start, source->window_size);
    *got = start < source->window_size ? source->window_size - start : 0;
    return status;
}

sfgp_status sfgp_source_skip(sfgp_source *source, int64_t length)
{
    source->text = false;
    source->mark = source->offset;
    if (length > source->size - source->offset)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected %lld more bytes, but the file has %lld",
                                (long long)length, (long long)(source->size - source->offset));
    source->offset += length;
    return SFGP_OK;
}

sfgp_status sfgp_source_take(sfgp_source *source, int64_t length, const unsigned char **bytes)
{
    sfgp_status status = sfgp_source_skip(source, length);
    if (status != SFGP_OK)
        return status;
    source->offset -= length;
    status = fill(source, length);
    *bytes = source->window + (source->offset - source->window_start);
    source->offset += length;
    return status;
}

sfgp_status sfgp_source_skip_bom(sfgp_source *source)
{
    const unsigned char *bytes;
    int64_t got;
    sfgp_status status = sfgp_source_look(source, 3, &bytes, &got);
    if (status == SFGP_OK && got >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        source->offset += 3;
    return status;
}

sfgp_status sfgp_source_fail(const sfgp_source *source, sfgp_status status, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sfgp_fail(source->context, status, "%s: %s %lld: %s", sfgp_path_shown(source->path),
                     source->text ? "line" : "byte", (long long)(source->text ? source->line : source->mark),
                     text);
}
