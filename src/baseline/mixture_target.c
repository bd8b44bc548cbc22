/* Target points in use. At the start every reference point labels every target point, so P of large shapes would
 * exceed the budget. A random subset of the target is enough for such a coarse fit. The target is shuffled once, by
 * the seed. The first points are in use; their number doubles when P is small enough. */
#include "baseline/mixture.h"
#include "base/memory.h"
#include "base/random.h"

#include <string.h>

static int64_t in_use(const sfgp_mixture *mixture)
{
    return (mixture->task.targets + mixture->thinning - 1) / mixture->thinning;
}

static sfgp_status build_tree(sfgp_mixture *mixture)
{
    mixture->labels.targets = in_use(mixture);
    sfgp_kdtree_free(mixture->tree);
    mixture->tree = NULL;
    return sfgp_kdtree_new(mixture->context, in_use(mixture), mixture->task.basis->dimension, mixture->target,
                           &mixture->tree);
}

static sfgp_status shuffle(sfgp_mixture *mixture)
{
    const int64_t count = mixture->task.targets;
    sfgp_status status = sfgp_allocate(mixture->context, count, &mixture->order);
    if (status == SFGP_OK)
        sfgp_random_shuffle((uint64_t)mixture->task.settings->seed, count, mixture->order);
    return status;
}

sfgp_status sfgp_mixture_thin(sfgp_mixture *mixture)
{
    const int d = mixture->task.basis->dimension;
    const int64_t count = mixture->task.targets;
    sfgp_status status = SFGP_OK;
    mixture->thinning = 1;
    while (count / mixture->thinning > mixture->budget / mixture->task.basis->count)
        mixture->thinning *= 2;
    if (mixture->thinning > 1 && (status = shuffle(mixture)) != SFGP_OK)
        return status;
    for (int64_t j = 0; j < count; j++)
        memcpy(mixture->target + j * d, mixture->task.target + (mixture->order ? mixture->order[j] : j) * d,
               (size_t)d * sizeof(double));
    return build_tree(mixture);
}

sfgp_status sfgp_mixture_refine(sfgp_mixture *mixture, bool *refined)
{
    const int64_t pairs = sfgp_sparse_start(&mixture->labels.matrix)[mixture->labels.count];
    *refined = mixture->thinning > 1 && 2 * pairs <= mixture->budget;
    if (!*refined)
        return SFGP_OK;
    mixture->thinning /= 2;
    return build_tree(mixture);
}
