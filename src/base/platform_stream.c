/* A stream into memory, by fopencookie. */
#define _GNU_SOURCE /* fopencookie */
#include "base/platform_stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 256 };

typedef struct stream {
    char **text;
    size_t *size, room;
    bool failed;
} stream;

static bool make_room(stream *s, size_t more)
{
    size_t room = s->room;
    while (room - *s->size <= more) /* one is for the 0 */
        room *= 2;
    char *text = room > s->room ? realloc(*s->text, room) : *s->text;
    if (text) {
        *s->text = text;
        s->room = room;
    }
    return text != NULL;
}

static ssize_t write_some(void *cookie, const char *bytes, size_t count)
{
    stream *s = cookie;
    if (s->failed || !make_room(s, count)) {
        s->failed = true;
        return 0;
    }
    memcpy(*s->text + *s->size, bytes, count);
    *s->size += count;
    (*s->text)[*s->size] = 0;
    return (ssize_t)count;
}

static int end(void *cookie)
{
    stream *s = cookie;
    const bool failed = s->failed;
    if (failed) {
        free(*s->text);
        *s->text = NULL;
    }
    free(s);
    return failed ? -1 : 0;
}

FILE *sfgp_stream_into_memory(char **text, size_t *size)
{
    stream *s = malloc(sizeof *s);
    *size = 0;
    *text = s ? calloc(1, FIRST) : NULL;
    if (s)
        *s = (stream){text, size, FIRST, false};
    FILE *out =
        *text ? fopencookie(s, "w", (cookie_io_functions_t){.write = write_some, .close = end}) : NULL;
    if (out)
        return out;
    free(*text);
    *text = NULL;
    free(s);
    return NULL;
}
