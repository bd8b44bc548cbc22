/* Threads: how many of them a parallel region runs on.
 *
 * The number is OpenMP's own, that of the calling thread (nthreads-var). A public function that takes
 * settings or a number of threads sets it when it begins and gives the caller's back before it returns.
 * Nothing below the public functions holds, passes or names a number of threads. Results do not depend on it
 * (base/lanes.h). A region inside another one runs on one thread. Without OpenMP everything does. */
#ifndef SFGP_BASE_THREADS_H
#define SFGP_BASE_THREADS_H

#include <stdint.h>

/* The asked number of threads, clamped to 1 .. cores; 0: all cores, or OMP_NUM_THREADS if that is fewer. */
int sfgp_threads_resolve(int64_t asked);
/* The same for work over so many rows: waking a thread costs more than the work of a few hundred rows. */
int sfgp_threads_for(int64_t asked, int64_t rows);

/* Parallel regions of the calling thread run on sfgp_threads_for(asked, rows) threads from here on. Returns
 * what _end takes to give the caller's number back. Pairs may be nested. */
int sfgp_threads_begin(int64_t asked, int64_t rows);
void sfgp_threads_end(int before);

/* Threads of the calling thread's next parallel region. */
int sfgp_threads_count(void);

#endif
