/* What the tests of charts and pages share: streams that fail on demand. For one source file of a program
 * only: it defines fopencookie. */
#ifndef SFGP_TEST_REPORT_H
#define SFGP_TEST_REPORT_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

/* Stands in front of libc's: the k-th stream into memory (base/platform_stream.h) from now is missing or full. */
static int stream_fails_at = -1;
static bool stream_is_full;

static ssize_t write_nothing(void *cookie, const char *bytes, size_t count)
{
    (void)cookie, (void)bytes, (void)count;
    return 0;
}

FILE *fopencookie(void *restrict cookie, const char *restrict mode, cookie_io_functions_t functions)
{
    FILE *(*next)(void *, const char *, cookie_io_functions_t) = NULL;
    if (stream_fails_at >= 0 && stream_fails_at-- == 0) {
        if (!stream_is_full)
            return NULL;
        functions.write = write_nothing;
    }
    *(void **)&next = dlsym(RTLD_NEXT, "fopencookie"); /* as POSIX shows it */
    return next(cookie, mode, functions);
}

#endif
