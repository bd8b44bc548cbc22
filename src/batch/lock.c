/* Locks of cases. */
#include "batch/lock.h"
#include "base/platform_file.h"

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
static sfgp_lock_state lock_place(const batch *b, int64_t place, bool wait, int *file, int *reason)
{
    char *path = batch_in_case(b->folder, ".lock", "");
    errno = ENOMEM;
    *file = -1;
    const sfgp_lock_state state = path ? sfgp_lock_byte(path, place, wait, file) : SFGP_LOCK_NONE;
    *reason = errno;
    free(path);
    return state;
}

sfgp_lock_state batch_lock_case(const batch *b, const char *id, bool wait, int *file)
{
    int reason;
    return lock_place(b, find_place(id), wait, file, &reason);
}

bool batch_lock_check(batch *b)
{
    int reason, file;
    const sfgp_lock_state state = lock_place(b, NOBODY, false, &file, &reason);
    char *message =
        state == SFGP_LOCK_NONE
            ? report_format("%s: no locks (%s): run one sfgp batch at a time in this folder, or a part "
                            "of the manifest each",
                            b->folder, strerror(reason))
            : NULL;
    if (message && b->warn)
        b->warn(b->user, message);
    free(message);
    sfgp_platform_close(file);
    return state != SFGP_LOCK_NONE;
}
