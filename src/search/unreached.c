/* The part of a scan that a fit does not reach. Rule in unreached.h. */
#include "search/unreached.h"
#include "base/memory.h"
#include "search/tuning.h"

#include <string.h>

static double squared(double x)
{
    return x * x;
}

/* Target points that are not explained and lie far from the fit: their coordinates, and how many there are. */
static sfgp_status collect(const sfgp_em *em, double far2, double *points, int64_t *count)
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
        sfgp_kdtree_nearest(tree, target, &distance2);
        if (distance2 > far2)
            memcpy(points + d * (*count)++, target, (size_t)d * sizeof *points);
    }
    sfgp_kdtree_free(tree);
    return status;
}

/* Those among them that have so many others near. */
static sfgp_status count_dense(const sfgp_em *em, int64_t count, const double *points, double near2,
                               int64_t *dense)
{
    const int d = em->responsibilities.dimension;
    const int64_t least = (int64_t)sfgp_tuning_of(em->problem->basis)->unreached_count;
    sfgp_kdtree *tree = NULL;
    if (count <= least)
        return SFGP_OK;
    const sfgp_status status = sfgp_kdtree_new(em->context, count, d, points, &tree);
    for (int64_t j = 0; status == SFGP_OK && j < count; j++)
        *dense += sfgp_kdtree_count(tree, points + j * d, near2) > least; /* it finds itself */
    sfgp_kdtree_free(tree);
    return status;
}

static bool applies(const sfgp_em *em)
{
    return sfgp_tuning_of(em->problem->basis)->unreached_count > 0 && em->problem->area > 0 &&
           !sfgp_em_has_surfaces(em->problem);
}

sfgp_status sfgp_unreached_share(const sfgp_em *em, double *share)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    const double spacing = sfgp_em_spacing(em->problem);
    const int64_t targets = em->responsibilities.targets;
    int64_t count = 0, dense = 0;
    double *points = NULL;
    *share = 0;
    if (!applies(em))
        return SFGP_OK;
    sfgp_status status = sfgp_allocate(em->context, targets * em->responsibilities.dimension, &points);
    if (status == SFGP_OK)
        status = collect(em, squared(tuning->unreached_far * spacing), points, &count);
    if (status == SFGP_OK)
        status = count_dense(em, count, points, squared(tuning->unreached_near * spacing), &dense);
    *share = (double)dense / (double)targets;
    sfgp_free(points);
    return status;
}
