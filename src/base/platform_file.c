/* Files, by POSIX. */
#define _GNU_SOURCE /* flock, realpath */
#include "base/platform_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- paths ------------------------------------------------------------------------------------------- */

static sfgp_platform_kind kind_of(const struct stat *state)
{
    return S_ISREG(state->st_mode)   ? SFGP_PLATFORM_FILE
           : S_ISDIR(state->st_mode) ? SFGP_PLATFORM_FOLDER
                                     : SFGP_PLATFORM_OTHER;
}

sfgp_platform_kind sfgp_platform_kind_at(const char *path)
{
    struct stat state;
    return stat(path, &state) == 0 ? kind_of(&state) : SFGP_PLATFORM_NOTHING;
}

bool sfgp_platform_is_link(const char *path)
{
    struct stat state;
    return lstat(path, &state) == 0 && S_ISLNK(state.st_mode);
}

bool sfgp_platform_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool sfgp_platform_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

bool sfgp_platform_may_read(const char *path)
{
    return access(path, R_OK) == 0;
}

/* The system lets root write any file, but a file that its owner has protected is protected. */
bool sfgp_platform_may_write(const char *path)
{
    struct stat state;
    if (access(path, W_OK) != 0 || stat(path, &state) != 0)
        return false;
    if (!S_ISREG(state.st_mode) || state.st_mode & S_IWUSR)
        return true;
    return errno = EACCES, false;
}

bool sfgp_platform_may_make_in(const char *folder)
{
    return access(folder, W_OK | X_OK) == 0;
}

bool sfgp_platform_may_run(const char *path)
{
    return access(path, X_OK) == 0;
}

bool sfgp_platform_remove(const char *path)
{
    return unlink(path) == 0;
}

char *sfgp_platform_resolve(const char *path)
{
    return realpath(path, NULL);
}

bool sfgp_platform_stamp_of(const char *path, sfgp_platform_stamp *stamp)
{
    struct stat state;
    if (stat(path, &state) != 0)
        return false;
    *stamp = (sfgp_platform_stamp){state.st_size, state.st_mtim.tv_sec, state.st_mtim.tv_nsec};
    return true;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

int sfgp_platform_open(const char *path, sfgp_platform_kind *kind, int64_t *size)
{
    struct stat state;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0 || fstat(file, &state) != 0) {
        const int reason = errno;
        sfgp_platform_close(file);
        errno = reason;
        return -1;
    }
    *kind = kind_of(&state);
    *size = state.st_size;
    return file;
}

int64_t sfgp_platform_size_of(int file)
{
    struct stat state;
    return fstat(file, &state) == 0 ? state.st_size : -1;
}

int64_t sfgp_platform_read_at(int file, int64_t offset, void *bytes, int64_t length)
{
    int64_t done = 0;
    while (done < length) {
        const ssize_t got =
            pread(file, (char *)bytes + done, (size_t)(length - done), (off_t)(offset + done));
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return -1;
        done += got > 0 ? got : 0;
    }
    return done;
}

int64_t sfgp_platform_read_input(void *bytes, size_t length)
{
    ssize_t got;
    do
        got = read(STDIN_FILENO, bytes, length);
    while (got < 0 && errno == EINTR);
    return got;
}

FILE *sfgp_platform_stream(int file)
{
    return fdopen(file, "rb");
}

void sfgp_platform_close(int file)
{
    if (file >= 0)
        close(file);
}

bool sfgp_platform_is_locked(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool locked = file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0;
    sfgp_platform_close(file);
    return locked;
}
