/* Threads: how many of them a loop runs on.
 *
 * The number is one of the calling thread (base/parallel.h). A public function that takes settings or a number of
 * threads sets it when it begins and gives the caller's back before it returns. Nothing below the public
 * functions holds, passes or names a number of threads. Results do not depend on it (base/lanes.h). */
#ifndef SFGP_BASE_THREADS_H
#define SFGP_BASE_THREADS_H

#include <stdint.h>

/* The asked number of threads, clamped to 1 .. cores; 0: all cores that the process may use, or
 * OMP_NUM_THREADS or OMP_THREAD_LIMIT if that is fewer. */
int sfgp_threads_resolve(int64_t asked);
/* The same for work over so many rows: waking a thread costs more than the work of a few hundred rows. */
int sfgp_threads_for(int64_t asked, int64_t rows);

/* Loops of the calling thread run on sfgp_threads_for(asked, rows) threads from here on, with the floating-point environment of
 * a new program: to nearest, denormals, no traps. Returns what _end takes to give the caller's number back; it gives the
 * environment back, too, without the exceptions that were raised meanwhile. Pairs may be nested. */
int sfgp_threads_begin(int64_t asked, int64_t rows);
void sfgp_threads_end(int before);

/* A number of threads of the whole process, which the library must not leave changed: that of OpenBLAS. exchange sets it and
 * returns the one before. It is 1 while any thread is between _begin and its last _end, and then what it was. It is
 * named once; later calls do nothing. */
void sfgp_threads_hold(int (*exchange)(int threads));

/* Threads of the calling thread's next loop. */
int sfgp_threads_count(void);
/* Threads that may be in loops at the same time, if all callers had as many as this one. */
int sfgp_threads_at_most(void);

#endif
