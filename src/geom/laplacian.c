/* Mass and stiffness from elements. Equations in laplacian.h. */
#include "geom/laplacian.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/measure.h"

#include <string.h>

#define LEAST_SLACK                                                                                          \
    1e-5 /* of the mean edge: how much longer two sides of a triangle are than the third, at least */
#define GRAIN 1024 /* elements that a thread measures at a time */

/* ---- all elements ------------------------------------------------------------------------------------ */

typedef struct assembly {
    const sfgp_mesh *mesh;
    const sfgp_elements *elements;
    int edges;     /* of an element: 3, 1 */
    double *sides; /* the lengths of the edges of each element */
    double least;  /* slack of a triangle, length of a segment */
} assembly;

/* The ends of edge k of element e, the smaller index first. */
static void ends_of(const assembly *all, int64_t e, int k, int32_t ends[2])
{
    const int32_t *points = all->elements->points + e * all->elements->corners;
    const int32_t a = points[all->edges == 3 ? (k + 1) % 3 : 0],
                  b = points[all->edges == 3 ? (k + 2) % 3 : 1];
    ends[0] = a < b ? a : b;
    ends[1] = a < b ? b : a;
}

static double length_of(const assembly *all, int64_t e, int k)
{
    const int d = all->mesh->dimension;
    int32_t ends[2];
    ends_of(all, e, k, ends);
    return sfgp_points_distance(d, all->mesh->points + (int64_t)ends[0] * d,
                                all->mesh->points + (int64_t)ends[1] * d);
}

static void measure_some(const void *data, int64_t first, int64_t end)
{
    const assembly *all = data;
    for (int64_t e = first; e < end; e++)
        for (int k = 0; k < all->edges; k++)
            all->sides[e * all->edges + k] = length_of(all, e, k);
}

static double mean_edge(const assembly *all)
{
    const int64_t count = all->elements->count * all->edges;
    double sum = 0;
    for (int64_t k = 0; k < count; k++)
        sum += all->sides[k];
    return count > 0 ? sum / (double)count : 0;
}

static sfgp_element element_at(const assembly *all, int64_t e)
{
    double sides[3] = {0, 0, 0};
    memcpy(sides, all->sides + e * all->edges, (size_t)all->edges * sizeof *sides);
    return all->edges == 3 ? sfgp_element_triangle(sides, all->least)
                           : sfgp_element_segment(sides[0], all->least);
}

static void add_masses(const assembly *all, double *mass)
{
    const int corners = all->elements->corners;
    for (int64_t e = 0; e < all->elements->count; e++) {
        const double share = all->elements->weight * element_at(all, e).size / corners;
        for (int k = 0; k < corners; k++)
            mass[all->elements->points[e * corners + k]] += share;
    }
}

/* ---- stiffness --------------------------------------------------------------------------------------- */

/* Entry of the lower triangle. */
typedef struct entry {
    int32_t column, row;
    double value;
} entry;

static void list_entries(const assembly *all, entry *entries)
{
    for (int64_t e = 0; e < all->elements->count; e++) {
        const sfgp_element own = element_at(all, e);
        for (int k = 0; k < all->edges; k++) {
            int32_t ends[2];
            ends_of(all, e, k, ends);
            entries[e * all->edges + k] = (entry){ends[0], ends[1], -all->elements->weight * own.edge[k]};
        }
    }
}

static int32_t key_of(const entry *e, bool by_row)
{
    return by_row ? e->row : e->column;
}

/* Stable, so that equal entries add up in the order of the elements. start: n + 1. */
static void sort_entries(int64_t count, bool by_row, int64_t n, const entry *from, int64_t *start, entry *to)
{
    memset(start, 0, (size_t)(n + 1) * sizeof *start);
    for (int64_t k = 0; k < count; k++)
        start[key_of(from + k, by_row) + 1]++;
    for (int64_t i = 0; i < n; i++)
        start[i + 1] += start[i];
    for (int64_t k = 0; k < count; k++)
        to[start[key_of(from + k, by_row)]++] = from[k];
}

/* Adds up neighbours in the sorted list that have the same place. */
static int64_t merge_entries(int64_t count, entry *entries)
{
    int64_t used = 0;
    for (int64_t k = 0; k < count; k++)
        if (used > 0 && entries[used - 1].column == entries[k].column &&
            entries[used - 1].row == entries[k].row)
            entries[used - 1].value += entries[k].value;
        else
            entries[used++] = entries[k];
    return used;
}

/* G_ii = -sum of the other entries of row i: constants have no stiffness. */
static void fill_matrix(int64_t n, int64_t count, const entry *entries, sfgp_sparse *matrix)
{
    int32_t *start = sfgp_sparse_start(matrix), *index = sfgp_sparse_index(matrix);
    double *value = sfgp_sparse_value(matrix);
    int64_t at = 0;
    int32_t used = 0;
    for (int32_t j = 0; j < n; j++) {
        start[j] = used;
        index[used] = j;
        value[used++] = 0;
        for (; at < count && entries[at].column == j; at++) {
            index[used] = entries[at].row;
            value[used++] = entries[at].value;
        }
    }
    start[n] = used;
    for (int64_t k = 0; k < count; k++) {
        value[start[entries[k].column]] -= entries[k].value;
        value[start[entries[k].row]] -= entries[k].value;
    }
}

static sfgp_status assemble(sfgp_context *context, const assembly *all, sfgp_laplacian *laplacian)
{
    const int64_t n = laplacian->count, all_count = all->elements->count * all->edges;
    entry *entries = NULL, *sorted = NULL;
    int64_t *start = NULL, count = 0;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, all_count, &entries)) == SFGP_OK &&
        (status = sfgp_allocate(context, all_count, &sorted)) == SFGP_OK &&
        (status = sfgp_allocate(context, n + 1, &start)) == SFGP_OK) {
        list_entries(all, entries);
        sort_entries(all_count, true, n, entries, start, sorted);
        sort_entries(all_count, false, n, sorted, start, entries);
        count = merge_entries(all_count, entries);
        status = sfgp_sparse_new(context, n, n, &laplacian->stiffness);
    }
    if (status == SFGP_OK)
        status = sfgp_sparse_reserve(context, n + count, &laplacian->stiffness);
    if (status == SFGP_OK)
        fill_matrix(n, count, entries, &laplacian->stiffness);
    sfgp_free(entries);
    sfgp_free(sorted);
    sfgp_free(start);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

sfgp_status sfgp_laplacian_new(sfgp_context *context, const sfgp_mesh *mesh, sfgp_laplacian *laplacian)
{
    sfgp_elements elements = {0};
    sfgp_status status = SFGP_OK;
    *laplacian = (sfgp_laplacian){.count = mesh->count};
    if ((status = sfgp_allocate(context, mesh->count, &laplacian->mass)) == SFGP_OK &&
        (status = sfgp_allocate(context, mesh->count, &laplacian->piece)) == SFGP_OK &&
        (status = sfgp_elements_new(context, mesh, &elements)) == SFGP_OK) {
        assembly all = {.mesh = mesh, .elements = &elements, .edges = elements.corners == 3 ? 3 : 1};
        laplacian->dimension = elements.corners - 1;
        if ((status = sfgp_allocate(context, elements.count * all.edges, &all.sides)) == SFGP_OK) {
            sfgp_parallel_for(elements.count, GRAIN, measure_some, &all);
            all.least = LEAST_SLACK * mean_edge(&all);
            add_masses(&all, laplacian->mass);
            status = assemble(context, &all, laplacian);
        }
        sfgp_free(all.sides);
        if (status == SFGP_OK)
            status = sfgp_laplacian_find_pieces(context, &elements, laplacian);
    }
    sfgp_elements_clear(&elements);
    return status;
}

void sfgp_laplacian_clear(sfgp_laplacian *laplacian)
{
    sfgp_free(laplacian->mass);
    sfgp_free(laplacian->piece);
    sfgp_free(laplacian->area);
    sfgp_free(laplacian->weight);
    sfgp_sparse_clear(&laplacian->stiffness);
    *laplacian = (sfgp_laplacian){0};
}
