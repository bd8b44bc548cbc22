/* Mass and stiffness from elements, and the pieces that they connect. Equations in laplacian.h. */
#include "geom/laplacian.h"
#include "base/memory.h"
#include "geom/elements.h"
#include "geom/forest.h"
#include "geom/measure.h"

#include <math.h>
#include <string.h>

#define LEAST_SLACK                                                                                          \
    1e-5 /* of the mean edge: how much longer two sides of a triangle are than the third, at least */

/* ---- one element ------------------------------------------------------------------------------------- */

/* -G_ij of the edges of an element, and its area or length. Edge k is opposite to corner k. */
typedef struct element {
    double edge[3];
    double size;
} element;

/* Area of a triangle from its sides (Kahan, Miscalculating Area and Angles of a Needle-like Triangle, 2014). */
static double area_of(const double sides[3])
{
    const double c = fmin(sides[0], fmin(sides[1], sides[2])), a = fmax(sides[0], fmax(sides[1], sides[2])),
                 b = sides[0] + sides[1] + sides[2] - a - c;
    return 0.25 * sqrt(fmax((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c)), 0));
}

/* -G_ij = cot(angle k) / 2 = (|jk|^2 + |ki|^2 - |ij|^2) / (8 area) */
static element triangle_of(double sides[3], double least)
{
    const double sum = sides[0] + sides[1] + sides[2],
                 slack = sum - 2 * fmax(sides[0], fmax(sides[1], sides[2]));
    element e;
    for (int k = 0; k < 3 && slack < least; k++)
        sides[k] += least - slack;
    e.size = area_of(sides);
    const double squares = sides[0] * sides[0] + sides[1] * sides[1] + sides[2] * sides[2];
    for (int k = 0; k < 3; k++)
        e.edge[k] = (squares - 2 * sides[k] * sides[k]) / (8 * e.size);
    return e;
}

static element segment_of(double length, double least)
{
    const double own = fmax(length, least);
    return (element){{1 / own, 0, 0}, own};
}

/* ---- all elements ------------------------------------------------------------------------------------ */

typedef struct assembly {
    const sfgp_mesh *mesh;
    const sfgp_elements *elements;
    int edges;    /* of an element: 3, 1 */
    double least; /* slack of a triangle, length of a segment */
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

static double mean_edge(const assembly *all)
{
    const int64_t count = all->elements->count * all->edges;
    double sum = 0;
    for (int64_t e = 0; e < all->elements->count; e++)
        for (int k = 0; k < all->edges; k++)
            sum += length_of(all, e, k);
    return count > 0 ? sum / (double)count : 0;
}

static element element_at(const assembly *all, int64_t e)
{
    double sides[3] = {0, 0, 0};
    for (int k = 0; k < all->edges; k++)
        sides[k] = length_of(all, e, k);
    return all->edges == 3 ? triangle_of(sides, all->least) : segment_of(sides[0], all->least);
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
        const element own = element_at(all, e);
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

/* ---- pieces ------------------------------------------------------------------------------------------ */

static void join_elements(const sfgp_elements *elements, int64_t *parents)
{
    for (int64_t e = 0; e < elements->count; e++) {
        const int32_t *points = elements->points + e * elements->corners;
        for (int k = 1; k < elements->corners; k++) {
            const int64_t a = sfgp_forest_root(parents, points[0]), b = sfgp_forest_root(parents, points[k]);
            parents[a < b ? b : a] = a < b ? a : b; /* the root is the first point */
        }
    }
}

static void number_pieces(int64_t *parents, sfgp_laplacian *laplacian)
{
    for (int64_t i = 0; i < laplacian->count; i++) {
        const int64_t root = sfgp_forest_root(parents, i);
        laplacian->piece[i] = root == i ? (int32_t)laplacian->piece_count++ : laplacian->piece[root];
    }
}

/* A point without elements gets the mean mass of a point. */
static void measure_pieces(sfgp_laplacian *laplacian)
{
    double sum = 0;
    for (int64_t i = 0; i < laplacian->count; i++)
        sum += laplacian->mass[i];
    const double mean = sum > 0 ? sum / (double)laplacian->count : 1;
    for (int64_t i = 0; i < laplacian->count; i++) {
        laplacian->area[laplacian->piece[i]] += laplacian->mass[i];
        laplacian->mass[i] = laplacian->mass[i] > 0 ? laplacian->mass[i] : mean;
        laplacian->weight[laplacian->piece[i]] += laplacian->mass[i];
    }
}

static sfgp_status find_pieces(sfgp_context *context, const sfgp_elements *elements,
                               sfgp_laplacian *laplacian)
{
    int64_t *parents = NULL;
    sfgp_status status = sfgp_allocate(context, laplacian->count, &parents);
    if (status == SFGP_OK) {
        sfgp_forest_begin(laplacian->count, parents);
        join_elements(elements, parents);
        number_pieces(parents, laplacian);
        if ((status = sfgp_allocate(context, laplacian->piece_count, &laplacian->area)) == SFGP_OK &&
            (status = sfgp_allocate(context, laplacian->piece_count, &laplacian->weight)) == SFGP_OK)
            measure_pieces(laplacian);
    }
    sfgp_free(parents);
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
        assembly all = {mesh, &elements, elements.corners == 3 ? 3 : 1, 0};
        all.least = LEAST_SLACK * mean_edge(&all);
        laplacian->dimension = elements.corners - 1;
        add_masses(&all, laplacian->mass);
        if ((status = assemble(context, &all, laplacian)) == SFGP_OK)
            status = find_pieces(context, &elements, laplacian);
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
