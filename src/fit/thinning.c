#include "fit/thinning.h"
#include "base/memory.h"
#include "fit/squarem.h"
#include "geom/blocks.h"
#include "geom/spread.h"

#include <stdbool.h>
#include <string.h>

#define PAIRS ((int64_t)1 << 25) /* 400 MB of P, */
#define LABELS 64                /* or so many for each reference point */
#define LABELS_CARRIED 8         /* of a point, about right while a carried fit moves; */
#define LABELS_ENOUGH 256        /* more tell nothing more */

int64_t sfgp_thinning_budget(int64_t reference_count)
{
    const int64_t labels = LABELS * reference_count;
    return labels > PAIRS ? labels : PAIRS;
}

static int64_t in_use(const sfgp_solver *solver)
{
    return (solver->target_count + solver->thinning - 1) / solver->thinning;
}

static int64_t choose(const sfgp_solver *solver)
{
    int64_t thinning = 1;
    while (solver->method->correspond == sfgp_correspond_soft &&
           solver->target_count / thinning > solver->pair_budget / solver->model->count)
        thinning *= 2;
    return thinning;
}

sfgp_status sfgp_thinning_tree(sfgp_solver *solver)
{
    return solver->tree ? SFGP_OK
                        : sfgp_kdtree_new(solver->context, solver->labels.targets, solver->model->dimension,
                                          solver->target, &solver->tree);
}

/* What is in use, seen from the pose, and what finds labels in it. */
static sfgp_status use(sfgp_solver *solver)
{
    const int64_t d = solver->model->dimension, count = in_use(solver);
    for (int64_t j = 0; j < count; j++)
        memcpy(solver->target + j * d, solver->scan + j * solver->thinning * d, (size_t)d * sizeof(double));
    sfgp_pose_undo(&solver->pose, (int)d, count, solver->target, solver->target);
    solver->labels.targets = count;
    sfgp_kdtree_free(solver->tree);
    solver->tree = NULL;
    return solver->tiles ? sfgp_tiles_take(solver->context, count, solver->target, solver->tiles)
                         : sfgp_thinning_tree(solver);
}

sfgp_status sfgp_thinning_load(sfgp_solver *solver, const sfgp_mesh *target)
{
    const int64_t d = target->dimension;
    const sfgp_frame *frame = &solver->model->frame;
    sfgp_status status = SFGP_OK;
    solver->target_count = target->count;
    sfgp_free(solver->order);
    solver->order = NULL;
    if (choose(solver) == 1 && !solver->tiles) {
        sfgp_frame_enter(frame, target->count, target->points, solver->scan);
        return SFGP_OK;
    }
    if ((status = sfgp_allocate(solver->context, target->count, &solver->order)) != SFGP_OK)
        return status;
    if ((status = sfgp_points_order(solver->context, target->count, (int)d, target->points, SFGP_BLOCK,
                                    solver->order)) != SFGP_OK)
        return status;
    for (int64_t j = 0; j < target->count; j++)
        sfgp_frame_enter(frame, 1, target->points + solver->order[j] * d, solver->scan + j * d);
    return SFGP_OK;
}

sfgp_status sfgp_thinning_begin(sfgp_solver *solver)
{
    solver->thinning = choose(solver);
    return use(solver);
}

sfgp_status sfgp_thinning_resume(sfgp_solver *solver, const sfgp_solver *part)
{
    const double found = (double)part->labels.pairs / (double)part->model->count,
                 labels = found > 0 ? found : (double)part->target_count, /* who knows how many */
        denser = (double)solver->target_count / (double)part->target_count;
    solver->thinning = 1;
    while (solver->order && labels * denser > (double)(LABELS_CARRIED * solver->thinning))
        solver->thinning *= 2;
    return use(solver);
}

sfgp_status sfgp_thinning_return(sfgp_solver *solver, int64_t thinning)
{
    if (thinning == solver->thinning)
        return SFGP_OK;
    solver->thinning = thinning;
    return use(solver);
}

/* The k to end with: 1, or where that is labels without end, what leaves enough of them. */
static int64_t least(const sfgp_solver *solver)
{
    const double all = (double)solver->labels.pairs * (double)solver->thinning;
    int64_t thinning = 1;
    while (solver->carried && thinning < solver->thinning &&
           all > (double)(LABELS_ENOUGH * solver->labels.count * thinning))
        thinning *= 2;
    return thinning;
}

bool sfgp_thinning_has_ended(const sfgp_solver *solver)
{
    return solver->thinning == least(solver);
}

/* Half of k while there is room; the last k once the points of a carried fit rest. */
static int64_t finer(const sfgp_solver *solver)
{
    const bool rests = solver->change < solver->settings.tolerance;
    const int64_t room = solver->carried ? LABELS_CARRIED * solver->labels.count : solver->pair_budget;
    if (rests && solver->carried)
        return least(solver);
    return rests || 2 * solver->labels.pairs <= room ? solver->thinning / 2 : solver->thinning;
}

sfgp_status sfgp_thinning_refine(sfgp_solver *solver)
{
    const int64_t thinning = solver->thinning > 1 ? finer(solver) : 1;
    if (thinning == solver->thinning)
        return SFGP_OK;
    sfgp_squarem_begin(solver);
    solver->thinning = thinning;
    return use(solver);
}

int64_t sfgp_thinning_original(const sfgp_solver *solver, int64_t j)
{
    return solver->order ? solver->order[j * solver->thinning] : j;
}
