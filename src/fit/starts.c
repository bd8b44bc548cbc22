#include "fit/starts.h"
#include "fit/kept.h"
#include "fit/reheat.h"
#include "fit/repose.h"
#include "fit/result.h"
#include "fit/search.h"
#include "fit/thinning.h"
#include "fit/trail.h"

#include <math.h>

static sfgp_status fit_from(sfgp_solver *solver, const sfgp_start *start, sfgp_outcome *outcome)
{
    const sfgp_status status = sfgp_solver_begin(solver, start);
    return status == SFGP_OK ? sfgp_solver_iterate(solver, false, outcome) : status;
}

/* The fit from a start, and what it counts: nothing when it fails, or is the first again. */
static sfgp_status fit_and_score(sfgp_solver *solver, const sfgp_start *start, sfgp_trail *trail,
                                 sfgp_outcome *outcome, double *score)
{
    bool same = false;
    *score = -HUGE_VAL;
    sfgp_status status = sfgp_trail_fit(solver, start, trail, false, &same, outcome);
    if (status == SFGP_OK && !same)
        status = sfgp_search_score(solver, score);
    return status == SFGP_ERROR_NUMERIC ? SFGP_OK : status;
}

/* Back to the best of several, of a pose of its own. */
static sfgp_status return_to(const sfgp_kept *best, sfgp_solver *solver)
{
    sfgp_status status = sfgp_solver_begin(solver, &best->begun);
    if (status == SFGP_OK)
        status = sfgp_thinning_return(solver, best->thinning);
    solver->age = best->age;
    return status == SFGP_OK ? sfgp_kept_restore(best, solver) : status;
}

/* Of several fits that with the largest bound. */
static sfgp_status fit_each(sfgp_solver *solver, const sfgp_shortlist *list, sfgp_trail *trail,
                            sfgp_kept *best, sfgp_outcome *outcome)
{
    double most = -HUGE_VAL, score = -HUGE_VAL;
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < list->count && status == SFGP_OK; k++) {
        sfgp_outcome found;
        status = fit_and_score(solver, &list->best[k].start, trail, &found, &score);
        if (status != SFGP_OK || score <= most)
            continue;
        most = score, *outcome = found;
        sfgp_kept_take(solver, best);
    }
    if (status == SFGP_OK && most == -HUGE_VAL)
        return fit_from(solver, &list->best[0].start, outcome);
    return status == SFGP_OK && score < most ? return_to(best, solver) : status;
}

/* From the standard start when the list is empty. */
static sfgp_status fit_best(sfgp_solver *solver, const sfgp_shortlist *list, sfgp_outcome *outcome)
{
    sfgp_kept best = {0};
    sfgp_trail trail = {0};
    if (list->count < 2)
        return fit_from(solver, list->count > 0 ? &list->best[0].start : &solver->begun, outcome);
    sfgp_status status = sfgp_kept_new(solver, &best);
    if (status == SFGP_OK)
        status = sfgp_trail_new(solver->context, solver->model, &trail);
    if (status == SFGP_OK)
        status = fit_each(solver, list, &trail, &best, outcome);
    sfgp_trail_clear(&trail);
    sfgp_kept_clear(&best);
    return status;
}

typedef sfgp_status searcher(sfgp_solver *solver, const sfgp_mesh *target, sfgp_shortlist *list);

/* Where a large fit ends depends on how wide it starts, which a part of it cannot tell. */
static sfgp_status search(sfgp_solver *solver, const sfgp_mesh *target, searcher *starts,
                          sfgp_shortlist *list)
{
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_SEARCH);
    const sfgp_status status = starts(solver, target, list);
    for (int k = 0; k < list->count && solver->model->count > SFGP_SEARCH_POINTS; k++)
        list->best[k].start.noise = solver->settings.variance0;
    sfgp_profile_leave(solver->context, mark);
    return status;
}

static sfgp_status refine(sfgp_solver *solver, sfgp_outcome *outcome)
{
    const sfgp_mark mark = sfgp_profile_enter(solver->context, SFGP_STAGE_REFINE);
    sfgp_status status = SFGP_OK;
    if (solver->model->count <= SFGP_SEARCH_POINTS)
        status = sfgp_solver_repose(solver, outcome);
    if (status == SFGP_OK && *outcome == SFGP_CONVERGED)
        status = sfgp_solver_reheat(solver, outcome);
    sfgp_profile_leave(solver->context, mark);
    return status;
}

/* A start that is better than the fit at hand, or back to that. */
static sfgp_status fit_instead(sfgp_solver *solver, const sfgp_start *start, const sfgp_kept *best,
                               double most, sfgp_outcome *outcome)
{
    double score;
    sfgp_outcome found;
    sfgp_status status = fit_and_score(solver, start, NULL, &found, &score);
    if (status != SFGP_OK || score <= most)
        return status == SFGP_OK ? return_to(best, solver) : status;
    *outcome = found;
    return refine(solver, outcome);
}

/* Turned all around, where the search has not been. */
static sfgp_status fit_turned(sfgp_solver *solver, const sfgp_mesh *target, sfgp_outcome *outcome)
{
    sfgp_kept best;
    sfgp_shortlist list = {0};
    double score;
    sfgp_status status = sfgp_kept_new(solver, &best);
    if (status == SFGP_OK)
        status = sfgp_search_score(solver, &score);
    if (status == SFGP_OK) {
        sfgp_kept_take(solver, &best);
        status = search(solver, target, sfgp_search_turned, &list);
    }
    if (status == SFGP_OK)
        status = list.count > 0 ? fit_instead(solver, &list.best[0].start, &best, score, outcome)
                                : return_to(&best, solver);
    sfgp_kept_clear(&best);
    return status;
}

/* A part of the points may take a wrong pose for a good one, and look no further; the whole tells. */
static bool is_poor(const sfgp_solver *solver, const sfgp_shortlist *list)
{
    return solver->model->count > SFGP_SEARCH_POINTS && !list->turned &&
           sqrt(solver->noise[0]) > SFGP_RESIDUAL_MOST * solver->spacing;
}

sfgp_status sfgp_starts_fit(sfgp_solver *solver, const sfgp_mesh *target, sfgp_outcome *outcome)
{
    sfgp_shortlist list = {0};
    sfgp_status status = search(solver, target, sfgp_search_starts, &list);
    if (status == SFGP_OK)
        status = fit_best(solver, &list, outcome);
    if (status == SFGP_OK)
        status = refine(solver, outcome);
    return status == SFGP_OK && is_poor(solver, &list) ? fit_turned(solver, target, outcome) : status;
}
