/* Locks of cases: two runners of one folder share the work, and a case belongs to one process at a time. A lock is
 * a byte of DIR/.lock, found by the id of the case, so that runners with other manifests agree about it. The system
 * drops it when the process ends, in whatever way: no lock is ever stale. */
#ifndef SFGP_BATCH_LOCK_H
#define SFGP_BATCH_LOCK_H

#include "batch/batch.h"

typedef enum batch_lock_state {
    BATCH_LOCK_HELD,
    BATCH_LOCK_BUSY, /* another process has it */
    BATCH_LOCK_NONE  /* the file system has no locks: one runner at a time, then */
} batch_lock_state;

typedef struct batch_lock {
    int file; /* -1: nothing is held */
} batch_lock;

/* wait: until the other process lets it go. Free in any case. */
batch_lock_state batch_lock_case(const batch *b, const char *id, bool wait, batch_lock *lock);
void batch_lock_free(batch_lock *lock);
/* Whether the folder has locks; says so through b->warn where it has none. */
bool batch_lock_check(batch *b);

#endif
