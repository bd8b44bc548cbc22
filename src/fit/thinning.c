#include "fit/thinning.h"
#include "base/memory.h"
#include "base/random.h"

#define PAIRS ((int64_t)1 << 25) /* 400 MB of P */
#define LABELS 64                /* for each reference point, when there are very many */

int64_t sfgp_thinning_budget(int64_t reference_count)
{
    return LABELS * reference_count > PAIRS ? LABELS * reference_count : PAIRS;
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

/* Fisher and Yates, from the seed. */
static void shuffle(int64_t count, uint64_t seed, int32_t *order)
{
    sfgp_random random;
    sfgp_random_seed(&random, seed);
    for (int64_t j = 0; j < count; j++)
        order[j] = (int32_t)j;
    for (int64_t j = count - 1; j > 0; j--) {
        int64_t k = sfgp_random_below(&random, j + 1);
        int32_t other = order[k];
        order[k] = order[j];
        order[j] = other;
    }
}

static sfgp_status build_tree(sfgp_solver *solver)
{
    solver->labels.targets = in_use(solver);
    sfgp_kdtree_free(solver->tree);
    return sfgp_kdtree_new(solver->context, in_use(solver), solver->model->dimension, solver->target,
                           &solver->tree);
}

sfgp_status sfgp_thinning_load(sfgp_solver *solver, const sfgp_mesh *target)
{
    const int64_t d = target->dimension;
    const sfgp_frame *frame = &solver->model->frame;
    sfgp_status status = SFGP_OK;
    solver->target_count = target->count;
    sfgp_free(solver->order);
    solver->order = NULL;
    if (choose(solver) == 1) {
        sfgp_frame_enter(frame, target->count, target->points, solver->scan);
        return SFGP_OK;
    }
    if ((status = sfgp_allocate(solver->context, target->count, &solver->order)) != SFGP_OK)
        return status;
    shuffle(target->count, (uint64_t)solver->settings.seed, solver->order);
    for (int64_t j = 0; j < target->count; j++)
        sfgp_frame_enter(frame, 1, target->points + solver->order[j] * d, solver->scan + j * d);
    return SFGP_OK;
}

sfgp_status sfgp_thinning_begin(sfgp_solver *solver)
{
    solver->thinning = choose(solver);
    return build_tree(solver);
}

sfgp_status sfgp_thinning_refine(sfgp_solver *solver)
{
    const int64_t pairs = sfgp_sparse_start(&solver->labels.matrix)[solver->labels.count];
    const bool fits = 2 * pairs <= solver->pair_budget;
    if (solver->thinning == 1 || !(fits || solver->change < solver->settings.tolerance))
        return SFGP_OK;
    solver->thinning /= 2;
    return build_tree(solver);
}

int64_t sfgp_thinning_original(const sfgp_solver *solver, int64_t j)
{
    return solver->order ? solver->order[j] : j;
}
