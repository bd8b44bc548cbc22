/* Neighbourhoods by the kd-tree, and normals as the direction of least scatter (Hoppe et al., SIGGRAPH 1992,
 * section 3.2). */
#include "geom/normals.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "geom/kdtree.h"
#include "geom/measure.h"

#include <math.h>
#include <string.h>

/* ---- neighbourhoods ---------------------------------------------------------------------------------- */

typedef struct neighbour {
    double distance2;
    int32_t index;
} neighbour;

static bool is_nearer(neighbour a, neighbour b)
{
    return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.index < b.index);
}

/* The farthest of heap[k] and what is below it comes to k. */
static void sift(neighbour *heap, int64_t size, int64_t k)
{
    const neighbour moved = heap[k];
    for (int64_t child; (child = 2 * k + 1) < size; k = child) {
        child += child + 1 < size && is_nearer(heap[child], heap[child + 1]);
        if (!is_nearer(moved, heap[child]))
            break;
        heap[k] = heap[child];
    }
    heap[k] = moved;
}

/* The nearest `size` of them come first, in order. O(count log size). */
static void sort_nearest(neighbour *found, int64_t count, int64_t size)
{
    for (int64_t k = size / 2; k-- > 0;)
        sift(found, size, k);
    for (int64_t k = size; k < count; k++)
        if (is_nearer(found[k], found[0])) {
            found[0] = found[k];
            sift(found, size, 0);
        }
    for (int64_t k = size; k-- > 1;) {
        const neighbour farthest = found[0];
        found[0] = found[k];
        found[k] = farthest;
        sift(found, k, 0);
    }
}

#define GRAIN 64     /* points that a thread takes at a time */
#define LEAST 1e-300 /* least squared radius: 0 could not grow, and points may coincide */

/* Workspace of a worker: index, distance2 and found have room for all points. */
typedef struct search {
    const sfgp_kdtree *tree;
    int32_t *index;
    double *distance2;
    neighbour *found;
    double radius2; /* squared radius of the last ball, where the next search starts */
} search;

static sfgp_status search_new(sfgp_context *context, int64_t count, const sfgp_kdtree *tree, double spacing,
                              search *s)
{
    sfgp_status status = SFGP_OK;
    s->tree = tree;
    s->radius2 = 4 * spacing * spacing;
    if ((status = sfgp_allocate(context, count, &s->index)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &s->distance2)) == SFGP_OK)
        status = sfgp_allocate(context, count, &s->found);
    return status;
}

static void search_clear(search *s)
{
    sfgp_free(s->index);
    sfgp_free(s->distance2);
    sfgp_free(s->found);
}

/* The nearest points of x: those of a ball with enough points. The ball starts smaller than the last
 * one. */
static void find_nearest(search *s, const double *x, int size, int32_t *nearest)
{
    s->radius2 = fmax(0.5 * s->radius2, LEAST);
    while (sfgp_kdtree_count(s->tree, x, s->radius2) < size)
        s->radius2 *= 2;
    int64_t count = sfgp_kdtree_within(s->tree, x, s->radius2, s->index, s->distance2);
    for (int64_t k = 0; k < count; k++)
        s->found[k] = (neighbour){s->distance2[k], s->index[k]};
    sort_nearest(s->found, count, size);
    for (int k = 0; k < size; k++)
        nearest[k] = s->found[k].index;
}

typedef struct searches {
    search *each;
    int workers;
    const double *points;
    const sfgp_neighbours *neighbours;
} searches;

/* The neighbourhoods of some workers. They do not depend on the radius at which a search starts. */
static void find_some(const void *data, int64_t first, int64_t end)
{
    const searches *all = data;
    const sfgp_neighbours *neighbours = all->neighbours;
    const int64_t n = neighbours->count, workers = all->workers;
    for (int64_t worker = first; worker < end; worker++)
        for (int64_t i = n * worker / workers; i < n * (worker + 1) / workers; i++)
            find_nearest(all->each + worker, all->points + i * neighbours->dimension, neighbours->size,
                         neighbours->index + i * neighbours->size);
}

static sfgp_status find_all(sfgp_context *context, const double *points, const sfgp_kdtree *tree,
                            sfgp_neighbours *neighbours)
{
    const int workers = sfgp_threads_count();
    const int64_t n = neighbours->count;
    const double spacing = sfgp_points_spacing(n, neighbours->dimension, points);
    search *s = NULL;
    sfgp_status status = sfgp_allocate(context, workers, &s);
    for (int k = 0; k < workers && status == SFGP_OK; k++)
        status = search_new(context, n, tree, spacing, s + k);
    const searches all = {s, workers, points, neighbours};
    if (status == SFGP_OK)
        sfgp_parallel_for(workers, 1, find_some, &all);
    for (int k = 0; s && k < workers; k++)
        search_clear(s + k);
    sfgp_free(s);
    return status;
}

sfgp_status sfgp_neighbours_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                                int size, sfgp_neighbours *neighbours)
{
    sfgp_kdtree *tree = NULL;
    *neighbours = (sfgp_neighbours){count, dimension, count < size ? (int)count : size, NULL};
    sfgp_status status = sfgp_kdtree_new(context, count, dimension, points, &tree);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, count * neighbours->size, &neighbours->index);
    if (status == SFGP_OK)
        status = find_all(context, points, tree, neighbours);
    sfgp_kdtree_free(tree);
    return status;
}

void sfgp_neighbours_clear(sfgp_neighbours *neighbours)
{
    sfgp_free(neighbours->index);
    *neighbours = (sfgp_neighbours){0};
}

/* ---- directions -------------------------------------------------------------------------------------- */

/* Sums of products of the neighbours' coordinates about their mean; the third axis stays 0 in 2D. */
static void scatter(const sfgp_neighbours *neighbours, const double *points, int64_t i, double c[3][3])
{
    const int d = neighbours->dimension == 2 ? 2 : 3, size = neighbours->size;
    const int32_t *index = neighbours->index + i * size;
    double mean[3] = {0, 0, 0};
    for (int k = 0; k < size; k++)
        for (int a = 0; a < d; a++)
            mean[a] += points[(int64_t)index[k] * d + a] / size;
    for (int k = 0; k < size; k++)
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++)
                c[a][b] += (points[(int64_t)index[k] * d + a] - mean[a]) *
                           (points[(int64_t)index[k] * d + b] - mean[b]);
}

/* One Jacobi rotation, which makes c[p][q] zero; applied to the columns of v too. */
static void rotate(int p, int q, double c[3][3], double v[3][3])
{
    if (c[p][q] == 0)
        return;
    const double ratio = (c[q][q] - c[p][p]) / (2 * c[p][q]);
    const double tangent = (ratio < 0 ? -1 : 1) / (fabs(ratio) + sqrt(1 + ratio * ratio));
    const double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
    for (int k = 0; k < 3; k++) {
        double left = c[k][p], right = c[k][q];
        c[k][p] = cosine * left - sine * right;
        c[k][q] = sine * left + cosine * right;
    }
    for (int k = 0; k < 3; k++) {
        double left = c[p][k], right = c[q][k], x = v[k][p], y = v[k][q];
        c[p][k] = cosine * left - sine * right;
        c[q][k] = sine * left + cosine * right;
        v[k][p] = cosine * x - sine * y;
        v[k][q] = sine * x + cosine * y;
    }
}

/* Of what is left beside the diagonal: a rotation by less turns no unit vector in double precision, unless two eigenvalues
 * agree to 14 digits. */
#define NEGLIGIBLE 1e-30

static bool is_diagonal(int d, double c[3][3])
{
    const double beside = fabs(c[0][1]) + (d == 3 ? fabs(c[0][2]) + fabs(c[1][2]) : 0);
    return beside <= NEGLIGIBLE * (c[0][0] + c[1][1] + (d == 3 ? c[2][2] : 0));
}

/* Eigenvector of the smallest eigenvalue by cyclic Jacobi, which converges quadratically: 8 sweeps are
 * enough, and 5 the rule. */
static void least_direction(int d, double c[3][3], double *normal)
{
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int least = 0, largest = 0;
    for (int sweep = 0; sweep < 8 && !is_diagonal(d, c); sweep++)
        for (int p = 0; p < d - 1; p++)
            for (int q = p + 1; q < d; q++)
                rotate(p, q, c, v);
    for (int k = 1; k < d; k++)
        least = c[k][k] < c[least][least] ? k : least;
    for (int a = 1; a < d; a++)
        largest = fabs(v[a][least]) > fabs(v[largest][least]) ? a : largest;
    for (int a = 0; a < d; a++)
        normal[a] = v[largest][least] < 0 ? -v[a][least] : v[a][least];
}

typedef struct estimate {
    const sfgp_neighbours *neighbours;
    const double *points;
    double *normals;
} estimate;

static void estimate_some(const void *data, int64_t first, int64_t end)
{
    const estimate *e = data;
    const int d = e->neighbours->dimension == 2 ? 2 : 3;
    for (int64_t i = first; i < end; i++) {
        double c[3][3] = {{0}};
        scatter(e->neighbours, e->points, i, c);
        least_direction(d, c, e->normals + i * d);
    }
}

void sfgp_normals_estimate(const sfgp_neighbours *neighbours, const double *points, double *normals)
{
    const estimate all = {neighbours, points, normals};
    sfgp_parallel_for(neighbours->count, GRAIN, estimate_some, &all);
}
