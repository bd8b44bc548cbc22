/* Outputs that appear whole or not at all, also after a power cut: written without a name, synced, named, renamed over
 * the target, and the folder synced. */
#define _GNU_SOURCE /* realpath, O_TMPFILE */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

enum { LONGEST_SHOWN = 300, MOST_NAMES = 100 };

const char *sfgp_path_shown(const char *path)
{
    size_t length = strlen(path);
    return length > LONGEST_SHOWN ? path + length - LONGEST_SHOWN : path;
}

static sfgp_text cut_extension(sfgp_text name)
{
    int64_t dot = name.length;
    while (dot > 0 && name.start[dot - 1] != '.')
        dot--;
    return dot > 0 ? (sfgp_text){name.start + dot, name.length - dot} : (sfgp_text){"", 0};
}

static sfgp_text find_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return (sfgp_text){name, (int64_t)strlen(name)};
}

bool sfgp_path_is_packed(const char *path)
{
    return sfgp_text_is_nocase(cut_extension(find_name(path)), "gz");
}

bool sfgp_path_is_stream(const char *path)
{
    return path[0] == '-' && (path[1] == '\0' || path[1] == '.') && !strchr(path, '/');
}

bool sfgp_path_is_device(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

sfgp_text sfgp_path_extension(const char *path)
{
    sfgp_text name = find_name(path);
    name.length -= sfgp_path_is_packed(path) ? 3 : 0; /* .gz */
    return cut_extension(name);
}

bool sfgp_path_has_extension(const char *path, const char *extension)
{
    return sfgp_text_is_nocase(sfgp_path_extension(path), extension);
}

static sfgp_status fail_write(sfgp_context *context, const char *path, const char *reason)
{
    return sfgp_fail(context, SFGP_ERROR_WRITE, "%s: cannot write: %s", sfgp_path_shown(path), reason);
}

static bool write_all(int descriptor, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return true;
}

/* Linux has closed the descriptor when close is interrupted. errno is that of the first failure. */
static bool close_after(int descriptor, bool good)
{
    const int reason = errno;
    const bool closed = close(descriptor) == 0 || errno == EINTR;
    if (!good)
        errno = reason;
    return good && closed;
}

/* A pipe that nobody reads is an error, not a wait; one that somebody reads slowly is waited for. */
static sfgp_status write_into(sfgp_context *context, const char *path, const void *bytes, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return fail_write(context, path, strerror(errno));
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return close_after(descriptor, write_all(descriptor, bytes, size))
               ? SFGP_OK
               : fail_write(context, path, strerror(errno));
}

/* ---- a file beside its target ------------------------------------------------------------------------ */

/* It has no name while it is written, where the file system can do that: a process that ends meanwhile leaves nothing
 * behind. */
typedef struct draft {
    int descriptor;
    bool named;
    char path[PATH_MAX]; /* its name, once it has one */
} draft;

/* Bytes of the folder in a path, its slash among them. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

/* Calls make until it finds a name that is free; make returns -1 with EEXIST where one is not. */
static int link_free_name(draft *d, const char *target, int (*make)(const draft *d))
{
    static unsigned counter;
    int result = -1;
    errno = EEXIST;
    for (int k = 0; k < MOST_NAMES && result < 0 && errno == EEXIST; k++) {
        const unsigned number = __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED);
        const int length = snprintf(d->path, sizeof d->path, "%.*s.sfgp-%ld-%u.tmp", folder_length(target),
                                    target, (long)getpid(), number);
        if (length >= PATH_MAX)
            return errno = ENAMETOOLONG, -1;
        result = make(d);
    }
    d->named = result >= 0;
    return result;
}

/* mkstemp would not give it the permissions of the umask. */
static int make_file(const draft *d)
{
    return open(d->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static int make_link(const draft *d)
{
    char own[40];
    snprintf(own, sizeof own, "/proc/self/fd/%d", d->descriptor);
    return linkat(AT_FDCWD, own, AT_FDCWD, d->path, AT_SYMLINK_FOLLOW);
}

static bool open_named(draft *d, const char *target)
{
    *d = (draft){.descriptor = -1};
    return (d->descriptor = link_free_name(d, target, make_file)) >= 0;
}

static bool open_unnamed(draft *d, const char *target)
{
    *d = (draft){.descriptor = -1};
#ifdef O_TMPFILE
    const int length = folder_length(target);
    snprintf(d->path, sizeof d->path, "%.*s", length > 0 ? length : 1, length > 0 ? target : ".");
    d->descriptor = open(d->path, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#else
    (void)target;
#endif
    return d->descriptor >= 0;
}

/* Only root can give files away; for others the owner is already right. */
static bool keep_owner_and_mode(int descriptor, const struct stat *old)
{
    if (!old)
        return true;
    if (fchown(descriptor, old->st_uid, old->st_gid) != 0)
        errno = 0;
    return fchmod(descriptor, old->st_mode & 07777) == 0;
}

/* Where the file system or the device cannot promise that, nothing is promised. */
static bool sync_file(int descriptor)
{
    int result;
    do
        result = fsync(descriptor);
    while (result != 0 && errno == EINTR);
    return result == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

/* The new name is on disk when its folder is. A folder that cannot be read cannot be synced. */
static bool sync_folder(const char *target)
{
    char path[PATH_MAX];
    const int length = folder_length(target);
    snprintf(path, sizeof path, "%.*s", length > 0 ? length : 1, length > 0 ? target : ".");
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder < 0 || close_after(folder, sync_file(folder));
}

static bool fill(const draft *d, const struct stat *old, const void *bytes, size_t size)
{
    return keep_owner_and_mode(d->descriptor, old) && write_all(d->descriptor, bytes, size) &&
           sync_file(d->descriptor);
}

/* A whole file with a name, closed. Some systems give no name to a file that has none (linkat). */
static bool write_draft(draft *d, const char *target, const struct stat *old, const void *bytes, size_t size)
{
    if (!open_unnamed(d, target) && !open_named(d, target))
        return false;
    bool good = fill(d, old, bytes, size);
    if (good && !d->named && link_free_name(d, target, make_link) < 0) {
        close(d->descriptor);
        good = open_named(d, target) && fill(d, old, bytes, size);
    }
    return d->descriptor >= 0 && close_after(d->descriptor, good);
}

/* old: what stands at target, NULL for nothing. */
static sfgp_status replace(sfgp_context *context, const char *target, const struct stat *old,
                           const void *bytes, size_t size)
{
    draft d;
    if (old && access(target, W_OK) != 0 && errno != ENOENT)
        return fail_write(context, target, strerror(errno));
    if (write_draft(&d, target, old, bytes, size) && rename(d.path, target) == 0 && sync_folder(target))
        return SFGP_OK;
    sfgp_status status = fail_write(context, target, strerror(errno));
    if (d.named)
        unlink(d.path);
    return status;
}

static sfgp_status write_to_standard_output(sfgp_context *context, const void *bytes, size_t size)
{
    if (write_all(STDOUT_FILENO, bytes, size))
        return SFGP_OK;
    return fail_write(context, "standard output", strerror(errno));
}

sfgp_status sfgp_file_write(sfgp_context *context, const char *path, const void *bytes, size_t size)
{
    char target[PATH_MAX];
    struct stat old;
    if (!context || !path || (!bytes && size > 0))
        return SFGP_ERROR_PARAMETER;
    if (sfgp_path_is_stream(path))
        return write_to_standard_output(context, bytes, size);
    if (stat(path, &old) != 0) {
        if (errno != ENOENT)
            return fail_write(context, path, strerror(errno));
        if (lstat(path, &old) == 0 && S_ISLNK(old.st_mode)) /* not a file that has come since */
            return fail_write(context, path, "is a symbolic link to nothing");
        return replace(context, path, NULL, bytes, size);
    }
    if (S_ISDIR(old.st_mode))
        return fail_write(context, path, "is a folder");
    if (!S_ISREG(old.st_mode))
        return write_into(context, path, bytes, size);
    if (realpath(path, target))
        return replace(context, target, &old, bytes, size);
    return errno == ENOENT ? replace(context, path, NULL, bytes, size) /* it has gone since */
                           : fail_write(context, path, strerror(errno));
}
