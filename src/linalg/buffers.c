/* A thread takes buffers from the pool of OpenBLAS until all threads have one, and gives them back. The caller watches it:
 * when it has made no progress for a while, and there is no room for a buffer, memory has ended. */
#include "linalg/buffers.h"
#include "base/platform_clock.h"
#include "base/platform_memory.h"
#include "base/platform_thread.h"

#include <cblas.h>
#include <stdatomic.h>
#include <stdbool.h>

#define MOST 64 /* OpenBLAS may be built for 128 buffers and ends the process at the next */
#define BUFFER ((size_t)128 << 20) /* of OpenBLAS on 64-bit processors */
#define MARGIN ((size_t)32 << 20)  /* for the stack of the thread, and what is mapped meanwhile */
#define SHORTEST_LOOK 2e-5         /* seconds; a buffer takes 20 to 60 microseconds */
#define LONGEST_LOOK 0.01          /* seconds */
#define GIVE_UP 20                 /* looks in a row without progress and without room */

/* Of OpenBLAS, which exports them without a declaration: a buffer of the pool, and back into it. */
void *blas_memory_alloc(int position) __attribute__((weak));
void blas_memory_free(void *buffer) __attribute__((weak));

static struct {
    sfgp_mutex lock; /* one caller at a time */
    sfgp_thread thread;
    bool running;      /* the thread is there */
    int mapped;        /* buffers that OpenBLAS has */
    int wanted;        /* by the thread */
    atomic_int taken;  /* by the thread so far */
    atomic_bool ended; /* the thread has given them back */
} pool = {.lock = SFGP_MUTEX_START};

/* ---- in the thread ---------------------------------------------------------------------------------------- */

/* Where OpenBLAS does not show its pool: a product maps one buffer. */
static void multiply(void) /* GCOVR_EXCL_START: an OpenBLAS that hides these functions, or another BLAS */
{
    enum { SIZE = 64 };
    static double a[3 * SIZE * SIZE];
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, SIZE, SIZE, SIZE, 1.0, a, SIZE, a + SIZE * SIZE,
                SIZE, 0.0, a + 2 * SIZE * SIZE, SIZE);
} /* GCOVR_EXCL_STOP */

static void take_and_give_back(void)
{
    const int wanted = pool.wanted;
    void *buffers[MOST];
    for (int k = 0; k < wanted; k++) {
        buffers[k] = blas_memory_alloc(0);
        atomic_store(&pool.taken, k + 1);
    }
    for (int k = 0; k < wanted; k++)
        blas_memory_free(buffers[k]);
}

static void *map_buffers(void *unused)
{
    (void)unused;
    if (blas_memory_alloc && blas_memory_free) /* GCOVR_EXCL_BR_LINE: see multiply */
        take_and_give_back();
    else
        multiply(); /* GCOVR_EXCL_LINE: see there */
    atomic_store(&pool.ended, true);
    return NULL;
}

/* ---- in the caller, under the lock ------------------------------------------------------------------------- */

static bool is_room_for(int buffers)
{
    return sfgp_platform_has_room(sizeof(void *) < 8 ? BUFFER : (size_t)buffers * BUFFER + MARGIN);
}

static bool start(int wanted)
{
    pool.wanted = wanted;
    atomic_store(&pool.taken, 0);
    atomic_store(&pool.ended, false);
    pool.running = sfgp_thread_start(map_buffers, NULL, &pool.thread);
    return pool.running;
}

/* Whether the thread has ended. */
static bool watch(void)
{
    double look = SHORTEST_LOOK;
    int taken = -1;
    for (int idle = 0; !atomic_load(&pool.ended) && idle < GIVE_UP;) {
        const int now = atomic_load(&pool.taken);
        sfgp_platform_sleep(look);
        look = look < LONGEST_LOOK ? 2 * look : LONGEST_LOOK;
        idle = now == taken && !sfgp_platform_has_room(BUFFER) ? idle + 1 : 0;
        taken = now;
    }
    return atomic_load(&pool.ended);
}

static bool map(int threads)
{
    if (!pool.running && (!is_room_for(threads - pool.mapped) || !start(threads)))
        return false;
    if (!watch())
        return false;
    sfgp_thread_join(pool.thread);
    pool.running = false;
    pool.mapped = pool.wanted;
    return true;
}

/* ---- public ------------------------------------------------------------------------------------------------ */

static void lock(void)
{
    sfgp_mutex_lock(&pool.lock);
}

static void unlock(void)
{
    sfgp_mutex_unlock(&pool.lock);
}

/* The child of a fork has the buffers, but not the thread. */
static void unlock_in_child(void) /* GCOVR_EXCL_START: gcov forgets what runs inside of fork */
{
    pool.running = false;
    unlock();
} /* GCOVR_EXCL_STOP */

static void watch_forks(void)
{
    sfgp_forks_watch(lock, unlock, unlock_in_child);
}

sfgp_status sfgp_buffers_map(sfgp_context *context, int threads)
{
    static sfgp_once once = SFGP_ONCE_START;
    const int wanted = threads < 1 ? 1 : threads < MOST ? threads : MOST;
    bool good = true;
    sfgp_once_run(&once, watch_forks);
    lock();
    while (good && pool.mapped < wanted)
        good = map(wanted);
    unlock();
    if (good)
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_MEMORY,
                     "out of memory: OpenBLAS needs %d x 128 MiB of address space, one for each thread",
                     wanted);
}
