/* Compares a poor fit with what the mirror image of its target would give. */
#include "fit/sides.h"
#include "geom/mirror.h"
#include "outcome/overlap.h"
#include "search/halving.h"
#include "search/tuning.h"

#include <math.h>

/* A scan with large holes misses much, too, but its labels scatter little. */
static bool misses_too_much(sfgp_em *em, const sfgp_tuning *tuning)
{
    const sfgp_responsibilities *r = &em->responsibilities;
    return (double)r->missing > tuning->mirror_missing * (double)r->count &&
           sfgp_overlap_scatter(em) > tuning->mirror_scatter;
}

static bool is_poor(sfgp_em *em, sfgp_outcome outcome)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    const sfgp_responsibilities *r = &em->responsibilities;
    double explained = 0;
    for (int64_t j = 0; j < r->targets; j++)
        explained += r->explained[j] > 0.5;
    return outcome == SFGP_NO_OVERLAP || sfgp_overlap_scatters(em) || misses_too_much(em, tuning) ||
           explained < tuning->mirror_explained * (1 - em->problem->clutter) * (double)r->targets;
}

/* The best score of the search for a start; minus infinity when there is none. The workspace is used for its counts only. */
static sfgp_status find_score(const sfgp_solver *solver, const sfgp_mesh *mesh, double *score)
{
    sfgp_em_problem problem = solver->problem;
    sfgp_em shadow = *solver->em;
    sfgp_shortlist list = {.count = 0};
    bool turned = false;
    shadow.problem = &problem;
    problem.mesh = mesh;
    problem.target = (sfgp_target){0};
    *score = -HUGE_VAL;
    sfgp_status status = sfgp_em_problem_load(solver->context, &problem);
    if (status == SFGP_OK)
        status = sfgp_halving_run(&shadow, &list, &turned);
    if (status == SFGP_OK && list.count > 0)
        *score = list.best[0].score;
    sfgp_target_clear(&problem.target);
    return status;
}

/* The search of this fit has found it; that of a dense fit was made on other subsets. */
static sfgp_status find_own_score(const sfgp_solver *solver, const sfgp_mesh *target, double *score)
{
    *score = solver->em->start_score;
    return sfgp_em_is_warm(solver->em) ? find_score(solver, target, score) : SFGP_OK;
}

sfgp_status sfgp_sides_check(const sfgp_solver *solver, const sfgp_mesh *target, sfgp_outcome outcome)
{
    sfgp_mesh *image = NULL;
    double own = 0, other = 0;
    if (solver->problem.landmarks || !solver->problem.comparable || !is_poor(solver->em, outcome))
        return SFGP_OK;
    sfgp_status status = sfgp_mirror_target(solver->context, &solver->model->frame, target, &image);
    if (status == SFGP_OK)
        status = find_score(solver, image, &other);
    if (status == SFGP_OK && other > -HUGE_VAL)
        status = find_own_score(solver, target, &own);
    if (status == SFGP_OK && other > own + sfgp_tuning_of(solver->em->problem->basis)->mirror_margin)
        sfgp_warn(
            solver->context,
            "mirror: the target fits %s better (by %.0f nats on a subset); is it of the other side of the body? set "
            "mirror to %d",
            solver->settings.mirror ? "the reference itself" : "the mirror image of the reference",
            fmin(other - own, 1e6), solver->settings.mirror ? 0 : 1);
    sfgp_mesh_free(image);
    return status;
}
