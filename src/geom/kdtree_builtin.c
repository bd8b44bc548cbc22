/* The built-in kd-tree: static, eight children a node, no allocation in queries.
 *
 * Points are halved at the median of the widest axis of their box until 2^depth leaves hold at most LEAF
 * each. Three halvings make one block: the boxes of eight children as arrays, so that one pass of vector code
 * tests all of them. Sizes alone decide the shape: leaf k holds the sorted points n k / 2^depth and on, and
 * nodes are numbered level by level, so child c of block g has the number 8 g + c - 7 + fan, where fan = 2, 4
 * or 8 is the number of children of block 0 (its last ones; all other blocks have eight). Numbers from
 * block_count on are the leaves. No pointers, no ranges, no depth on the stack.
 *
 * An absent child has a box of NaN and an absent point of a leaf the coordinates NaN: no comparison with a
 * radius is true for them. In 2D the third coordinate is 0, which changes no sum.
 *
 * Exactness: rounding is monotone, so the distance to the near (far) side of a box, computed by the very
 * operations of a point's distance, is never above (below) that of any point inside. No slack is needed, as
 * long as the compiler fuses no multiply-add (-ffp-contract=off). */
#include "base/memory.h"
#include "geom/kdtree.h"

#include <math.h>
#include <string.h>

#ifndef LEAF
#define LEAF 64
#endif
#define FAN 8
#define ABSENT ((double)NAN)
#define STACK 80 /* at most 10 levels of 2^28 leaves, each leaves 7 siblings behind; 7 x 10 + 8 */

/* The hot loops compiled once more for wider vectors; the loader picks. Neither set has a fused multiply-add,
 * so results do not depend on the machine. */
#ifndef CLONES
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define CLONES __attribute__((target_clones("default", "avx2")))
#else
#define CLONES
#endif
#endif
#define INLINE static inline __attribute__((always_inline)) /* into the clones */

typedef struct block {
    double low[3][FAN], high[3][FAN];
} block;

typedef struct leaf {
    double x[3][LEAF];
    int32_t index[LEAF];
} leaf;

struct sfgp_kdtree {
    int64_t count, block_count;
    int dimension, depth, fan;
    block *blocks;
    leaf *leaves;   /* 2^depth */
    int32_t *least; /* smallest index in each node */
};

/* ---- numbering --------------------------------------------------------------------------------------- */

INLINE int64_t child_of(const sfgp_kdtree *tree, int64_t node, int child)
{
    return FAN * node + child - (FAN - 1) + tree->fan;
}

INLINE int64_t leaf_start(const sfgp_kdtree *tree, int64_t k)
{
    return tree->count * k >> tree->depth;
}

INLINE int leaf_size(const sfgp_kdtree *tree, int64_t k)
{
    return (int)(leaf_start(tree, k + 1) - leaf_start(tree, k));
}

/* Leaves first .. *end - 1 are those below a node. */
INLINE int64_t leaves_of(const sfgp_kdtree *tree, int64_t node, int64_t *end)
{
    int64_t last = node;
    for (; node < tree->block_count; node = child_of(tree, node, 0))
        last = child_of(tree, last, FAN - 1);
    *end = last - tree->block_count + 1;
    return node - tree->block_count;
}

/* ---- build ------------------------------------------------------------------------------------------- */

typedef struct item {
    double x[3];
    int64_t index;
} item;

/* Strict total order: coincident points differ by index, so that no input makes the selection slow. */
static inline bool before(const item *a, const item *b, int axis)
{
    return (a->x[axis] < b->x[axis]) | ((a->x[axis] == b->x[axis]) & (a->index < b->index));
}

static inline void swap(item *a, item *b)
{
    item keep = *a;
    *a = *b;
    *b = keep;
}

static int widest_axis(const item *items, int64_t count)
{
    double low[3], high[3];
    memcpy(low, items[0].x, sizeof low);
    memcpy(high, items[0].x, sizeof high);
    for (int64_t i = 1; i < count; i++)
        for (int a = 0; a < 3; a++) {
            low[a] = items[i].x[a] < low[a] ? items[i].x[a] : low[a];
            high[a] = items[i].x[a] > high[a] ? items[i].x[a] : high[a];
        }
    int axis = 0;
    for (int a = 1; a < 3; a++)
        axis = high[a] - low[a] > high[axis] - low[axis] ? a : axis;
    return axis;
}

/* Moves the median of three items at fixed pseudo-random places to the end. */
static void choose_pivot(item *items, int64_t count, int axis, uint64_t *seed)
{
    int64_t place[3];
    for (int k = 0; k < 3; k++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        place[k] = (int64_t)((*seed >> 33) * (uint64_t)count >> 31);
    }
    const item *a = items + place[0], *b = items + place[1], *c = items + place[2];
    int middle = before(a, b, axis) ? (before(b, c, axis)   ? 1
                                       : before(a, c, axis) ? 2
                                                            : 0)
                                    : (before(a, c, axis)   ? 0
                                       : before(b, c, axis) ? 2
                                                            : 1);
    swap(items + place[middle], items + count - 1);
}

/* Quickselect: items 0 .. rank - 1 come before all others. O(count) expected, without data-dependent jumps.
 */
static void select_rank(item *items, int64_t count, int64_t rank, int axis)
{
    uint64_t seed = 1;
    while (count > 1) {
        int64_t below = 0;
        choose_pivot(items, count, axis, &seed);
        item pivot = items[count - 1];
        for (int64_t i = 0; i < count - 1; i++) {
            item current = items[i];
            items[i] = items[below];
            items[below] = current;
            below += before(&current, &pivot, axis);
        }
        swap(items + below, items + count - 1);
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

/* Sorts the items of 2^levels leaves from `first` on into leaf order. Recursion depth is the tree's. */
static void sort_into_leaves(const sfgp_kdtree *tree, item *items, int64_t first, int levels)
{
    int64_t middle = first + ((int64_t)1 << levels >> 1), end = first + ((int64_t)1 << levels);
    int64_t start = leaf_start(tree, first), count = leaf_start(tree, end) - start;
    if (levels == 0 || count < 2)
        return;
    select_rank(items + start, count, leaf_start(tree, middle) - start, widest_axis(items + start, count));
    sort_into_leaves(tree, items, first, levels - 1);
    sort_into_leaves(tree, items, middle, levels - 1);
}

static void fill_leaf(const sfgp_kdtree *tree, const item *items, int64_t k)
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

/* Widens *least .. *most, at first ABSENT, to all values that are not. */
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

static void fill(const sfgp_kdtree *tree, item *items, const double *points)
{
    int64_t leaf_count = (int64_t)1 << tree->depth;
    for (int64_t i = 0; i < tree->count; i++) {
        memcpy(items[i].x, points + i * tree->dimension, (size_t)tree->dimension * sizeof *points);
        items[i].index = i;
    }
    sort_into_leaves(tree, items, 0, tree->depth);
    for (int64_t k = 0; k < leaf_count; k++)
        fill_leaf(tree, items, k);
    for (int k = 0; k < FAN; k++)
        for (int a = 0; a < 3; a++)
            tree->blocks->low[a][k] = tree->blocks->high[a][k] = ABSENT;
    for (int64_t node = tree->block_count + leaf_count - 1; node > 0; node--)
        fill_node(tree, node);
}

/* The shape that count points ask for. */
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
    item *items = NULL;
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

/* ---- queries ----------------------------------------------------------------------------------------- */

typedef struct query {
    double x[3], radius2;
} query;

INLINE query query_at(const sfgp_kdtree *tree, const double *centre, double radius2)
{
    return (query){{centre[0], centre[1], tree->dimension == 3 ? centre[2] : 0}, radius2};
}

INLINE double square_sum(double x, double y, double z)
{
    return x * x + y * y + z * z;
}

/* Squared distances to the points of a leaf; NaN where there is none. */
INLINE void leaf_distances(const leaf *points, const query *q, double distance2[LEAF])
{
    for (int k = 0; k < LEAF; k++)
        distance2[k] =
            square_sum(points->x[0][k] - q->x[0], points->x[1][k] - q->x[1], points->x[2][k] - q->x[2]);
}

/* Distance along one axis from x to the near side of low .. high, 0 inside; NaN stays NaN. */
INLINE double near_side(double low, double high, double x)
{
    double gap = low - x > x - high ? low - x : x - high;
    return 0 > gap ? 0 : gap;
}

INLINE double far_side(double low, double high, double x)
{
    return high - x > x - low ? high - x : x - low;
}

INLINE void near_distances(const block *b, const query *q, double near2[FAN])
{
    for (int k = 0; k < FAN; k++)
        near2[k] = square_sum(near_side(b->low[0][k], b->high[0][k], q->x[0]),
                              near_side(b->low[1][k], b->high[1][k], q->x[1]),
                              near_side(b->low[2][k], b->high[2][k], q->x[2]));
}

INLINE void far_distances(const block *b, const query *q, double far2[FAN])
{
    for (int k = 0; k < FAN; k++)
        far2[k] = square_sum(far_side(b->low[0][k], b->high[0][k], q->x[0]),
                             far_side(b->low[1][k], b->high[1][k], q->x[1]),
                             far_side(b->low[2][k], b->high[2][k], q->x[2]));
}

/* Where values[k] <= bound, in order; returns how many. Without jumps: they would be mispredicted. */
INLINE int pick(const double *values, int count, double bound, uint8_t *picked)
{
    int found = 0;
    for (int k = 0; k < count; k++) {
        picked[found] = (uint8_t)k;
        found += values[k] <= bound;
    }
    return found;
}

/* Points of one leaf within the radius; index NULL counts only. */
INLINE int64_t take_some(const leaf *points, const query *q, int32_t *index, double *distance2)
{
    double all[LEAF];
    uint8_t picked[LEAF + 1];
    int64_t found = 0;
    leaf_distances(points, q, all);
    if (!index) {
        for (int k = 0; k < LEAF; k++)
            found += all[k] <= q->radius2;
        return found;
    }
    found = pick(all, LEAF, q->radius2, picked);
    for (int k = 0; k < found; k++) {
        index[k] = points->index[picked[k]];
        distance2[k] = all[picked[k]];
    }
    return found;
}

/* All points below a node that lies inside the ball. */
INLINE int64_t take_all(const sfgp_kdtree *tree, int64_t node, const query *q, int32_t *index,
                        double *distance2)
{
    int64_t end, first = leaves_of(tree, node, &end), found = 0;
    if (!index)
        return leaf_start(tree, end) - leaf_start(tree, first);
    for (int64_t k = first; k < end; k++) {
        double all[LEAF];
        size_t size = (size_t)leaf_size(tree, k);
        leaf_distances(tree->leaves + k, q, all);
        memcpy(index + found, tree->leaves[k].index, size * sizeof *index);
        memcpy(distance2 + found, all, size * sizeof *distance2);
        found += (int64_t)size;
    }
    return found;
}

/* The one walk behind count (index NULL) and within: they cannot disagree. */
INLINE int64_t walk(const sfgp_kdtree *tree, const query *q, int32_t *index, double *distance2)
{
    int32_t stack[STACK] = {0};
    int64_t found = 0;
    for (int top = 1; top > 0;) {
        double near2[FAN], far2[FAN];
        uint8_t picked[FAN + 1];
        int64_t node = stack[--top];
        near_distances(tree->blocks + node, q, near2);
        far_distances(tree->blocks + node, q, far2);
        int hits = pick(near2, FAN, q->radius2, picked);
        for (int k = 0; k < hits; k++) {
            int64_t child = child_of(tree, node, picked[k]);
            int32_t *to = index ? index + found : NULL;
            double *to2 = index ? distance2 + found : NULL;
            if (far2[picked[k]] <= q->radius2)
                found += take_all(tree, child, q, to, to2);
            else if (child >= tree->block_count)
                found += take_some(tree->leaves + (child - tree->block_count), q, to, to2);
            else
                stack[top++] = (int32_t)child;
        }
    }
    return found;
}

CLONES int64_t sfgp_kdtree_count(const sfgp_kdtree *tree, const double *centre, double radius2)
{
    const query q = query_at(tree, centre, radius2);
    return walk(tree, &q, NULL, NULL);
}

CLONES int64_t sfgp_kdtree_within(const sfgp_kdtree *tree, const double *centre, double radius2,
                                  int32_t *index, double *distance2)
{
    const query q = query_at(tree, centre, radius2);
    return walk(tree, &q, index, distance2);
}

typedef struct candidate {
    double near2;
    int32_t node;
} candidate;

/* Puts the children that may hold something better on the stack, the nearest on top. */
INLINE int push_children(const sfgp_kdtree *tree, int64_t node, const query *q, candidate *stack, int top)
{
    double near2[FAN];
    uint8_t picked[FAN + 1];
    near_distances(tree->blocks + node, q, near2);
    int hits = pick(near2, FAN, q->radius2, picked), nearest = 0;
    for (int k = 0; k < hits; k++) {
        stack[top + k] = (candidate){near2[picked[k]], (int32_t)child_of(tree, node, picked[k])};
        nearest = stack[top + k].near2 < stack[top + nearest].near2 ? k : nearest;
    }
    top += hits;
    if (hits > 0) {
        candidate last = stack[top - 1];
        stack[top - 1] = stack[top - hits + nearest];
        stack[top - hits + nearest] = last;
    }
    return top;
}

/* Least of the values; NaN never is. FAN minima side by side, so that vector code can do it. */
INLINE double least_value(const double values[LEAF])
{
    double least[FAN], all = INFINITY;
    for (int k = 0; k < FAN; k++)
        least[k] = INFINITY;
    for (int j = 0; j < LEAF; j += FAN)
        for (int k = 0; k < FAN; k++)
            least[k] = values[j + k] < least[k] ? values[j + k] : least[k];
    for (int k = 0; k < FAN; k++)
        all = least[k] < all ? least[k] : all;
    return all;
}

/* q->radius2 shrinks to the best distance so far. */
INLINE int32_t better_in_leaf(const leaf *points, query *q, int32_t best)
{
    double all[LEAF];
    leaf_distances(points, q, all);
    const double least = least_value(all);
    if (least > q->radius2)
        return best;
    best = least < q->radius2 ? INT32_MAX : best;
    q->radius2 = least;
    for (int k = 0; k < LEAF; k++)
        best = all[k] == least && points->index[k] < best ? points->index[k] : best;
    return best;
}

CLONES int64_t sfgp_kdtree_nearest(const sfgp_kdtree *tree, const double *centre, double *distance2)
{
    query q = query_at(tree, centre, INFINITY);
    candidate stack[STACK];
    int32_t best = INT32_MAX;
    for (int top = push_children(tree, 0, &q, stack, 0); top > 0;) {
        const candidate c = stack[--top];
        if (c.near2 > q.radius2 || (c.near2 == q.radius2 && tree->least[c.node] > best))
            continue;
        if (c.node < tree->block_count)
            top = push_children(tree, c.node, &q, stack, top);
        else
            best = better_in_leaf(tree->leaves + (c.node - tree->block_count), &q, best);
    }
    *distance2 = q.radius2;
    return best;
}

const char *sfgp_kdtree_backend(void)
{
    return "builtin";
}
