/* Quickselect along the longest side (Hoare, Commun. ACM 4, 1961). The first halvings are made round by round, with all
 * ranges of a round in parallel, and then each range by one thread. */
#include "geom/halves.h"
#include "base/parallel.h"

#include <string.h>

#define BLOCK 64 /* items that are compared before any is moved */
#define ROUNDS 4
#define RANGES 16        /* 2^ROUNDS */
#define LEAST_RANGE 4096 /* a smaller range is left to one thread */

/* The pivot: the median of the first, the middle and the last item. */
static sfgp_item pivot_of(const sfgp_item *items, int64_t first, int64_t last, int axis)
{
    const sfgp_item *a = items + first, *b = items + (first + last) / 2, *c = items + last;
    if (sfgp_item_before(b, a, axis)) {
        const sfgp_item *other = a;
        a = b;
        b = other;
    }
    return sfgp_item_before(c, a, axis) ? *a : sfgp_item_before(c, b, axis) ? *c : *b;
}

/* What is still to be compared with the pivot; the items before `first` come before it, those after `last` after it. */
typedef struct scan {
    sfgp_item *items;
    int64_t first, last;
    sfgp_item pivot;
    int axis;
} scan;

/* Items of a block that stand on the wrong side of the pivot. */
typedef struct misplaced {
    int count, next;
    unsigned char at[BLOCK]; /* how far from the end of the scan that the block is at */
} misplaced;

/* The next block from the front, and from the back. Without a jump that depends on the data. */
static void look_in_front(const scan *s, misplaced *m)
{
    const sfgp_item *item = s->items + s->first;
    m->count = m->next = 0;
    for (int k = 0; k < BLOCK; k++) {
        m->at[m->count] = (unsigned char)k;
        m->count += !sfgp_item_before(item + k, &s->pivot, s->axis);
    }
}

static void look_in_back(const scan *s, misplaced *m)
{
    const sfgp_item *item = s->items + s->last;
    m->count = m->next = 0;
    for (int k = 0; k < BLOCK; k++) {
        m->at[m->count] = (unsigned char)k;
        m->count += !sfgp_item_before(&s->pivot, item - k, s->axis);
    }
}

static void swap_misplaced(const scan *s, misplaced *front, misplaced *back)
{
    while (front->next < front->count && back->next < back->count)
        sfgp_item_swap(s->items + s->first + front->at[front->next++],
                       s->items + s->last - back->at[back->next++]);
}

/* Blocks from both ends, as long as there are two: the swaps are those of Hoare's scan (BlockQuicksort: Edelkamp and Weiss, ESA 2016). */
static void compare_blocks(scan *s)
{
    misplaced front = {.count = 0}, back = {.count = 0};
    while (s->last - s->first >= 2 * BLOCK) {
        if (front.next == front.count)
            look_in_front(s, &front);
        if (back.next == back.count)
            look_in_back(s, &back);
        swap_misplaced(s, &front, &back);
        s->first += front.next == front.count ? BLOCK : 0;
        s->last -= back.next == back.count ? BLOCK : 0;
    }
    s->first += front.next < front.count ? front.at[front.next] : 0; /* the pivot may stand before it: */
    s->last -= back.next < back.count ? back.at[back.next] : 0;      /* it moves once only */
}

/* Hoare's scan, to its end. */
static void compare_rest(scan *s)
{
    while (s->first <= s->last) {
        while (sfgp_item_before(s->items + s->first, &s->pivot, s->axis))
            s->first++;
        while (sfgp_item_before(&s->pivot, s->items + s->last, s->axis))
            s->last--;
        if (s->first <= s->last)
            sfgp_item_swap(s->items + s->first++, s->items + s->last--);
    }
}

/* Moves the `rank` first items along an axis to the front (quickselect). */
static void partition(int64_t count, int64_t rank, int axis, sfgp_item *items)
{
    int64_t first = 0, last = count - 1;
    while (first < last) {
        scan s = {items, first, last, pivot_of(items, first, last, axis), axis};
        compare_blocks(&s);
        compare_rest(&s);
        if (rank <= s.last)
            last = s.last;
        else if (rank >= s.first)
            first = s.first;
        else
            return;
    }
}

/* All axes in one pass, as one minimum waits for the last. */
int sfgp_halves_axis(int64_t count, const sfgp_item *items)
{
    double low[3], high[3];
    int axis = 0;
    memcpy(low, items[0].x, sizeof items[0].x);
    memcpy(high, items[0].x, sizeof items[0].x);
    for (int64_t k = 1; k < count; k++)
        for (int a = 0; a < 3; a++) {
            low[a] = items[k].x[a] < low[a] ? items[k].x[a] : low[a];
            high[a] = items[k].x[a] > high[a] ? items[k].x[a] : high[a];
        }
    for (int a = 1; a < 3; a++)
        axis = high[a] - low[a] > high[axis] - low[axis] ? a : axis;
    return axis;
}

void sfgp_halves_partition(int64_t count, int64_t here, sfgp_item *items)
{
    partition(count, here, sfgp_halves_axis(count, items), items);
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
