/* The arrays that the kd-tree and the blocks allocate. */
#include "geom/memory.h"
#include "geom/blocks.h"

#include <math.h>

enum { REAL = sizeof(double), INDEX = sizeof(int32_t), COUNT = sizeof(int64_t) };

/* as in geom/kdtree_builtin.h: 2^depth leaves of at most LEAF points, and a seventh as many blocks of boxes */
#define LEAF 64

static double leaves_of(double count)
{
    double leaves = 2;
    while (count > LEAF * leaves)
        leaves *= 2;
    return leaves;
}

double sfgp_kdtree_bytes(double count)
{
    const double leaves = leaves_of(count), blocks = 1 + leaves / 7;
    return leaves * LEAF * (3 * REAL + INDEX) + blocks * 8 * 6 * REAL + (leaves + blocks) * INDEX;
}

double sfgp_kdtree_building_bytes(double count)
{
    return count * (3 * REAL + COUNT);
}

double sfgp_blocks_bytes(double count)
{
    const double blocks = ceil(count / SFGP_BLOCK), nodes = blocks / (SFGP_BLOCK - 1) + SFGP_BLOCK_LEVELS;
    return blocks * SFGP_BLOCK * (3 * REAL + INDEX) + nodes * (double)sizeof(sfgp_boxes);
}
