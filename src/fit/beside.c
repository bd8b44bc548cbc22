/* Searches a doubtful scan again, with other surfaces beside the shape. Rule in beside.h. */
#include "fit/beside.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "fit/first.h"
#include "fit/one_search.h"
#include "fit/sides.h"
#include "outcome/expected.h"
#include "outcome/overlap.h"
#include "search/inside.h"
#include "search/stretch.h"
#include "search/tuning.h"

/* A length that is a guess stays one beside other surfaces. */
static unsigned doubts_of(sfgp_em *em)
{
    return sfgp_overlap_doubts(em, sfgp_expected_error(em)) & ~(unsigned)SFGP_DOUBT_LENGTH;
}

/* A mirror image that is better explains the doubt. */
static bool asks(sfgp_em *em, sfgp_outcome outcome)
{
    if (!sfgp_one_search_has_found(em, outcome))
        return false;
    const unsigned doubts = doubts_of(em);
    return doubts && !(doubts & SFGP_DOUBT_MIRROR);
}

/* first: the points of the fit to all of the scan. */
static bool is_better(sfgp_em *em, sfgp_outcome outcome, const double *first)
{
    return sfgp_one_search_has_found(em, outcome) && !(doubts_of(em) & ~(unsigned)SFGP_DOUBT_BESIDE) &&
           sfgp_stretch_beside(em, first, em->state.points) >
               sfgp_tuning_of(em->problem->basis)->beside_stretch;
}

/* What is known of the second fit, which is taken. */
static sfgp_status take(sfgp_solver *solver, sfgp_outcome outcome)
{
    const sfgp_status status = sfgp_inside_share(solver->em, &solver->em->facts.inside);
    return status == SFGP_OK ? sfgp_sides_check(solver, outcome) : status;
}

/* The second fit, or the first one again. points: of the first. */
static sfgp_status search_both(sfgp_solver *solver, const double *points, sfgp_outcome *outcome)
{
    sfgp_first first = sfgp_first_of(solver, *outcome);
    solver->problem.beside = true;
    sfgp_status status = sfgp_first_search_again(solver, &first, outcome);
    if (status == SFGP_OK)
        status = is_better(solver->em, *outcome, points) ? take(solver, *outcome)
                                                         : sfgp_first_return(solver, &first, outcome);
    sfgp_first_clear(&first);
    return status;
}

sfgp_status sfgp_beside_try(sfgp_solver *solver, sfgp_outcome *outcome)
{
    const sfgp_basis *basis = solver->problem.basis;
    const int64_t size = basis->count * basis->dimension;
    double *first = NULL;
    if (!asks(solver->em, *outcome))
        return SFGP_OK;
    sfgp_status status = sfgp_allocate(solver->context, size, &first);
    if (status == SFGP_OK) {
        sfgp_lanes_copy(size, solver->em->state.points, first);
        status = search_both(solver, first, outcome);
    }
    sfgp_free(first);
    return status;
}
