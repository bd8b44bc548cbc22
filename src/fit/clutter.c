/* Searches again without clutter. Rule in clutter.h. */
#include "fit/clutter.h"
#include "fit/first.h"
#include "fit/sides.h"
#include "outcome/overlap.h"

#define FEW 1000 /* points: some of the scan lies next to any place of such a shape (ADR 0047) */

static bool has_few_points(const sfgp_solver *solver)
{
    return solver->model->count < FEW;
}

/* Of 12 ears in scans of half a head the fits explain 1.37 to 1.65 times the room; lost ones of shapes that are two to three
 * times as large 0.39 to 0.74 times, but those of few points up to 1.9 times (ADR 0047). */
static bool leaves_room(const sfgp_solver *solver, sfgp_outcome outcome)
{
    return outcome == SFGP_CONVERGED &&
           (has_few_points(solver) ||
            sfgp_responsibilities_explained(&solver->em->responsibilities) < 1 - solver->problem.clutter);
}

static bool is_good(const sfgp_solver *solver, sfgp_outcome outcome)
{
    return outcome == SFGP_CONVERGED && !sfgp_overlap_is_far(solver->em) &&
           !sfgp_sides_is_poor(solver->em, outcome);
}

/* Neither idea can be refuted by a shape of so few points. */
static void warn_undecided(sfgp_solver *solver)
{
    const sfgp_em_problem *problem = &solver->problem;
    sfgp_warn(
        solver->context,
        "fit: the target has %.2g times the area of the reference, and the fit takes the rest for other things around the "
        "shape; a reference of %lld points cannot tell whether the target is larger instead: bring both to one size, or "
        "give the pose by landmarks (--landmarks)",
        problem->area / problem->shape_area, (long long)solver->model->count);
}

/* The fit without clutter, or the first one again. */
static sfgp_status run_both(sfgp_solver *solver, sfgp_outcome *outcome)
{
    sfgp_first first = sfgp_first_of(solver, *outcome);
    solver->problem.clutter = 0;
    sfgp_status status = sfgp_first_search_again(solver, &first, outcome);
    if (status == SFGP_OK && !solver->context->late && !is_good(solver, *outcome)) {
        status = sfgp_first_return(solver, &first, outcome);
        if (status == SFGP_OK && has_few_points(solver))
            warn_undecided(solver);
    }
    sfgp_first_clear(&first);
    return status;
}

sfgp_status sfgp_clutter_try(sfgp_solver *solver, sfgp_outcome *outcome)
{
    if (solver->problem.clutter == 0 || solver->context->late || !leaves_room(solver, *outcome))
        return SFGP_OK;
    return run_both(solver, outcome);
}
