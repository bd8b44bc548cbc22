/* The built-in kd-tree: static, eight children for each node, no allocation in queries.
 *
 * Points are halved at the median of the widest axis of their box until 2^depth leaves hold at most LEAF
 * each. Three halvings make one block: the boxes of eight children as arrays, so that one pass of vector code
 * tests all of them. Sizes alone decide the shape: leaf k holds the sorted points n k / 2^depth and on, and
 * nodes are numbered level by level, so child c of block g has the number 8 g + c - 7 + fan, where fan = 2, 4
 * or 8 is the number of children of block 0 (the last ones; all other blocks have eight). Numbers from
 * block_count on are the leaves. No pointers, no ranges, no depth on the stack.
 *
 * An absent child has a box of NaN and an absent point of a leaf the coordinates NaN: no comparison with a
 * radius is true for them. In 2D the third coordinate is 0, which changes no sum.
 *
 * Exactness: rounding is monotone, so the distance to the near (far) side of a box, computed by the very
 * operations of a point's distance, is never above (below) that of any point inside. No slack is needed, as
 * long as the compiler fuses no multiply-add (-ffp-contract=off). */
#ifndef SFGP_GEOM_KDTREE_BUILTIN_H
#define SFGP_GEOM_KDTREE_BUILTIN_H

#include "geom/kdtree.h"

#include <math.h>

#ifndef LEAF
#define LEAF 64 /* measured: bench/kdtree */
#endif
#define FAN 8
#define ABSENT ((double)NAN) /* coordinate of a point or box that does not exist */
#define INLINE static inline __attribute__((always_inline)) /* also into functions with clones */

typedef struct block {
    double low[3][FAN], high[3][FAN];
} block;

typedef struct leaf {
    double x[3][LEAF];
    int32_t index[LEAF];
} leaf;

struct sfgp_kdtree {
    int64_t count;       /* points */
    int64_t block_count; /* blocks */
    int dimension;
    int depth; /* halvings from the root to a leaf */
    int fan;   /* children of block 0 */
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
#endif
