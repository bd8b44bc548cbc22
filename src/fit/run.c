#include "base/clock.h"
#include "base/threads.h"
#include "fit/level.h"
#include "fit/result.h"
#include "fit/starts.h"
#include "fit/uncertainty.h"
#include "geom/inspect.h"

static void show(const sfgp_solver *solver, int64_t iteration)
{
    const sfgp_progress progress = {iteration, solver->settings.max_iterations, solver->change,
                                    solver->settings.tolerance,
                                    (double)solver->labels.missing / (double)solver->labels.count};
    sfgp_report_progress(solver->context, &progress);
}

sfgp_status sfgp_solver_iterate_to(sfgp_solver *solver, int64_t age, bool quiet, sfgp_outcome *outcome)
{
    *outcome = solver->comparable ? SFGP_MAX_ITERATIONS : SFGP_NO_OVERLAP;
    while (solver->comparable && solver->age < age) {
        sfgp_status status = sfgp_solver_step(solver);
        if (status != SFGP_OK)
            return status;
        if (solver->labels.missing == solver->labels.count) {
            if (!solver->method->search || solver->age == 0)
                *outcome = SFGP_NO_OVERLAP;
            break; /* a search that runs out of labels keeps what it had */
        }
        if (!quiet)
            show(solver, solver->age);
        if (solver->settled) {
            *outcome = SFGP_CONVERGED;
            break;
        }
    }
    return SFGP_OK;
}

sfgp_status sfgp_solver_iterate(sfgp_solver *solver, bool quiet, sfgp_outcome *outcome)
{
    return sfgp_solver_iterate_to(solver, solver->settings.max_iterations, quiet, outcome);
}

static sfgp_status new_level(sfgp_solver *solver, const sfgp_mesh *target, sfgp_level *level)
{
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_LEVEL);
    const sfgp_status status = sfgp_level_new(solver, target, level);
    sfgp_profile_leave(solver->context, mark);
    return status;
}

static sfgp_status carry_level(const sfgp_level *level, sfgp_solver *solver)
{
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_LEVEL);
    sfgp_status status = level->solver->carried ? SFGP_OK : sfgp_solver_inform(level->solver);
    if (status == SFGP_OK)
        status = sfgp_level_carry(level, solver);
    sfgp_profile_leave(solver->context, mark);
    return status;
}

/* The part of a level is fitted first, and the whole goes on from there. */
static sfgp_status fit_levels(sfgp_solver *solver, const sfgp_mesh *target, sfgp_outcome *outcome)
{
    sfgp_level level;
    if (!sfgp_level_wanted(solver))
        return sfgp_starts_fit(solver, target, outcome);
    sfgp_status status = new_level(solver, target, &level);
    if (status == SFGP_OK)
        status = fit_levels(level.solver, level.target, outcome);
    if (status == SFGP_OK)
        status = carry_level(&level, solver);
    sfgp_level_clear(&level);
    if (status == SFGP_OK && *outcome != SFGP_NO_OVERLAP)
        status = sfgp_solver_iterate(solver, false, outcome);
    return status;
}

static sfgp_status start(sfgp_solver *solver, const sfgp_mesh *target)
{
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_TARGET);
    sfgp_status status = sfgp_solver_start(solver, target);
    sfgp_profile_leave(solver->context, mark);
    return status;
}

static sfgp_status finish(sfgp_solver *solver)
{
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_UNCERTAINTY);
    sfgp_status status = sfgp_solver_finish(solver);
    sfgp_profile_leave(solver->context, mark);
    return status;
}

static sfgp_status run_own(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result *result)
{
    sfgp_status status = start(solver, target);
    if (status == SFGP_OK && solver->method->search && solver->comparable &&
        solver->settings.max_iterations > 0)
        status = fit_levels(solver, target, &result->outcome);
    else if (status == SFGP_OK)
        status = sfgp_solver_iterate(solver, false, &result->outcome);
    result->iterations = solver->age;
    if (status == SFGP_OK && solver->method->search && result->outcome != SFGP_NO_OVERLAP && solver->age > 0)
        status = finish(solver);
    if (status == SFGP_OK)
        sfgp_result_take(solver, result);
    return status;
}

static sfgp_status check_memory(const sfgp_solver *solver, const sfgp_mesh *target)
{
    sfgp_run_size size;
    sfgp_run_size_from_model(solver->model, &size);
    size.targets = target->count;
    return sfgp_memory_check(solver->context, &size, &solver->settings);
}

static sfgp_status run_baseline(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result *result)
{
    sfgp_status status = sfgp_solver_check_target(solver, target);
    result->settings = solver->settings;
    if (status == SFGP_OK)
        status = solver->method->baseline(solver->context, solver->model, target, result);
    if (status == SFGP_OK)
        sfgp_result_judge(solver->model, result);
    return status;
}

sfgp_status sfgp_solver_run(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result **result)
{
    const double begun = sfgp_clock();
    const int before = sfgp_threads_begin(solver->settings.threads, solver->model->count);
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_FIT);
    sfgp_result *made = NULL;
    *result = NULL;
    sfgp_status status = check_memory(solver, target);
    if (status == SFGP_OK)
        status = sfgp_result_new(solver->context, solver->model, &made);
    if (status == SFGP_OK)
        status =
            solver->method->baseline ? run_baseline(solver, target, made) : run_own(solver, target, made);
    sfgp_profile_leave(solver->context, mark);
    sfgp_threads_end(before);
    if (status == SFGP_OK) {
        made->seconds = sfgp_clock() - begun;
        *result = made;
    } else {
        sfgp_result_free(made);
    }
    return status;
}
