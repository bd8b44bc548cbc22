#include "geom/spread.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

#define TASK 4096 /* points of a range that is worth another thread */

typedef struct item {
    double x[3]; /* the third is 0 in the plane */
    int64_t index;
} item;

/* The order along an axis; ties by the index. */
static bool before(const item *a, const item *b, int axis)
{
    return a->x[axis] < b->x[axis] || (a->x[axis] == b->x[axis] && a->index < b->index);
}

static void swap(item *a, item *b)
{
    const item other = *a;
    *a = *b;
    *b = other;
}

/* The middle one of first, middle and last is the pivot. */
static item pivot_of(const item *items, int64_t first, int64_t last, int axis)
{
    const item *a = items + first, *b = items + (first + last) / 2, *c = items + last;
    if (before(b, a, axis)) {
        const item *other = a;
        a = b;
        b = other;
    }
    return before(c, a, axis) ? *a : before(c, b, axis) ? *c : *b;
}

/* Brings the `rank` first of them to the front (Hoare's quickselect). */
static void divide(int64_t count, int64_t rank, int axis, item *items)
{
    int64_t first = 0, last = count - 1;
    while (first < last) {
        const item pivot = pivot_of(items, first, last, axis);
        int64_t i = first, j = last;
        while (i <= j) {
            while (before(items + i, &pivot, axis))
                i++;
            while (before(&pivot, items + j, axis))
                j--;
            if (i <= j)
                swap(items + i++, items + j--);
        }
        if (rank <= j)
            last = j;
        else if (rank >= i)
            first = i;
        else
            return;
    }
}

static void extents(int64_t count, const item *items, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = high[a] = items[0].x[a];
        for (int64_t k = 1; k < count; k++) {
            low[a] = items[k].x[a] < low[a] ? items[k].x[a] : low[a];
            high[a] = items[k].x[a] > high[a] ? items[k].x[a] : high[a];
        }
    }
}

/* Index of the item next to the mean of all. */
static int64_t middle_of(int64_t count, const item *items)
{
    double mean[3] = {0, 0, 0}, least = INFINITY;
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

/* Where the points that are taken go: the halves of a range know their own places. */
typedef struct taken {
    int64_t *index;
    int32_t *cell;
} taken;

static void take_one(int64_t count, const item *items, int64_t place, const taken *t)
{
    for (int64_t k = 0; t->cell && k < count; k++)
        t->cell[items[k].index] = (int32_t)place;
    t->index[place] = middle_of(count, items);
}

/* The first `here` along the longest side to the front. */
static void halve(int64_t count, int64_t here, item *items)
{
    double low[3], high[3];
    int axis = 0;
    extents(count, items, low, high);
    for (int a = 1; a < 3; a++)
        if (high[a] - low[a] > high[axis] - low[axis])
            axis = a;
    divide(count, here, axis, items);
}

/* As many as wanted, places first .. */
static void take(int64_t count, int64_t wanted, item *items, int64_t first, const taken *t)
{
    if (wanted == 1) {
        take_one(count, items, first, t);
        return;
    }
    const int64_t left = wanted / 2, here = (int64_t)((double)count * ((double)left / (double)wanted));
    halve(count, here, items);
#pragma omp task if (count > TASK)
    take(here, left, items, first, t);
    take(count - here, wanted - left, items + here, first + left, t);
}

static void take_all(int64_t count, int64_t wanted, item *items, const taken *t)
{
#pragma omp parallel
#pragma omp single
    take(count, wanted, items, 0, t);
}

static sfgp_status items_of(sfgp_context *context, int64_t count, int dimension, const double *points,
                            item **items)
{
    sfgp_status status = sfgp_allocate(context, count, items);
    for (int64_t i = 0; status == SFGP_OK && i < count; i++) {
        (*items)[i].index = i;
        for (int a = 0; a < dimension; a++)
            (*items)[i].x[a] = points[i * dimension + a];
    }
    return status;
}

sfgp_status sfgp_points_spread(sfgp_context *context, int64_t count, int dimension, const double *points,
                               int64_t wanted, int64_t *index, int32_t *cell)
{
    const taken t = {index, cell};
    item *items = NULL;
    sfgp_status status = items_of(context, count, dimension, points, &items);
    if (status == SFGP_OK)
        take_all(count, wanted, items, &t);
    sfgp_free(items);
    return status;
}

static void arrange(int64_t count, int64_t block, item *items)
{
    int64_t here = block;
    if (count <= block)
        return;
    while (2 * here < count)
        here *= 2;
    halve(count, here, items);
#pragma omp task if (count > TASK)
    arrange(here, block, items);
    arrange(count - here, block, items + here);
}

sfgp_status sfgp_points_order(sfgp_context *context, int64_t count, int dimension, const double *points,
                              int64_t block, int32_t *order)
{
    item *items = NULL;
    sfgp_status status = items_of(context, count, dimension, points, &items);
    if (status != SFGP_OK)
        return status;
#pragma omp parallel
#pragma omp single
    arrange(count, block, items);
    for (int64_t place = 0; place < count; place++)
        order[place] = (int32_t)items[place].index;
    sfgp_free(items);
    return SFGP_OK;
}
