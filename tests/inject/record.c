/* Preloaded into the program: appends what it and its children do to files and folders to the file $RECORD, a line each, in
 * order. Files and folders are named by the number that stat gives (INODE); NAME is the last part of a path.
 *   create INODE             a file that holds nothing, without a name
 *   name INODE FOLDER NAME   it, or a new folder, gets a name
 *   rename FOLDER NAME FOLDER NAME, remove FOLDER NAME
 *   write INODE BYTES, cut INODE BYTES, sync INODE
 * RECORD_NO_SYNC=1: syncs are done, but not recorded, to see that this is found. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int record = -1;

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("RECORD");
    record =
        path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char line[4096];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (record >= 0 && syscall(SYS_write, record, line, (size_t)length) != length)
        abort();
}

/* ---- names ----------------------------------------------------------------------------------------------------- */

typedef struct place {
    unsigned long folder;
    const char *name;
} place;

static place place_of(const char *path)
{
    char folder[4096] = ".";
    struct stat state = {0};
    const char *slash = strrchr(path, '/');
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
    stat(folder, &state);
    return (place){state.st_ino, slash ? slash + 1 : path};
}

static unsigned long number_at(const char *path)
{
    struct stat state = {0};
    stat(path, &state);
    return state.st_ino;
}

static bool is_file(int file, unsigned long *number)
{
    struct stat state = {0};
    fstat(file, &state);
    *number = state.st_ino;
    return S_ISREG(state.st_mode);
}

static void say_name(unsigned long number, const char *path)
{
    const place to = place_of(path);
    say("name %lu %lu %s\n", number, to.folder, to.name);
}

/* ---- the functions --------------------------------------------------------------------------------------------- */

int open(const char *path, int flags, ...)
{
    va_list list;
    unsigned long number;
    va_start(list, flags);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    const bool unnamed = (flags & O_TMPFILE) == O_TMPFILE,
               made = (flags & O_CREAT) && access(path, F_OK) != 0;
    const int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (file >= 0 && (unnamed || made) && is_file(file, &number)) {
        say("create %lu\n", number);
        if (made)
            say_name(number, path);
    }
    return file;
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

ssize_t write(int file, const void *bytes, size_t size)
{
    unsigned long number;
    const ssize_t written = syscall(SYS_write, file, bytes, size);
    if (written > 0 && is_file(file, &number))
        say("write %lu %zd\n", number, written);
    return written;
}

int ftruncate(int file, off_t size)
{
    unsigned long number;
    const int result = (int)syscall(SYS_ftruncate, file, size);
    if (result == 0 && is_file(file, &number))
        say("cut %lu %lld\n", number, (long long)size);
    return result;
}

static int sync_by(long call, int file)
{
    unsigned long number;
    const int result = (int)syscall(call, file);
    (void)is_file(file, &number);
    if (result == 0 && !getenv("RECORD_NO_SYNC"))
        say("sync %lu\n", number);
    return result;
}

int fsync(int file)
{
    return sync_by(SYS_fsync, file);
}

int fdatasync(int file)
{
    return sync_by(SYS_fdatasync, file);
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
    const int result = (int)syscall(SYS_linkat, from, old, to, new, flags);
    if (result == 0)
        say_name(number_at(new), new);
    return result;
}

int mkdir(const char *path, mode_t mode)
{
    const int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (result == 0)
        say_name(number_at(path), path);
    return result;
}

int rename(const char *from, const char *to)
{
    const place before = place_of(from), after = place_of(to);
    const int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (result == 0)
        say("rename %lu %s %lu %s\n", before.folder, before.name, after.folder, after.name);
    return result;
}

int unlink(const char *path)
{
    const place gone = place_of(path);
    const int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (result == 0)
        say("remove %lu %s\n", gone.folder, gone.name);
    return result;
}
