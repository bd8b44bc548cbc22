/* Evenly spread points and spatial order, both by halving a range at a rank along its longest side. */
#include "geom/spread.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/halves.h"

#include <math.h>
#include <stdbool.h>

#define GRAIN 8192 /* points that a thread copies at a time */

/* ---- evenly spread points ----------------------------------------------------------------------------- */

/* Index of the item next to the mean of all. */
static int64_t middle_of(int64_t count, const sfgp_item *items)
{
    double mean[3] = {0, 0, 0}, least = HUGE_VAL;
    int64_t chosen = 0;
    for (int64_t k = 0; k < count; k++)
        for (int a = 0; a < 3; a++)
            mean[a] += items[k].x[a] / (double)count;
    for (int64_t k = 0; k < count; k++) {
        double square = 0;
        for (int a = 0; a < 3; a++)
            square += (items[k].x[a] - mean[a]) * (items[k].x[a] - mean[a]);
        if (square < least || (square == least && items[k].index < items[chosen].index))
            least = square, chosen = k;
    }
    return items[chosen].index;
}

/* The output arrays. A range of items writes to places of its own. */
typedef struct subset {
    int64_t *index;
    int32_t *cell; /* may be NULL */
} subset;

/* Makes the items one cell, and chooses its point. */
static void choose_point(const sfgp_range *cell, const void *user)
{
    const subset *chosen = user;
    for (int64_t k = 0; chosen->cell && k < cell->count; k++)
        chosen->cell[cell->items[k].index] = (int32_t)cell->place;
    chosen->index[cell->place] = middle_of(cell->count, cell->items);
}

/* size: number of points that are wanted of the range */
static bool halve_by_wanted(const sfgp_range *whole, sfgp_range halves[2], const void *user)
{
    const int64_t count = whole->count, wanted = whole->size, left = wanted / 2,
                  here = (int64_t)((double)count * ((double)left / (double)wanted));
    (void)user;
    if (wanted == 1)
        return false;
    sfgp_halves_partition(count, here, whole->items);
    halves[0] = (sfgp_range){here, left, whole->place, whole->items};
    halves[1] = (sfgp_range){count - here, wanted - left, whole->place + left, whole->items + here};
    return true;
}

typedef struct copying {
    int dimension;
    const double *points;
    sfgp_item *items;
    int32_t *order;
} copying;

static void set_items(const void *data, int64_t first, int64_t end)
{
    const copying *c = data;
    for (int64_t i = first; i < end; i++) {
        c->items[i] = (sfgp_item){.index = i};
        for (int a = 0; a < c->dimension; a++)
            c->items[i].x[a] = c->points[i * c->dimension + a];
    }
}

static void set_order(const void *data, int64_t first, int64_t end)
{
    const copying *c = data;
    for (int64_t place = first; place < end; place++)
        c->order[place] = (int32_t)c->items[place].index;
}

static sfgp_status items_of(sfgp_context *context, int64_t count, int dimension, const double *points,
                            sfgp_item **items)
{
    const sfgp_status status = sfgp_allocate_raw(context, count, sizeof **items, (void **)items);
    const copying all = {dimension, points, *items, NULL};
    if (status == SFGP_OK)
        sfgp_parallel_for(count, GRAIN, set_items, &all);
    return status;
}

sfgp_status sfgp_points_spread(sfgp_context *context, int64_t count, int dimension, const double *points,
                               int64_t wanted, int64_t *index, int32_t *cell)
{
    const subset chosen = {index, cell};
    const sfgp_halves_rule by_wanted = {halve_by_wanted, choose_point, &chosen};
    sfgp_item *items = NULL;
    sfgp_status status = items_of(context, count, dimension, points, &items);
    const sfgp_range whole = {count, wanted, 0, items};
    if (status == SFGP_OK)
        sfgp_halves_run(&by_wanted, &whole);
    sfgp_free(items);
    return status;
}

/* ---- spatial order ------------------------------------------------------------------------------------ */

/* size: that of a block. Each range of a power of two of blocks is compact. */
static bool halve_by_blocks(const sfgp_range *whole, sfgp_range halves[2], const void *user)
{
    const int64_t count = whole->count, block = whole->size;
    int64_t here = block;
    (void)user;
    if (count <= block)
        return false;
    while (2 * here < count)
        here *= 2;
    sfgp_halves_partition(count, here, whole->items);
    halves[0] = (sfgp_range){here, block, 0, whole->items};
    halves[1] = (sfgp_range){count - here, block, 0, whole->items + here};
    return true;
}

sfgp_status sfgp_points_order(sfgp_context *context, int64_t count, int dimension, const double *points,
                              int64_t block, int32_t *order)
{
    const sfgp_halves_rule by_blocks = {halve_by_blocks, NULL, NULL};
    sfgp_item *items = NULL;
    sfgp_status status = items_of(context, count, dimension, points, &items);
    if (status != SFGP_OK)
        return status;
    const sfgp_range whole = {count, block, 0, items};
    sfgp_halves_run(&by_blocks, &whole);
    const copying back = {dimension, points, items, order};
    sfgp_parallel_for(count, GRAIN, set_order, &back);
    sfgp_free(items);
    return SFGP_OK;
}
