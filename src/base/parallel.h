/* Loops on several threads (docs/adr/0024-own-threads.md).
 *
 * The ranges of a loop are handed out one after the other. The calling thread runs the first range, and goes on
 * until none is left. Helper threads join in when the system runs them. A helper that comes too late finds
 * nothing to do: no loop waits for a thread that has not begun. The order of the ranges, and who runs them, are
 * not defined: a body writes to places of its own (sums: base/lanes.h).
 *
 * Each calling thread has its own number of threads and its own helpers. Between _begin and the last _end its
 * loops run on that number, and the last _end ends the helpers. Elsewhere, and inside the body of another loop,
 * a loop runs on the calling thread alone. So it does where the system refuses a thread, and after a fork
 * between _begin and _end in the child. */
#ifndef SFGP_BASE_PARALLEL_H
#define SFGP_BASE_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

/* Indices first .. end - 1 of a loop. */
typedef void sfgp_parallel_body(const void *data, int64_t first, int64_t end);

/* Runs the body over 0 .. count - 1, in ranges of at least `grain` indices: work worth handing out, some
 * microseconds. The range that starts at 0 runs in the calling thread. */
void sfgp_parallel_for(int64_t count, int64_t grain, sfgp_parallel_body *body, const void *data);

/* Loops of the calling thread run on so many threads from here on. Returns what _end takes. */
int sfgp_parallel_begin(int threads);
void sfgp_parallel_end(int before);
/* Whether the calling thread is between the two. */
bool sfgp_parallel_is_begun(void);

/* Threads of the calling thread's next loop. */
int sfgp_parallel_threads(void);

#endif
