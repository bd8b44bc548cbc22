#include "base/clock.h"
#include "fit/result.h"
#include "geom/inspect.h"

static void show(const sfgp_solver *solver, int64_t iteration)
{
    const sfgp_progress progress = {iteration, solver->settings.max_iterations, solver->change,
                                    solver->settings.tolerance,
                                    (double)solver->labels.missing / (double)solver->labels.count};
    sfgp_report_progress(solver->context, &progress);
}

static sfgp_status iterate(sfgp_solver *solver, sfgp_result *result)
{
    result->outcome = solver->comparable ? SFGP_MAX_ITERATIONS : SFGP_NO_OVERLAP;
    while (solver->comparable && result->iterations < solver->settings.max_iterations) {
        sfgp_status status = sfgp_solver_step(solver);
        if (status != SFGP_OK)
            return status;
        result->iterations++;
        if (solver->labels.missing == solver->labels.count) {
            result->outcome = SFGP_NO_OVERLAP;
            break;
        }
        show(solver, result->iterations);
        if (solver->settled) {
            result->outcome = SFGP_CONVERGED;
            break;
        }
    }
    return SFGP_OK;
}

static sfgp_status run_own(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result *result)
{
    sfgp_status status = sfgp_solver_start(solver, target);
    if (status == SFGP_OK)
        status = iterate(solver, result);
    if (status == SFGP_OK)
        sfgp_result_take(solver, result);
    return status;
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
    const double start = sfgp_clock();
    sfgp_result *made = NULL;
    *result = NULL;
    sfgp_status status = sfgp_result_new(solver->context, solver->model, &made);
    if (status == SFGP_OK)
        status =
            solver->method->baseline ? run_baseline(solver, target, made) : run_own(solver, target, made);
    if (status == SFGP_OK) {
        made->seconds = sfgp_clock() - start;
        *result = made;
    } else {
        sfgp_result_free(made);
    }
    return status;
}
