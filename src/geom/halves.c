/* Quickselect along the longest side (Hoare, Commun. ACM 4, 1961), whose pivot is chosen from a sample by the rank that is wanted
 * (Floyd and Rivest, Commun. ACM 18, 1975). The first halvings are made round by round, with all
 * ranges of a round in parallel, and then each range by one thread. */
#include "geom/halves.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

#define ROUNDS 4
#define RANGES 16        /* 2^ROUNDS */
#define LEAST_RANGE 4096 /* a smaller range is left to one thread */
#define LEAST_COUNT 8192 /* points that a thread copies at a time */
#define SAMPLE 31        /* items that a pivot is chosen from, at most */
#define EACH 64          /* items of the range for each of them */

/* ---- items --------------------------------------------------------------------------------------------- */

typedef struct copying {
    int dimension;
    const double *points;
    sfgp_item *items;
} copying;

static void copy_some(const void *data, int64_t first, int64_t end)
{
    const copying *c = data;
    for (int64_t i = first; i < end; i++) {
        c->items[i].index = (int32_t)i;
        for (int a = 0; a < c->dimension; a++)
            c->items[i].x[a] = (float)(c->points[i * c->dimension + a] - c->points[a]);
    }
}

sfgp_status sfgp_items_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                           sfgp_item **items)
{
    *items = NULL;
    if (count >= INT32_MAX)
        return sfgp_fail(context, SFGP_ERROR_MEMORY, "%lld points are too large a set", (long long)count);
    const sfgp_status status = sfgp_allocate(context, count, items);
    const copying all = {dimension, points, *items};
    if (status == SFGP_OK)
        sfgp_parallel_for(count, LEAST_COUNT, copy_some, &all);
    return status;
}

/* ---- partition ----------------------------------------------------------------------------------------- */

/* The order along an axis, total: coincident points differ by index, so that no input makes the selection slow. */
static inline bool before(const sfgp_item *a, const sfgp_item *b, int axis)
{
    return (a->x[axis] < b->x[axis]) | ((a->x[axis] == b->x[axis]) & (a->index < b->index));
}

/* An item as a whole: what is stored in parts and loaded as a whole waits for the store. */
typedef int32_t whole_item __attribute__((vector_size(sizeof(sfgp_item))));

static inline void swap(sfgp_item *a, sfgp_item *b)
{
    whole_item first, second;
    memcpy(&first, a, sizeof first);
    memcpy(&second, b, sizeof second);
    memcpy(a, &second, sizeof second);
    memcpy(b, &first, sizeof first);
}

static sfgp_item *random_item(sfgp_item *items, int64_t count, uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return items + (int64_t)((*seed >> 33) * (uint64_t)count >> 31);
}

/* Moves a pivot to the end. Of some items at fixed pseudo-random places it is the one whose place in their order is that of the
 * rank among all, or one nearer to the middle, so that the rank is mostly in the smaller part. */
static void choose_pivot(sfgp_item *items, int64_t count, int64_t rank, int axis, uint64_t *seed)
{
    sfgp_item *sample[SAMPLE];
    const int size = count < EACH * SAMPLE ? (int)(count / EACH) | 1 : SAMPLE;
    const int place = (int)((double)size * ((double)rank / (double)count)), nearer = size / 16;
    for (int k = 0; k < size; k++) {
        sfgp_item *next = random_item(items, count, seed);
        int at = k;
        for (; at > 0 && before(next, sample[at - 1], axis); at--)
            sample[at] = sample[at - 1];
        sample[at] = next;
    }
    swap(sample[place < size / 2 ? place + nearer : place - nearer], items + count - 1);
}

/* Moves the items before the last one to the front, and that one behind them. Returns their number. No jump depends
 * on the data. */
static int64_t split(sfgp_item *items, int64_t count, int axis)
{
    const sfgp_item pivot = items[count - 1];
    int64_t below = 0;
    for (int64_t i = 0; i < count - 1; i++) {
        const bool comes_before = before(items + i, &pivot, axis);
        swap(items + i, items + below);
        below += comes_before;
    }
    swap(items + below, items + count - 1);
    return below;
}

/* Moves the `rank` first items along an axis to the front. */
static void partition(int64_t count, int64_t rank, int axis, sfgp_item *items)
{
    uint64_t seed = 1;
    while (count > 1) {
        choose_pivot(items, count, rank, axis, &seed);
        const int64_t below = split(items, count, axis);
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

static int longest_side(int64_t count, const sfgp_item *items)
{
    float low[3], high[3];
    memcpy(low, items[0].x, sizeof low);
    memcpy(high, items[0].x, sizeof high);
    for (int64_t k = 1; k < count; k++)
        for (int a = 0; a < 3; a++) {
            low[a] = items[k].x[a] < low[a] ? items[k].x[a] : low[a];
            high[a] = items[k].x[a] > high[a] ? items[k].x[a] : high[a];
        }
    int axis = 0;
    for (int a = 1; a < 3; a++)
        axis = high[a] - low[a] > high[axis] - low[axis] ? a : axis;
    return axis;
}

void sfgp_halves_partition(int64_t count, int64_t here, sfgp_item *items)
{
    partition(count, here, longest_side(count, items), items);
}

/* ---- in parallel -------------------------------------------------------------------------------------- */

static void halve_all(const sfgp_halves_rule *rule, const sfgp_range *range)
{
    sfgp_range halves[2];
    if (rule->halve(range, halves, rule->user)) {
        halve_all(rule, &halves[0]);
        halve_all(rule, &halves[1]);
    } else if (rule->finish) {
        rule->finish(range, rule->user);
    }
}

typedef struct halving {
    const sfgp_halves_rule *rule;
    sfgp_range *ranges;
    sfgp_range *next; /* two for each range */
} halving;

static void halve_some(const void *data, int64_t first, int64_t end)
{
    const halving *h = data;
    for (int64_t k = first; k < end; k++) {
        sfgp_range *halves = h->next + 2 * k;
        halves[0] = h->ranges[k];
        halves[1] = (sfgp_range){0};
        if (halves[0].count > LEAST_RANGE)
            h->rule->halve(&h->ranges[k], halves, h->rule->user);
    }
}

static void halve_the_rest(const void *data, int64_t first, int64_t end)
{
    const halving *h = data;
    for (int64_t k = first; k < end; k++)
        if (h->ranges[k].count > 0)
            halve_all(h->rule, &h->ranges[k]);
}

static void halve_in_rounds(const sfgp_halves_rule *rule, const sfgp_range *range)
{
    sfgp_range ranges[RANGES] = {*range}, next[RANGES];
    const halving all = {rule, ranges, next};
    for (int k = 0; k < ROUNDS; k++) {
        sfgp_parallel_for(1 << k, 1, halve_some, &all);
        memcpy(ranges, next, ((size_t)2 << k) * sizeof *ranges);
    }
    sfgp_parallel_for(RANGES, 1, halve_the_rest, &all);
}

void sfgp_halves_run(const sfgp_halves_rule *rule, const sfgp_range *range)
{
    if (range->count > LEAST_RANGE)
        halve_in_rounds(rule, range);
    else if (range->count > 0)
        halve_all(rule, range);
}
