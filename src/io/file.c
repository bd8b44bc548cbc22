#define _XOPEN_SOURCE 700 /* realpath */
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

sfgp_text sfgp_path_extension(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const int64_t length = (int64_t)strlen(name);
    const sfgp_text extension = cut_extension((sfgp_text){name, length});
    return sfgp_text_is_nocase(extension, "gz") ? cut_extension((sfgp_text){name, length - 3}) : extension;
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
static bool write_and_close(int descriptor, const void *bytes, size_t size)
{
    bool written = write_all(descriptor, bytes, size);
    int reason = errno;
    bool closed = close(descriptor) == 0 || errno == EINTR;
    if (!written)
        errno = reason;
    return written && closed;
}

/* A pipe that nobody reads is an error, not a wait; one that somebody reads slowly is waited for. */
static sfgp_status write_into(sfgp_context *context, const char *path, const void *bytes, size_t size)
{
    int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return fail_write(context, path, strerror(errno));
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return write_and_close(descriptor, bytes, size) ? SFGP_OK : fail_write(context, path, strerror(errno));
}

/* A new file in the folder of target; mkstemp would not give it the permissions of the umask. */
static int open_temporary(const char *target, char temporary[PATH_MAX])
{
    static unsigned counter;
    const char *slash = strrchr(target, '/');
    int folder = slash ? (int)(slash - target) + 1 : 0, descriptor = -1;
    for (int k = 0; k < MOST_NAMES && descriptor < 0; k++) {
        unsigned number = __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED);
        int length =
            snprintf(temporary, PATH_MAX, "%.*s.sfgp-%ld-%u.tmp", folder, target, (long)getpid(), number);
        if (length >= PATH_MAX)
            return errno = ENAMETOOLONG, -1;
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
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

/* old: what stands at target, NULL for nothing. */
static sfgp_status replace(sfgp_context *context, const char *target, const struct stat *old,
                           const void *bytes, size_t size)
{
    char temporary[PATH_MAX];
    if (old && access(target, W_OK) != 0)
        return fail_write(context, target, strerror(errno));
    int descriptor = open_temporary(target, temporary);
    if (descriptor < 0)
        return fail_write(context, target, strerror(errno));
    bool kept = keep_owner_and_mode(descriptor, old);
    bool written = write_and_close(descriptor, bytes, size);
    if (kept && written && rename(temporary, target) == 0)
        return SFGP_OK;
    sfgp_status status = fail_write(context, target, strerror(errno));
    unlink(temporary);
    return status;
}

sfgp_status sfgp_file_write(sfgp_context *context, const char *path, const void *bytes, size_t size)
{
    char target[PATH_MAX];
    struct stat old;
    if (!context || !path || (!bytes && size > 0))
        return SFGP_ERROR_PARAMETER;
    if (stat(path, &old) != 0) {
        if (errno != ENOENT)
            return fail_write(context, path, strerror(errno));
        if (lstat(path, &old) == 0)
            return fail_write(context, path, "is a symbolic link to nothing");
        return replace(context, path, NULL, bytes, size);
    }
    if (S_ISDIR(old.st_mode))
        return fail_write(context, path, "is a folder");
    if (!S_ISREG(old.st_mode))
        return write_into(context, path, bytes, size);
    if (!realpath(path, target))
        return fail_write(context, path, strerror(errno));
    return replace(context, target, &old, bytes, size);
}
