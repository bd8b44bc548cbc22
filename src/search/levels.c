/* Coarse to fine: the fit of a subset starts that of the whole (ADR 0015). */
#include "search/levels.h"
#include "base/progress.h"
#include "em/information.h"
#include "em/loop.h"
#include "em/warm.h"
#include "search/effort.h"
#include "search/rough.h"
#include "search/search.h"
#include "search/subset.h"
#include "search/tuning.h"

#define SHARE 0.8 /* of the progress that is left, for a level and those below: about that of the time */

/* Of the smallest level of a shape. */
static int64_t least_points(const sfgp_effort *effort, int64_t points)
{
    return sfgp_schedule_is_dense(points) ? sfgp_schedule_surface.cells : effort->level_points;
}

int64_t sfgp_levels_points(const sfgp_effort *effort, int64_t points)
{
    const int64_t part = points / (int64_t)sfgp_tuning_for(3, false)->level_share;
    return sfgp_schedule_is_dense(part) ? part : least_points(effort, points);
}

/* As many in proportion, but no fewer than the smallest level has if there are as many. The share rounds the ratio first: by
 * sfgp_subset_targets some levels would have one point less or more. */
int64_t sfgp_levels_targets(const sfgp_effort *effort, int64_t points, int64_t part, int64_t targets)
{
    const int64_t share = (int64_t)((double)targets * ((double)part / (double)points)),
                  smallest = least_points(effort, points), least = targets < smallest ? targets : smallest;
    return share > least ? share : least;
}

void sfgp_level_clear(sfgp_level *level)
{
    sfgp_em_free(level->em);
    sfgp_subset_clear(&level->subset);
    *level = (sfgp_level){0};
}

bool sfgp_levels_go_on(const sfgp_effort *effort, const sfgp_tuning *tuning, int64_t points, int64_t targets)
{
    return points > effort->level_points && tuning->level_scan > 0 &&
           (double)targets >= tuning->level_scan * (double)points;
}

static bool is_fitted_at_once(const sfgp_em_problem *problem, bool is_level)
{
    const sfgp_basis *basis = problem->basis;
    const bool goes_on =
        is_level && sfgp_rough_suits(problem) &&
        sfgp_levels_go_on(problem->effort, sfgp_tuning_of(basis), basis->count, problem->mesh->count);
    return basis->count <= problem->effort->points_at_once && !goes_on;
}

/* Labels that err less along the normals are the last step of the finest level that is not dense: they need P. */
static bool refines_itself(const sfgp_em_problem *problem)
{
    return !sfgp_schedule_is_dense(problem->basis->count);
}

/* The smallest level only: what it leaves, a larger one finds. */
static void limit_iterations(const sfgp_effort *effort, sfgp_em *em)
{
    if (effort->level_iterations > 0 && em->problem->basis->count <= effort->points_at_once &&
        effort->level_iterations < em->max_iterations)
        em->max_iterations = effort->level_iterations;
}

/* Its points and workspace, unless they are there from the last target. */
static sfgp_status make_room(sfgp_em *whole, const sfgp_subset_request *request, sfgp_level *level)
{
    if (level->em) {
        const sfgp_status status =
            sfgp_subset_take_target(whole->context, whole->problem, request, &level->subset);
        return status == SFGP_OK ? sfgp_em_set_landmarks(level->em) : status;
    }
    const sfgp_status status = sfgp_subset_new(whole->context, whole->problem, request, &level->subset);
    return status == SFGP_OK ? sfgp_em_new(whole->context, &level->subset.problem, &level->em) : status;
}

static sfgp_status level_open(sfgp_em *whole, sfgp_level *level)
{
    const sfgp_em_problem *problem = whole->problem;
    const sfgp_effort *effort = problem->effort;
    const int64_t points = sfgp_levels_points(effort, problem->basis->count);
    const sfgp_subset_request request = {
        .points = points,
        .targets = sfgp_levels_targets(effort, problem->basis->count, points, problem->mesh->count),
        .even = true,
        .tolerance = problem->tolerance,
        .landmarks = true};
    const sfgp_mark mark = sfgp_profile_enter(whole->context, SFGP_STAGE_LEVEL);
    sfgp_status status = make_room(whole, &request, level);
    level->subset.problem.refines = problem->refines && !refines_itself(problem);
    if (status == SFGP_OK)
        status = sfgp_em_take_target(level->em);
    if (status == SFGP_OK)
        limit_iterations(effort, level->em);
    sfgp_profile_leave(whole->context, mark);
    return status;
}

/* The whole begins where the level has ended. */
static sfgp_status start_from(const sfgp_level *coarse, sfgp_em *whole)
{
    const sfgp_mark mark = sfgp_profile_enter(whole->context, SFGP_STAGE_LEVEL);
    const double temper = sfgp_tuning_of(whole->problem->basis)->information_temper;
    sfgp_status status =
        sfgp_em_is_warm(coarse->em) ? SFGP_OK : sfgp_em_information_variance(coarse->em, temper);
    if (status == SFGP_OK)
        status = sfgp_em_warm_start(whole, coarse->em);
    whole->iterations += coarse->em->iterations;
    whole->starts += coarse->em->starts;
    sfgp_profile_leave(whole->context, mark);
    return status;
}

/* The warm fit, and its last step where that is not the smaller level's. */
static sfgp_status run_from_level(sfgp_em *em, sfgp_outcome *outcome)
{
    const bool refines = refines_itself(em->problem);
    sfgp_status status = sfgp_em_run(em, outcome);
    if (status == SFGP_OK && refines && *outcome == SFGP_CONVERGED)
        status = sfgp_search_refine(em);
    if (status == SFGP_OK && refines)
        sfgp_em_judge_by_itself(em);
    return status;
}

static sfgp_status run(sfgp_em *em, bool is_level, sfgp_outcome *outcome);

static sfgp_status run_level(const sfgp_level *coarse, sfgp_outcome *outcome)
{
    const sfgp_progress_range outer = sfgp_progress_enter(coarse->em->context, SHARE);
    const sfgp_status status = run(coarse->em, true, outcome);
    sfgp_progress_leave(coarse->em->context, outer);
    return status;
}

static sfgp_status run(sfgp_em *em, bool is_level, sfgp_outcome *outcome)
{
    const sfgp_em_problem *problem = em->problem;
    sfgp_level own = {0};
    if (is_fitted_at_once(problem, is_level))
        return sfgp_search_run(em, outcome);
    const bool kept = problem->level && refines_itself(problem);
    sfgp_level *const coarse = kept ? problem->level : &own;
    sfgp_status status = level_open(em, coarse);
    if (status == SFGP_OK)
        status = run_level(coarse, outcome);
    if (status == SFGP_OK)
        status = start_from(coarse, em);
    if (!kept || status != SFGP_OK)
        sfgp_level_clear(coarse);
    if (status == SFGP_OK && *outcome != SFGP_NO_OVERLAP)
        status = run_from_level(em, outcome);
    return status;
}

sfgp_status sfgp_levels_run(sfgp_em *em, sfgp_outcome *outcome)
{
    return run(em, false, outcome);
}
