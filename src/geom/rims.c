/* Counts rims: all edges are sorted, so that those of one pair of points follow each other, and of these those of one face. */
#include "geom/rims.h"
#include "base/memory.h"
#include "geom/forest.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct edge {
    int64_t low, high; /* points */
    int64_t face;
} edge;

/* Groups of rim edges that touch, as a forest over the points. */
typedef struct forest {
    int64_t *parents;
    bool *seen; /* whether a point lies on a rim */
} forest;

static int compare_points(const edge *x, const edge *y)
{
    return x->low != y->low ? (x->low > y->low) - (x->low < y->low)
                            : (x->high > y->high) - (x->high < y->high);
}

static int compare_edges(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    const int by_points = compare_points(x, y);
    return by_points ? by_points : (x->face > y->face) - (x->face < y->face);
}

/* Without those from a point to itself, which a repeated corner makes. */
static int64_t list_edges(const sfgp_mesh *mesh, edge *edges)
{
    int64_t count = 0;
    for (int64_t f = 0; f < mesh->face_count; f++)
        for (int64_t k = mesh->face_start[f], last = mesh->face_start[f + 1] - 1; k <= last; k++) {
            const int64_t a = mesh->face_points[k],
                          b = mesh->face_points[k == last ? mesh->face_start[f] : k + 1];
            if (a != b)
                edges[count++] = a < b ? (edge){a, b, f} : (edge){b, a, f};
        }
    return count;
}

/* An edge that a face goes there and back, as (0, 1, 1) does, is no border of it. Returns how many are left. */
static int64_t drop_returns(int64_t count, edge *edges)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++)
        if (kept > 0 && compare_edges(&edges[kept - 1], &edges[k]) == 0)
            kept--;
        else
            edges[kept++] = edges[k];
    return kept;
}

/* Each new point is a group; an edge between two groups makes them one. */
static void add_rim(const edge *rim, const forest *f, sfgp_rims *rims)
{
    const int64_t ends[] = {rim->low, rim->high};
    rims->edges++;
    for (int k = 0; k < 2; k++) {
        rims->groups += !f->seen[ends[k]];
        f->seen[ends[k]] = true;
    }
    const int64_t a = sfgp_forest_root(f->parents, rim->low), b = sfgp_forest_root(f->parents, rim->high);
    rims->groups -= a != b;
    f->parents[a] = b;
}

static void count_groups(const edge *edges, int64_t count, const forest *f, sfgp_rims *rims)
{
    for (int64_t k = 0, next; k < count; k = next) {
        next = k + 1;
        while (next < count && compare_points(&edges[next], &edges[k]) == 0)
            next++;
        rims->knots += next - k > 2;
        if (next - k == 1)
            add_rim(&edges[k], f, rims);
    }
}

static void count_edges(const sfgp_mesh *mesh, const forest *f, edge *edges, sfgp_rims *rims)
{
    const int64_t count = list_edges(mesh, edges);
    sfgp_forest_begin(mesh->count, f->parents);
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    count_groups(edges, drop_returns(count, edges), f, rims);
}

sfgp_status sfgp_rims_count(sfgp_context *context, const sfgp_mesh *mesh, sfgp_rims *rims)
{
    forest f = {NULL, NULL};
    edge *edges = NULL;
    *rims = (sfgp_rims){0};
    if (mesh->face_count == 0)
        return SFGP_OK;
    sfgp_status status = sfgp_allocate(context, mesh->face_start[mesh->face_count], &edges);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, mesh->count, &f.parents);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, mesh->count, &f.seen);
    if (status == SFGP_OK)
        count_edges(mesh, &f, edges, rims);
    sfgp_free(edges);
    sfgp_free(f.parents);
    sfgp_free(f.seen);
    return status;
}
