/* Blocks: groups of sixteen points that are near each other, in a tree of boxes.
 *
 * Work between near points is done block by block. The sixteen points of a block are the elements of a
 * vector. The tree finds the blocks that are near: a node has sixteen boxes and compares all of them at once.
 * The points of a block are chosen once. They may move afterwards, and the boxes follow. */
#ifndef SFGP_GEOM_BLOCKS_H
#define SFGP_GEOM_BLOCKS_H

#include "base/context.h"

#define SFGP_BLOCK 16
#define SFGP_BLOCK_LEVELS 8 /* of the tree: 2^31 points are 16^6.75 blocks */

typedef struct sfgp_box {
    double low[3], high[3];
    double reach2; /* squared distance up to which the points in the box look for others */
} sfgp_box;

/* A node: sixteen boxes side by side, of consecutive blocks or of consecutive nodes of the level below. */
typedef struct sfgp_boxes {
    double low[3][SFGP_BLOCK], high[3][SFGP_BLOCK], reach2[SFGP_BLOCK];
} sfgp_boxes;

typedef struct sfgp_blocks {
    int64_t count;  /* points */
    int64_t blocks; /* count / 16, rounded up */
    int dimension;
    int32_t *order; /* blocks x SFGP_BLOCK: the point at each place; -1 after the last */
    double *x[3];   /* by place: each axis; 0 on the third in 2D, far away behind the last */
    int levels;     /* of the tree; level 0 has the boxes of the blocks */
    int64_t boxes[SFGP_BLOCK_LEVELS]; /* number of boxes of each level */
    /* nodes of the tree, by level; box k of a level encloses node k of the level below */
    sfgp_boxes *node[SFGP_BLOCK_LEVELS];
} sfgp_blocks;

/* Blocks of count >= 1 points, sixteen consecutive ones each. The points are in an order as that of
 * sfgp_points_order, or sfgp_blocks_sort is called next. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_blocks_new(sfgp_context *context, int64_t count, int dimension, sfgp_blocks *blocks);
void sfgp_blocks_clear(sfgp_blocks *blocks);
/* Chooses again which points (count x dimension) share a block. O(count log count). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_blocks_sort(sfgp_context *context, const double *points, sfgp_blocks *blocks);
/* Sets where the points are, and their reach2 (count); NULL: all 0. O(count). */
void sfgp_blocks_move(const double *points, const double *reach2, sfgp_blocks *blocks);
/* The box of the points of a block. */
sfgp_box sfgp_blocks_box(const sfgp_blocks *blocks, int64_t block);

/* A walk over the blocks that are near a box: the squared distance of the boxes is at most the larger reach2. */
typedef struct sfgp_walk {
    const sfgp_blocks *blocks;
    sfgp_box box;
    int level;                        /* level of the current node */
    int64_t node[SFGP_BLOCK_LEVELS];  /* the current node and the nodes above it, by level */
    uint64_t hits[SFGP_BLOCK_LEVELS]; /* bit k: box k of that node is still to be visited */
} sfgp_walk;

void sfgp_walk_begin(const sfgp_blocks *blocks, const sfgp_box *box, sfgp_walk *walk);
/* The next block, in ascending order; -1 after the last. O(log blocks) each. */
int64_t sfgp_walk_next(sfgp_walk *walk);

#endif
