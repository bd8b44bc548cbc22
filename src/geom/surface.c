/* Builds the tree of boxes over the triangles of a mesh, and searches it. surface.h has the design. */
#include "geom/surface.h"
#include "base/extremes.h"
#include "base/memory.h"
#include "geom/halves.h"

#include <math.h>

enum { LEAF = 4 }; /* triangles of a leaf, at most */

typedef struct corners {
    int64_t point[3];
} corners;

typedef struct box {
    double low[3], high[3];
} box;

struct sfgp_surface {
    const double *points;
    int64_t count;      /* triangles */
    corners *triangles; /* in the order of the file */
    sfgp_item *items;   /* centre and index of each triangle, in the order of the leaves */
    int depth;          /* halvings from the root to a leaf */
    box *boxes;
};

/* ---- build ------------------------------------------------------------------------------------------- */

static int64_t count_triangles(const sfgp_mesh *mesh)
{
    return mesh->face_count > 0 ? mesh->face_start[mesh->face_count] - 2 * mesh->face_count : 0;
}

/* Of a face the triangle of its first corner and the corners k - 1 and k. */
static void add_triangle(const sfgp_mesh *mesh, int64_t first, int64_t k, int64_t n, sfgp_surface *s)
{
    const int64_t *corner = mesh->face_points;
    s->triangles[n] = (corners){{corner[first], corner[k - 1], corner[k]}};
    s->items[n] = (sfgp_item){.index = n};
    for (int axis = 0; axis < 3; axis++)
        for (int c = 0; c < 3; c++)
            s->items[n].x[axis] += mesh->points[3 * s->triangles[n].point[c] + axis] / 3;
}

static void list_triangles(const sfgp_mesh *mesh, sfgp_surface *s)
{
    int64_t n = 0;
    for (int64_t f = 0; f < mesh->face_count; f++)
        for (int64_t k = mesh->face_start[f] + 2; k < mesh->face_start[f + 1]; k++)
            add_triangle(mesh, mesh->face_start[f], k, n++, s);
}

static const int64_t *corners_of(const sfgp_surface *s, int64_t k)
{
    return s->triangles[s->items[k].index].point;
}

static box find_box(const sfgp_surface *s, int64_t first, int64_t end)
{
    box found = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int64_t k = first; k < end; k++)
        for (int c = 0; c < 3; c++)
            for (int axis = 0; axis < 3; axis++) {
                const double x = s->points[3 * corners_of(s, k)[c] + axis];
                found.low[axis] = sfgp_smaller(found.low[axis], x);
                found.high[axis] = sfgp_larger(found.high[axis], x);
            }
    return found;
}

static box join_boxes(const box *a, const box *b)
{
    box joined;
    for (int axis = 0; axis < 3; axis++) {
        joined.low[axis] = sfgp_smaller(a->low[axis], b->low[axis]);
        joined.high[axis] = sfgp_larger(a->high[axis], b->high[axis]);
    }
    return joined;
}

static void build_node(sfgp_surface *s, int64_t node, int64_t first, int64_t end, int level)
{
    if (level == s->depth) {
        s->boxes[node] = find_box(s, first, end);
        return;
    }
    const int64_t half = (end - first) / 2;
    sfgp_halves_partition(end - first, half, s->items + first);
    build_node(s, 2 * node + 1, first, first + half, level + 1);
    build_node(s, 2 * node + 2, first + half, end, level + 1);
    s->boxes[node] = join_boxes(&s->boxes[2 * node + 1], &s->boxes[2 * node + 2]);
}

sfgp_status sfgp_surface_new(sfgp_context *context, const sfgp_mesh *mesh, sfgp_surface **surface)
{
    sfgp_surface *s = NULL;
    *surface = NULL;
    const int64_t count = count_triangles(mesh);
    if (count < 1)
        return sfgp_fail(context, SFGP_ERROR_DATA, "surface: the mesh has no faces");
    sfgp_status status = sfgp_allocate(context, 1, &s);
    if (status == SFGP_OK && (status = sfgp_allocate(context, count, &s->triangles)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &s->items)) == SFGP_OK) {
        s->points = mesh->points;
        s->count = count;
        while (count >> s->depth > LEAF)
            s->depth++;
        status = sfgp_allocate(context, (int64_t)2 << s->depth, &s->boxes);
    }
    if (status != SFGP_OK)
        return sfgp_surface_free(s), status;
    list_triangles(mesh, s);
    build_node(s, 0, 0, count, 0);
    *surface = s;
    return SFGP_OK;
}

void sfgp_surface_free(sfgp_surface *surface)
{
    if (!surface)
        return;
    sfgp_free(surface->triangles);
    sfgp_free(surface->items);
    sfgp_free(surface->boxes);
    sfgp_free(surface);
}

/* ---- search ------------------------------------------------------------------------------------------ */

/* The part of a box that is nearest to the point. Rounding may put it too far by some ulps, which SLACK covers. */
static double box_distance2(const box *b, const double p[3])
{
    const double SLACK = 1 - 1e-12;
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double off = sfgp_larger(0, sfgp_larger(b->low[axis] - p[axis], p[axis] - b->high[axis]));
        sum += off * off;
    }
    return SLACK * sum;
}

static double leaf_distance2(const sfgp_surface *s, int64_t first, int64_t end, const double p[3],
                             double best)
{
    for (int64_t k = first; k < end; k++) {
        const int64_t *corner = corners_of(s, k);
        const double distance2 = sfgp_triangle_distance2(
            p, s->points + 3 * corner[0], s->points + 3 * corner[1], s->points + 3 * corner[2]);
        best = sfgp_smaller(distance2, best);
    }
    return best;
}

/* A node on the way down: its triangles and its level. */
typedef struct place {
    int64_t node, first, end;
    int level;
} place;

static double search(const sfgp_surface *s, place at, const double p[3], double best)
{
    if (at.level == s->depth)
        return leaf_distance2(s, at.first, at.end, p, best);
    const int64_t middle = at.first + (at.end - at.first) / 2;
    const place child[2] = {{2 * at.node + 1, at.first, middle, at.level + 1},
                            {2 * at.node + 2, middle, at.end, at.level + 1}};
    const double off[2] = {box_distance2(&s->boxes[child[0].node], p),
                           box_distance2(&s->boxes[child[1].node], p)};
    const int near = off[1] < off[0];
    if (off[near] < best)
        best = search(s, child[near], p, best);
    return off[!near] < best ? search(s, child[!near], p, best) : best;
}

double sfgp_surface_distance2(const sfgp_surface *surface, const double point[3])
{
    return search(surface, (place){0, 0, surface->count, 0}, point, HUGE_VAL);
}

/* A triangle at the distance that search found; -1: none in this node. */
static int64_t find_triangle(const sfgp_surface *s, place at, const double p[3], double distance2)
{
    if (box_distance2(&s->boxes[at.node], p) > distance2)
        return -1;
    if (at.level == s->depth) {
        for (int64_t k = at.first; k < at.end; k++)
            if (leaf_distance2(s, k, k + 1, p, HUGE_VAL) == distance2)
                return k;
        return -1;
    }
    const int64_t middle = at.first + (at.end - at.first) / 2;
    const int64_t left =
        find_triangle(s, (place){2 * at.node + 1, at.first, middle, at.level + 1}, p, distance2);
    return left >= 0 ? left
                     : find_triangle(s, (place){2 * at.node + 2, middle, at.end, at.level + 1}, p, distance2);
}

double sfgp_surface_nearest(const sfgp_surface *surface, const double point[3], int64_t index[3],
                            double weights[3])
{
    const double distance2 = sfgp_surface_distance2(surface, point);
    const int64_t found = find_triangle(surface, (place){0, 0, surface->count, 0}, point, distance2);
    const int64_t *own = corners_of(surface, found >= 0 ? found : 0);
    for (int k = 0; k < 3; k++)
        index[k] = own[k];
    sfgp_triangle_weights(point, surface->points + 3 * own[0], surface->points + 3 * own[1],
                          surface->points + 3 * own[2], weights);
    return distance2;
}
