/* Blocks: points by sixteens that are near each other, in a tree of boxes.
 *
 * Work between points that are near each other is done block by block: the sixteen are the elements of a
 * vector, and the tree, which has sixteen boxes at a node and looks at all of them at once, tells which
 * blocks are near. Which points share a block is decided once; they may move afterwards, and the boxes
 * follow. */
#ifndef SFGP_GEOM_BLOCKS_H
#define SFGP_GEOM_BLOCKS_H

#include "base/context.h"

#define SFGP_BLOCK 16
#define SFGP_BLOCK_LEVELS 8 /* of the tree: 2^31 points are 16^6.75 blocks */

/* reach2: squared distance up to which what is in the box looks for others. */
typedef struct sfgp_box {
    double low[3], high[3], reach2;
} sfgp_box;

/* Sixteen boxes side by side: of blocks that follow each other, or of all below such nodes. */
typedef struct sfgp_boxes {
    double low[3][SFGP_BLOCK], high[3][SFGP_BLOCK], reach2[SFGP_BLOCK];
} sfgp_boxes;

typedef struct sfgp_blocks {
    int64_t count, blocks; /* points, blocks */
    int dimension;
    int32_t *order; /* blocks x SFGP_BLOCK: the point at a place, -1 behind the last */
    double *x[3];   /* by place, an axis each; the third is 0 in the plane; far away behind the last point */
    int levels;
    int64_t boxes[SFGP_BLOCK_LEVELS];    /* of a level: blocks, a sixteenth of these, ..., up to 16 */
    sfgp_boxes *node[SFGP_BLOCK_LEVELS]; /* they; box k of a level is that of node k of the level before */
} sfgp_blocks;

/* Blocks of count >= 1 points as they follow each other: they are in an order as that of sfgp_points_order,
 * or sorted next. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_blocks_new(sfgp_context *context, int64_t count, int dimension, sfgp_blocks *blocks);
void sfgp_blocks_clear(sfgp_blocks *blocks);
/* Decides anew which points (count x dimension) share a block. O(count log count). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_blocks_sort(sfgp_context *context, const double *points, sfgp_blocks *blocks);
/* Where the points are. reach2 (count), or NULL: 0 each. O(count). */
void sfgp_blocks_move(const double *points, const double *reach2, sfgp_blocks *blocks);
/* Of the points of a block. */
sfgp_box sfgp_blocks_box(const sfgp_blocks *blocks, int64_t block);

/* A walk over the blocks that a box reaches, or that reach it: their boxes come no farther apart than the
 * larger reach. */
typedef struct sfgp_walk {
    const sfgp_blocks *blocks;
    sfgp_box box;
    int level;                        /* of the node where it is, */
    int64_t node[SFGP_BLOCK_LEVELS];  /* and those above it, */
    uint64_t hits[SFGP_BLOCK_LEVELS]; /* and bits of their boxes that are still to be gone to */
} sfgp_walk;

void sfgp_walk_begin(const sfgp_blocks *blocks, const sfgp_box *box, sfgp_walk *walk);
/* The next block, in ascending order; -1 behind the last. O(log blocks) each. */
int64_t sfgp_walk_next(sfgp_walk *walk);

#endif
