/* The surfaces that a fit leaves over. Rule in left_over.h. */
#include "search/left_over.h"
#include "base/memory.h"
#include "search/tuning.h"

#include <string.h>

static double squared(double x)
{
    return x * x;
}

/* Target points that are not explained and lie far from the fit; points: their coordinates. */
static sfgp_status collect(const sfgp_em *em, double far2, double *points, sfgp_left_over *left)
{
    const sfgp_responsibilities *r = &em->responsibilities;
    const int64_t d = r->dimension;
    sfgp_kdtree *tree = NULL;
    double distance2;
    const sfgp_status status = sfgp_kdtree_new(em->context, r->count, (int)d, em->state.points, &tree);
    for (int64_t j = 0; status == SFGP_OK && j < r->targets; j++) {
        const double *target = em->view.points + j * d;
        if (r->explained[j] > 0.5)
            continue;
        const int64_t nearest = sfgp_kdtree_nearest(tree, target, &distance2);
        if (distance2 <= far2)
            continue;
        memcpy(points + d * left->count, target, (size_t)d * sizeof *points);
        left->nearest[left->count++] = (int32_t)nearest;
    }
    sfgp_kdtree_free(tree);
    return status;
}

/* Those among them that have so many others near. */
static sfgp_status keep_dense(const sfgp_em *em, double near2, const double *points, sfgp_left_over *left)
{
    const int d = em->responsibilities.dimension;
    const int64_t least = (int64_t)sfgp_tuning_of(em->problem->basis)->unreached_count, count = left->count;
    sfgp_kdtree *tree = NULL;
    left->count = 0;
    if (count <= least)
        return SFGP_OK;
    const sfgp_status status = sfgp_kdtree_new(em->context, count, d, points, &tree);
    for (int64_t j = 0; status == SFGP_OK && j < count; j++)
        if (sfgp_kdtree_count(tree, points + j * d, near2) > least) /* it finds itself */
            left->nearest[left->count++] = left->nearest[j];
    sfgp_kdtree_free(tree);
    return status;
}

sfgp_status sfgp_left_over_find(const sfgp_em *em, double far, sfgp_left_over *left)
{
    const double spacing = sfgp_em_spacing(em->problem);
    const double near = sfgp_tuning_of(em->problem->basis)->unreached_near * spacing;
    const int64_t targets = em->responsibilities.targets;
    double *points = NULL;
    *left = (sfgp_left_over){0, NULL};
    sfgp_status status = sfgp_allocate(em->context, targets * em->responsibilities.dimension, &points);
    if (status == SFGP_OK)
        status = sfgp_allocate(em->context, targets, &left->nearest);
    if (status == SFGP_OK)
        status = collect(em, squared(far * spacing), points, left);
    if (status == SFGP_OK)
        status = keep_dense(em, squared(near), points, left);
    sfgp_free(points);
    return status;
}

void sfgp_left_over_clear(sfgp_left_over *left)
{
    sfgp_free(left->nearest);
    *left = (sfgp_left_over){0, NULL};
}
