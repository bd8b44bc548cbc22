#include "fit/trials.h"
#include "base/threads.h"
#include "fit/search.h"

#include <math.h>

/* The caller's memory, by one thread at a time: it need not know of threads. */
static void *allocate_alone(size_t bytes, void *user)
{
    const sfgp_allocator *allocator = user;
    void *block;
#pragma omp critical(sfgp_trials)
    block = allocator->allocate(bytes, allocator->user);
    return block;
}

static void release_alone(void *block, void *user)
{
    const sfgp_allocator *allocator = user;
#pragma omp critical(sfgp_trials)
    allocator->release(block, allocator->user);
}

static sfgp_status add(sfgp_context *context, const sfgp_model *model, const sfgp_settings *settings,
                       const sfgp_mesh *target, bool tiles, sfgp_trials *trials)
{
    const int k = trials->count;
    const sfgp_allocator alone = {allocate_alone, release_alone, &context->allocator};
    sfgp_status status = sfgp_context_new(&alone, &trials->contexts[k]);
    if (status != SFGP_OK)
        return sfgp_fail(context, status, "out of memory");
    trials->count++;
    status = sfgp_solver_new(trials->contexts[k], model, settings, &trials->solvers[k]);
    if (status == SFGP_OK && tiles)
        status = sfgp_solver_use_tiles(trials->solvers[k]);
    if (status == SFGP_OK)
        status = sfgp_solver_start(trials->solvers[k], target);
    return status == SFGP_OK ? status
                             : sfgp_fail(context, status, "%s", sfgp_context_error(trials->contexts[k]));
}

sfgp_status sfgp_trials_new(sfgp_context *context, const sfgp_model *model, const sfgp_settings *settings,
                            const sfgp_mesh *target, bool tiles, sfgp_trials *trials)
{
    sfgp_status status = SFGP_OK;
    *trials = (sfgp_trials){0};
    while (status == SFGP_OK && trials->count < sfgp_threads_count() && trials->count < SFGP_TRIALS)
        status = add(context, model, settings, target, tiles, trials);
    return status;
}

void sfgp_trials_clear(sfgp_trials *trials)
{
    for (int k = 0; k < trials->count; k++) {
        sfgp_solver_free(trials->solvers[k]);
        sfgp_context_free(trials->contexts[k]);
    }
    *trials = (sfgp_trials){0};
}

static sfgp_status fit(int64_t iterations, const sfgp_start *start, sfgp_solver *solver, sfgp_trail *trail,
                       sfgp_trial *end)
{
    double score = -HUGE_VAL;
    bool same = false;
    sfgp_outcome outcome;
    solver->settings.max_iterations = iterations;
    *end = (sfgp_trial){-HUGE_VAL, 0, 0};
    sfgp_status status = sfgp_trail_fit(solver, start, trail, true, &same, &outcome);
    if (status == SFGP_OK && !same)
        status = sfgp_search_score(solver, &score);
    if (status == SFGP_OK)
        *end = (sfgp_trial){score, solver->noise[0], solver->rule.omega};
    return status == SFGP_ERROR_NUMERIC ? SFGP_OK : status;
}

sfgp_status sfgp_trials_fit(sfgp_context *context, int64_t iterations, int count, const sfgp_start *starts,
                            sfgp_trials *trials, sfgp_trail *trails, sfgp_trial *ends)
{
    sfgp_status status[SFGP_TRIALS];
#pragma omp parallel for num_threads(trials->count) schedule(static)
    for (int worker = 0; worker < trials->count; worker++)
        for (int k = worker; k < count; k += trials->count)
            status[k] =
                fit(iterations, &starts[k], trials->solvers[worker], trails ? &trails[k] : NULL, &ends[k]);
    for (int k = 0; k < count; k++)
        if (status[k] != SFGP_OK)
            return sfgp_fail(context, status[k], "%s",
                             sfgp_context_error(trials->contexts[k % trials->count]));
    return SFGP_OK;
}
