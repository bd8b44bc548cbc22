/* Preloaded into the program: the k-th call of one system function fails, in the process that was started or in those that
 * it forks, which count together. Descriptor 2, where the error is told, is left alone.
 *   FAIL_CALL=NAME    one of CALLS
 *   FAIL_AT=k         the k-th, k = 0, 1, ...; without it none does
 *   FAIL_ALWAYS=1     and all that follow
 *   FAIL_ERROR=E      errno; 0: half of what was asked for is read or written
 *   FAIL_COUNT=F      the calls are counted in the file F: a line for each name
 *   FAIL_NO_SYNC=1    fsync and fdatasync do nothing, to measure what they cost
 *   FAIL_SITES, FAIL_LIST  sites.h */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sites.h"

/* clang-format off */
#define CALLS(X) \
    X(open) X(read) X(pread) X(write) X(close) X(fsync) X(fdatasync) X(rename) X(linkat) X(mkdir) X(fstat) \
    X(ftruncate) X(fork) X(pipe) X(socketpair) X(send) X(recv) X(mmap) X(opendir) X(lock) X(fchmod) \
    X(fchown) X(poll) X(waitpid)
/* clang-format on */

enum call {
#define ENUM(name) CALL_##name,
    CALLS(ENUM)
#undef ENUM
        CALL_COUNT
};

static const char *const NAMES[] = {
#define NAME(name) #name,
    CALLS(NAME)
#undef NAME
};

static long *made; /* of each call, shared with the processes that are forked */
static long at = -1;
static int chosen = -1, reason;
static bool always, no_sync;
static pid_t first;

__attribute__((constructor)) static void start(void)
{
    const char *name = getenv("FAIL_CALL"), *k = getenv("FAIL_AT"), *error = getenv("FAIL_ERROR");
    void *shared = (void *)syscall(SYS_mmap, NULL, CALL_COUNT * sizeof *made, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0L);
    for (int call = 0; name && call < CALL_COUNT; call++)
        chosen = strcmp(name, NAMES[call]) == 0 ? call : chosen;
    at = k ? atol(k) : -1;
    reason = error ? atoi(error) : EIO;
    always = getenv("FAIL_ALWAYS") != NULL;
    no_sync = getenv("FAIL_NO_SYNC") != NULL;
    first = getpid();
    unsetenv("LD_PRELOAD"); /* programs that it starts do not fail */
    made = shared == MAP_FAILED ? NULL : shared;
    start_sites(CALL_COUNT);
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path && made && getpid() == first ? fopen(path, "w") : NULL;
    for (int call = 0; file && call < CALL_COUNT; call++)
        fprintf(file, "%s %ld\n", NAMES[call], made[call]);
    if (file)
        fclose(file);
}

static bool is_hit(enum call call)
{
    if (!made)
        return false;
    const long k = __atomic_fetch_add(&made[call], 1, __ATOMIC_RELAXED);
    list_site(call, NAMES[call], k);
    return (int)call == chosen && at >= 0 && (k == at || (always && k > at));
}

/* Sets errno. A function that cannot be short (reason 0) does not fail. */
static bool fails(enum call call)
{
    const bool hit = is_hit(call) && reason != 0;
    if (hit)
        errno = reason;
    return hit;
}

/* Those that move bytes: -1, or the size that is allowed now. */
static ssize_t room_of(enum call call, size_t size)
{
    if (!is_hit(call))
        return (ssize_t)size;
    errno = reason;
    return reason ? -1 : (ssize_t)(size > 1 ? size / 2 : size);
}

/* The counters of a coverage build, which each process writes at its end: they are not part of the program. */
static bool is_counters(const char *path)
{
    const size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".gcda") == 0;
}

static bool holds_counters(int file)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return is_counters(path);
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return !is_counters(path) && fails(CALL_open) ? -1
                                                  : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

ssize_t read(int file, void *bytes, size_t size)
{
    const ssize_t room = room_of(CALL_read, size);
    return room < 0 ? -1 : syscall(SYS_read, file, bytes, room);
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset)
{
    const ssize_t room = room_of(CALL_pread, size);
    return room < 0 ? -1 : syscall(SYS_pread64, file, bytes, room, offset);
}

ssize_t pread64(int file, void *bytes, size_t size, off_t offset) __attribute__((alias("pread")));

ssize_t write(int file, const void *bytes, size_t size)
{
    const ssize_t room = file == STDERR_FILENO ? (ssize_t)size : room_of(CALL_write, size);
    return room < 0 ? -1 : syscall(SYS_write, file, bytes, room);
}

/* Linux closes a descriptor also when it says that it could not. */
int close(int file)
{
    const bool failed = fails(CALL_close);
    const int result = (int)syscall(SYS_close, file);
    if (failed)
        errno = reason;
    return failed ? -1 : result;
}

static int sync_by(enum call call, long number, int file)
{
    if (no_sync)
        return 0;
    return fails(call) ? -1 : (int)syscall(number, file);
}

int fstat(int file, struct stat *found)
{
    return fails(CALL_fstat) ? -1 : (int)syscall(SYS_fstat, file, found);
}

int fsync(int file)
{
    return sync_by(CALL_fsync, SYS_fsync, file);
}

int fdatasync(int file)
{
    return sync_by(CALL_fdatasync, SYS_fdatasync, file);
}

int ftruncate(int file, off_t size)
{
    return fails(CALL_ftruncate) ? -1 : (int)syscall(SYS_ftruncate, file, size);
}

int ftruncate64(int file, off_t size) __attribute__((alias("ftruncate")));

int fchmod(int file, mode_t mode)
{
    return fails(CALL_fchmod) ? -1 : (int)syscall(SYS_fchmod, file, mode);
}

int fchown(int file, uid_t owner, gid_t group)
{
    return fails(CALL_fchown) ? -1 : (int)syscall(SYS_fchown, file, owner, group);
}

void *mmap(void *where, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if (!(flags & MAP_ANONYMOUS) && fails(CALL_mmap))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, where, bytes, protection, flags, file, offset);
}

/* Of fcntl only locks fail. */
int fcntl(int file, int command, ...)
{
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    if ((command == F_SETLK || command == F_SETLKW) && !holds_counters(file) && fails(CALL_lock))
        return -1;
    return (int)syscall(SYS_fcntl, file, command, argument);
}

int fcntl64(int file, int command, ...) __attribute__((alias("fcntl")));

/* ---- folders --------------------------------------------------------------------------------------------------- */

int rename(const char *from, const char *to)
{
    return fails(CALL_rename) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
    return fails(CALL_linkat) ? -1 : (int)syscall(SYS_linkat, from, old, to, new, flags);
}

int mkdir(const char *path, mode_t mode)
{
    return fails(CALL_mkdir) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

DIR *opendir(const char *path)
{
    void *found = dlsym(RTLD_NEXT, "opendir");
    return fails(CALL_opendir) ? NULL : (*(DIR * (**)(const char *)) & found)(path);
}

/* ---- processes ------------------------------------------------------------------------------------------------- */

pid_t fork(void)
{
    void *found = dlsym(RTLD_NEXT, "fork");
    return fails(CALL_fork) ? -1 : (*(pid_t(**)(void)) & found)();
}

pid_t waitpid(pid_t process, int *state, int options)
{
    return fails(CALL_waitpid) ? -1 : (pid_t)syscall(SYS_wait4, process, state, options, NULL);
}

int poll(struct pollfd *files, nfds_t count, int milliseconds)
{
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    return fails(CALL_poll)
               ? -1
               : (int)syscall(SYS_ppoll, files, count, milliseconds < 0 ? NULL : &limit, NULL, 0);
}

int pipe(int ends[2])
{
    return fails(CALL_pipe) ? -1 : (int)syscall(SYS_pipe2, ends, 0);
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
    return fails(CALL_socketpair) ? -1 : (int)syscall(SYS_socketpair, domain, type, protocol, ends);
}

ssize_t send(int socket, const void *bytes, size_t size, int flags)
{
    const ssize_t room = room_of(CALL_send, size);
    return room < 0 ? -1 : syscall(SYS_sendto, socket, bytes, room, flags, NULL, 0);
}

ssize_t recv(int socket, void *bytes, size_t size, int flags)
{
    const ssize_t room = room_of(CALL_recv, size);
    return room < 0 ? -1 : syscall(SYS_recvfrom, socket, bytes, room, flags, NULL, NULL);
}
