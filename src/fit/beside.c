/* Searches a doubtful scan again, with other surfaces beside the shape. Rule in beside.h. */
#include "fit/beside.h"
#include "fit/attempt.h"
#include "fit/sides.h"
#include "outcome/expected.h"
#include "outcome/overlap.h"
#include "search/effort.h"
#include "search/tuning.h"

static bool applies(const sfgp_solver *solver)
{
    const sfgp_em_problem *problem = &solver->problem;
    return problem->area > 0 && problem->clutter == 0 && problem->effort->sides && solver->settings.reject &&
           !(solver->settings.max_time > 0);
}

static unsigned doubts_of(sfgp_em *em)
{
    return sfgp_overlap_doubts(em, sfgp_expected_error(em));
}

static bool has_found(sfgp_em *em, sfgp_outcome outcome)
{
    return outcome == SFGP_CONVERGED && !sfgp_overlap_is_none(em, outcome);
}

/* A shape that bends far leaves surfaces of the scan unreached, or has taken the loose prior. Other surfaces would explain them, too. */
static bool reaches_the_scan(const sfgp_em *em)
{
    return em->state.start.prior != SFGP_LOOSE &&
           em->unreached <= sfgp_tuning_of(em->problem->basis)->unreached_least;
}

/* A mirror image that is better explains the doubt. */
static bool asks(sfgp_em *em, sfgp_outcome outcome)
{
    if (!has_found(em, outcome))
        return false;
    const unsigned doubts = doubts_of(em);
    return doubts && !(doubts & SFGP_DOUBT_MIRROR) && reaches_the_scan(em);
}

static bool is_good(sfgp_em *em, sfgp_outcome outcome)
{
    return has_found(em, outcome) && doubts_of(em) == SFGP_DOUBT_BESIDE;
}

static sfgp_status search_again(sfgp_solver *solver, bool beside, sfgp_outcome *outcome)
{
    solver->problem.beside = beside;
    return sfgp_attempt_again(solver, outcome);
}

sfgp_status sfgp_beside_try(sfgp_solver *solver, sfgp_outcome *outcome)
{
    sfgp_em *em = solver->em;
    const double gain = em->mirror_gain;
    if (!applies(solver) || !asks(em, *outcome))
        return SFGP_OK;
    sfgp_status status = search_again(solver, true, outcome);
    if (status == SFGP_OK && is_good(em, *outcome))
        return sfgp_sides_check(solver, *outcome);
    if (status == SFGP_OK)
        status = search_again(solver, false, outcome);
    em->mirror_gain = gain;
    return status;
}
