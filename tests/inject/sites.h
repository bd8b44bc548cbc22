/* The places of the program that a call comes through, so that each is tried once: a call of malloc in one of its functions, a
 * call of that function in another, and so on up to main. What the program and its children have seen is kept in a file, which the next command
 * goes on with.
 *   FAIL_SITES=F   the file: a byte for each byte of the program's code and each function that is injected
 *   FAIL_LIST=L    a line "NAME k" is appended to L for each call, the k-th of its function, that comes through a new place */
#ifndef SFGP_TESTS_INJECT_SITES_H
#define SFGP_TESTS_INJECT_SITES_H

#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

static struct {
    unsigned char *seen;
    uintptr_t base;
    size_t size;
    int list;
} sites;

static __thread struct {
    bool busy, is_new; /* busy: what unwinding itself allocates is not looked at */
    size_t first;      /* of the bytes of this function */
} walk;

/* The first object is the program. */
static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    sites.base = info->dlpi_addr;
    for (int k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_LOAD && (info->dlpi_phdr[k].p_flags & PF_X))
            sites.size = info->dlpi_phdr[k].p_vaddr + info->dlpi_phdr[k].p_memsz;
    return 1;
}

static void start_sites(int functions)
{
    const char *path = getenv("FAIL_SITES"), *list = getenv("FAIL_LIST");
    if (!path || !list)
        return;
    dl_iterate_phdr(find_program, NULL);
    const size_t bytes = sites.size * (size_t)functions;
    const int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    sites.list = (int)syscall(SYS_openat, AT_FDCWD, list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0 || sites.list < 0 || syscall(SYS_ftruncate, file, bytes) != 0)
        abort();
    void *seen = (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0L);
    sites.seen = seen == MAP_FAILED ? NULL : seen;
    syscall(SYS_close, file);
    unsetenv("FAIL_SITES"); /* other programs that it starts have other code */
}

static _Unwind_Reason_Code see(struct _Unwind_Context *frame, void *unused)
{
    (void)unused;
    const uintptr_t place = _Unwind_GetIP(frame) - sites.base;
    if (place < sites.size && !sites.seen[walk.first + place])
        sites.seen[walk.first + place] = 1, walk.is_new = true;
    return _URC_NO_REASON;
}

/* The k-th call of a function. */
static void list_site(int function, const char *name, long k)
{
    char line[64];
    if (!sites.seen || walk.busy)
        return;
    walk.busy = true;
    walk.is_new = false;
    walk.first = sites.size * (size_t)function;
    _Unwind_Backtrace(see, NULL);
    const int length = snprintf(line, sizeof line, "%s %ld\n", name, k);
    if (walk.is_new && syscall(SYS_write, sites.list, line, length) != length)
        abort();
    walk.busy = false;
}

#endif
