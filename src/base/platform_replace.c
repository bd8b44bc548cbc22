/* Files that appear whole or not at all: written without a name, synced, named, renamed over the target where there is one, and
 * the folder synced. */
#define _GNU_SOURCE /* realpath, O_TMPFILE */
#include "base/platform_replace.h"
#include "base/platform.h"
#include "base/platform_file.h"
#include "base/platform_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NAMES = 100 };

/* It has no name while it is written, where the file system can do that: a process that ends meanwhile leaves nothing
 * behind. */
typedef struct draft {
    int descriptor;
    bool named, placed;            /* it has a name; that of the target */
    char path[SFGP_PLATFORM_PATH]; /* its name, once it has one */
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
        if (length >= SFGP_PLATFORM_PATH)
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

/* Gives it the name of the target where nothing stands there: a process that ends now leaves no other name behind. */
static void place(draft *d, const char *target)
{
    const int length = snprintf(d->path, sizeof d->path, "%s", target);
    d->named = d->placed = length < SFGP_PLATFORM_PATH && make_link(d) == 0;
}

static bool open_named(draft *d, const char *target)
{
    *d = (draft){.descriptor = -1};
    return (d->descriptor = link_free_name(d, target, make_file)) >= 0;
}

static bool open_unnamed(draft *d, const char *target)
{
    *d = (draft){.descriptor = -1};
#if SFGP_PLATFORM_UNNAMED_FILE
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
    char path[SFGP_PLATFORM_PATH];
    const int length = folder_length(target);
    snprintf(path, sizeof path, "%.*s", length > 0 ? length : 1, length > 0 ? target : ".");
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder < 0 || sfgp_platform_close_after(folder, sync_file(folder));
}

static bool fill(const draft *d, const struct stat *old, const void *bytes, size_t size)
{
    return keep_owner_and_mode(d->descriptor, old) && sfgp_platform_write_all(d->descriptor, bytes, size) &&
           sync_file(d->descriptor);
}

/* A whole file with a name, closed. Some systems give no name to a file that has none (linkat). */
static bool write_draft(draft *d, const char *target, const struct stat *old, const void *bytes, size_t size)
{
    if (!open_unnamed(d, target) && !open_named(d, target))
        return false;
    bool good = fill(d, old, bytes, size);
    if (good && !d->named && !old)
        place(d, target);
    if (good && !d->named && link_free_name(d, target, make_link) < 0) {
        close(d->descriptor);
        good = open_named(d, target) && fill(d, old, bytes, size);
    }
    return d->descriptor >= 0 && sfgp_platform_close_after(d->descriptor, good);
}

/* old: what stands at target, NULL for nothing. */
static bool replace(const char *target, const struct stat *old, const void *bytes, size_t size)
{
    draft d;
    if (old && !sfgp_platform_may_write(target) && errno != ENOENT)
        return false;
    if (write_draft(&d, target, old, bytes, size) && (d.placed || rename(d.path, target) == 0) &&
        sync_folder(target))
        return true;
    const int reason = errno;
    if (d.named)
        unlink(d.path);
    errno = reason;
    return false;
}

bool sfgp_platform_replace(const char *target, const void *bytes, size_t size)
{
    struct stat old;
    if (stat(target, &old) != 0)
        return errno == ENOENT && replace(target, NULL, bytes, size);
    char *resolved = realpath(target, NULL);
    if (!resolved)
        return errno == ENOENT && replace(target, NULL, bytes, size); /* it has gone since */
    const bool done = replace(resolved, &old, bytes, size);
    const int reason = errno;
    free(resolved);
    errno = reason;
    return done;
}
