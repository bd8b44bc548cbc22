/* Classifies points as missing by the mass of the responsibilities around them (ADR 0013), or by the distance from a thin scan (ADR 0055). */
#include "outcome/missing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "em/mixing.h"
#include "geom/measure.h"
#include "outcome/explained.h"
#include "search/tuning.h"

#include <math.h>

#define GRAIN 4096 /* points that a thread takes at a time */

/* What a label finds around its point: sum density^2 / sum density; 0 without labels. */
static double density_at_labels(const sfgp_em *em)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < em->problem->basis->count; i++) {
        sum += em->density[i];
        squares += em->density[i] * em->density[i];
    }
    return sum > 0 ? squares / sum : 0;
}

/* absent[i]: the mass around point i is small. */
static void mark_by_mass(sfgp_em *em, int ring, double *absent)
{
    sfgp_mixing_smooth(em, ring);
    const double least = sfgp_tuning_of(em->problem->basis)->missing_mass * fmin(1, density_at_labels(em));
    for (int64_t i = 0; i < em->problem->basis->count; i++)
        absent[i] = em->density[i] < least;
}

typedef struct marking {
    const sfgp_em *em;
    double reach, *near;
} marking;

static void mark_some(const void *data, int64_t first, int64_t end)
{
    const marking *m = data;
    const sfgp_em *em = m->em;
    const int64_t d = em->responsibilities.dimension;
    const int32_t *best = em->responsibilities.best_target;
    for (int64_t i = first; i < end; i++)
        m->near[i] = best[i] >= 0 && sfgp_points_distance((int)d, em->view.points + best[i] * d,
                                                          em->state.points + i * d) < m->reach;
}

/* Of the target points in use: sqrt(area of the scan / how many they are). */
static double spacing_in_use(const sfgp_em *em)
{
    return sqrt(em->problem->area / (double)em->responsibilities.targets);
}

/* near[i]: the best label of point i is within so many spacings. */
static void mark_near(const sfgp_em *em, double spacings, double *near)
{
    const marking all = {em, spacings * spacing_in_use(em), near};
    sfgp_parallel_for(em->responsibilities.count, GRAIN, mark_some, &all);
}

void sfgp_missing_set(sfgp_responsibilities *r, int64_t i)
{
    r->weight[i] = r->best[i] = 0;
    r->best_target[i] = -1;
}

void sfgp_missing_count(sfgp_responsibilities *r)
{
    r->missing = 0;
    for (int64_t i = 0; i < r->count; i++)
        r->missing += r->best_target[i] < 0;
}

static void classify_by_mass(sfgp_em *em)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    const int ring = (int)fmin(tuning->missing_ring, em->regions.neighbours.size);
    double *absent = em->weights, *near = em->deltas; /* free between steps */
    mark_by_mass(em, ring, absent);
    mark_near(em, tuning->missing_near, near);
    sfgp_regions_smooth(&em->regions, ring, near, em->density);
    for (int64_t i = 0; i < em->responsibilities.count; i++)
        if (absent[i] > 0 && em->density[i] <= 0.5)
            sfgp_missing_set(&em->responsibilities, i);
}

/* ---- thin scans ------------------------------------------------------------------------------------- */

bool sfgp_missing_is_thin(const sfgp_em *em)
{
    const sfgp_em_problem *problem = em->problem;
    const double thin = sfgp_tuning_of(problem->basis)->thin_scan;
    return thin > 0 && problem->area * (double)problem->basis->count >
                           thin * problem->shape_area * (double)problem->target.count;
}

/* distance[i], nearest[i]: the explained target that is nearest to point i. There is one. */
static void find_nearest(const sfgp_em *em, const sfgp_explained *e, double *distance, int32_t *nearest)
{
    int64_t last = -1;
    for (int64_t i = 0; i < em->responsibilities.count; i++)
        nearest[i] = sfgp_explained_nearest(em, e, i, &last, &distance[i]);
}

/* Cells of a neighbourhood that lie within 1.5 spacings of the scan. */
static int ring_of_scan(const sfgp_em *em, double spacing)
{
    const double cells = (double)em->regions.count * spacing * spacing / em->problem->shape_area,
                 ring = sfgp_tuning_of(em->problem->basis)->thin_ring;
    return (int)fmin(fmax(1, ring * cells), em->regions.neighbours.size);
}

/* A point whose ring is near to targets is seen, whether it has a label or not. */
static void classify_by_distance(sfgp_em *em, const sfgp_explained *e, int32_t *nearest)
{
    sfgp_responsibilities *r = &em->responsibilities;
    const double spacing = spacing_in_use(em);
    double *distance = em->weights; /* free between steps */
    find_nearest(em, e, distance, nearest);
    sfgp_regions_smooth(&em->regions, ring_of_scan(em, spacing), distance, em->density);
    for (int64_t i = 0; i < r->count; i++)
        if (em->density[i] > sfgp_tuning_of(em->problem->basis)->thin_near * spacing)
            sfgp_missing_set(r, i);
        else if (r->best_target[i] < 0)
            r->best_target[i] = nearest[i];
}

static sfgp_status classify_thin(sfgp_em *em)
{
    int32_t *nearest = NULL;
    sfgp_explained e;
    sfgp_status status = sfgp_explained_new(em, 1, &e);
    if (status == SFGP_OK && e.tree &&
        (status = sfgp_allocate(em->context, em->responsibilities.count, &nearest)) == SFGP_OK)
        classify_by_distance(em, &e, nearest);
    sfgp_free(nearest);
    sfgp_explained_clear(&e);
    return status;
}

sfgp_status sfgp_missing_classify(sfgp_em *em)
{
    sfgp_status status = SFGP_OK;
    if (sfgp_missing_is_thin(em))
        status = classify_thin(em);
    else
        classify_by_mass(em);
    sfgp_missing_count(&em->responsibilities);
    return status;
}
