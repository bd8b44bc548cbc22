/* Missing points are those in holes of the scan. Rule in holes.h. */
#include "outcome/holes.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "geom/measure.h"
#include "geom/normals.h"
#include "outcome/explained.h"
#include "outcome/missing.h"
#include "search/curve.h"
#include "search/tuning.h"

#include <math.h>
#include <string.h>

#define GRAIN 256 /* points that a thread takes at a time */
#define PI 3.14159265358979323846
#define MOST 0.9 /* of the targets of a curve have another one within a spacing */

enum {
    NEAR = 8,    /* other targets that give the spacing around one */
    AROUND = 40, /* targets around one: the lower quartile of theirs; at the rim of a hole some are larger */
    PLACES = 10000 /* most targets that it is measured at: of more, one in so many */
};

typedef struct holes {
    const sfgp_em *em;
    sfgp_responsibilities *labels;
    sfgp_explained explained;
    double least, rim; /* spacings: radius of a hole, and what of it is seen */
    double *spacing;   /* of one explained target in `step`: that of those around, at least that of all */
    int64_t step;
    double *unit;         /* N: that of the nearest target */
    double *distance;     /* N: from the nearest explained target */
    int32_t *nearest;     /* N: that target */
    double *radius;       /* centres: their distances */
    int64_t count;        /* centres: points in holes */
    double *centre;       /* centres x d */
    sfgp_kdtree *centres; /* over them; NULL: none */
} holes;

static void measure(const void *data, int64_t first, int64_t end)
{
    const holes *h = data;
    int64_t last = -1;
    for (int64_t i = first; i < end; i++) {
        h->nearest[i] = sfgp_explained_nearest(h->em, &h->explained, i, &last, &h->distance[i]);
        h->unit[i] = h->spacing[last / h->step];
    }
}

static sfgp_status find_centres(sfgp_em *em, holes *h)
{
    const int d = em->problem->basis->dimension;
    for (int64_t i = 0; i < em->problem->basis->count; i++)
        if (h->distance[i] > h->least * h->unit[i]) {
            memcpy(h->centre + d * h->count, em->state.points + d * i, (size_t)d * sizeof(double));
            h->radius[h->count++] = h->distance[i];
        }
    return h->count > 0 ? sfgp_kdtree_new(em->context, h->count, d, h->centre, &h->centres) : SFGP_OK;
}

/* The ball around the nearest centre holds point i, a rim inside. *c: that centre, of the last point before. A point is in no ball if a
 * target is within the rim, and a centre is in its own. */
static bool is_in_hole(const holes *h, int64_t i, int64_t *c)
{
    const int d = h->em->problem->basis->dimension;
    double distance2;
    if (!h->centres || h->distance[i] < h->rim * h->unit[i])
        return false;
    if (h->distance[i] > h->least * h->unit[i])
        return true;
    *c = sfgp_kdtree_follow(h->centres, h->centre, d, *c, h->em->state.points + i * d, &distance2);
    return h->radius[*c] - sqrt(distance2) >= h->rim * h->unit[i];
}

static void label(const void *data, int64_t first, int64_t end)
{
    const holes *h = data;
    int64_t centre = -1;
    for (int64_t i = first; i < end; i++)
        if (is_in_hole(h, i, &centre))
            sfgp_missing_set(h->labels, i);
        else if (h->labels->best_target[i] < 0)
            h->labels->best_target[i] = h->nearest[i];
}

static sfgp_status classify(sfgp_em *em, holes *h)
{
    sfgp_responsibilities *r = &em->responsibilities;
    sfgp_parallel_for(r->count, GRAIN, measure, h);
    const sfgp_status status = find_centres(em, h);
    if (status == SFGP_OK)
        sfgp_parallel_for(r->count, GRAIN, label, h);
    sfgp_kdtree_free(h->centres);
    sfgp_missing_count(r);
    return status;
}

/* So many targets make one that is no nearer to the next than labels scatter. Along a curve, which has no area, each is one. */
static int64_t targets_of_one(const sfgp_em *em)
{
    if (!(em->problem->area > 0))
        return 1;
    const double least = sfgp_tuning_of(em->problem->basis)->missing_scatter * sqrt(em->state.sigma2[0]),
                 area = em->problem->area / (double)em->responsibilities.targets;
    return (int64_t)fmin(ceil(fmax(1, least * least / area)), (double)em->responsibilities.targets);
}

/* By area. Along a curve the distance to the nearest other target that nine of ten have: of even points it is the spacing, of
 * points at random 1.15 times that, where the median is 0.35 times. */
static double spacing_of(const sfgp_em *em, int64_t each, const sfgp_explained *explained)
{
    const double area = em->problem->area;
    return area > 0 ? sqrt(area * (double)each / (double)em->responsibilities.targets)
                    : sfgp_points_spacing_quantile(explained->count, em->problem->basis->dimension,
                                                   explained->points, MOST);
}

/* Of points on a surface, one in `step` of all: the area of the disc of the nearest ones, for each of all. */
static void measure_around(const sfgp_neighbours *around, const double *points, double *local, holes *h)
{
    double some[AROUND];
    for (int64_t k = 0; k < around->count; k++)
        local[k] = sqrt(PI / (double)(NEAR * h->step)) * sfgp_neighbours_distance(around, points, k, NEAR);
    for (int64_t k = 0; k < around->count; k++) {
        for (int j = 0; j < around->size; j++)
            some[j] = local[around->index[k * around->size + j]];
        sfgp_sort(around->size, some);
        h->spacing[k] = fmax(h->spacing[k], sfgp_quantile(around->size, some, 0.25));
    }
}

static sfgp_status measure_places(sfgp_context *context, int64_t count, int d, holes *h)
{
    sfgp_neighbours around = {0};
    double *points = NULL, *local = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, count * d, &points)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &local)) == SFGP_OK) {
        for (int64_t k = 0; k < count; k++)
            memcpy(points + k * d, h->explained.points + k * h->step * d, (size_t)d * sizeof *points);
        status = sfgp_neighbours_new(context, count, d, points, AROUND, &around);
    }
    if (status == SFGP_OK)
        measure_around(&around, points, local, h);
    sfgp_neighbours_clear(&around);
    sfgp_free(points);
    sfgp_free(local);
    return status;
}

/* Where a scan is sparse a hole is larger. Curves, and scans of few points, have one spacing. */
static sfgp_status measure_spacings(const sfgp_em *em, double spacing, holes *h)
{
    const int d = em->problem->basis->dimension;
    const int64_t all = h->explained.count;
    const bool is_one = d == 2 || all < AROUND;
    h->step = is_one ? all : 1 + (all - 1) / PLACES;
    const int64_t count = (all + h->step - 1) / h->step;
    const sfgp_status status = sfgp_allocate(em->context, count, &h->spacing);
    if (status == SFGP_OK)
        sfgp_lanes_set(count, spacing, h->spacing);
    return status != SFGP_OK || is_one ? status : measure_places(em->context, count, d, h);
}

/* Curves whose scan holds the vertices, thin scans and surfaces without an area keep what labels say. */
static bool applies(const sfgp_em *em)
{
    if (!(sfgp_tuning_of(em->problem->basis)->missing_hole > 0))
        return false;
    return em->problem->basis->dimension == 2 ? !sfgp_curve_shows_vertices(em)
                                              : em->problem->area > 0 && !sfgp_missing_is_thin(em);
}

static void holes_clear(holes *h)
{
    sfgp_free(h->nearest);
    sfgp_free(h->unit);
    sfgp_free(h->spacing);
    sfgp_explained_clear(&h->explained);
}

/* `spacing` stays NULL if no target is explained, or if all of these are at one place. */
static sfgp_status holes_new(sfgp_em *em, holes *h)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    const int64_t each = targets_of_one(em);
    *h = (holes){.em = em,
                 .labels = &em->responsibilities,
                 .least = tuning->missing_hole,
                 .rim = tuning->missing_rim,
                 .distance = em->weights, /* free between steps, like the next two */
                 .radius = em->density,
                 .centre = em->deltas};
    sfgp_status status = sfgp_explained_new(em, each, &h->explained);
    const double spacing = h->explained.count > 0 ? spacing_of(em, each, &h->explained) : 0;
    if (status == SFGP_OK && spacing > 0 &&
        (status = sfgp_allocate(em->context, em->responsibilities.count, &h->nearest)) == SFGP_OK &&
        (status = sfgp_allocate(em->context, em->responsibilities.count, &h->unit)) == SFGP_OK)
        status = measure_spacings(em, spacing, h);
    return status;
}

sfgp_status sfgp_holes_classify(sfgp_em *em)
{
    holes h;
    if (!applies(em))
        return SFGP_OK;
    sfgp_status status = holes_new(em, &h);
    if (status == SFGP_OK && h.spacing)
        status = classify(em, &h);
    holes_clear(&h);
    return status;
}
