/* Bytes that grow: see buffer.h. */
#include "io/buffer.h"
#include "base/memory.h"
#include "io/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

sfgp_buffer sfgp_buffer_empty(sfgp_context *context)
{
    return (sfgp_buffer){.context = context, .status = SFGP_OK};
}

void sfgp_buffer_clear(sfgp_buffer *buffer)
{
    sfgp_free(buffer->bytes);
    *buffer = sfgp_buffer_empty(buffer->context);
}

static void grow(sfgp_buffer *buffer, int64_t capacity)
{
    unsigned char *bytes = NULL;
    buffer->status = sfgp_allocate_raw(buffer->context, capacity, 1, (void **)&bytes);
    if (buffer->status != SFGP_OK)
        return;
    if (buffer->size > 0)
        memcpy(bytes, buffer->bytes, (size_t)buffer->size);
    sfgp_free(buffer->bytes);
    buffer->bytes = bytes;
    buffer->capacity = capacity;
}

void sfgp_buffer_reserve(sfgp_buffer *buffer, int64_t count, int64_t size)
{
    int64_t more = 0, needed = 0;
    if (buffer->status != SFGP_OK)
        return;
    if (!sfgp_product(count, size, &more) || __builtin_add_overflow(buffer->size, more, &needed))
        buffer->status = sfgp_fail(buffer->context, SFGP_ERROR_MEMORY, "out of memory: %lld x %lld bytes",
                                   (long long)count, (long long)size);
    else if (needed > buffer->capacity)
        grow(buffer, needed);
}

void *sfgp_buffer_extend(sfgp_buffer *buffer, int64_t size)
{
    if (buffer->status == SFGP_OK && size > buffer->capacity - buffer->size)
        sfgp_buffer_reserve(buffer, size > buffer->capacity ? size + 256 : buffer->capacity, 1);
    if (buffer->status != SFGP_OK)
        return NULL;
    buffer->size += size;
    return buffer->bytes + buffer->size - size;
}

void sfgp_buffer_add(sfgp_buffer *buffer, const void *bytes, int64_t size)
{
    void *room = size > 0 ? sfgp_buffer_extend(buffer, size) : NULL;
    if (room)
        memcpy(room, bytes, (size_t)size);
}

void sfgp_buffer_text(sfgp_buffer *buffer, const char *text)
{
    sfgp_buffer_add(buffer, text, (int64_t)strlen(text));
}

void sfgp_buffer_print(sfgp_buffer *buffer, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sfgp_buffer_text(buffer, text);
}

void sfgp_buffer_number(sfgp_buffer *buffer, double value)
{
    char text[SFGP_NUMBER_SIZE];
    sfgp_buffer_text(buffer, sfgp_number_format(value, text));
}

void *sfgp_buffer_release(sfgp_buffer *buffer)
{
    void *bytes = buffer->bytes;
    *buffer = sfgp_buffer_empty(buffer->context);
    return bytes;
}

sfgp_status sfgp_buffer_save(sfgp_buffer *buffer, sfgp_status status, const char *path)
{
    if (status == SFGP_OK)
        status = buffer->status;
    if (status == SFGP_OK)
        status = sfgp_file_write(buffer->context, path, buffer->bytes, (size_t)buffer->size);
    sfgp_buffer_clear(buffer);
    return status;
}
