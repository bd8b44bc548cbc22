/* Neighbourhoods by the kd-tree. */
#include "geom/normals.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "base/threads.h"
#include "geom/kdtree.h"
#include "geom/measure.h"

#include <math.h>
#include <string.h>

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

#define FEW 256 /* points that are ranked by all others of a ball: in vectors that is sooner than by a heap */

/* How many are nearer than each, of those whose rank is below `size`: index to its rank in `nearest`. False: two of these are
 * equally near. O(count^2). */
SFGP_SIMD static bool rank_nearest(int64_t count, const double *distance2, const int32_t *index, int size,
                                   int32_t *nearest)
{
    for (int k = 0; k < size; k++)
        nearest[k] = -1;
    for (int64_t i = 0; i < count; i++) {
        int64_t rank = 0;
        for (int64_t j = 0; j < count; j++)
            rank += distance2[j] < distance2[i];
        if (rank >= size)
            continue;
        if (nearest[rank] >= 0)
            return false;
        nearest[rank] = index[i];
    }
    return true;
}

#define GRAIN 64     /* points that a thread takes at a time */
#define LEAST 1e-300 /* least squared radius: 0 could not grow, and points may coincide */
#define ROOM 1.3     /* times the points that are wanted, in the first ball: ADR 0133 */
#define GROWTH 1.5   /* of the squared radius of a ball with too few points */

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

/* The points of a ball with at least `size` points; how many. */
static int64_t find_ball(search *s, const double *x, int size)
{
    int64_t count;
    while ((count = sfgp_kdtree_within(s->tree, x, s->radius2, s->index, s->distance2)) < size)
        s->radius2 = fmax(GROWTH * s->radius2, LEAST);
    return count;
}

/* The nearest points of x, in order. The next ball has ROOM times as many, where the surface is as dense as here. */
static void find_nearest(search *s, const double *x, int size, int32_t *nearest)
{
    const int64_t count = find_ball(s, x, size);
    s->radius2 *= ROOM * size / (double)count;
    if (count <= FEW && rank_nearest(count, s->distance2, s->index, size, nearest))
        return;
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

sfgp_status sfgp_neighbours_narrow(sfgp_context *context, const sfgp_neighbours *more, int size,
                                   sfgp_neighbours *nearest)
{
    *nearest = (sfgp_neighbours){more->count, more->dimension, size, NULL};
    const sfgp_status status = sfgp_allocate(context, more->count * size, &nearest->index);
    for (int64_t i = 0; status == SFGP_OK && i < more->count; i++)
        memcpy(nearest->index + i * size, more->index + i * more->size, (size_t)size * sizeof(int32_t));
    return status;
}

double sfgp_neighbours_distance(const sfgp_neighbours *neighbours, const double *points, int64_t i, int k)
{
    const int d = neighbours->dimension;
    const int64_t other = neighbours->index[i * neighbours->size + k];
    return sfgp_points_distance(d, points + i * d, points + other * d);
}

void sfgp_neighbours_clear(sfgp_neighbours *neighbours)
{
    sfgp_free(neighbours->index);
    *neighbours = (sfgp_neighbours){0};
}
