/* Bytes into what is open or cannot be replaced: streams, pipes, devices, and files that grow line by line. */
#include "base/platform_write.h"
#include "base/platform_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool sfgp_platform_write_all(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return true;
}

/* Linux has closed the descriptor when close is interrupted. */
bool sfgp_platform_close_after(int file, bool good)
{
    const int reason = errno;
    const bool closed = close(file) == 0 || errno == EINTR;
    if (!good)
        errno = reason;
    return good && closed;
}

/* Opening a pipe must not wait, writing into it may. */
static int open_to_write(const char *path, int flags)
{
    const int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags, 0666);
    if (file >= 0)
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file;
}

bool sfgp_platform_write_into(const char *path, const void *bytes, size_t size)
{
    const int file = open_to_write(path, 0);
    return file >= 0 && sfgp_platform_close_after(file, sfgp_platform_write_all(file, bytes, size));
}

bool sfgp_platform_write_output(const void *bytes, size_t size)
{
    return sfgp_platform_write_all(STDOUT_FILENO, bytes, size);
}

int sfgp_platform_open_append(const char *path)
{
    if (!sfgp_platform_may_write(path) && errno != ENOENT)
        return -1;
    return open_to_write(path, O_CREAT | O_APPEND);
}

/* One write, which other processes cannot come between. */
bool sfgp_platform_append_line(int file, const char *line, size_t size)
{
    ssize_t written;
    do
        written = write(file, line, size);
    while (written < 0 && errno == EINTR);
    return written == (ssize_t)size;
}

int sfgp_platform_open_journal(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

bool sfgp_platform_append_synced(int file, const char *bytes, size_t size)
{
    if (!sfgp_platform_write_all(file, bytes, size))
        return false;
    int result;
    do
        result = fdatasync(file);
    while (result != 0 && errno == EINTR);
    return result == 0 || errno == EINVAL;
}

bool sfgp_platform_cut(int file, int64_t size)
{
    return ftruncate(file, (off_t)size) == 0;
}
