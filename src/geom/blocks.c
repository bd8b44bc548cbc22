/* Blocks of sixteen points, their tree of boxes, and walks over the blocks near a box. The design stands in
 * blocks.h. */
#include "geom/blocks.h"
#include "base/extremes.h"
#include "base/hits.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "geom/spread.h"

#include <math.h>

#define GRAIN 16 /* nodes that a thread takes at a time */
#define FAR 1e15 /* its square is finite in single precision */

static int64_t sixteenth(int64_t count)
{
    return (count + SFGP_BLOCK - 1) / SFGP_BLOCK;
}

static sfgp_status tree_new(sfgp_context *context, sfgp_blocks *blocks)
{
    sfgp_status status = SFGP_OK;
    int64_t boxes = blocks->blocks;
    do {
        blocks->boxes[blocks->levels] = boxes;
        boxes = sixteenth(boxes);
        status = sfgp_allocate(context, boxes, &blocks->node[blocks->levels]);
        blocks->levels++;
    } while (status == SFGP_OK && boxes > 1);
    return status;
}

sfgp_status sfgp_blocks_new(sfgp_context *context, int64_t count, int dimension, sfgp_blocks *blocks)
{
    const int64_t number = sixteenth(count), places = number * SFGP_BLOCK;
    *blocks = (sfgp_blocks){.count = count, .blocks = number, .dimension = dimension};
    sfgp_status status = sfgp_allocate(context, places, &blocks->order);
    for (int a = 0; a < 3 && status == SFGP_OK; a++)
        status = sfgp_allocate(context, places, &blocks->x[a]);
    if (status == SFGP_OK)
        status = tree_new(context, blocks);
    for (int64_t place = 0; status == SFGP_OK && place < places; place++)
        blocks->order[place] = place < count ? (int32_t)place : -1;
    return status;
}

void sfgp_blocks_clear(sfgp_blocks *blocks)
{
    sfgp_free(blocks->order);
    for (int a = 0; a < 3; a++)
        sfgp_free(blocks->x[a]);
    for (int level = 0; level < blocks->levels; level++)
        sfgp_free(blocks->node[level]);
    *blocks = (sfgp_blocks){0};
}

sfgp_status sfgp_blocks_sort(sfgp_context *context, const double *points, sfgp_blocks *blocks)
{
    return sfgp_points_order(context, blocks->count, blocks->dimension, points, SFGP_BLOCK, blocks->order);
}

/* ---- boxes ------------------------------------------------------------------------------------------- */

/* Copies the points of a block to their places. */
static void copy_block(const double *points, int64_t block, sfgp_blocks *blocks)
{
    const int d = blocks->dimension;
    for (int64_t at = block * SFGP_BLOCK; at < (block + 1) * SFGP_BLOCK; at++)
        for (int a = 0; a < 3; a++)
            blocks->x[a][at] = blocks->order[at] < 0 ? FAR : a < d ? points[blocks->order[at] * d + a] : 0;
}

/* The box of the points of a block, from their places. */
static sfgp_box enclose(const double *reach2, int64_t block, const sfgp_blocks *blocks)
{
    const int64_t first = block * SFGP_BLOCK,
                  end = first + SFGP_BLOCK < blocks->count ? first + SFGP_BLOCK : blocks->count;
    sfgp_box box = {.reach2 = -HUGE_VAL};
    for (int a = 0; a < 3; a++) {
        box.low[a] = box.high[a] = blocks->x[a][first];
        for (int64_t at = first + 1; at < end; at++) {
            box.low[a] = sfgp_smaller(box.low[a], blocks->x[a][at]);
            box.high[a] = sfgp_larger(box.high[a], blocks->x[a][at]);
        }
    }
    for (int64_t at = first; at < end; at++)
        box.reach2 = sfgp_larger(box.reach2, reach2 ? reach2[blocks->order[at]] : 0);
    return box;
}

/* Sets box k of a level. */
static void set_box(sfgp_blocks *blocks, int level, int64_t k, const sfgp_box *box)
{
    sfgp_boxes *node = blocks->node[level] + k / SFGP_BLOCK;
    for (int a = 0; a < 3; a++) {
        node->low[a][k % SFGP_BLOCK] = box->low[a];
        node->high[a][k % SFGP_BLOCK] = box->high[a];
    }
    node->reach2[k % SFGP_BLOCK] = box->reach2;
}

static sfgp_box get_box(const sfgp_blocks *blocks, int level, int64_t k)
{
    const sfgp_boxes *node = blocks->node[level] + k / SFGP_BLOCK;
    sfgp_box box = {.reach2 = node->reach2[k % SFGP_BLOCK]};
    for (int a = 0; a < 3; a++) {
        box.low[a] = node->low[a][k % SFGP_BLOCK];
        box.high[a] = node->high[a][k % SFGP_BLOCK];
    }
    return box;
}

sfgp_box sfgp_blocks_box(const sfgp_blocks *blocks, int64_t block)
{
    return get_box(blocks, 0, block);
}

/* The number of boxes that a node has. */
static int size_of(const sfgp_blocks *blocks, int level, int64_t node)
{
    const int64_t left = blocks->boxes[level] - node * SFGP_BLOCK;
    return left < SFGP_BLOCK ? (int)left : SFGP_BLOCK;
}

/* Sets the box of a node in the level above, if there is one. */
static void enclose_node(int level, int64_t node, sfgp_blocks *blocks)
{
    sfgp_box all = get_box(blocks, level, node * SFGP_BLOCK);
    if (level + 1 == blocks->levels)
        return;
    for (int k = 1; k < size_of(blocks, level, node); k++) {
        const sfgp_box one = get_box(blocks, level, node * SFGP_BLOCK + k);
        for (int a = 0; a < 3; a++) {
            all.low[a] = sfgp_smaller(all.low[a], one.low[a]);
            all.high[a] = sfgp_larger(all.high[a], one.high[a]);
        }
        all.reach2 = sfgp_larger(all.reach2, one.reach2);
    }
    set_box(blocks, level + 1, node, &all);
}

/* Updates a node of level 0: the places of its points, its boxes, and its box in the level above. */
static void move_node(const double *points, const double *reach2, int64_t node, sfgp_blocks *blocks)
{
    for (int k = 0; k < size_of(blocks, 0, node); k++) {
        const int64_t block = node * SFGP_BLOCK + k;
        copy_block(points, block, blocks);
        const sfgp_box box = enclose(reach2, block, blocks);
        set_box(blocks, 0, block, &box);
    }
    enclose_node(0, node, blocks);
}

typedef struct moved {
    const double *points;
    const double *reach2; /* NULL: all 0 */
    sfgp_blocks *blocks;
} moved;

static void move_nodes(const void *data, int64_t first, int64_t end)
{
    const moved *m = data;
    for (int64_t node = first; node < end; node++)
        move_node(m->points, m->reach2, node, m->blocks);
}

void sfgp_blocks_move(const double *points, const double *reach2, sfgp_blocks *blocks)
{
    const moved all = {points, reach2, blocks};
    sfgp_parallel_for(sixteenth(blocks->blocks), GRAIN, move_nodes, &all);
    for (int level = 1; level < blocks->levels; level++)
        for (int64_t node = 0; node < sixteenth(blocks->boxes[level]); node++)
            enclose_node(level, node, blocks);
}

/* ---- walks ------------------------------------------------------------------------------------------- */

/* The squared distance of each of sixteen boxes to a box, less the larger of the two reaches. */
static inline void excess(const sfgp_boxes *boxes, const sfgp_box *box, double beyond[SFGP_BLOCK])
{
#pragma omp simd
    for (int k = 0; k < SFGP_BLOCK; k++) {
        double sum = -sfgp_larger(boxes->reach2[k], box->reach2);
        for (int a = 0; a < 3; a++) {
            const double gap =
                sfgp_larger(sfgp_larger(boxes->low[a][k] - box->high[a], box->low[a] - boxes->high[a][k]), 0);
            sum += gap * gap;
        }
        beyond[k] = sum;
    }
}

/* Bit k: box k is in reach. */
SFGP_SIMD static uint64_t find_in_reach(const sfgp_boxes *boxes, const sfgp_box *box)
{
    double beyond[SFGP_BLOCK];
    excess(boxes, box, beyond);
    return sfgp_hits_of(beyond, SFGP_BLOCK, 0);
}

/* Goes to a node of the current level. */
static void visit(int64_t node, sfgp_walk *walk)
{
    const uint64_t existing = ((uint64_t)1 << size_of(walk->blocks, walk->level, node)) - 1;
    walk->node[walk->level] = node;
    walk->hits[walk->level] = find_in_reach(walk->blocks->node[walk->level] + node, &walk->box) & existing;
}

void sfgp_walk_begin(const sfgp_blocks *blocks, const sfgp_box *box, sfgp_walk *walk)
{
    walk->blocks = blocks;
    walk->box = *box;
    walk->level = blocks->levels - 1;
    visit(0, walk);
}

int64_t sfgp_walk_next(sfgp_walk *walk)
{
    while (walk->level < walk->blocks->levels) {
        uint64_t *hits = &walk->hits[walk->level];
        if (*hits == 0) {
            walk->level++;
            continue;
        }
        const int64_t next = walk->node[walk->level] * SFGP_BLOCK + sfgp_hits_next(hits);
        if (walk->level == 0)
            return next;
        walk->level--;
        visit(next, walk);
    }
    return -1;
}
