/* Finds fuzzy layers of a scan, leaves them out, and fits the rest. Rule in fuzzy.h. */
#include "fit/fuzzy.h"
#include "base/memory.h"
#include "base/quantile.h"
#include "fit/leave_out.h"
#include "fit/one_search.h"
#include "geom/forest.h"
#include "geom/kdtree.h"
#include "geom/roughness.h"
#include "geom/sample.h"
#include "geom/vector.h"
#include "search/tuning.h"

#include <math.h>

enum {
    POINTS = 4000,   /* of the scan that are asked */
    SURFACE = 20000, /* of the fit that they are compared with */
    NEIGHBOURS = 17, /* of a point, itself included: a quadric has 6 numbers */
    NORMAL = 10      /* points of the fit that give a normal, itself included */
};

/* In median radii of a neighbourhood: a larger one is scattered; what is farther from the fit belongs to something else; the
 * usual roughness is at least that, so that a scan without noise has no layers for its last digits. */
#define SCATTERED 1.75
#define FAR 2
#define SMOOTH 0.015

/* The points that are asked. */
typedef struct layer {
    sfgp_sample scan, fit;
    sfgp_neighbours near;
    double *height, *normal; /* over the fit (geom/roughness.h) */
    double *distance;        /* from the nearest point of the fit */
    double *radius;          /* of the neighbourhood */
    double *rough;           /* times as rough as usual; 0: not asked */
    double *work;            /* twice as many */
    int64_t *parents;        /* of parts that are rough (geom/forest.h) */
    int64_t *sizes;          /* of their roots */
    unsigned char *part;     /* 1: in a layer */
} layer;

static void layer_clear(layer *l)
{
    sfgp_sample_clear(&l->scan);
    sfgp_sample_clear(&l->fit);
    sfgp_neighbours_clear(&l->near);
    sfgp_free(l->height);
    sfgp_free(l->normal);
    sfgp_free(l->distance);
    sfgp_free(l->radius);
    sfgp_free(l->rough);
    sfgp_free(l->work);
    sfgp_free(l->parents);
    sfgp_free(l->sizes);
    sfgp_free(l->part);
}

static sfgp_status make_room(sfgp_context *context, int64_t count, layer *l)
{
    double **blocks[] = {&l->height, &l->distance, &l->radius, &l->rough};
    sfgp_status status = sfgp_allocate(context, 3 * count, &l->normal);
    for (int k = 0; k < 4 && status == SFGP_OK; k++)
        status = sfgp_allocate(context, count, blocks[k]);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 2 * count, &l->work);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, count, &l->parents);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, count, &l->sizes);
    return status == SFGP_OK ? sfgp_allocate(context, count, &l->part) : status;
}

/* Points of the scan, and of the fit in its place. */
static sfgp_status layer_new(const sfgp_solver *solver, layer *l)
{
    sfgp_context *context = solver->context;
    const sfgp_mesh *scan = solver->scan.points;
    const sfgp_em *em = solver->em;
    const uint64_t seed = solver->problem.seed;
    *l = (layer){0};
    sfgp_status status = sfgp_sample_new(context, scan->count, scan->points, POINTS, seed, &l->scan);
    if (status == SFGP_OK)
        status =
            sfgp_sample_new(context, em->problem->basis->count, em->state.points, SURFACE, seed, &l->fit);
    if (status == SFGP_OK)
        status = sfgp_neighbours_new(context, l->scan.count, 3, l->scan.points, NEIGHBOURS, &l->near);
    if (status != SFGP_OK)
        return status;
    sfgp_similarity_apply(&em->state.pose, l->fit.count, l->fit.points, l->fit.points);
    return make_room(context, l->scan.count, l);
}

/* ---- which points are rough ------------------------------------------------------------------------------- */

static void find_foot(const layer *l, const sfgp_kdtree *tree, const double *normals, int64_t j)
{
    const double *point = l->scan.points + 3 * j;
    double distance2, shift[3];
    const int64_t i = sfgp_kdtree_nearest(tree, point, &distance2);
    for (int a = 0; a < 3; a++) {
        shift[a] = point[a] - l->fit.points[3 * i + a];
        l->normal[3 * j + a] = normals[3 * i + a];
    }
    l->distance[j] = sqrt(distance2);
    l->height[j] = sfgp_dot3(shift, normals + 3 * i);
}

static sfgp_status find_feet(sfgp_context *context, layer *l)
{
    sfgp_neighbours near = {0};
    sfgp_kdtree *tree = NULL;
    double *normals = NULL;
    sfgp_status status = sfgp_neighbours_new(context, l->fit.count, 3, l->fit.points, NORMAL, &near);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 3 * l->fit.count, &normals);
    if (status == SFGP_OK)
        status = sfgp_kdtree_new(context, l->fit.count, 3, l->fit.points, &tree);
    if (status == SFGP_OK)
        sfgp_normals_estimate(&near, l->fit.points, normals);
    for (int64_t j = 0; status == SFGP_OK && j < l->scan.count; j++)
        find_foot(l, tree, normals, j);
    sfgp_kdtree_free(tree);
    sfgp_neighbours_clear(&near);
    sfgp_free(normals);
    return status;
}

/* To the last of the neighbours, which come nearest first. */
static void find_radii(layer *l)
{
    for (int64_t j = 0; j < l->scan.count; j++)
        l->radius[j] = sfgp_neighbours_distance(&l->near, l->scan.points, j, l->near.size - 1);
}

/* The quantile `usual` of values of the points that are asked, but at least that. sorted: room for them. */
static double usual_of(const layer *l, const double *values, double usual, double least, double *sorted)
{
    int64_t count = 0;
    for (int64_t j = 0; j < l->scan.count; j++)
        if (l->rough[j] > 0)
            sorted[count++] = values[j];
    sfgp_sort(count, sorted);
    return count > 0 ? fmax(sfgp_quantile(count, sorted, usual), least) : least;
}

/* rough is at most the ratio of these values to the usual one. */
static void compare(layer *l, const double *values, double usual)
{
    double *smooth = l->work;
    sfgp_roughness_smooth(&l->near, values, smooth);
    for (int64_t j = 0; j < l->scan.count; j++)
        l->rough[j] = fmin(l->rough[j], usual > 0 ? smooth[j] / usual : 0);
}

/* Median radius of the neighbourhoods; rough is 0 where a point is not asked, else infinite. */
static double begin_to_rate(layer *l)
{
    double *sorted = l->work;
    for (int64_t j = 0; j < l->scan.count; j++)
        sorted[j] = l->radius[j];
    sfgp_sort(l->scan.count, sorted);
    const double limit = sfgp_quantile(l->scan.count, sorted, 0.5);
    for (int64_t j = 0; j < l->scan.count; j++)
        l->rough[j] = l->radius[j] <= SCATTERED * limit && l->distance[j] <= FAR * limit ? HUGE_VAL : 0;
    return limit;
}

static sfgp_status rate(sfgp_context *context, double usual, layer *l)
{
    double *by_themselves = l->work + l->scan.count, *beside = NULL;
    sfgp_status status = sfgp_allocate(context, l->scan.count, &beside);
    if (status == SFGP_OK)
        status = find_feet(context, l);
    if (status == SFGP_OK)
        status = sfgp_roughness_of(context, &l->near, l->scan.points, by_themselves);
    if (status == SFGP_OK) {
        find_radii(l);
        const double least = SMOOTH * begin_to_rate(l);
        sfgp_roughness_beside(&l->near, &(sfgp_heights){l->height, l->normal}, beside);
        const double first = usual_of(l, by_themselves, usual, least, l->work),
                     second = usual_of(l, beside, usual, least, l->work);
        compare(l, by_themselves, first);
        compare(l, beside, second);
    }
    sfgp_free(beside);
    return status;
}

/* ---- layers ------------------------------------------------------------------------------------------------ */

/* Joins neighbours that are rough, at least `edge`, and counts those of each root that are rougher than `least`. */
static void join_rough(layer *l, double edge, double least)
{
    sfgp_forest_begin(l->scan.count, l->parents);
    for (int64_t j = 0; j < l->scan.count; j++)
        for (int k = 1; k < l->near.size; k++) {
            const int64_t other = l->near.index[j * l->near.size + k];
            if (l->rough[j] > edge && l->rough[other] > edge)
                l->parents[sfgp_forest_root(l->parents, j)] = sfgp_forest_root(l->parents, other);
        }
    for (int64_t j = 0; j < l->scan.count; j++)
        l->sizes[sfgp_forest_root(l->parents, j)] += l->rough[j] > least;
}

static bool is_in_layer(const layer *l, int64_t j, double share)
{
    return (double)l->sizes[sfgp_forest_root(l->parents, j)] >= share * (double)l->scan.count;
}

/* Which points are in a layer. Returns whether there is one. */
static bool find_layers(const sfgp_tuning *tuning, layer *l)
{
    bool found = false;
    join_rough(l, tuning->fuzzy_edge, tuning->fuzzy_ratio);
    for (int64_t j = 0; j < l->scan.count; j++) {
        l->part[j] = is_in_layer(l, j, tuning->fuzzy_share);
        found = found || l->part[j];
    }
    return found;
}

static void warn(const sfgp_solver *solver, int64_t before)
{
    sfgp_warn(
        solver->context,
        "target: %.2g %% of its points are a fuzzy layer, as hair, and no surface; they are left out (--fuzzy 0 keeps them)",
        sfgp_leave_out_percent(solver, before));
}

/* *changed: layers were left out. */
static sfgp_status leave_out_layers(sfgp_solver *solver, layer *l, bool *changed)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(&solver->model->basis);
    *changed = false;
    sfgp_status status = layer_new(solver, l);
    if (status == SFGP_OK)
        status = rate(solver->context, tuning->fuzzy_usual, l);
    if (status != SFGP_OK || !find_layers(tuning, l))
        return status;
    const sfgp_flagged flagged = {l->scan.count, l->scan.points, l->part};
    return sfgp_leave_out_nearest(solver, &flagged, 0, changed);
}

sfgp_status sfgp_fuzzy_leave_out(sfgp_solver *solver, sfgp_outcome *outcome)
{
    const int64_t before = solver->scan.points->count;
    bool changed;
    layer l;
    if (before <= NEIGHBOURS)
        return SFGP_OK;
    const sfgp_status status = leave_out_layers(solver, &l, &changed);
    layer_clear(&l);
    if (status != SFGP_OK || !changed)
        return status;
    warn(solver, before);
    return sfgp_one_search_again(solver, outcome);
}
