/* Locks by fcntl, which also work over NFS and are not inherited by a fork. */
#include "base/platform_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static sfgp_lock_state lock_part(int file, int64_t place, int64_t length, bool wait)
{
    struct flock part = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)place, .l_len = (off_t)length};
    int result;
    do
        result = fcntl(file, wait ? F_SETLKW : F_SETLK, &part);
    while (result != 0 && errno == EINTR);
    if (result == 0)
        return SFGP_LOCK_HELD;
    return errno == EAGAIN || errno == EACCES ? SFGP_LOCK_BUSY : SFGP_LOCK_NONE;
}

sfgp_lock_state sfgp_lock_byte(const char *path, int64_t place, bool wait, int *file)
{
    *file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    if (*file < 0)
        return SFGP_LOCK_NONE;
    const sfgp_lock_state state = lock_part(*file, place, 1, wait);
    if (state == SFGP_LOCK_HELD)
        return state;
    const int reason = errno;
    close(*file);
    *file = -1;
    errno = reason;
    return state;
}

sfgp_lock_state sfgp_lock_whole(int file)
{
    return lock_part(file, 0, 0, false);
}
