/* Compares a fit with what the mirror image of its target would give. */
#include "fit/sides.h"
#include "geom/mirror.h"
#include "outcome/overlap.h"
#include "search/duplicate.h"
#include "search/halving.h"
#include "search/poses.h"
#include "search/rough.h"
#include "search/score.h"
#include "search/subset.h"
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

/* Some points of the reference, and of the target or its image. */
typedef struct comparison {
    const sfgp_solver *solver;
    sfgp_subset some;               /* of a shape of many points; else empty */
    const sfgp_em_problem *problem; /* of them, or of the whole */
    sfgp_subset_request request;
    sfgp_subset subset;
    sfgp_em *em;
} comparison;

static void comparison_clear(comparison *c)
{
    sfgp_em_free(c->em);
    sfgp_subset_clear(&c->subset);
    sfgp_subset_clear(&c->some);
}

/* Those at random of which all others are chosen, as each choice looks at all points. */
static sfgp_status choose_some(comparison *c)
{
    const sfgp_em_problem *whole = &c->solver->problem;
    const int64_t n = whole->basis->count, targets = whole->mesh->count;
    const sfgp_subset_request request = {.points = SFGP_SIDES_CHOSEN,
                                         .targets = sfgp_rough_targets(SFGP_SIDES_CHOSEN, n, targets),
                                         .tolerance = whole->tolerance};
    c->problem = whole;
    if (n <= SFGP_SIDES_CHOSEN || !sfgp_poses_apply(whole))
        return SFGP_OK;
    c->problem = &c->some.problem;
    return sfgp_subset_new(c->solver->context, whole, &request, &c->some);
}

static sfgp_status comparison_new(const sfgp_solver *solver, comparison *c)
{
    *c = (comparison){.solver = solver};
    sfgp_status status = choose_some(c);
    if (status != SFGP_OK)
        return status;
    const sfgp_em_problem *problem = c->problem;
    const int64_t n = problem->basis->count;
    c->request =
        (sfgp_subset_request){.points = SFGP_SIDES_POINTS,
                              .targets = sfgp_rough_targets(SFGP_SIDES_POINTS, n, problem->mesh->count),
                              .even = n <= sfgp_schedule_surface.dense,
                              .accuracy = sfgp_tuning_of(problem->basis)->rough_accuracy,
                              .tolerance = problem->tolerance};
    status = sfgp_subset_new(solver->context, problem, &c->request, &c->subset);
    if (status == SFGP_OK)
        status = sfgp_em_new(solver->context, &c->subset.problem, &c->em);
    return status == SFGP_OK ? sfgp_em_take_target(c->em) : status; /* what it needs is known from here on */
}

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

/* A fit of some iterations that begins at a pose. */
static sfgp_status fit_at(const comparison *c, const sfgp_similarity *pose, bool stiff, double *best)
{
    const sfgp_em_problem *problem = &c->subset.problem;
    sfgp_em_start start = sfgp_em_standard_start(problem);
    sfgp_outcome outcome;
    double score = -HUGE_VAL;
    bool same;
    start.pose = *pose;
    start.prior = stiff ? SFGP_PRIOR_STIFF : SFGP_PRIOR_AS_IS;
    sfgp_status status = sfgp_duplicate_run(
        c->em, &start, (int64_t)sfgp_tuning_of(problem->basis)->pace_after, NULL, &same, &outcome);
    if (status == SFGP_OK && outcome != SFGP_NO_OVERLAP)
        status = sfgp_search_score_start(c->em, &score);
    *best = fmax(*best, score);
    return status == SFGP_ERROR_NUMERIC ? SFGP_OK : status;
}

/* At some poses of the target of a problem, under each prior. */
static sfgp_status fit_all(comparison *c, const sfgp_em_problem *problem, const sfgp_shortlist *poses,
                           scores *best)
{
    sfgp_status status = sfgp_subset_take_target(c->solver->context, problem, &c->request, &c->subset);
    if (status == SFGP_OK)
        status = sfgp_em_take_target(c->em);
    for (int prior = problem->rescaled[SFGP_PRIOR_STIFF] ? 0 : 1; prior < PRIORS; prior++)
        for (int k = 0; k < poses->count && status == SFGP_OK; k++)
            status = fit_at(c, &poses->best[k].start.pose, prior == 0, &best->under[prior]);
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
static sfgp_status search(comparison *c, const sfgp_em_problem *problem, scores *best)
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

static sfgp_status search_image(comparison *c, scores *best)
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
static sfgp_status fit_own(comparison *c, scores *best)
{
    sfgp_shortlist pose = {.count = 1};
    sfgp_similarity motion;
    pose.best[0].start = sfgp_em_standard_start(c->problem);
    if (sfgp_em_motion(c->solver->em, &motion))
        pose.best[0].start.pose = motion;
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
    comparison c;
    scores own = no_scores(&solver->problem), image = own;
    sfgp_status status = comparison_new(solver, &c);
    if (status == SFGP_OK)
        status = search_image(&c, &image);
    if (status == SFGP_OK && gain_of(&image, &own) > -HUGE_VAL)
        status = fit_own(&c, &own);
    if (status == SFGP_OK && gain_of(&image, &own) > margin) /* the pose of the fit may be wrong */
        status = search(&c, c.problem, &own);
    comparison_clear(&c);
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
