/* Texts of a batch: files, paths, words. */
#include "batch/batch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Grows with what is read, so that a pipe or a folder is no trap. */
static char *read_stream(FILE *in, size_t *size)
{
    size_t room = 4096, got = 0;
    char *text = malloc(room), *more;
    for (size_t part = 1; text && part > 0; got += part) {
        if (room - got < 2) {
            more = realloc(text, room *= 2);
            if (!more)
                return free(text), NULL;
            text = more;
        }
        part = fread(text + got, 1, room - got - 1, in);
    }
    if (!text || ferror(in))
        return free(text), NULL;
    text[got] = '\0';
    *size = got;
    return text;
}

char *batch_read(const char *path, size_t *size)
{
    size_t length = 0;
    FILE *in = fopen(path, "rb");
    char *text = in ? read_stream(in, &length) : NULL;
    const int reason = errno;
    if (in)
        fclose(in);
    if (size)
        *size = length;
    errno = reason;
    return text;
}

char *batch_beside(const batch *b, const char *path)
{
    const char *slash = strrchr(b->path, '/');
    if (path[0] == '/' || !slash)
        return strdup(path);
    return report_format("%.*s/%s", (int)(slash - b->path), b->path, path);
}

char *batch_in_case(const char *folder, const char *id, const char *name)
{
    return report_format("%s/%s%s%s", folder, id, name[0] ? "/" : "", name);
}

const char *batch_status_text(batch_status status)
{
    static const char *const TEXTS[] = {
#define BATCH_STATUS_WORDS(name, text) text,
        BATCH_STATUS_TABLE(BATCH_STATUS_WORDS)
#undef BATCH_STATUS_WORDS
    };
    return TEXTS[status];
}
