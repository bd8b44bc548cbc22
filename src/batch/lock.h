/* Locks of cases: runners that share a folder do each case once. A lock is one byte of DIR/.lock. Its offset is a hash
 * of the id of the case, so that runners with different manifests use the same byte. The system releases the lock when
 * the process ends for any reason, so a lock is never stale. */
#ifndef SFGP_BATCH_LOCK_H
#define SFGP_BATCH_LOCK_H

#include "batch/batch.h"

typedef enum batch_lock_state {
    BATCH_LOCK_HELD,
    BATCH_LOCK_BUSY, /* another process has it */
    BATCH_LOCK_NONE  /* the file system has no locks: only one runner may work in the folder */
} batch_lock_state;

typedef struct batch_lock {
    int file; /* descriptor; -1: not locked */
} batch_lock;

/* wait: until the other process releases it. Free in any case. */
batch_lock_state batch_lock_case(const batch *b, const char *id, bool wait, batch_lock *lock);
void batch_lock_free(batch_lock *lock);
/* Whether the file system of the folder has locks. Warns through b->warn when it has none. */
bool batch_lock_check(batch *b);

#endif
