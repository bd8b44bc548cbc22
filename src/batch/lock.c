/* Locks of cases. */
#include "batch/lock.h"
#include "base/platform_file.h"
#include "base/platform_lock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A byte that belongs to no case: those of the cases are before it. */
#define NOBODY ((int64_t)1 << 62)

static int64_t find_place(const char *id)
{
    return (int64_t)(sfgp_checksum(SFGP_CHECKSUM_START, id, strlen(id)) >> 2);
}

/* *reason: errno of a failure. */
static batch_lock_state lock_place(const batch *b, int64_t place, bool wait, batch_lock *lock, int *reason)
{
    static const batch_lock_state STATES[] = {[SFGP_LOCK_HELD] = BATCH_LOCK_HELD,
                                              [SFGP_LOCK_BUSY] = BATCH_LOCK_BUSY,
                                              [SFGP_LOCK_NONE] = BATCH_LOCK_NONE};
    char *path = batch_in_case(b->folder, ".lock", "");
    errno = ENOMEM;
    lock->file = -1;
    const sfgp_lock_state state = path ? sfgp_lock_byte(path, place, wait, &lock->file) : SFGP_LOCK_NONE;
    *reason = errno;
    free(path);
    return STATES[state];
}

batch_lock_state batch_lock_case(const batch *b, const char *id, bool wait, batch_lock *lock)
{
    int reason;
    return lock_place(b, find_place(id), wait, lock, &reason);
}

void batch_lock_free(batch_lock *lock)
{
    sfgp_platform_close(lock->file);
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
