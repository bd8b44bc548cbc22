/* What the tests of charts and pages share: streams that fail on demand, and a look at text. For one source
 * file of a program only: it defines open_memstream. */
#ifndef SFGP_TEST_REPORT_H
#define SFGP_TEST_REPORT_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Stands in front of libc's: the k-th stream from now is missing or (a disk is easier to fill than memory)
 * full. */
static int stream_fails_at = -1;
static bool stream_is_full;

FILE *open_memstream(char **text, size_t *size)
{
    FILE *(*next)(char **, size_t *) = NULL;
    if (stream_fails_at >= 0 && stream_fails_at-- == 0) {
        *text = NULL;
        return stream_is_full ? fopen("/dev/full", "w") : NULL;
    }
    *(void **)&next = dlsym(RTLD_NEXT, "open_memstream"); /* as POSIX shows it */
    return next(text, size);
}

static inline int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *c = text; (c = strstr(c, part)); c += strlen(part))
        count++;
    return count;
}

#endif
