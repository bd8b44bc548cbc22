/* Locks of cases by fcntl, which also work over NFS and are not inherited by a fork. */
#include "batch/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A byte that belongs to no case: those of the cases are before it. */
#define NOBODY ((off_t)1 << 62)

static off_t find_place(const char *id)
{
    return (off_t)(sfgp_checksum(SFGP_CHECKSUM_START, id, strlen(id)) >> 2);
}

/* Returns errno, or 0. */
static int lock_byte(int file, off_t place, bool wait)
{
    struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
    int result = -1;
    do
        result = fcntl(file, wait ? F_SETLKW : F_SETLK, &byte);
    while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno;
}

/* *reason: errno of a failure. */
static batch_lock_state lock_place(const batch *b, off_t place, bool wait, batch_lock *lock, int *reason)
{
    char *path = batch_in_case(b->folder, ".lock", "");
    lock->file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666) : -1;
    const bool there = lock->file >= 0;
    *reason = there ? lock_byte(lock->file, place, wait) : errno;
    free(path);
    if (*reason == 0)
        return BATCH_LOCK_HELD;
    batch_lock_free(lock);
    return there && (*reason == EAGAIN || *reason == EACCES) ? BATCH_LOCK_BUSY : BATCH_LOCK_NONE;
}

batch_lock_state batch_lock_case(const batch *b, const char *id, bool wait, batch_lock *lock)
{
    int reason;
    return lock_place(b, find_place(id), wait, lock, &reason);
}

void batch_lock_free(batch_lock *lock)
{
    if (lock->file >= 0)
        close(lock->file);
    lock->file = -1;
}

bool batch_lock_check(batch *b)
{
    int reason;
    batch_lock lock;
    const batch_lock_state state = lock_place(b, NOBODY, false, &lock, &reason);
    char *message =
        state == BATCH_LOCK_NONE
            ? report_format("%s: no locks (%s): run one sfgp batch at a time in this folder, or a part "
                            "of the manifest each",
                            b->folder, strerror(reason))
            : NULL;
    if (message && b->warn)
        b->warn(b->user, message);
    free(message);
    batch_lock_free(&lock);
    return state != BATCH_LOCK_NONE;
}
