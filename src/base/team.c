/* Helper threads: a loop is opened with a number of places, a helper that finds a place joins, and the caller closes the
 * loop when no range is left. One atomic word holds the free places and the helpers inside, so that nobody can
 * join a loop that is closed. Waiting is a short spin, then sleep. */
#include "base/team.h"
#include "base/platform.h"
#include "base/platform_thread.h"

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
    sfgp_mutex lock;       /* of the two conditions */
    sfgp_condition opened; /* or ending */
    sfgp_condition left;
    int helpers;
    sfgp_thread threads[];
};

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
    sfgp_mutex_lock(&team->lock);
    sfgp_condition_signal(&team->left);
    sfgp_mutex_unlock(&team->lock);
}

static bool has_work(sfgp_team *team)
{
    return free_places(atomic_load(&team->places)) > 0 || atomic_load(&team->ending);
}

static void wait_for_work(sfgp_team *team)
{
    for (int k = 0; k < SPINS && !has_work(team); k++)
        SFGP_PLATFORM_PAUSE();
    if (has_work(team))
        return;
    sfgp_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleeping, 1);
    while (!has_work(team))
        sfgp_condition_wait(&team->opened, &team->lock);
    atomic_fetch_sub(&team->sleeping, 1);
    sfgp_mutex_unlock(&team->lock);
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
    sfgp_mutex_lock(&team->lock);
    for (int k = awake; k < wanted; k++)
        sfgp_condition_signal(&team->opened);
    sfgp_mutex_unlock(&team->lock);
}

static void wait_for_helpers(sfgp_team *team)
{
    for (int k = 0; k < SPINS && inside(atomic_load(&team->places)) > 0; k++)
        SFGP_PLATFORM_PAUSE();
    if (inside(atomic_load(&team->places)) == 0)
        return;
    sfgp_mutex_lock(&team->lock);
    atomic_store(&team->caller_sleeping, true);
    while (inside(atomic_load(&team->places)) > 0)
        sfgp_condition_wait(&team->left, &team->lock);
    atomic_store(&team->caller_sleeping, false);
    sfgp_mutex_unlock(&team->lock);
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

static void start_helpers(int wanted, sfgp_team *team)
{
    while (team->helpers < wanted && sfgp_thread_start(help, team, &team->threads[team->helpers]))
        team->helpers++;
}

sfgp_team *sfgp_team_new(int helpers)
{
    sfgp_team *team = calloc(1, sizeof *team + (size_t)helpers * sizeof *team->threads);
    if (!team)
        return NULL;
    sfgp_mutex_init(&team->lock);
    sfgp_condition_init(&team->opened);
    sfgp_condition_init(&team->left);
    start_helpers(helpers, team);
    return team;
}

void sfgp_team_free(sfgp_team *team)
{
    if (!team)
        return;
    sfgp_mutex_lock(&team->lock);
    atomic_store(&team->ending, true);
    sfgp_condition_signal_all(&team->opened);
    sfgp_mutex_unlock(&team->lock);
    for (int k = 0; k < team->helpers; k++)
        sfgp_thread_join(team->threads[k]);
    sfgp_condition_clear(&team->left);
    sfgp_condition_clear(&team->opened);
    sfgp_mutex_clear(&team->lock);
    free(team);
}
