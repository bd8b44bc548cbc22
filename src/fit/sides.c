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

/* ---- target and image ---------------------------------------------------------------------------------- */

/* Under the stiff prior, and under the prior as it is. */
enum { PRIORS = 2 };

static const sfgp_em_prior PRIOR[PRIORS] = {SFGP_PRIOR_STIFF, SFGP_PRIOR_AS_IS};

/* The target or its image, where it is fitted, and the larger scores of these fits: minus infinity where they explain nothing, and before. */
typedef struct side {
    sfgp_em_problem problem;
    sfgp_shortlist poses;
    double under[PRIORS];
} side;

static side side_of(const sfgp_em_problem *problem)
{
    return (side){.problem = *problem, .under = {-HUGE_VAL, -HUGE_VAL}};
}

static sfgp_status load_image(const sfgp_some_points *c, side *image)
{
    sfgp_context *context = c->solver->context;
    sfgp_em_problem *problem = &image->problem;
    const sfgp_mesh *scan = problem->mesh;
    sfgp_mesh *mirrored = NULL;
    problem->exact = NULL;
    problem->target = (sfgp_target){0};
    const sfgp_status status =
        sfgp_mesh_from_points(context, scan->count, scan->dimension, scan->points, &mirrored);
    problem->mesh = mirrored;
    if (status != SFGP_OK)
        return status;
    sfgp_mirror_points(&c->solver->model->frame, mirrored->count, mirrored->points);
    return sfgp_em_problem_load(context, problem);
}

static void clear_image(side *image)
{
    sfgp_target_clear(&image->problem.target);
    sfgp_mesh_free((sfgp_mesh *)image->problem.mesh);
}

/* The image of a shape that is not symmetrical lies badly already as a rigid whole. */
static bool is_near(const sfgp_em *em, const sfgp_shortlist *poses)
{
    const double share = sfgp_tuning_of(em->problem->basis)->mirror_rigid;
    return poses->count > 0 &&
           (em->facts.rigid_score == 0 || poses->best[0].score >= share * em->facts.rigid_score);
}

/* The poses of another search; none if they are not near. The rungs read the priors of a workspace and count in it: in a copy, as these
 * fits do not count. */
static sfgp_status find_poses(const sfgp_some_points *c, side *one)
{
    sfgp_em copy = *c->solver->em;
    bool ignored;
    copy.problem = &one->problem;
    one->poses.count = 0;
    const sfgp_status status = sfgp_poses_apply(&one->problem)
                                   ? sfgp_poses_find(c->solver->context, &one->problem,
                                                     one->problem.basis->mean, &one->poses, &ignored)
                                   : sfgp_halving_run(&copy, &one->poses, &ignored);
    if (!is_near(c->solver->em, &one->poses))
        one->poses.count = 0;
    return status;
}

/* The pose of the fit. */
static void take_pose(const sfgp_some_points *c, side *own)
{
    own->poses.count = 1;
    own->poses.best[0].start = sfgp_em_standard_start(c->problem);
    own->poses.best[0].start.pose = sfgp_some_points_pose(c);
}

/* ---- fits of some points ------------------------------------------------------------------------------- */

/* At all poses, under one prior. */
static sfgp_status fit_under(sfgp_some_points *c, int prior, side *one)
{
    if (one->poses.count == 0)
        return SFGP_OK;
    sfgp_status status = sfgp_some_points_take_target(c, &one->problem);
    for (int k = 0; k < one->poses.count && status == SFGP_OK; k++)
        status = sfgp_some_points_fit(c, &one->poses.best[k].start.pose, PRIOR[prior], &one->under[prior]);
    return status;
}

/* The first of those under which the problem can be fitted. */
static int first_prior(const sfgp_some_points *c)
{
    return c->problem->rescaled[SFGP_PRIOR_STIFF] ? 0 : 1;
}

static double gain_under(const side *image, const side *own, int prior)
{
    return image->under[prior] > -HUGE_VAL ? fmin(image->under[prior] - own->under[prior], SFGP_SIDES_MOST)
                                           : -HUGE_VAL;
}

/* *gain: by how many nats the image is better under both priors; under the first one that says that it is not, no other is asked. */
static sfgp_status fit_both(sfgp_some_points *c, double margin, side *image, side *own, double *gain)
{
    sfgp_status status = SFGP_OK;
    *gain = SFGP_SIDES_MOST;
    for (int prior = first_prior(c); prior < PRIORS && status == SFGP_OK && *gain > margin; prior++) {
        status = fit_under(c, prior, image);
        if (status == SFGP_OK && image->under[prior] > -HUGE_VAL)
            status = fit_under(c, prior, own);
        *gain = fmin(*gain, gain_under(image, own, prior));
    }
    return status;
}

/* The pose of the fit may be wrong. */
static sfgp_status search_own(sfgp_some_points *c, const side *image, side *own, double *gain)
{
    sfgp_status status = find_poses(c, own);
    for (int prior = first_prior(c); prior < PRIORS && status == SFGP_OK; prior++) {
        status = fit_under(c, prior, own);
        *gain = fmin(*gain, gain_under(image, own, prior));
    }
    return status;
}

static sfgp_status compare_with_image(sfgp_some_points *c, double margin, double *gain)
{
    side own = side_of(c->problem), image = own;
    sfgp_status status = load_image(c, &image);
    if (status == SFGP_OK)
        status = find_poses(c, &image);
    take_pose(c, &own);
    if (status == SFGP_OK)
        status = fit_both(c, margin, &image, &own, gain);
    if (status == SFGP_OK && *gain > margin)
        status = search_own(c, &image, &own, gain);
    clear_image(&image);
    return status;
}

static sfgp_status compare(const sfgp_solver *solver, double margin, double *gain)
{
    sfgp_some_points c;
    *gain = -HUGE_VAL;
    sfgp_status status = sfgp_some_points_new(solver, &c);
    if (status == SFGP_OK)
        status = compare_with_image(&c, margin, gain);
    sfgp_some_points_clear(&c);
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
    if (status == SFGP_OK && sfgp_overlap_is_mirrored(em))
        sfgp_sides_warn(solver->context, solver->settings.mirror != 0, em->facts.mirror_gain);
    return status;
}
