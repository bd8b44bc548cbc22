/* Sizes that follow from a problem, and its target. */
#include "em/problem.h"

#include <math.h>

/* With 1e-6 one of 716 fits of fish ends 0.16 radii from where it ends without pruning (ADR 0046), with 1e-9 all of 1440
 * within 2e-7 (ADR 0076). */
#define PRUNE_PAPER 1e-9
#define PRUNE 1e-3

double sfgp_em_prune(const sfgp_em_variant *variant, double pmin)
{
    return (variant && !variant->learns ? PRUNE_PAPER : PRUNE) * pmin;
}

/* Most pairs of points that have a responsibility. */
static int64_t pair_budget(const sfgp_em_schedule *schedule, int64_t count)
{
    const int64_t each = count < INT64_MAX / schedule->pairs_each ? schedule->pairs_each * count : INT64_MAX;
    return each > schedule->pairs ? each : schedule->pairs;
}

int64_t sfgp_em_label_budget(const sfgp_em_schedule *schedule, int64_t count)
{
    const double enough = schedule->labels_at_rest * (double)count;
    const int64_t room = pair_budget(schedule, count);
    return enough < (double)room ? (int64_t)enough : room;
}

int64_t sfgp_em_pairs_reserved(const sfgp_em_schedule *schedule, bool learns, int64_t count)
{
    return learns && count > schedule->dense ? 0 : pair_budget(schedule, count);
}

int64_t sfgp_em_thinning_for(const sfgp_em_problem *problem)
{
    const int64_t most = sfgp_em_label_budget(problem->cold, problem->basis->count) / problem->basis->count;
    int64_t thinning = 1;
    while (problem->variant->thins && problem->mesh->count / thinning > most)
        thinning *= 2;
    return thinning;
}

double sfgp_em_spacing(const sfgp_em_problem *problem)
{
    return sqrt(fmax(problem->shape_area / (double)problem->basis->count,
                     problem->area / (double)problem->target.count));
}

double sfgp_em_label_weight(const sfgp_em_problem *problem)
{
    if (!problem->variant->learns || !(problem->area > 0) || !(problem->shape_area > 0))
        return 1;
    const double points = (double)problem->basis->count / problem->shape_area,
                 targets = (double)problem->mesh->count / problem->area;
    return fmin(1, problem->cold->label_density * points / targets);
}

bool sfgp_em_has_surfaces(const sfgp_em_problem *problem)
{
    return problem->clutter > 0 || problem->beside;
}

sfgp_status sfgp_em_problem_load(sfgp_context *context, sfgp_em_problem *problem)
{
    const bool in_blocks = problem->tiles || sfgp_em_thinning_for(problem) > 1;
    sfgp_status status = sfgp_target_load(context, problem->mesh, in_blocks, &problem->target);
    if (status == SFGP_OK && sfgp_em_has_surfaces(problem))
        status = sfgp_target_set_clutter(context, problem->area, problem->seed, &problem->target);
    return status;
}
