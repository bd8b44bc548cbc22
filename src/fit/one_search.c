/* One search and its last steps. */
#include "fit/one_search.h"
#include "em/loop.h"
#include "outcome/overlap.h"
#include "outcome/uncertainty.h"
#include "search/levels.h"

static sfgp_status finish(sfgp_em *em)
{
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_UNCERTAINTY);
    const sfgp_status status = sfgp_outcome_finish(em);
    sfgp_profile_leave(em->context, mark);
    return status;
}

sfgp_status sfgp_one_search(sfgp_solver *solver, bool searches, sfgp_outcome *outcome)
{
    sfgp_em *em = solver->em;
    const sfgp_status status = searches ? sfgp_levels_run(em, outcome) : sfgp_em_run(em, outcome);
    const bool finishes =
        solver->method->variant->learns && *outcome != SFGP_NO_OVERLAP && em->state.iteration > 0;
    return status == SFGP_OK && finishes ? finish(em) : status;
}

sfgp_status sfgp_one_search_again(sfgp_solver *solver, sfgp_outcome *outcome)
{
    const int64_t iterations = solver->em->iterations, starts = solver->em->starts;
    sfgp_status status = sfgp_em_problem_load(solver->context, &solver->problem);
    if (status == SFGP_OK)
        status = sfgp_em_take_target(solver->em);
    if (status == SFGP_OK)
        status = sfgp_one_search(solver, true, outcome);
    solver->em->iterations += iterations;
    solver->em->starts += starts;
    return status;
}

bool sfgp_one_search_has_found(sfgp_em *em, sfgp_outcome outcome)
{
    return outcome == SFGP_CONVERGED && !sfgp_overlap_is_none(em, outcome);
}
