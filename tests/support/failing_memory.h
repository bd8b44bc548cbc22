/* For the one source of a test program whose allocations fail, those of the C library and of other libraries among them: the program beside
 * the library has no allocator that a test could give it, nor has a child process. Sanitizers have their own malloc: nothing fails then. */
#ifndef SFGP_TESTS_FAILING_MEMORY_H
#define SFGP_TESTS_FAILING_MEMORY_H

#include "support/support.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* volatile: a compiler knows that malloc looks at nothing of ours. */
static volatile struct {
    bool on;
    long k, calls;
    size_t least; /* smaller blocks are no calls */
} failing_memory;

/* The k-th call of malloc, calloc or realloc from now on fails, k = 0, 1, ..., in this process and in each that it forks. */
static void failing_memory_start(long k)
{
    failing_memory.k = k;
    failing_memory.calls = 0;
    failing_memory.least = 0;
    failing_memory.on = true;
}

/* No call fails any more. Whether one has, in this process. */
static bool failing_memory_stop(void)
{
    failing_memory.on = false;
    return failing_memory.calls > failing_memory.k;
}

/* Nothing failed, or code 6 with words that name memory. */
static inline void failing_memory_assert_told(sfgp_status status, const char *words)
{
    if (status != SFGP_OK && (status != SFGP_ERROR_MEMORY || !strstr(words, "memory")))
        fail_msg("allocation %ld: %d, '%s'", failing_memory.k, (int)status, words);
}

#ifndef __SANITIZE_ADDRESS__

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);

static bool failing_memory_now(size_t bytes)
{
    const bool failed =
        failing_memory.on && bytes >= failing_memory.least && failing_memory.calls++ == failing_memory.k;
    if (failed)
        errno = ENOMEM;
    return failed;
}

void *malloc(size_t bytes)
{
    return failing_memory_now(bytes) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return failing_memory_now(count * bytes) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes)
{
    return failing_memory_now(bytes) ? NULL : __libc_realloc(block, bytes);
}

#endif

#endif
