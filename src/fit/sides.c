/* Compares a fit with what the mirror image of its target would give. */
#include "fit/sides.h"
#include "fit/some_points.h"
#include "geom/mirror.h"
#include "outcome/overlap.h"
#include "search/halving.h"
#include "search/poses.h"
#include "search/tuning.h"

#include <math.h>
#include <stdio.h>

/* ---- which fits are poor ------------------------------------------------------------------------------- */

/* A scan with large holes misses much, too, but its labels scatter little. */
static bool misses_too_much(sfgp_em *em, const sfgp_tuning *tuning)
{
    const sfgp_responsibilities *r = &em->responsibilities;
    return (double)r->missing > tuning->mirror_missing * (double)r->count &&
           sfgp_overlap_scatter(em) > tuning->mirror_scatter;
}

bool sfgp_sides_is_poor(sfgp_em *em, sfgp_outcome outcome)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    return outcome == SFGP_NO_OVERLAP || sfgp_overlap_scatters(em) || misses_too_much(em, tuning) ||
           sfgp_responsibilities_explained(&em->responsibilities) <
               tuning->mirror_explained * (1 - em->problem->clutter);
}

/* ---- fits of some points ------------------------------------------------------------------------------- */

/* Under the stiff prior, and under the prior as it is. */
enum { PRIORS = 2 };

/* The larger scores of fits, minus infinity where they explain nothing; infinity under a prior that the problem does not have. */
typedef struct scores {
    double under[PRIORS];
} scores;

static scores no_scores(const sfgp_em_problem *problem)
{
    return (scores){{problem->rescaled[SFGP_PRIOR_STIFF] ? -HUGE_VAL : HUGE_VAL, -HUGE_VAL}};
}

/* At some poses of the target of a problem, under each prior. */
static sfgp_status fit_all(sfgp_some_points *c, const sfgp_em_problem *problem, const sfgp_shortlist *poses,
                           scores *best)
{
    sfgp_status status = sfgp_some_points_take_target(c, problem);
    for (int prior = problem->rescaled[SFGP_PRIOR_STIFF] ? 0 : 1; prior < PRIORS; prior++)
        for (int k = 0; k < poses->count && status == SFGP_OK; k++)
            status =
                sfgp_some_points_fit(c, &poses->best[k].start.pose,
                                     prior == 0 ? SFGP_PRIOR_STIFF : SFGP_PRIOR_AS_IS, &best->under[prior]);
    return status;
}

/* ---- target and image ---------------------------------------------------------------------------------- */

/* The image of a shape that is not symmetrical lies badly already as a rigid whole. */
static bool is_near(const sfgp_em *em, const sfgp_shortlist *poses)
{
    const double share = sfgp_tuning_of(em->problem->basis)->mirror_rigid;
    return poses->count > 0 &&
           (em->facts.rigid_score == 0 || poses->best[0].score >= share * em->facts.rigid_score);
}

/* At the poses of another search for the target of a problem. The rungs read the priors of a workspace and count in it: in a copy, as these
 * fits do not count. */
static sfgp_status search(sfgp_some_points *c, const sfgp_em_problem *problem, scores *best)
{
    sfgp_em copy = *c->solver->em;
    sfgp_shortlist poses = {.count = 0};
    bool ignored;
    copy.problem = problem;
    const sfgp_status status = sfgp_poses_apply(problem)
                                   ? sfgp_poses_find(c->solver->context, problem, &poses, &ignored)
                                   : sfgp_halving_run(&copy, &poses, &ignored);
    return status == SFGP_OK && is_near(c->solver->em, &poses) ? fit_all(c, problem, &poses, best) : status;
}

static sfgp_status search_image(sfgp_some_points *c, scores *best)
{
    sfgp_context *context = c->solver->context;
    sfgp_em_problem problem = *c->problem;
    const sfgp_mesh *scan = problem.mesh;
    sfgp_mesh *image = NULL;
    sfgp_status status = sfgp_mesh_from_points(context, scan->count, scan->dimension, scan->points, &image);
    if (status != SFGP_OK)
        return status;
    sfgp_mirror_points(&c->solver->model->frame, image->count, image->points);
    problem.mesh = image;
    problem.exact = NULL;
    problem.target = (sfgp_target){0};
    status = sfgp_em_problem_load(context, &problem);
    if (status == SFGP_OK)
        status = search(c, &problem, best);
    sfgp_target_clear(&problem.target);
    sfgp_mesh_free(image);
    return status;
}

/* At the pose of the fit. */
static sfgp_status fit_own(sfgp_some_points *c, scores *best)
{
    sfgp_shortlist pose = {.count = 1};
    pose.best[0].start = sfgp_em_standard_start(c->problem);
    pose.best[0].start.pose = sfgp_some_points_pose(c);
    return fit_all(c, c->problem, &pose, best);
}

/* By how many nats the image is better under both priors. */
static double gain_of(const scores *image, const scores *own)
{
    double gain = SFGP_SIDES_MOST;
    for (int prior = 0; prior < PRIORS; prior++)
        if (own->under[prior] < HUGE_VAL && image->under[prior] > -HUGE_VAL)
            gain = fmin(gain, image->under[prior] - own->under[prior]);
        else if (own->under[prior] < HUGE_VAL)
            gain = -HUGE_VAL;
    return gain;
}

static sfgp_status compare(const sfgp_solver *solver, double margin, double *gain)
{
    sfgp_some_points c;
    scores own = no_scores(&solver->problem), image = own;
    sfgp_status status = sfgp_some_points_new(solver, &c);
    if (status == SFGP_OK)
        status = search_image(&c, &image);
    if (status == SFGP_OK && gain_of(&image, &own) > -HUGE_VAL)
        status = fit_own(&c, &own);
    if (status == SFGP_OK && gain_of(&image, &own) > margin) /* the pose of the fit may be wrong */
        status = search(&c, c.problem, &own);
    sfgp_some_points_clear(&c);
    *gain = gain_of(&image, &own);
    return status;
}

void sfgp_sides_warn(sfgp_context *context, bool mirror, double gain)
{
    char by[48] = "";
    if (gain < SFGP_SIDES_MOST)
        snprintf(by, sizeof by, " (by %.0f nats)", gain);
    sfgp_warn(context,
              "mirror: the target fits %s better%s; is it of the other side of the body? set mirror to %d",
              mirror ? "the reference itself" : "the mirror image of the reference", by, !mirror);
}

sfgp_status sfgp_sides_check(const sfgp_solver *solver, sfgp_outcome outcome)
{
    sfgp_em *em = solver->em;
    const sfgp_em_problem *problem = &solver->problem;
    const double margin = sfgp_tuning_of(problem->basis)->mirror_margin;
    if (problem->landmarks || !problem->comparable ||
        !(sfgp_poses_apply(problem) || sfgp_sides_is_poor(em, outcome)))
        return SFGP_OK;
    const sfgp_status status = compare(solver, margin, &em->facts.mirror_gain);
    if (status == SFGP_OK && em->facts.mirror_gain > margin)
        sfgp_sides_warn(solver->context, solver->settings.mirror != 0, em->facts.mirror_gain);
    return status;
}
