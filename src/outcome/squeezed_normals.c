/* Compares the normals of a part of a fit with those of the scan. */
#include "outcome/squeezed_normals.h"
#include "base/memory.h"
#include "base/quantile.h"
#include "geom/kdtree.h"
#include "geom/sample.h"
#include "geom/vector.h"

#include <math.h>

enum {
    NEAREST = 9,   /* cells that give a normal of the fit, itself included */
    POINTS = 4000, /* of the scan that have normals */
    NORMAL = 12    /* of them that give one */
};

#define NEAR 3 /* spacings of these points: a cell is compared with its nearest point if that is nearer */

/* Some points of the scan. */
typedef struct scan {
    sfgp_sample some;
    double *normals;   /* count x 3 */
    double spacing;    /* median distance of a point from its nearest one */
    sfgp_kdtree *tree; /* over the points */
} scan;

static void scan_clear(scan *s)
{
    sfgp_sample_clear(&s->some);
    sfgp_free(s->normals);
    sfgp_kdtree_free(s->tree);
}

/* Of all points: sfgp_points_spacing asks 101 of them, and is up to a fifth off. */
static sfgp_status find_spacing(sfgp_context *context, const sfgp_neighbours *near, scan *s)
{
    const int64_t count = s->some.count;
    double *distance = NULL;
    const sfgp_status status = sfgp_allocate(context, count, &distance);
    if (status != SFGP_OK)
        return status;
    for (int64_t j = 0; j < count; j++)
        distance[j] = sfgp_neighbours_distance(near, s->some.points, j, 1);
    sfgp_sort(count, distance);
    s->spacing = sfgp_quantile(count, distance, 0.5);
    sfgp_free(distance);
    return SFGP_OK;
}

static sfgp_status find_normals(sfgp_context *context, scan *s)
{
    const sfgp_sample *some = &s->some;
    sfgp_neighbours near = {0};
    sfgp_status status = sfgp_allocate(context, 3 * some->count, &s->normals);
    if (status == SFGP_OK)
        status = sfgp_neighbours_new(context, some->count, 3, some->points, NORMAL, &near);
    if (status == SFGP_OK) {
        sfgp_normals_estimate(&near, some->points, s->normals);
        status = find_spacing(context, &near, s);
    }
    sfgp_neighbours_clear(&near);
    return status;
}

static sfgp_status scan_new(const sfgp_em *em, scan *s)
{
    const sfgp_mesh *all = em->problem->mesh;
    *s = (scan){.tree = NULL};
    sfgp_status status =
        sfgp_sample_new(em->context, all->count, all->points, POINTS, em->problem->seed, &s->some);
    if (status == SFGP_OK)
        status = find_normals(em->context, s);
    return status == SFGP_OK ? sfgp_kdtree_new(em->context, s->some.count, 3, s->some.points, &s->tree)
                             : status;
}

/* Of the cells, whose neighbours are those of the reference. */
static sfgp_status normals_of_fit(const sfgp_em *em, const sfgp_squeezed *s, double **normals)
{
    sfgp_neighbours near = {0};
    *normals = NULL;
    sfgp_status status = sfgp_neighbours_narrow(em->context, &em->regions.neighbours, NEAREST, &near);
    if (status == SFGP_OK)
        status = sfgp_allocate(em->context, 3 * s->count, normals);
    if (status == SFGP_OK)
        sfgp_normals_estimate(&near, s->points, *normals);
    sfgp_neighbours_clear(&near);
    return status;
}

static double compare(const sfgp_squeezed *s, const double *normals, const scan *target)
{
    const double near = NEAR * target->spacing;
    double sum = 0, distance2;
    int64_t count = 0;
    for (int64_t c = 0; c < s->count; c++) {
        if (!s->part[c])
            continue;
        const int64_t j = sfgp_kdtree_nearest(target->tree, s->points + 3 * c, &distance2);
        if (distance2 > near * near)
            continue;
        sum += fabs(sfgp_dot3(normals + 3 * c, target->normals + 3 * j));
        count++;
    }
    return count > 0 ? sum / (double)count : 1;
}

sfgp_status sfgp_squeezed_compare_normals(const sfgp_em *em, const sfgp_squeezed *squeezed, double *same)
{
    scan target;
    double *normals;
    *same = 1;
    if (em->problem->mesh->count < NORMAL)
        return SFGP_OK;
    sfgp_status status = normals_of_fit(em, squeezed, &normals);
    if (status == SFGP_OK) {
        status = scan_new(em, &target);
        if (status == SFGP_OK)
            *same = compare(squeezed, normals, &target);
        scan_clear(&target);
    }
    sfgp_free(normals);
    return status;
}
