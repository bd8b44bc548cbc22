/* Builds the tree of boxes over the triangles of a mesh, and searches it. surface.h has the design. */
#include "geom/surface.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { LEAF = 4 }; /* triangles of a leaf, at most */

typedef struct triangle {
    int64_t corner[3];
    double centre[3];
} triangle;

typedef struct box {
    double low[3], high[3];
} box;

struct sfgp_surface {
    const double *points;
    int64_t count; /* triangles */
    triangle *triangles;
    int depth; /* halvings from the root to a leaf */
    box *boxes;
};

/* ---- build ------------------------------------------------------------------------------------------- */

static int64_t count_triangles(const sfgp_mesh *mesh)
{
    return mesh->face_count > 0 ? mesh->face_start[mesh->face_count] - 2 * mesh->face_count : 0;
}

static void add_triangle(const sfgp_mesh *mesh, int64_t first, int64_t k, triangle *made)
{
    const int64_t *corner = mesh->face_points;
    *made = (triangle){.corner = {corner[first], corner[k - 1], corner[k]}};
    for (int axis = 0; axis < 3; axis++)
        for (int c = 0; c < 3; c++)
            made->centre[axis] += mesh->points[3 * made->corner[c] + axis] / 3;
}

static void list_triangles(const sfgp_mesh *mesh, triangle *triangles)
{
    int64_t n = 0;
    for (int64_t f = 0; f < mesh->face_count; f++)
        for (int64_t k = mesh->face_start[f] + 2; k < mesh->face_start[f + 1]; k++)
            add_triangle(mesh, mesh->face_start[f], k, &triangles[n++]);
}

static box find_box(const sfgp_surface *s, int64_t first, int64_t end)
{
    box found = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int64_t k = first; k < end; k++)
        for (int c = 0; c < 3; c++)
            for (int axis = 0; axis < 3; axis++) {
                const double x = s->points[3 * s->triangles[k].corner[c] + axis];
                found.low[axis] = fmin(found.low[axis], x);
                found.high[axis] = fmax(found.high[axis], x);
            }
    return found;
}

static int widest_axis(const box *b)
{
    int widest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (b->high[axis] - b->low[axis] > b->high[widest] - b->low[widest])
            widest = axis;
    return widest;
}

static void swap(triangle *a, triangle *b)
{
    const triangle kept = *a;
    *a = *b;
    *b = kept;
}

/* Orders items first .. end - 1 so that item `middle` has its place along the axis, lower centres before it (quickselect,
 * Hoare's partition). */
static void halve(triangle *items, int64_t first, int64_t end, int64_t middle, int axis)
{
    int64_t low = first, high = end - 1;
    while (low < high) {
        const double pivot = items[low + (high - low) / 2].centre[axis];
        int64_t i = low, j = high;
        while (i <= j) {
            while (items[i].centre[axis] < pivot)
                i++;
            while (items[j].centre[axis] > pivot)
                j--;
            if (i <= j)
                swap(&items[i++], &items[j--]);
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static void build_node(sfgp_surface *s, int64_t node, int64_t first, int64_t end, int level)
{
    s->boxes[node] = find_box(s, first, end);
    if (level == s->depth)
        return;
    const int64_t middle = first + (end - first) / 2;
    halve(s->triangles, first, end, middle, widest_axis(&s->boxes[node]));
    build_node(s, 2 * node + 1, first, middle, level + 1);
    build_node(s, 2 * node + 2, middle, end, level + 1);
}

sfgp_status sfgp_surface_new(sfgp_context *context, const sfgp_mesh *mesh, sfgp_surface **surface)
{
    sfgp_surface *s = NULL;
    *surface = NULL;
    const int64_t count = count_triangles(mesh);
    if (count < 1)
        return sfgp_fail(context, SFGP_ERROR_DATA, "surface: the mesh has no faces");
    sfgp_status status = sfgp_allocate(context, 1, &s);
    if (status == SFGP_OK && (status = sfgp_allocate(context, count, &s->triangles)) == SFGP_OK) {
        s->points = mesh->points;
        s->count = count;
        while (count >> s->depth > LEAF)
            s->depth++;
        status = sfgp_allocate(context, (int64_t)2 << s->depth, &s->boxes);
    }
    if (status != SFGP_OK)
        return sfgp_surface_free(s), status;
    list_triangles(mesh, s->triangles);
    build_node(s, 0, 0, count, 0);
    *surface = s;
    return SFGP_OK;
}

void sfgp_surface_free(sfgp_surface *surface)
{
    if (!surface)
        return;
    sfgp_free(surface->triangles);
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
        const double off = fmax(0, fmax(b->low[axis] - p[axis], p[axis] - b->high[axis]));
        sum += off * off;
    }
    return SLACK * sum;
}

static double leaf_distance2(const sfgp_surface *s, int64_t first, int64_t end, const double p[3],
                             double best)
{
    for (int64_t k = first; k < end; k++) {
        const int64_t *corner = s->triangles[k].corner;
        best = fmin(best, sfgp_triangle_distance2(p, s->points + 3 * corner[0], s->points + 3 * corner[1],
                                                  s->points + 3 * corner[2]));
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
