/* Asks the rigid search for the size, and fits at that one. Rule in size.h. */
#include "fit/size.h"
#include "fit/first.h"
#include "fit/one_search.h"
#include "fit/sides.h"
#include "outcome/expected.h"
#include "outcome/overlap.h"
#include "search/poses.h"
#include "search/tuning.h"
#include "search/unreached.h"

#include <math.h>

static bool applies(const sfgp_solver *solver)
{
    const sfgp_em_problem *problem = &solver->problem;
    return problem->area > 0 && !solver->context->late && sfgp_tuning_of(problem->basis)->size_sure > 0 &&
           sfgp_poses_apply(problem) && !sfgp_overlap_is_mirrored(solver->em);
}

/* What speaks against a fit. expected: its error, in radii of the reference, for what of the scan is explained; infinite where nothing was found. */
typedef struct objections {
    unsigned doubts;
    double unreached, expected;
} objections;

static objections objections_of(const sfgp_solver *solver, sfgp_outcome outcome)
{
    sfgp_em *em = solver->em;
    const double expected = sfgp_expected_error(em);
    if (!sfgp_one_search_has_found(em, outcome))
        return (objections){~0U, em->facts.unreached, HUGE_VAL};
    return (objections){sfgp_overlap_doubts(em, expected), em->facts.unreached,
                        solver->size * expected / sfgp_responsibilities_explained(&em->responsibilities)};
}

static bool is_doubtful(const sfgp_solver *solver, const objections *first)
{
    return first->doubts || sfgp_unreached_is_large(solver->em, first->unreached);
}

/* Where nothing else speaks against a fit with clutter, it may be right in its own size. */
static bool searches(const sfgp_solver *solver, const objections *first)
{
    return solver->settings.resize && solver->scan.first && !(solver->settings.max_time > 0) &&
           is_doubtful(solver, first);
}

static void hint(const sfgp_solver *solver, double size)
{
    sfgp_warn(
        solver->context,
        "size: the reference lies much better in the scan if it is about %.2g times as large; is the subject larger or smaller? "
        "--target-scale %.2g brings the scan to the size of the reference",
        size, 1 / size);
}

static void warn(const sfgp_solver *solver)
{
    sfgp_warn(
        solver->context,
        "size: the reference was made %.2g times as large before the fit, as it lies much better in the scan in "
        "that size; is the subject of that size? (--resize 0 keeps the size of the reference)",
        solver->size);
}

/* ---- the fit at another size -------------------------------------------------------------------------------- */

/* A copy of the scan comes into the frame of the other size. */
static sfgp_status take_size(sfgp_solver *solver, double size, sfgp_first *first)
{
    const sfgp_status status = sfgp_first_copy_scan(solver, first);
    if (status != SFGP_OK)
        return status;
    sfgp_scan_resize(size, &solver->scan);
    sfgp_solver_set_size(solver, size);
    solver->problem.beside = false;
    solver->problem.area /= size * size;
    sfgp_solver_measure_clutter(solver);
    return SFGP_OK;
}

static bool has_only_doubts_of(const sfgp_solver *solver, sfgp_outcome outcome, const objections *first)
{
    return sfgp_one_search_has_found(solver->em, outcome) &&
           !(objections_of(solver, outcome).doubts & ~first->doubts);
}

/* In a larger size a larger error is expected without a doubt: that one is gone only where the error is much smaller. */
static bool is_better(const sfgp_solver *solver, sfgp_outcome outcome, const objections *first)
{
    const double most = sfgp_tuning_of(solver->problem.basis)->size_expected;
    const objections other = objections_of(solver, outcome);
    return has_only_doubts_of(solver, outcome, first) && other.unreached <= first->unreached &&
           (other.expected < most * first->expected || !(first->doubts & SFGP_DOUBT_ERROR)) &&
           !sfgp_overlap_is_mirrored(solver->em);
}

/* The first fit again. What is known of the mirror image at the other size stays known. */
static sfgp_status refuse(sfgp_solver *solver, sfgp_first *first, sfgp_outcome *outcome)
{
    const bool mirrored = sfgp_overlap_is_mirrored(solver->em);
    const double gain = solver->em->facts.mirror_gain, size = solver->size;
    const sfgp_status status = sfgp_first_return(solver, first, outcome);
    if (mirrored)
        solver->em->facts.mirror_gain = gain;
    else
        hint(solver, size);
    return status;
}

static sfgp_status search_again(sfgp_solver *solver, double size, const objections *against,
                                sfgp_outcome *outcome)
{
    sfgp_first first = sfgp_first_of(solver, *outcome);
    sfgp_status status = take_size(solver, size, &first);
    if (status == SFGP_OK)
        status = sfgp_first_search_again(solver, &first, outcome);
    if (status == SFGP_OK && has_only_doubts_of(solver, *outcome, against))
        status = sfgp_sides_check(solver, *outcome);
    if (status == SFGP_OK) {
        if (is_better(solver, *outcome, against))
            warn(solver);
        else
            status = refuse(solver, &first, outcome);
    }
    sfgp_first_clear(&first);
    return status;
}

sfgp_status sfgp_size_try(sfgp_solver *solver, sfgp_outcome *outcome)
{
    double size;
    if (!applies(solver))
        return SFGP_OK;
    const objections first = objections_of(solver, *outcome);
    if (!is_doubtful(solver, &first) && solver->problem.clutter == 0)
        return SFGP_OK;
    const sfgp_status status = sfgp_poses_find_size(solver->context, &solver->problem, &size);
    if (status != SFGP_OK || size == 1)
        return status;
    if (searches(solver, &first))
        return search_again(solver, size, &first, outcome);
    return hint(solver, size), SFGP_OK;
}
