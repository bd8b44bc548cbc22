/* Sets a fit aside and brings it back. Which ones, and why, stands in first.h. */
#include "fit/first.h"
#include "fit/one_search.h"
#include "search/score.h"

#include <math.h>

sfgp_first sfgp_first_of(const sfgp_solver *solver, sfgp_outcome outcome)
{
    sfgp_first first = {.outcome = outcome,
                        .problem = solver->problem,
                        .mirror_gain = solver->em->facts.mirror_gain,
                        .size = solver->size};
    first.problem.target = (sfgp_target){0};
    return first;
}

sfgp_status sfgp_first_copy_scan(sfgp_solver *solver, sfgp_first *first)
{
    sfgp_scan copy;
    const sfgp_status status = sfgp_scan_copy(solver->context, &solver->scan, &copy);
    if (status != SFGP_OK)
        return sfgp_scan_clear(&copy), status;
    first->scan = solver->scan;
    solver->scan = copy;
    solver->problem.mesh = copy.points;
    return SFGP_OK;
}

/* The solver gets an empty target, and a workspace that counts on from that of the first. */
static sfgp_status set_aside(sfgp_solver *solver, sfgp_first *first)
{
    sfgp_em *other, *em = solver->em;
    const sfgp_status status = sfgp_em_new(solver->context, &solver->problem, &other);
    if (status != SFGP_OK)
        return status;
    other->max_iterations = em->max_iterations;
    other->iterations = em->iterations;
    other->starts = em->starts;
    sfgp_em_swap_room(em, other);
    first->em = em;
    first->problem.target = solver->problem.target;
    solver->em = other;
    solver->problem.target = (sfgp_target){0};
    return SFGP_OK;
}

sfgp_status sfgp_first_search_again(sfgp_solver *solver, sfgp_first *first, sfgp_outcome *outcome)
{
    const bool is_kept = first->em || sfgp_schedule_is_dense(solver->model->count);
    const sfgp_status status = is_kept ? SFGP_OK : set_aside(solver, first);
    return status == SFGP_OK ? sfgp_one_search_again(solver, outcome) : status;
}

sfgp_status sfgp_first_search_for_gain(sfgp_solver *solver, sfgp_first *first, sfgp_outcome *outcome,
                                       double *gain)
{
    double before, after = -HUGE_VAL;
    sfgp_status status = sfgp_search_score(solver->em, &before);
    if (status == SFGP_OK)
        status = sfgp_first_search_again(solver, first, outcome);
    if (status == SFGP_OK && *outcome == SFGP_CONVERGED)
        status = sfgp_search_score(solver->em, &after);
    *gain = after - before;
    return status;
}

static void put_scan_back(sfgp_solver *solver, sfgp_first *first)
{
    sfgp_solver_set_size(solver, first->size);
    if (!first->scan.points)
        return;
    sfgp_scan_clear(&solver->scan);
    solver->scan = first->scan;
    first->scan = (sfgp_scan){0};
}

static void bring_back(sfgp_solver *solver, sfgp_first *first)
{
    sfgp_em *em = first->em, *other = solver->em;
    em->iterations = other->iterations;
    em->starts = other->starts;
    sfgp_em_swap_room(em, other);
    sfgp_em_free(other);
    sfgp_target_clear(&solver->problem.target);
    solver->em = em;
    solver->problem = first->problem;
    first->em = NULL;
    first->problem.target = (sfgp_target){0};
}

static sfgp_status make_again(sfgp_solver *solver, const sfgp_first *first, sfgp_outcome *outcome)
{
    const sfgp_target target = solver->problem.target; /* its memory */
    solver->problem = first->problem;
    solver->problem.target = target;
    const sfgp_status status = sfgp_one_search_again(solver, outcome);
    solver->em->facts.mirror_gain = first->mirror_gain;
    return status;
}

sfgp_status sfgp_first_return(sfgp_solver *solver, sfgp_first *first, sfgp_outcome *outcome)
{
    put_scan_back(solver, first);
    if (!first->em)
        return make_again(solver, first, outcome);
    bring_back(solver, first);
    *outcome = first->outcome;
    return SFGP_OK;
}

void sfgp_first_clear(sfgp_first *first)
{
    sfgp_em_free(first->em);
    sfgp_target_clear(&first->problem.target);
    sfgp_scan_clear(&first->scan);
    *first = (sfgp_first){.em = NULL};
}
