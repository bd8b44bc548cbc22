#include "base/clock.h"
#include "fit/reheat.h"
#include "fit/repose.h"
#include "fit/result.h"
#include "fit/search.h"
#include "geom/inspect.h"

#include <math.h>

static void show(const sfgp_solver *solver, int64_t iteration)
{
    const sfgp_progress progress = {iteration, solver->settings.max_iterations, solver->change,
                                    solver->settings.tolerance,
                                    (double)solver->labels.missing / (double)solver->labels.count};
    sfgp_report_progress(solver->context, &progress);
}

sfgp_status sfgp_solver_iterate(sfgp_solver *solver, bool quiet, sfgp_outcome *outcome)
{
    *outcome = solver->comparable ? SFGP_MAX_ITERATIONS : SFGP_NO_OVERLAP;
    while (solver->comparable && solver->age < solver->settings.max_iterations) {
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

static sfgp_status fit_from(sfgp_solver *solver, const sfgp_start *start, sfgp_outcome *outcome)
{
    sfgp_status status = sfgp_solver_begin(solver, start);
    return status == SFGP_OK ? sfgp_solver_iterate(solver, false, outcome) : status;
}

/* The fit with the largest bound; from the standard start when the list is empty. */
static sfgp_status fit_best(sfgp_solver *solver, const sfgp_shortlist *list, sfgp_outcome *outcome)
{
    double best = -HUGE_VAL;
    int chosen = 0;
    for (int k = 0; k < list->count; k++) {
        sfgp_status status = fit_from(solver, &list->best[k].start, outcome);
        double score = -HUGE_VAL;
        if (status == SFGP_OK)
            status = sfgp_search_score(solver, &score);
        if (status != SFGP_OK && status != SFGP_ERROR_NUMERIC)
            return status;
        if (score > best)
            best = score, chosen = k;
        if (k == list->count - 1 && chosen == k && status == SFGP_OK)
            return status;
    }
    const sfgp_start start = list->count > 0 ? list->best[chosen].start : solver->begun;
    return fit_from(solver, &start, outcome);
}

/* Where a large fit ends depends on how wide it starts, which a part of it cannot tell. */
static sfgp_status search_and_fit(sfgp_solver *solver, const sfgp_mesh *target, sfgp_outcome *outcome)
{
    sfgp_shortlist list = {0};
    sfgp_status status = sfgp_search_starts(solver, target, &list);
    for (int k = 0; k < list.count && solver->model->count > SFGP_SEARCH_POINTS; k++)
        list.best[k].start.noise = solver->settings.variance0;
    if (status == SFGP_OK)
        status = fit_best(solver, &list, outcome);
    if (status == SFGP_OK && solver->model->count <= SFGP_SEARCH_POINTS)
        status = sfgp_solver_repose(solver, outcome);
    if (status == SFGP_OK && *outcome == SFGP_CONVERGED)
        status = sfgp_solver_reheat(solver, outcome);
    return status;
}

static sfgp_status run_own(sfgp_solver *solver, const sfgp_mesh *target, sfgp_result *result)
{
    const bool search = solver->method->search;
    sfgp_status status = sfgp_solver_start(solver, target);
    if (status == SFGP_OK && search && solver->comparable && solver->settings.max_iterations > 0)
        status = search_and_fit(solver, target, &result->outcome);
    else if (status == SFGP_OK)
        status = sfgp_solver_iterate(solver, false, &result->outcome);
    result->iterations = solver->age;
    if (status == SFGP_OK && solver->method->search && result->outcome != SFGP_NO_OVERLAP && solver->age > 0)
        status = sfgp_solver_finish(solver);
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
