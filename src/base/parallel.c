/* The number of threads and the team of each calling thread, and the loops that run on them. */
#include "base/parallel.h"
#include "base/platform_thread.h"
#include "base/team.h"

#include <stdbool.h>
#include <stddef.h>

#define RANGES 8 /* for each thread, at most: enough that all of them end at about the same time */

/* Of a thread that calls the library. */
typedef struct caller {
    int threads;     /* 0: outside of begin and end */
    int team_size;   /* threads that the team was made for; the system may have refused some */
    bool in_loop;    /* the thread is inside a body */
    sfgp_team *team; /* NULL: not yet made */
} caller;

static _Thread_local caller own;

/* The child of a fork has this thread only. What it has begun it ends alone; the team's memory stays. */
static void forget_team(void) /* GCOVR_EXCL_START: gcov forgets what runs inside of fork */
{
    own.threads = own.threads > 0 ? 1 : 0;
    own.team = NULL;
    own.team_size = 0;
} /* GCOVR_EXCL_STOP */

static void watch_forks(void)
{
    sfgp_forks_watch(NULL, NULL, forget_team);
}

static void end_team(void)
{
    sfgp_team_free(own.team);
    own.team = NULL;
    own.team_size = 0;
}

static sfgp_team *team_of(int threads)
{
    static sfgp_once once = SFGP_ONCE_START;
    if (own.team_size >= threads)
        return own.team;
    end_team();
    sfgp_once_run(&once, watch_forks);
    own.team = sfgp_team_new(threads - 1);
    own.team_size = threads;
    return own.team;
}

int sfgp_parallel_begin(int threads)
{
    const int before = own.threads;
    own.threads = threads;
    return before;
}

void sfgp_parallel_end(int before)
{
    own.threads = before;
    if (before == 0)
        end_team();
}

bool sfgp_parallel_is_begun(void)
{
    return own.threads > 0;
}

int sfgp_parallel_threads(void)
{
    return own.in_loop || own.threads < 1 ? 1 : own.threads;
}

/* Indices in a range, at least grain. */
static int64_t step_of(int64_t count, int64_t grain, int threads)
{
    const int64_t even = count / (RANGES * (int64_t)threads);
    return even > grain ? even : grain;
}

void sfgp_parallel_for(int64_t count, int64_t grain, sfgp_parallel_body *body, const void *data)
{
    const int threads = sfgp_parallel_threads();
    const int64_t step = step_of(count, grain, threads), ranges = (count + step - 1) / step;
    sfgp_team *team = threads > 1 && ranges > 1 ? team_of(threads) : NULL;
    if (!team) {
        if (count > 0)
            body(data, 0, count);
        return;
    }
    const sfgp_team_loop loop = {body, data, count, step};
    own.in_loop = true;
    sfgp_team_run(team, (int)(ranges < threads ? ranges : threads) - 1, &loop);
    own.in_loop = false;
}
