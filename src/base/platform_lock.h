/* Locks that the system releases when the process ends for any reason. The child of a fork does not have them. */
#ifndef SFGP_BASE_PLATFORM_LOCK_H
#define SFGP_BASE_PLATFORM_LOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef enum sfgp_lock_state {
    SFGP_LOCK_HELD,
    SFGP_LOCK_BUSY, /* another process has it */
    SFGP_LOCK_NONE  /* no such lock: errno says why */
} sfgp_lock_state;

/* Locks one byte of a file, which is made if it is not there; 0 <= place <= 2^62. wait: until the other process releases
 * it. *file is then open, else -1: closing it releases the lock. */
sfgp_lock_state sfgp_lock_byte(const char *path, int64_t place, bool wait, int *file);
/* Locks a whole file that is open. */
sfgp_lock_state sfgp_lock_whole(int file);

#endif
