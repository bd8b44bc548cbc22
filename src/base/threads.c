/* The number of threads: what is asked, and what the machine and the environment allow. */
#include "base/threads.h"
#include "base/parallel.h"
#include "base/platform_cores.h"
#include "base/platform_thread.h"

#include <fenv.h>
#include <stdbool.h>
#include <stdlib.h>

#define ROWS_PER_THREAD 500

/* At most what a variable says, where it says a number. A list of numbers is one for each level of nesting: the first
 * counts. */
static int64_t limit_by(const char *variable, int64_t threads)
{
    const char *text = getenv(variable);
    const int64_t most = text ? strtoll(text, NULL, 10) : 0;
    return most > 0 && most < threads ? most : threads;
}

int sfgp_threads_resolve(int64_t asked)
{
    const int64_t cores = sfgp_platform_cores();
    if (asked < 0)
        return 1;
    if (asked == 0)
        return (int)limit_by("OMP_THREAD_LIMIT", limit_by("OMP_NUM_THREADS", sfgp_platform_own_cores()));
    return (int)(asked > cores ? cores : asked);
}

int sfgp_threads_for(int64_t asked, int64_t rows)
{
    int threads = sfgp_threads_resolve(asked);
    return rows / ROWS_PER_THREAD + 1 < threads ? (int)(rows / ROWS_PER_THREAD) + 1 : threads;
}

int sfgp_threads_count(void)
{
    return sfgp_parallel_threads();
}

/* ---- a number of threads of the whole process ---------------------------------------------------------- */

static struct {
    sfgp_mutex lock;
    int (*exchange)(int threads); /* NULL: not yet known */
    int inside;                   /* calling threads between _begin and their last _end */
    bool held;                    /* the number is 1, and `before` is what it was */
    int before;
} process = {.lock = SFGP_MUTEX_START};

/* Under the lock: sets the number where it has to change. */
static void update(void)
{
    if (!process.exchange || process.held == (process.inside > 0))
        return;
    process.held = process.inside > 0;
    if (process.held)
        process.before = process.exchange(1);
    else
        process.exchange(process.before);
}

static void lock(void)
{
    sfgp_mutex_lock(&process.lock);
}

static void unlock(void)
{
    sfgp_mutex_unlock(&process.lock);
}

int sfgp_threads_at_most(void)
{
    lock();
    const int callers = process.inside;
    unlock();
    return (callers > 1 ? callers : 1) * sfgp_threads_count();
}

/* The child of a fork has the calling thread only. It gives the number back after its next call. */
static void unlock_in_child(void) /* GCOVR_EXCL_START: gcov forgets what runs inside of fork */
{
    process.inside = sfgp_parallel_is_begun() ? 1 : 0;
    unlock();
} /* GCOVR_EXCL_STOP */

static void watch_forks(void)
{
    sfgp_forks_watch(lock, unlock, unlock_in_child);
}

static void count_caller(int change)
{
    static sfgp_once once = SFGP_ONCE_START;
    sfgp_once_run(&once, watch_forks);
    lock();
    process.inside += change;
    update();
    unlock();
}

void sfgp_threads_hold(int (*exchange)(int threads))
{
    lock();
    if (!process.exchange) {
        process.exchange = exchange;
        update();
    }
    unlock();
}

/* ---- numbers as the C standard has them at the start of a program --------------------------------------- */

/* Of the calling thread, between its first _begin and its last _end. */
static _Thread_local fenv_t host_floats;

static void hold_floats(void)
{
    fegetenv(&host_floats);
    fesetenv(FE_DFL_ENV);
}

int sfgp_threads_begin(int64_t asked, int64_t rows)
{
    if (!sfgp_parallel_is_begun()) {
        count_caller(1);
        hold_floats();
    }
    return sfgp_parallel_begin(sfgp_threads_for(asked, rows));
}

void sfgp_threads_end(int before)
{
    sfgp_parallel_end(before);
    if (!sfgp_parallel_is_begun()) {
        fesetenv(&host_floats);
        count_caller(-1);
    }
}
