/* Preloaded into the program: the k-th allocation after main has begun fails, or it and all after it. Those of forked children
 * are counted with those of the program, in the order of time: what fails once fails in one process.
 *   FAIL_AT=k      the k-th fails, k = 0, 1, ...; without it none does
 *   FAIL_ALWAYS=1  so do all that follow
 *   FAIL_BYTES=n   those of exactly so many bytes fail
 *   FAIL_COUNT=F   the number of allocations is written into the file F at the end
 *   FAIL_SITES, FAIL_LIST  sites.h */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sites.h"

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static bool begun, always;
static long at = -1, *made, size_that_fails; /* made: how many so far, shared with the children */
static pid_t first;

static bool fails(void)
{
    if (!__atomic_load_n(&begun, __ATOMIC_RELAXED))
        return false;
    const long k = __atomic_fetch_add(made, 1, __ATOMIC_RELAXED);
    list_site(0, "memory", k);
    const bool failed = at >= 0 && (k == at || (always && k > at));
    if (failed)
        errno = ENOMEM;
    return failed;
}

/* Or a page more, which OpenBLAS asks of malloc for a buffer that mmap has refused. */
static bool is_size_that_fails(size_t bytes)
{
    const size_t size = (size_t)size_that_fails;
    const bool failed =
        __atomic_load_n(&begun, __ATOMIC_RELAXED) && size > 0 && bytes >= size && bytes - size <= 4096;
    if (failed)
        errno = ENOMEM;
    return failed;
}

/* ---- the functions --------------------------------------------------------------------------------------------- */

void *malloc(size_t bytes)
{
    return fails() || is_size_that_fails(bytes) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(block, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    void *made_block = memalign(alignment, bytes);
    if (made_block)
        *block = made_block;
    return made_block ? 0 : ENOMEM;
}

void *mmap(void *where, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if ((flags & MAP_ANONYMOUS) && (fails() || is_size_that_fails(bytes)))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, where, bytes, protection, flags, file, offset);
}

/* What writes the counters of a coverage build is not part of the program: nothing fails from its first file on. */
int open(const char *path, int flags, ...)
{
    const size_t length = strlen(path);
    va_list list;
    va_start(list, flags);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (length > 5 && strcmp(path + length - 5, ".gcda") == 0)
        __atomic_store_n(&begun, false, __ATOMIC_RELAXED);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

/* ---- from the start of main ------------------------------------------------------------------------------------ */

static int (*program)(int, char **, char **);

/* At the end of main. A coverage build writes its counters after that. */
static void write_count(void)
{
    const char *path = getenv("FAIL_COUNT");
    const long count = *made;
    __atomic_store_n(&begun, false, __ATOMIC_RELAXED);
    FILE *file = path && getpid() == first ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", count);
        fclose(file);
    }
}

static int start(int argc, char **argv, char **environment)
{
    const char *k = getenv("FAIL_AT"), *bytes = getenv("FAIL_BYTES");
    at = k ? atol(k) : -1;
    size_that_fails = bytes ? atol(bytes) : 0;
    always = getenv("FAIL_ALWAYS") != NULL;
    first = getpid();
    made = (void *)syscall(SYS_mmap, NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                           -1, 0L);
    if (made == MAP_FAILED)
        abort();
    start_sites(1);
    atexit(write_count);
    __atomic_store_n(&begun, true, __ATOMIC_RELAXED);
    return program(argc, argv, environment);
}

typedef int start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                       void (*)(void), void *);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*finish)(void), void (*loader)(void), void *stack);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*finish)(void), void (*loader)(void), void *stack)
{
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    return (*(start_main **)&found)(start, argc, argv, init, finish, loader, stack);
}
