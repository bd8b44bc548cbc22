/* Buffer: bytes that grow. A failed append sets status and turns every later one into nothing, so that a
 * writer checks once, at the end. Growth doubles: n appended bytes cost O(n). */
#ifndef SFGP_IO_BUFFER_H
#define SFGP_IO_BUFFER_H

#include "base/context.h"

typedef struct sfgp_buffer {
    sfgp_context *context;
    unsigned char *bytes; /* aligned to 64 bytes: may hold numbers of any type */
    int64_t size, capacity;
    sfgp_status status; /* SFGP_OK or SFGP_ERROR_MEMORY */
} sfgp_buffer;

/* An empty buffer; nothing is allocated yet. */
sfgp_buffer sfgp_buffer_empty(sfgp_context *context);
void sfgp_buffer_clear(sfgp_buffer *buffer);
/* Room for count x size more bytes. */
void sfgp_buffer_reserve(sfgp_buffer *buffer, int64_t count, int64_t size);

void sfgp_buffer_add(sfgp_buffer *buffer, const void *bytes, int64_t size);
/* Where the caller writes size more bytes, before it uses the buffer again; NULL after a failure. */
void *sfgp_buffer_extend(sfgp_buffer *buffer, int64_t size);
void sfgp_buffer_text(sfgp_buffer *buffer, const char *text);
/* At most 255 characters at once. */
void sfgp_buffer_print(sfgp_buffer *buffer, const char *format, ...) SFGP_PRINTF(2, 3);
/* The shortest text that reads back as the same double. */
void sfgp_buffer_number(sfgp_buffer *buffer, double value);

/* Gives the block away (sfgp_free) and leaves an empty buffer. */
void *sfgp_buffer_release(sfgp_buffer *buffer);
/* The bytes to path, packed where that ends in .gz, whole or not at all, unless status or the buffer's own says that something failed
 * before; clears the buffer. */
sfgp_status sfgp_buffer_save(sfgp_buffer *buffer, sfgp_status status, const char *path);

#endif
