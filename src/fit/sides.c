/* Compares a poor fit with what the mirror image of its target would give. */
#include "fit/sides.h"
#include "geom/mirror.h"
#include "outcome/overlap.h"
#include "search/halving.h"
#include "search/tuning.h"

#include <math.h>

/* Of 400 points. On one alone a face, which is almost symmetric, was better as its mirror image (ADR 0032). */
#define SUBSETS 3

/* A scan with large holes misses much, too, but its labels scatter little. */
static bool misses_too_much(sfgp_em *em, const sfgp_tuning *tuning)
{
    const sfgp_responsibilities *r = &em->responsibilities;
    return (double)r->missing > tuning->mirror_missing * (double)r->count &&
           sfgp_overlap_scatter(em) > tuning->mirror_scatter;
}

double sfgp_sides_explained(const sfgp_em *em)
{
    const sfgp_responsibilities *r = &em->responsibilities;
    int64_t explained = 0;
    for (int64_t j = 0; j < r->targets; j++)
        explained += r->explained[j] > 0.5;
    return (double)explained / (double)r->targets;
}

bool sfgp_sides_is_poor(sfgp_em *em, sfgp_outcome outcome)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    return outcome == SFGP_NO_OVERLAP || sfgp_overlap_scatters(em) || misses_too_much(em, tuning) ||
           sfgp_sides_explained(em) < tuning->mirror_explained * (1 - em->problem->clutter);
}

/* The best score of a search for the pose of a target; minus infinity when there is none. */
typedef sfgp_status (*search)(sfgp_em *em, double *score);

static sfgp_status search_all(sfgp_em *em, double *score)
{
    sfgp_shortlist list = {.count = 0};
    bool turned = false;
    const sfgp_status status = sfgp_halving_run(em, &list, &turned);
    *score = status == SFGP_OK && list.count > 0 ? list.best[0].score : -HUGE_VAL;
    return status;
}

/* Of another target, on the given one of its subsets; the workspace of the fit is used for its counts only. */
static sfgp_status find_score(const sfgp_solver *solver, search find, const sfgp_mesh *mesh, int subset,
                              double *score)
{
    sfgp_em_problem problem = solver->problem;
    sfgp_em shadow = *solver->em;
    shadow.problem = &problem;
    problem.seed += 2 * (uint64_t)subset; /* a subset of each shape */
    problem.mesh = mesh;
    problem.exact = NULL;
    problem.target = (sfgp_target){0};
    sfgp_status status = sfgp_em_problem_load(solver->context, &problem);
    if (status == SFGP_OK)
        status = find(&shadow, score);
    sfgp_target_clear(&problem.target);
    return status;
}

/* By how many nats the image is better than the target. */
static sfgp_status compare(const sfgp_solver *solver, search find, const sfgp_mesh *target,
                           const sfgp_mesh *image, int subset, double *gain)
{
    double own = 0, other = -HUGE_VAL;
    sfgp_status status = find_score(solver, find, image, subset, &other);
    *gain = -HUGE_VAL;
    if (status != SFGP_OK || other == -HUGE_VAL)
        return status;
    status = find_score(solver, find, target, subset, &own);
    *gain = fmin(other - own, 1e6); /* the target may have none */
    return status;
}

/* The least gain of several subsets; the first that does not say so is the last. */
static sfgp_status confirm(const sfgp_solver *solver, const sfgp_mesh *target, const sfgp_mesh *image,
                           double margin, double *gain)
{
    sfgp_status status = SFGP_OK;
    double least = HUGE_VAL;
    for (int subset = 0; subset < SUBSETS && status == SFGP_OK && least > margin; subset++) {
        status = compare(solver, search_all, target, image, subset, gain);
        least = fmin(least, *gain);
    }
    *gain = least;
    return status;
}

sfgp_status sfgp_sides_check(const sfgp_solver *solver, sfgp_outcome outcome)
{
    const sfgp_mesh *scan = solver->problem.mesh;
    const sfgp_tuning *tuning = sfgp_tuning_of(solver->em->problem->basis);
    sfgp_mesh *image = NULL;
    double gain = 0;
    if (solver->problem.landmarks || !solver->problem.comparable || !sfgp_sides_is_poor(solver->em, outcome))
        return SFGP_OK;
    sfgp_status status =
        sfgp_mesh_from_points(solver->context, scan->count, scan->dimension, scan->points, &image);
    if (status == SFGP_OK) {
        sfgp_mirror_points(&solver->model->frame, image->count, image->points);
        status = compare(solver, sfgp_halving_check, scan, image, 0, &gain);
    }
    if (status == SFGP_OK && gain > -tuning->margin)
        status = confirm(solver, scan, image, tuning->mirror_margin, &gain);
    if (status == SFGP_OK && gain > tuning->mirror_margin)
        sfgp_warn(
            solver->context,
            "mirror: the target fits %s better (by %.0f nats or more on %d subsets); is it of the other side of the body? "
            "set mirror to %d",
            solver->settings.mirror ? "the reference itself" : "the mirror image of the reference", gain,
            SUBSETS, solver->settings.mirror ? 0 : 1);
    sfgp_mesh_free(image);
    return status;
}
