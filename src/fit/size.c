/* Asks the rigid search for the size. Rule in size.h. */
#include "fit/size.h"
#include "outcome/expected.h"
#include "outcome/overlap.h"
#include "search/effort.h"
#include "search/poses.h"
#include "search/tuning.h"

static bool applies(const sfgp_solver *solver)
{
    const sfgp_em_problem *problem = &solver->problem;
    const sfgp_tuning *tuning = sfgp_tuning_of(problem->basis);
    return solver->settings.reject && problem->effort->sides && !problem->landmarks && problem->area > 0 &&
           !solver->context->late && tuning->size_sure > 0 && sfgp_poses_apply(problem) &&
           !(solver->em->facts.mirror_gain > tuning->mirror_margin);
}

static bool is_doubtful(const sfgp_solver *solver, sfgp_outcome outcome)
{
    sfgp_em *em = solver->em;
    return outcome != SFGP_CONVERGED || sfgp_overlap_is_none(em, outcome) || solver->problem.clutter > 0 ||
           sfgp_overlap_doubts(em, sfgp_expected_error(em)) ||
           em->facts.unreached > sfgp_tuning_of(em->problem->basis)->unreached_least;
}

sfgp_status sfgp_size_hint(const sfgp_solver *solver, sfgp_outcome outcome)
{
    double size;
    if (!applies(solver) || !is_doubtful(solver, outcome))
        return SFGP_OK;
    const sfgp_status status = sfgp_poses_find_size(solver->context, &solver->problem, &size);
    if (status == SFGP_OK && size != 1)
        sfgp_warn(
            solver->context,
            "size: the reference lies much better in the scan if it is about %.2g times as large; is the subject larger or smaller? "
            "--target-scale %.2g brings the scan to the size of the reference",
            size, 1 / size);
    return status;
}
