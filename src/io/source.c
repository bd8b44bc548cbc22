/* The window over a file: see source.h. */
#include "io/source.h"
#include "base/memory.h"
#include "io/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_WINDOW = 1 << 18 };

static sfgp_status open_gzip(sfgp_source *source)
{
    unsigned char magic[2];
    const int64_t length = source->input.size < 2 ? source->input.size : 2;
    sfgp_status status = sfgp_input_read(&source->input, 0, length, magic);
    source->size = source->input.size;
    if (status == SFGP_OK && sfgp_gzip_is(magic, length))
        status = sfgp_gzip_open(&source->input, &source->gzip, &source->size);
    return status;
}

sfgp_status sfgp_source_open(sfgp_context *context, const char *path, sfgp_source *source)
{
    *source = (sfgp_source){.context = context};
    sfgp_status status = sfgp_input_open(context, path, &source->input);
    source->path = source->input.path;
    if (status == SFGP_OK)
        status = open_gzip(source);
    if (status != SFGP_OK)
        return status;
    source->window_capacity = source->size < FIRST_WINDOW ? source->size : FIRST_WINDOW;
    return sfgp_allocate(context, source->window_capacity, &source->window);
}

void sfgp_source_close(sfgp_source *source)
{
    sfgp_free(source->window);
    sfgp_gzip_close(source->gzip);
    sfgp_input_close(&source->input);
    *source = (sfgp_source){.input.descriptor = -1};
}

sfgp_status sfgp_source_check_unchanged(sfgp_source *source)
{
    return sfgp_input_check_unchanged(&source->input);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static sfgp_status read_window(sfgp_source *source)
{
    const int64_t start = source->window_start + source->window_size;
    const int64_t wanted =
        least(source->window_capacity, source->size - source->window_start) - source->window_size;
    unsigned char *bytes = source->window + source->window_size;
    sfgp_status status = source->gzip ? sfgp_gzip_read(source->gzip, start, wanted, bytes)
                                      : sfgp_input_read(&source->input, start, wanted, bytes);
    if (status == SFGP_OK)
        source->window_size += wanted;
    return status;
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
    const int64_t start = source->offset - source->window_start;
    sfgp_status status = sfgp_source_skip(source, length);
    if (status == SFGP_OK && length <= source->window_size - start) { /* most of the time */
        *bytes = source->window + start;
        return SFGP_OK;
    }
    if (status != SFGP_OK)
        return status;
    source->offset -= length;
    status = fill(source, length);
    *bytes = source->window + (source->offset - source->window_start);
    source->offset += length;
    return status;
}

sfgp_status sfgp_source_take_rest(sfgp_source *source, sfgp_text *rest)
{
    const unsigned char *bytes = NULL;
    const int64_t length = source->size - source->offset;
    const sfgp_status status = sfgp_source_take(source, length, &bytes);
    *rest = status == SFGP_OK ? (sfgp_text){(const char *)bytes, length} : (sfgp_text){NULL, 0};
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
