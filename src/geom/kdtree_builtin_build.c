/* Construction of the built-in kd-tree. Layout and numbering stand in kdtree_builtin.h. */
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/halves.h"
#include "geom/kdtree_builtin.h"

#include <string.h>

#define LEAST_COUNT 8192 /* points that a thread takes at a time */
#define GRAIN 64         /* leaves that it takes */

/* Moves the median of three items at fixed pseudo-random places to the end. */
static void choose_pivot(sfgp_item *items, int64_t count, int axis, uint64_t *seed)
{
    int64_t place[3];
    for (int k = 0; k < 3; k++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        place[k] = (int64_t)((*seed >> 33) * (uint64_t)count >> 31);
    }
    sfgp_item *a = items + place[0], *b = items + place[1], *c = items + place[2];
    sfgp_item *least = sfgp_item_before(a, b, axis) ? a : b, *most = least == a ? b : a;
    sfgp_item *middle = sfgp_item_before(c, least, axis) ? least : sfgp_item_before(c, most, axis) ? c : most;
    sfgp_item_swap(middle, items + count - 1);
}

/* Quickselect: items 0 .. rank - 1 come before all others. O(count) expected; no jump depends on the data. Not sfgp_halves_partition: the
 * order in which the items are left is that of what a query finds, in which sums are made. */
static void select_rank(sfgp_item *items, int64_t count, int64_t rank, int axis)
{
    uint64_t seed = 1;
    while (count > 1) {
        int64_t below = 0;
        choose_pivot(items, count, axis, &seed);
        sfgp_item pivot = items[count - 1];
        for (int64_t i = 0; i < count - 1; i++) {
            sfgp_item current = items[i];
            items[i] = items[below];
            items[below] = current;
            below += sfgp_item_before(&current, &pivot, axis);
        }
        sfgp_item_swap(items + below, items + count - 1);
        if (rank == below)
            return;
        if (rank < below) {
            count = below;
        } else {
            items += below + 1;
            rank -= below + 1;
            count -= below + 1;
        }
    }
}

/* A range has the items of 2^size leaves, from leaf `place` on; its halves those of their first and last half. */
static bool halve(const sfgp_range *range, sfgp_range halves[2], const void *user)
{
    const sfgp_kdtree *tree = user;
    if (range->size == 0 || range->count <= 1)
        return false;
    const int64_t middle = range->place + ((int64_t)1 << range->size >> 1),
                  here = leaf_start(tree, middle) - leaf_start(tree, range->place);
    select_rank(range->items, range->count, here, sfgp_halves_axis(range->count, range->items));
    halves[0] = (sfgp_range){here, range->size - 1, range->place, range->items};
    halves[1] = (sfgp_range){range->count - here, range->size - 1, middle, range->items + here};
    return true;
}

static void fill_leaf(const sfgp_kdtree *tree, const sfgp_item *items, int64_t k)
{
    leaf *filled = tree->leaves + k;
    int size = leaf_size(tree, k);
    items += leaf_start(tree, k);
    for (int i = 0; i < LEAF; i++) {
        for (int a = 0; a < 3; a++)
            filled->x[a][i] = i < size ? items[i].x[a] : ABSENT;
        filled->index[i] = i < size ? (int32_t)items[i].index : INT32_MAX;
    }
}

/* Extends *least .. *most, ABSENT at first, over all values that are not ABSENT. */
static void widen(const double *values, int count, double *least, double *most)
{
    for (int i = 0; i < count; i++) {
        *least = *least <= values[i] || isnan(values[i]) ? *least : values[i];
        *most = *most >= values[i] || isnan(values[i]) ? *most : values[i];
    }
}

/* Smallest index below a node and its box, from its points or its children, which have larger numbers. */
static void fill_node(const sfgp_kdtree *tree, int64_t node)
{
    const bool inner = node < tree->block_count;
    const block *children = inner ? tree->blocks + node : NULL;
    const leaf *points = inner ? NULL : tree->leaves + (node - tree->block_count);
    const int64_t slot = node + FAN - 1 - tree->fan;
    for (int a = 0; a < 3; a++) {
        double *low = tree->blocks[slot / FAN].low[a] + slot % FAN;
        double *high = tree->blocks[slot / FAN].high[a] + slot % FAN;
        *low = *high = ABSENT;
        widen(inner ? children->low[a] : points->x[a], inner ? FAN : LEAF, low, high);
        widen(inner ? children->high[a] : points->x[a], inner ? FAN : LEAF, low, high);
    }
    const int32_t *index = inner ? tree->least + child_of(tree, node, 0) : points->index;
    tree->least[node] = INT32_MAX;
    for (int k = 0; k < (inner ? FAN : LEAF); k++)
        tree->least[node] = index[k] < tree->least[node] ? index[k] : tree->least[node];
}

/* ---- in parallel; the order of the items does not depend on the threads --------------------------------- */

typedef struct building {
    const sfgp_kdtree *tree;
    sfgp_item *items;
    const double *points;
} building;

static void set_items(const void *data, int64_t first, int64_t end)
{
    const building *b = data;
    const int d = b->tree->dimension;
    for (int64_t i = first; i < end; i++) {
        memcpy(b->items[i].x, b->points + i * d, (size_t)d * sizeof *b->points);
        b->items[i].index = i;
    }
}

static void fill_some(const void *data, int64_t first, int64_t end)
{
    const building *b = data;
    for (int64_t k = first; k < end; k++) {
        fill_leaf(b->tree, b->items, k);
        fill_node(b->tree, b->tree->block_count + k);
    }
}

static void fill(const sfgp_kdtree *tree, sfgp_item *items, const double *points)
{
    const int64_t leaf_count = (int64_t)1 << tree->depth;
    const building b = {tree, items, points};
    const sfgp_halves_rule by_leaves = {halve, NULL, tree};
    const sfgp_range all = {tree->count, tree->depth, 0, items};
    sfgp_parallel_for(tree->count, LEAST_COUNT, set_items, &b);
    sfgp_halves_run(&by_leaves, &all);
    for (int k = 0; k < FAN; k++)
        for (int a = 0; a < 3; a++)
            tree->blocks->low[a][k] = tree->blocks->high[a][k] = ABSENT;
    sfgp_parallel_for(leaf_count, GRAIN, fill_some, &b);
    for (int64_t node = tree->block_count - 1; node > 0; node--)
        fill_node(tree, node);
}

/* The shape of the tree over count points. */
static sfgp_kdtree shape_of(int64_t count, int dimension)
{
    sfgp_kdtree shape = {.count = count, .dimension = dimension, .depth = 1, .block_count = 1};
    while (((count - 1) >> shape.depth) >= LEAF)
        shape.depth++;
    shape.fan = 1 << ((shape.depth - 1) % 3 + 1);
    for (int64_t level = shape.fan; level < (int64_t)1 << shape.depth; level *= FAN)
        shape.block_count += level;
    return shape;
}

sfgp_status sfgp_kdtree_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                            sfgp_kdtree **tree)
{
    sfgp_status status = SFGP_OK;
    sfgp_kdtree *made = NULL;
    sfgp_item *items = NULL;
    *tree = NULL;
    if (count < 0 || count >= INT32_MAX)
        return sfgp_fail(context, SFGP_ERROR_MEMORY, "kd-tree: %lld points are too large a set",
                         (long long)count);
    if ((status = sfgp_allocate(context, 1, &made)) != SFGP_OK)
        return status;
    *made = shape_of(count, dimension);
    const int64_t leaf_count = (int64_t)1 << made->depth;
    if ((status = sfgp_allocate(context, made->block_count, &made->blocks)) == SFGP_OK &&
        (status = sfgp_allocate(context, leaf_count, &made->leaves)) == SFGP_OK &&
        (status = sfgp_allocate(context, made->block_count + leaf_count, &made->least)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &items)) == SFGP_OK) {
        fill(made, items, points);
        *tree = made;
    } else {
        sfgp_kdtree_free(made);
    }
    sfgp_free(items);
    return status;
}

void sfgp_kdtree_free(sfgp_kdtree *tree)
{
    if (!tree)
        return;
    sfgp_free(tree->blocks);
    sfgp_free(tree->leaves);
    sfgp_free(tree->least);
    sfgp_free(tree);
}
