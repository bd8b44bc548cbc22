/* Which target points are in use, and what finds the near ones among them (ADR 0007, 0015). */
#include "em/thinning.h"
#include "base/parallel.h"
#include "em/extrapolation.h"

#include <string.h>

#define GRAIN 1024 /* points that a thread copies at a time */

sfgp_status sfgp_thinning_tree(sfgp_em *em)
{
    return em->view.tree ? SFGP_OK
                         : sfgp_kdtree_new(em->context, em->responsibilities.targets,
                                           em->problem->target.dimension, em->view.points, &em->view.tree);
}

/* Point j of the target as the view shows it. */
static void copy_point(const sfgp_em *em, int64_t j, double *point)
{
    const sfgp_target *target = &em->problem->target;
    if (em->view.exact)
        sfgp_scan_exact(em->problem->exact, target->order ? target->order[j] : j, point);
    else
        memcpy(point, target->points + j * target->dimension, (size_t)target->dimension * sizeof *point);
}

static void copy_some(const void *data, int64_t first, int64_t end)
{
    const sfgp_em *em = data;
    for (int64_t j = first; j < end; j++)
        copy_point(em, j * em->state.thinning, em->view.points + j * em->problem->target.dimension);
}

sfgp_status sfgp_thinning_use(sfgp_em *em, int64_t thinning)
{
    const sfgp_target *target = &em->problem->target;
    sfgp_em_view *view = &em->view;
    const int64_t count = (target->count + thinning - 1) / thinning;
    em->state.thinning = thinning;
    em->responsibilities.targets = count;
    sfgp_parallel_for(count, GRAIN, copy_some, em);
    sfgp_similarity_undo(&em->state.pose, count, view->points, view->points);
    sfgp_kdtree_free(view->tree);
    view->tree = NULL;
    return view->tiles ? sfgp_tiles_set_target(em->context, count, view->points, view->tiles)
                       : sfgp_thinning_tree(em);
}

sfgp_status sfgp_thinning_use_warm(sfgp_em *em, const sfgp_em *subset)
{
    const double targets = (double)subset->problem->target.count,
                 pairs = (double)subset->responsibilities.pairs / (double)subset->problem->basis->count,
                 labels = pairs > 0 ? pairs : targets; /* without pairs assume all */
    const double denser = (double)em->problem->target.count / targets;
    int64_t thinning = 1;
    while (em->problem->target.order && labels * denser > em->schedule->labels_at_rest * (double)thinning)
        thinning *= 2;
    return sfgp_thinning_use(em, thinning);
}

/* The smallest power of two that leaves a point no more labels than it needs at rest. */
static int64_t final_thinning(const sfgp_em *em)
{
    const double pairs = (double)em->responsibilities.pairs * (double)em->state.thinning,
                 enough = em->schedule->labels_at_rest * (double)em->problem->basis->count;
    int64_t thinning = 1;
    while (thinning < em->state.thinning && pairs > enough * (double)thinning)
        thinning *= 2;
    return thinning;
}

bool sfgp_thinning_is_final(const sfgp_em *em)
{
    return em->state.thinning == final_thinning(em);
}

/* Half while the pairs fit; at rest a cold fit goes on to half, a warm one to its final thinning, and no further. */
static int64_t finer(const sfgp_em *em)
{
    const int64_t half = em->state.thinning / 2, end = final_thinning(em);
    if (em->change < sfgp_em_rest_motion(em))
        return sfgp_em_is_warm(em) || half < end ? end : half;
    const int64_t most = sfgp_em_label_budget(em->schedule, em->problem->basis->count);
    return 2 * em->responsibilities.pairs <= most ? half : em->state.thinning;
}

sfgp_status sfgp_thinning_refine(sfgp_em *em)
{
    const int64_t thinning = em->state.thinning > 1 ? finer(em) : 1;
    if (thinning == em->state.thinning)
        return SFGP_OK;
    sfgp_extrapolation_reset(em);
    return sfgp_thinning_use(em, thinning);
}

int64_t sfgp_thinning_original(const sfgp_em *em, int64_t j)
{
    const int32_t *order = em->problem->target.order;
    return order ? order[j * em->state.thinning] : j;
}
