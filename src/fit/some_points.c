/* Short fits of a part of both shapes. */
#include "fit/some_points.h"
#include "search/duplicate.h"
#include "search/poses.h"
#include "search/rough.h"
#include "search/score.h"
#include "search/tuning.h"

#include <math.h>

void sfgp_some_points_clear(sfgp_some_points *points)
{
    sfgp_em_free(points->em);
    sfgp_subset_clear(&points->subset);
    sfgp_subset_clear(&points->some);
    *points = (sfgp_some_points){.solver = NULL};
}

/* Those at random of which all others are chosen, as each choice looks at all points. */
static sfgp_status choose_some(sfgp_some_points *c)
{
    const sfgp_em_problem *whole = &c->solver->problem;
    const int64_t n = whole->basis->count, targets = whole->mesh->count;
    const sfgp_subset_request request = {.points = SFGP_SOME_CHOSEN,
                                         .targets = sfgp_rough_targets(SFGP_SOME_CHOSEN, n, targets),
                                         .tolerance = whole->tolerance};
    c->problem = whole;
    if (n <= SFGP_SOME_CHOSEN || !sfgp_poses_apply(whole))
        return SFGP_OK;
    c->problem = &c->some.problem;
    return sfgp_subset_new(c->solver->context, whole, &request, &c->some);
}

sfgp_status sfgp_some_points_new(const sfgp_solver *solver, sfgp_some_points *c)
{
    *c = (sfgp_some_points){.solver = solver};
    sfgp_status status = choose_some(c);
    if (status != SFGP_OK)
        return status;
    const sfgp_em_problem *problem = c->problem;
    const int64_t n = problem->basis->count;
    c->request =
        (sfgp_subset_request){.points = SFGP_SOME_POINTS,
                              .targets = sfgp_rough_targets(SFGP_SOME_POINTS, n, problem->mesh->count),
                              .even = !sfgp_schedule_is_dense(n),
                              .accuracy = sfgp_tuning_of(problem->basis)->rough_accuracy,
                              .tolerance = problem->tolerance};
    status = sfgp_subset_new(solver->context, problem, &c->request, &c->subset);
    if (status == SFGP_OK)
        status = sfgp_em_new(solver->context, &c->subset.problem, &c->em);
    return status == SFGP_OK ? sfgp_em_take_target(c->em) : status; /* what it needs is known from here on */
}

sfgp_status sfgp_some_points_take_target(sfgp_some_points *c, const sfgp_em_problem *problem)
{
    const sfgp_status status = sfgp_subset_take_target(c->solver->context, problem, &c->request, &c->subset);
    return status == SFGP_OK ? sfgp_em_take_target(c->em) : status;
}

int64_t sfgp_some_points_index(const sfgp_some_points *c, int64_t k)
{
    const int64_t i = c->subset.index[k];
    return c->some.index ? c->some.index[i] : i;
}

sfgp_similarity sfgp_some_points_pose(const sfgp_some_points *c)
{
    sfgp_similarity motion;
    return sfgp_em_motion(c->solver->em, &motion) ? motion : sfgp_em_standard_start(c->problem).pose;
}

sfgp_status sfgp_some_points_fit(const sfgp_some_points *c, const sfgp_similarity *pose, sfgp_em_prior prior,
                                 double *best)
{
    const sfgp_em_problem *problem = &c->subset.problem;
    sfgp_em_start start = sfgp_em_standard_start(problem);
    sfgp_outcome outcome;
    double score = -HUGE_VAL;
    bool same;
    start.pose = *pose;
    start.prior = prior;
    sfgp_status status = sfgp_duplicate_run(
        c->em, &start, (int64_t)sfgp_tuning_of(problem->basis)->pace_after, NULL, &same, &outcome);
    if (status == SFGP_OK && outcome != SFGP_NO_OVERLAP)
        status = sfgp_search_score_start(c->em, &score);
    *best = fmax(*best, score);
    return status == SFGP_ERROR_NUMERIC ? SFGP_OK : status;
}
