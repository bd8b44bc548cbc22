/* Locks of cases: runners that share a folder do each case once. A lock is one byte of DIR/.lock. Its offset is a hash
 * of the id of the case, so that runners with different manifests use the same byte. The system releases the lock when
 * the process ends for any reason, so a lock is never stale. */
#ifndef SFGP_BATCH_LOCK_H
#define SFGP_BATCH_LOCK_H

#include "base/platform_lock.h"
#include "batch/parts.h"

/* SFGP_LOCK_NONE: the file system has no locks, and only one runner may work in the folder. wait: until the other process
 * releases it. *file: sfgp_platform_close releases the lock. */
sfgp_lock_state batch_lock_case(const batch *b, const char *id, bool wait, int *file);
/* Whether the file system of the folder has locks. Warns through b->warn when it has none. */
bool batch_lock_check(batch *b);

#endif
