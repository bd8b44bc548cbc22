/* The E-step that stores P. Each column of P starts where the column before it ends, so the labels of all points are
 * counted before P is filled. The pairs that the kd-tree finds for the count are cached in the unused end of P's
 * memory, lane by lane. When there is no room for them, the tree is queried again. */
#include "base/lanes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "correspond/estep.h"
#include "correspond/summary.h"

#include <string.h>

#define SIDES SFGP_SUMMARY_COLUMNS
#define GROUPS 16 /* of SIDES points, that a thread takes at a time */

/* The cached pairs of a lane, from the next point on. */
typedef struct cache {
    int32_t *index;
    double *distance2;
    int64_t left; /* pairs that still fit */
} cache;

static int64_t cache_start(const sfgp_estep *s)
{
    return sfgp_sparse_capacity(&s->r->matrix) - SFGP_LANES * s->room;
}

static cache cache_of(const sfgp_estep *s, int lane)
{
    const int64_t at = cache_start(s) + lane * s->room;
    return (cache){sfgp_sparse_index(&s->r->matrix) + at, sfgp_sparse_value(&s->r->matrix) + at, s->room};
}

/* Whether the pairs of the next point are cached: there is room for a pair with every target. */
static bool is_cached(const cache *k, const sfgp_responsibilities *r)
{
    return k->left >= r->targets;
}

static void advance(cache *k, int64_t found)
{
    k->index += found;
    k->distance2 += found;
    k->left -= found;
}

/* start[i + 1] = number of pairs of point i. The radius is kept, so that the query that fills P finds the same
 * pairs. */
static void count_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const sfgp_estep *s = data;
    const sfgp_responsibilities *r = s->r;
    cache k = cache_of(s, lane);
    for (int64_t i = first; i < end; i++) {
        const double *x = s->state.points + i * r->dimension;
        int64_t found;
        sfgp_estep_set_radius(s, i);
        if (is_cached(&k, r)) {
            found = sfgp_kdtree_within(s->tree, x, r->radius2[i], k.index, k.distance2);
            advance(&k, found);
        } else {
            found = sfgp_kdtree_count(s->tree, x, r->radius2[i]);
        }
        sfgp_sparse_start(&r->matrix)[i + 1] = (int32_t)found;
    }
}

void sfgp_estep_count(sfgp_estep *s)
{
    sfgp_lanes_run(s->r->count, count_lane, s);
    s->r->pairs = sfgp_estep_pairs(s->r);
    if (s->r->pairs > cache_start(s))
        s->room = 0;
}

/* Column i: indices and phi_ij. */
static void fill_column(const sfgp_estep *s, int64_t i, cache *k, int32_t *index, double *phi)
{
    const sfgp_responsibilities *r = s->r;
    const int32_t *start = sfgp_sparse_start(&r->matrix);
    const int64_t found = start[i + 1] - start[i];
    const double *distance2 = phi;
    if (found == 0)
        return;
    if (is_cached(k, r)) {
        memcpy(index, k->index, (size_t)found * sizeof *index);
        distance2 = k->distance2;
        advance(k, found);
    } else {
        sfgp_kdtree_within(s->tree, s->state.points + i * r->dimension, r->radius2[i], index, phi);
    }
    if (s->rule->normals) {
        sfgp_estep_stretch(s, i, found, index, distance2, phi);
        distance2 = phi;
    }
    sfgp_estep_densities(s, i, found, distance2, phi);
}

/* Fills the columns of a lane, and its part of sum_i phi_ij. */
static void fill_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const sfgp_estep *s = data;
    const sfgp_responsibilities *r = s->r;
    const int32_t *start = sfgp_sparse_start(&r->matrix);
    double *sum = sfgp_estep_empty_sum(r, lane);
    cache k = cache_of(s, lane);
    for (int64_t i = first; i < end; i++) {
        int32_t *index = sfgp_sparse_index(&r->matrix) + start[i];
        double *phi = sfgp_sparse_value(&r->matrix) + start[i];
        fill_column(s, i, &k, index, phi);
        sfgp_estep_add(start[i + 1] - start[i], index, phi, sum);
    }
}

static sfgp_columns columns_of(const sfgp_responsibilities *r, int64_t at)
{
    const int32_t *start = sfgp_sparse_start(&r->matrix);
    sfgp_columns columns = {.at = at};
    for (int side = 0; side < SIDES && at + side < r->count; side++) {
        columns.index[side] = sfgp_sparse_index(&r->matrix) + start[at + side];
        columns.p[side] = sfgp_sparse_value(&r->matrix) + start[at + side];
        columns.length[side] = start[at + side + 1] - start[at + side];
        columns.count++;
    }
    return columns;
}

/* A group has SIDES points. */
static void summarise(const void *data, int64_t first, int64_t end)
{
    const sfgp_estep *s = data;
    for (int64_t group = first; group < end; group++) {
        const sfgp_columns columns = columns_of(s->r, group * SIDES);
        sfgp_responsibilities_summarise(s->rule->pmin, s->target, s->state.points, &columns, s->r);
    }
}

sfgp_status sfgp_estep_whole(sfgp_context *context, const sfgp_estep *s)
{
    sfgp_responsibilities *r = s->r;
    int32_t *start = sfgp_sparse_start(&r->matrix);
    sfgp_status status = sfgp_reserve(context, SFGP_LANES * r->targets, &r->lane_sums, &r->lane_capacity);
    if (status == SFGP_OK)
        status = sfgp_sparse_reserve(context, r->pairs, &r->matrix);
    if (status != SFGP_OK)
        return status;
    for (int64_t i = 0; i < r->count; i++)
        start[i + 1] += start[i];
    sfgp_lanes_run(r->count, fill_lane, s);
    sfgp_estep_invert(s);
    sfgp_parallel_for((r->count + SIDES - 1) / SIDES, GROUPS, summarise, s);
    return SFGP_OK;
}
