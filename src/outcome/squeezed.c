/* Finds the part of a fit that is squeezed onto another shape. Equations in squeezed.h. */
#include "outcome/squeezed.h"
#include "base/memory.h"
#include "base/quantile.h"
#include "geom/forest.h"
#include "geom/kdtree.h"
#include "outcome/squeezed_normals.h"
#include "search/stretch.h"
#include "search/tuning.h"

#include <math.h>
#include <string.h>

enum {
    NEAREST = 9, /* cells that are joined, itself included */
    AROUND = 40  /* cells over which sizes are smoothed */
};

/* ---- how much the cells are squeezed --------------------------------------------------------------------- */

/* ln q before it is smoothed; cells that lie on each other have 0. sorted: room for them. */
static void measure_sizes(const sfgp_em *em, double *size, double *sorted)
{
    const int64_t count = em->regions.count;
    for (int64_t c = 0; c < count; c++) {
        const double stretch = sfgp_stretch_at(em, em->state.points, em->problem->basis->mean, c);
        sorted[c] = size[c] = isfinite(stretch) && stretch > 0 ? log(stretch) : 0;
    }
    sfgp_sort(count, sorted);
    const double usual = sfgp_quantile(count, sorted, 0.5);
    for (int64_t c = 0; c < count; c++)
        size[c] -= usual;
}

static double mean_around(const sfgp_neighbours *near, const double *values, int64_t cell)
{
    const int size = near->size < AROUND ? near->size : AROUND;
    double sum = 0;
    for (int k = 0; k < size; k++)
        sum += values[near->index[cell * near->size + k]];
    return sum / size;
}

/* part: 1 where q is below the limit. */
static sfgp_status find_small(const sfgp_em *em, sfgp_squeezed *s)
{
    const sfgp_neighbours *near = &em->regions.neighbours;
    const double limit = log(sfgp_tuning_of(em->problem->basis)->squeezed_size);
    double *size = NULL, *sorted = NULL;
    sfgp_status status = sfgp_allocate(em->context, s->count, &size);
    if (status == SFGP_OK)
        status = sfgp_allocate(em->context, s->count, &sorted);
    if (status == SFGP_OK)
        measure_sizes(em, size, sorted);
    for (int64_t c = 0; status == SFGP_OK && c < s->count; c++)
        s->part[c] = mean_around(near, size, c) < limit;
    sfgp_free(size);
    sfgp_free(sorted);
    return status;
}

/* ---- the largest part --------------------------------------------------------------------------------------- */

static void join(const sfgp_neighbours *near, const unsigned char *part, int64_t *parents)
{
    sfgp_forest_begin(near->count, parents);
    for (int64_t c = 0; c < near->count; c++)
        for (int k = 1; k < NEAREST; k++) {
            const int64_t other = near->index[c * near->size + k];
            if (part[c] && part[other])
                parents[sfgp_forest_root(parents, c)] = sfgp_forest_root(parents, other);
        }
}

/* Only the largest group of neighbours stays in the part. Returns how many cells it has. */
static sfgp_status keep_largest(const sfgp_em *em, sfgp_squeezed *s, int64_t *cells)
{
    int64_t *parents = NULL, *sizes = NULL, largest = 0;
    sfgp_status status = sfgp_allocate(em->context, s->count, &parents);
    if (status == SFGP_OK)
        status = sfgp_allocate(em->context, s->count, &sizes);
    if (status == SFGP_OK)
        join(&em->regions.neighbours, s->part, parents);
    for (int64_t c = 0; status == SFGP_OK && c < s->count; c++) {
        const int64_t root = sfgp_forest_root(parents, c);
        sizes[root] += s->part[c];
        largest = sizes[root] > sizes[largest] ? root : largest;
    }
    for (int64_t c = 0; status == SFGP_OK && c < s->count; c++)
        s->part[c] = s->part[c] && sfgp_forest_root(parents, c) == largest;
    *cells = status == SFGP_OK ? sizes[largest] : 0;
    sfgp_free(parents);
    sfgp_free(sizes);
    return status;
}

/* Cells around the part become a part of it. reference: their centres there. */
static sfgp_status grow(const sfgp_em *em, const double *reference, int64_t cells, sfgp_squeezed *s)
{
    const double reach = sfgp_tuning_of(em->problem->basis)->squeezed_around;
    double *within = NULL, distance2;
    sfgp_kdtree *tree = NULL;
    int64_t count = 0;
    sfgp_status status = sfgp_allocate(em->context, 3 * cells, &within);
    for (int64_t c = 0; status == SFGP_OK && c < s->count; c++)
        if (s->part[c])
            memcpy(within + 3 * count++, reference + 3 * c, 3 * sizeof *within);
    if (status == SFGP_OK)
        status = sfgp_kdtree_new(em->context, cells, 3, within, &tree);
    for (int64_t c = 0; status == SFGP_OK && c < s->count; c++) {
        sfgp_kdtree_nearest(tree, reference + 3 * c, &distance2);
        s->part[c] = distance2 <= reach * reach;
    }
    sfgp_kdtree_free(tree);
    sfgp_free(within);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------------------------ */

/* The cells of the reference and of the fit. */
static void place_cells(const sfgp_em *em, double *reference, sfgp_squeezed *s)
{
    for (int64_t c = 0; c < s->count; c++) {
        const int64_t i = sfgp_regions_centre(&em->regions, c);
        memcpy(reference + 3 * c, em->problem->basis->mean + 3 * i, 3 * sizeof *reference);
        sfgp_similarity_apply(&em->state.pose, 1, em->state.points + 3 * i, s->points + 3 * c);
    }
}

static sfgp_status find(const sfgp_em *em, double *reference, sfgp_squeezed *s)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    double same;
    int64_t cells = 0;
    place_cells(em, reference, s);
    sfgp_status status = find_small(em, s);
    if (status == SFGP_OK)
        status = keep_largest(em, s, &cells);
    if (status != SFGP_OK || (double)cells < tuning->squeezed_share * (double)s->count)
        return status;
    status = sfgp_squeezed_compare_normals(em, s, &same);
    s->found = status == SFGP_OK && same < tuning->squeezed_normals;
    return s->found ? grow(em, reference, cells, s) : status;
}

sfgp_status sfgp_squeezed_find(const sfgp_em *em, sfgp_squeezed *squeezed)
{
    const int64_t count = em->regions.count;
    double *reference = NULL;
    *squeezed = (sfgp_squeezed){.count = count};
    if (em->regions.neighbours.size < NEAREST)
        return SFGP_OK;
    sfgp_status status = sfgp_allocate(em->context, 3 * count, &reference);
    if (status == SFGP_OK)
        status = sfgp_allocate(em->context, 3 * count, &squeezed->points);
    if (status == SFGP_OK)
        status = sfgp_allocate(em->context, count, &squeezed->part);
    if (status == SFGP_OK)
        status = find(em, reference, squeezed);
    sfgp_free(reference);
    return status;
}

void sfgp_squeezed_clear(sfgp_squeezed *squeezed)
{
    sfgp_free(squeezed->points);
    sfgp_free(squeezed->part);
    *squeezed = (sfgp_squeezed){0};
}
