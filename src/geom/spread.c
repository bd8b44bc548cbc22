/* Evenly spread points and spatial order, both by halving a range at a rank along its longest side
 * (quickselect: Hoare, Commun. ACM 4, 1961). */
#include "geom/spread.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

#define TASK 4096 /* a smaller range is not worth a task */

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

/* The pivot: the median of the first, the middle and the last item. */
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

/* Moves the `rank` first items along an axis to the front (quickselect). */
static void partition(int64_t count, int64_t rank, int axis, item *items)
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
static void choose_point(int64_t count, const item *items, int64_t place, const subset *chosen)
{
    for (int64_t k = 0; chosen->cell && k < count; k++)
        chosen->cell[items[k].index] = (int32_t)place;
    chosen->index[place] = middle_of(count, items);
}

/* Moves the first `here` items along the longest side to the front. */
static void halve(int64_t count, int64_t here, item *items)
{
    double low[3], high[3];
    int axis = 0;
    extents(count, items, low, high);
    for (int a = 1; a < 3; a++)
        if (high[a] - low[a] > high[axis] - low[axis])
            axis = a;
    partition(count, here, axis, items);
}

/* Chooses `wanted` of the items, for the places from `first` on. */
static void choose_points(int64_t count, int64_t wanted, item *items, int64_t first, const subset *chosen)
{
    if (wanted == 1) {
        choose_point(count, items, first, chosen);
        return;
    }
    const int64_t left = wanted / 2, here = (int64_t)((double)count * ((double)left / (double)wanted));
    halve(count, here, items);
#pragma omp task if (count > TASK)
    choose_points(here, left, items, first, chosen);
    choose_points(count - here, wanted - left, items + here, first + left, chosen);
}

static void choose_in_tasks(int64_t count, int64_t wanted, item *items, const subset *chosen)
{
#pragma omp parallel
#pragma omp single
    choose_points(count, wanted, items, 0, chosen);
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
    const subset chosen = {index, cell};
    item *items = NULL;
    sfgp_status status = items_of(context, count, dimension, points, &items);
    if (status == SFGP_OK)
        choose_in_tasks(count, wanted, items, &chosen);
    sfgp_free(items);
    return status;
}

/* Sorts the items so that each range of a power of two of blocks is compact. */
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
