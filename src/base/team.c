/* Helper threads: a loop is opened with a number of places, a helper that finds a place joins, and the caller closes the
 * loop when no range is left. One atomic word holds the free places and the helpers inside, so that nobody can
 * join a loop that is closed. Waiting is a short spin, then sleep. */
#include "base/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define SPINS 500 /* some microseconds: a longer wait costs more than waking up (docs/adr/0024) */

#define PLACE ((uint64_t)1 << 32) /* a free place of the open loop, in the upper half of the word */
#define INSIDE ((uint64_t)1)      /* a helper inside, in the lower half */

struct sfgp_team {
    sfgp_team_loop loop;         /* constant while it is open or a helper is inside */
    _Atomic int64_t next;        /* first index that is not handed out */
    _Atomic uint64_t places;     /* PLACE and INSIDE */
    atomic_int sleeping;         /* helpers that sleep, or are about to */
    atomic_bool caller_sleeping; /* the caller sleeps until nobody is inside, or is about to */
    atomic_bool ending;
    pthread_mutex_t lock;  /* of the two conditions */
    pthread_cond_t opened; /* or ending */
    pthread_cond_t left;
    int helpers;
    pthread_t threads[];
};

static void pause_a_moment(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

static int free_places(uint64_t places)
{
    return (int)(places / PLACE);
}

static int inside(uint64_t places)
{
    return (int)(places % PLACE);
}

/* Runs ranges of the open loop until none is left. */
static void run_ranges(sfgp_team *team)
{
    const sfgp_team_loop *loop = &team->loop;
    int64_t first;
    while ((first = atomic_fetch_add_explicit(&team->next, loop->step, memory_order_relaxed)) < loop->count)
        loop->body(loop->data, first, loop->count - first < loop->step ? loop->count : first + loop->step);
}

/* ---- helpers ------------------------------------------------------------------------------------------ */

static bool join(sfgp_team *team)
{
    uint64_t places = atomic_load(&team->places);
    while (free_places(places) > 0)
        if (atomic_compare_exchange_weak(&team->places, &places, places - PLACE + INSIDE))
            return true;
    return false;
}

/* The last one wakes the caller. */
static void leave(sfgp_team *team)
{
    if (inside(atomic_fetch_sub(&team->places, INSIDE)) > 1 || !atomic_load(&team->caller_sleeping))
        return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_signal(&team->left);
    pthread_mutex_unlock(&team->lock);
}

static bool has_work(sfgp_team *team)
{
    return free_places(atomic_load(&team->places)) > 0 || atomic_load(&team->ending);
}

static void wait_for_work(sfgp_team *team)
{
    for (int k = 0; k < SPINS && !has_work(team); k++)
        pause_a_moment();
    if (has_work(team))
        return;
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleeping, 1);
    while (!has_work(team))
        pthread_cond_wait(&team->opened, &team->lock);
    atomic_fetch_sub(&team->sleeping, 1);
    pthread_mutex_unlock(&team->lock);
}

static void *help(void *argument)
{
    sfgp_team *team = argument;
    while (!atomic_load(&team->ending)) {
        wait_for_work(team);
        if (!join(team))
            continue;
        run_ranges(team);
        leave(team);
    }
    return NULL;
}

/* ---- caller ------------------------------------------------------------------------------------------- */

/* Those awake look for work themselves. */
static void wake_helpers(sfgp_team *team, int wanted)
{
    const int awake = team->helpers - atomic_load(&team->sleeping);
    if (wanted <= awake)
        return;
    pthread_mutex_lock(&team->lock);
    for (int k = awake; k < wanted; k++)
        pthread_cond_signal(&team->opened);
    pthread_mutex_unlock(&team->lock);
}

static void wait_for_helpers(sfgp_team *team)
{
    for (int k = 0; k < SPINS && inside(atomic_load(&team->places)) > 0; k++)
        pause_a_moment();
    if (inside(atomic_load(&team->places)) == 0)
        return;
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->caller_sleeping, true);
    while (inside(atomic_load(&team->places)) > 0)
        pthread_cond_wait(&team->left, &team->lock);
    atomic_store(&team->caller_sleeping, false);
    pthread_mutex_unlock(&team->lock);
}

void sfgp_team_run(sfgp_team *team, int helpers, const sfgp_team_loop *loop)
{
    const int wanted = helpers < team->helpers ? helpers : team->helpers;
    team->loop = *loop;
    atomic_store(&team->next, loop->step);
    atomic_store(&team->places, (uint64_t)wanted * PLACE);
    wake_helpers(team, wanted);
    loop->body(loop->data, 0, loop->count < loop->step ? loop->count : loop->step);
    run_ranges(team);
    atomic_fetch_and(&team->places, PLACE - 1); /* closed */
    wait_for_helpers(team);
}

/* ---- making and ending -------------------------------------------------------------------------------- */

/* Signals are for the threads of the caller. */
static void start_helpers(int wanted, sfgp_team *team)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (team->helpers < wanted && pthread_create(&team->threads[team->helpers], NULL, help, team) == 0)
        team->helpers++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

sfgp_team *sfgp_team_new(int helpers)
{
    sfgp_team *team = calloc(1, sizeof *team + (size_t)helpers * sizeof *team->threads);
    if (!team)
        return NULL;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->opened, NULL);
    pthread_cond_init(&team->left, NULL);
    start_helpers(helpers, team);
    return team;
}

void sfgp_team_free(sfgp_team *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->lock);
    atomic_store(&team->ending, true);
    pthread_cond_broadcast(&team->opened);
    pthread_mutex_unlock(&team->lock);
    for (int k = 0; k < team->helpers; k++)
        pthread_join(team->threads[k], NULL);
    pthread_cond_destroy(&team->left);
    pthread_cond_destroy(&team->opened);
    pthread_mutex_destroy(&team->lock);
    free(team);
}
