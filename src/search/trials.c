/* Runs fits from several starts on several threads. */
#include "search/trials.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/threads.h"
#include "em/em.h"
#include "search/score.h"

#include <math.h>

#define SHARE 0.25 /* of the progress that is left in a search; up to 14 runs follow each other */

/* The caller's allocator need not know of threads: one thread at a time. */
static void *allocate_alone(size_t bytes, void *user)
{
    sfgp_trials *trials = user;
    sfgp_mutex_lock(&trials->alone);
    void *block = trials->allocator.allocate(bytes, trials->allocator.user);
    sfgp_mutex_unlock(&trials->alone);
    return block;
}

static void release_alone(void *block, void *user)
{
    sfgp_trials *trials = user;
    sfgp_mutex_lock(&trials->alone);
    trials->allocator.release(block, trials->allocator.user);
    sfgp_mutex_unlock(&trials->alone);
}

/* Progress of workspace 0, whose fits are made in the thread of the caller. */
static int report(void *user, const sfgp_progress *progress)
{
    sfgp_trials *trials = user;
    const int stopped = sfgp_progress_report(trials->caller, progress) != SFGP_OK;
    atomic_store(&trials->stopped, stopped);
    return stopped;
}

/* Progress of the other workspaces. */
static int is_stopped(void *user, const sfgp_progress *progress)
{
    sfgp_trials *trials = user;
    (void)progress;
    return atomic_load(&trials->stopped);
}

static void listen(sfgp_context *caller, sfgp_trials *trials)
{
    trials->caller = caller;
    atomic_store(&trials->stopped, 0);
    for (int k = 0; k < trials->count; k++) {
        sfgp_context_set_progress(trials->contexts[k], k == 0 ? report : is_stopped, trials);
        trials->contexts[k]->deadline = caller->deadline;
        trials->contexts[k]->late = caller->late;
    }
}

static sfgp_status add(sfgp_context *context, const sfgp_em_problem *problem, sfgp_trials *trials)
{
    const int k = trials->count;
    const sfgp_allocator alone = {allocate_alone, release_alone, trials};
    sfgp_status status = sfgp_context_new(&alone, &trials->contexts[k]);
    if (status != SFGP_OK)
        return sfgp_fail(context, status, "out of memory");
    trials->count++;
    status = sfgp_em_new(trials->contexts[k], problem, &trials->fits[k]);
    if (status == SFGP_OK)
        status = sfgp_em_take_target(trials->fits[k]);
    return status == SFGP_OK ? status
                             : sfgp_fail(context, status, "%s", sfgp_context_error(trials->contexts[k]));
}

sfgp_status sfgp_trials_new(sfgp_context *context, const sfgp_em_problem *problem, sfgp_trials *trials)
{
    const int threads = sfgp_threads_count();
    sfgp_status status = SFGP_OK;
    *trials = (sfgp_trials){.allocator = context->allocator, .alone = SFGP_MUTEX_START};
    while (status == SFGP_OK && trials->count < threads && trials->count < SFGP_TRIALS)
        status = add(context, problem, trials);
    return status;
}

void sfgp_trials_clear(sfgp_trials *trials)
{
    for (int k = 0; k < trials->count; k++) {
        sfgp_em_free(trials->fits[k]);
        sfgp_context_free(trials->contexts[k]);
    }
    *trials = (sfgp_trials){0};
}

static sfgp_status run(int64_t iterations, const sfgp_em_start *start, sfgp_em *em, sfgp_duplicate *duplicate,
                       sfgp_trial *end)
{
    double score = -HUGE_VAL;
    bool same = false;
    sfgp_outcome outcome;
    sfgp_similarity motion;
    em->max_iterations = iterations;
    *end = (sfgp_trial){.score = -HUGE_VAL, .motion = start->pose};
    sfgp_status status = sfgp_duplicate_run(em, start, iterations, duplicate, &same, &outcome);
    if (status == SFGP_OK && !same)
        status = sfgp_search_score(em, &score);
    if (status == SFGP_OK)
        *end = (sfgp_trial){score, em->state.sigma2[0], em->state.omega, start->pose};
    if (score > -HUGE_VAL && sfgp_em_motion(em, &motion))
        end->motion = motion;
    return status == SFGP_ERROR_NUMERIC ? SFGP_OK : status;
}

/* What the workspaces share. */
typedef struct trial_run {
    const sfgp_trials *trials;
    const sfgp_trial_batch *batch;
    sfgp_trial *ends;
    sfgp_status *status;
} trial_run;

/* The starts of some workspaces: each has every trials->count-th one. */
static void run_workspaces(const void *data, int64_t first, int64_t end)
{
    const trial_run *r = data;
    const sfgp_trial_batch *batch = r->batch;
    for (int64_t worker = first; worker < end; worker++)
        for (int64_t k = worker; k < batch->count; k += r->trials->count)
            r->status[k] = run(batch->iterations, &batch->starts[k], r->trials->fits[worker],
                               batch->duplicates ? &batch->duplicates[k] : NULL, &r->ends[k]);
}

sfgp_status sfgp_trials_run(sfgp_context *context, const sfgp_trial_batch *batch, sfgp_trials *trials,
                            sfgp_trial *ends)
{
    sfgp_status status[SFGP_TRIALS];
    const trial_run all = {trials, batch, ends, status};
    const sfgp_progress_range outer = sfgp_progress_enter(context, SHARE);
    listen(context, trials);
    sfgp_parallel_for(trials->count, 1, run_workspaces, &all);
    sfgp_progress_leave(context, outer);
    for (int k = 0; k < trials->count; k++)
        context->late |= trials->contexts[k]->late;
    for (int k = 0; k < batch->count; k++)
        if (status[k] != SFGP_OK)
            return sfgp_fail(context, status[k], "%s",
                             sfgp_context_error(trials->contexts[k % trials->count]));
    return SFGP_OK;
}

void sfgp_trials_count(const sfgp_trials *trials, sfgp_em *em)
{
    for (int k = 0; k < trials->count; k++)
        if (trials->fits[k]) { /* NULL: there was no memory for it */
            em->iterations += trials->fits[k]->iterations;
            em->starts += trials->fits[k]->starts;
        }
}
