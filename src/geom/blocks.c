#include "geom/blocks.h"
#include "base/memory.h"
#include "geom/spread.h"

#include <math.h>
#include <stdbool.h>

#define FAR 1e15 /* its square is finite in single precision, too */

/* fmin and fmax without their care for what is not a number */
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Blocks on the left of several: the largest power of two, so that the tree is that of the order. */
static int64_t left_of(int64_t blocks)
{
    return blocks > 1 ? (int64_t)1 << (63 - __builtin_clzll((uint64_t)(blocks - 1))) : 1;
}

sfgp_status sfgp_blocks_new(sfgp_context *context, int64_t count, int dimension, sfgp_blocks *blocks)
{
    const int64_t places = (count + SFGP_BLOCK - 1) / SFGP_BLOCK * SFGP_BLOCK;
    *blocks = (sfgp_blocks){.count = count, .blocks = places / SFGP_BLOCK, .dimension = dimension};
    sfgp_status status = sfgp_allocate(context, places, &blocks->order);
    for (int a = 0; a < 3 && status == SFGP_OK; a++)
        status = sfgp_allocate(context, places, &blocks->x[a]);
    if (status == SFGP_OK && (status = sfgp_allocate(context, blocks->blocks, &blocks->box)) == SFGP_OK)
        status = sfgp_allocate(context, 2 * left_of(blocks->blocks), &blocks->node);
    for (int64_t place = 0; status == SFGP_OK && place < places; place++)
        blocks->order[place] = place < count ? (int32_t)place : -1;
    return status;
}

void sfgp_blocks_clear(sfgp_blocks *blocks)
{
    sfgp_free(blocks->order);
    for (int a = 0; a < 3; a++)
        sfgp_free(blocks->x[a]);
    sfgp_free(blocks->box);
    sfgp_free(blocks->node);
    *blocks = (sfgp_blocks){0};
}

sfgp_status sfgp_blocks_sort(sfgp_context *context, const double *points, int threads, sfgp_blocks *blocks)
{
    return sfgp_points_order(context, blocks->count, blocks->dimension, points, SFGP_BLOCK, threads,
                             blocks->order);
}

/* ---- boxes ------------------------------------------------------------------------------------------- */

static void place(const double *points, int64_t block, sfgp_blocks *blocks)
{
    const int d = blocks->dimension;
    for (int64_t at = block * SFGP_BLOCK; at < (block + 1) * SFGP_BLOCK; at++)
        for (int a = 0; a < 3; a++)
            blocks->x[a][at] = blocks->order[at] < 0 ? FAR : a < d ? points[blocks->order[at] * d + a] : 0;
}

static void enclose(const double *reach2, int64_t block, sfgp_blocks *blocks)
{
    const int64_t first = block * SFGP_BLOCK,
                  end = first + SFGP_BLOCK < blocks->count ? first + SFGP_BLOCK : blocks->count;
    sfgp_box box = {.reach2 = -HUGE_VAL};
    for (int a = 0; a < 3; a++) {
        box.low[a] = box.high[a] = blocks->x[a][first];
        for (int64_t at = first + 1; at < end; at++) {
            box.low[a] = smaller(box.low[a], blocks->x[a][at]);
            box.high[a] = larger(box.high[a], blocks->x[a][at]);
        }
    }
    for (int64_t at = first; at < end; at++)
        box.reach2 = larger(box.reach2, reach2 ? reach2[blocks->order[at]] : 0);
    blocks->box[block] = box;
}

static sfgp_box both(const sfgp_box *a, const sfgp_box *b)
{
    sfgp_box box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = smaller(a->low[k], b->low[k]);
        box.high[k] = larger(a->high[k], b->high[k]);
    }
    box.reach2 = larger(a->reach2, b->reach2);
    return box;
}

/* The box of a node, of blocks first .. end - 1. */
static sfgp_box gather(int64_t node, int64_t first, int64_t end, sfgp_blocks *blocks)
{
    if (end - first == 1)
        return blocks->box[first];
    const int64_t half = first + left_of(end - first);
    const sfgp_box left = gather(2 * node + 1, first, half, blocks),
                   right = gather(2 * node + 2, half, end, blocks);
    return blocks->node[node] = both(&left, &right);
}

void sfgp_blocks_move(const double *points, const double *reach2, int threads, sfgp_blocks *blocks)
{
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t block = 0; block < blocks->blocks; block++) {
        place(points, block, blocks);
        enclose(reach2, block, blocks);
    }
    gather(0, 0, blocks->blocks, blocks);
}

/* ---- walks ------------------------------------------------------------------------------------------- */

static bool meet(const sfgp_box *a, const sfgp_box *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double gap = larger(larger(a->low[k] - b->high[k], b->low[k] - a->high[k]), 0);
        sum += gap * gap;
    }
    return sum <= larger(a->reach2, b->reach2);
}

static void push(sfgp_walk *walk, int64_t node, int64_t first, int64_t end)
{
    const int at = walk->depth++;
    walk->stack[at].node = node;
    walk->stack[at].first = first;
    walk->stack[at].end = end;
}

void sfgp_walk_begin(const sfgp_blocks *blocks, const sfgp_box *box, sfgp_walk *walk)
{
    walk->blocks = blocks;
    walk->box = box;
    walk->depth = 0;
    push(walk, 0, 0, blocks->blocks);
}

int64_t sfgp_walk_next(sfgp_walk *walk)
{
    while (walk->depth > 0) {
        const int top = --walk->depth;
        const int64_t node = walk->stack[top].node, first = walk->stack[top].first,
                      end = walk->stack[top].end;
        const bool leaf = end - first == 1;
        if (!meet(leaf ? &walk->blocks->box[first] : &walk->blocks->node[node], walk->box))
            continue;
        if (leaf)
            return first;
        const int64_t half = first + left_of(end - first);
        push(walk, 2 * node + 2, half, end);
        push(walk, 2 * node + 1, first, half);
    }
    return -1;
}
