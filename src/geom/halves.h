/* Halves a set of points at a rank along its longest side, and the halves again, by a rule. The ranges are halved in
 * parallel; the order of the items does not depend on the threads. */
#ifndef SFGP_GEOM_HALVES_H
#define SFGP_GEOM_HALVES_H

#include <stdbool.h>
#include <stdint.h>

/* A point and its index. */
typedef struct sfgp_item {
    double x[3]; /* the third is 0 in the plane */
    int64_t index;
} sfgp_item;

/* Strict total order along an axis: points in one place differ by index, so that none makes a selection slow. Without a jump
 * that depends on the data. */
static inline bool sfgp_item_before(const sfgp_item *a, const sfgp_item *b, int axis)
{
    return (a->x[axis] < b->x[axis]) | ((a->x[axis] <= b->x[axis]) & (a->index < b->index));
}

static inline void sfgp_item_swap(sfgp_item *a, sfgp_item *b)
{
    const sfgp_item other = *a;
    *a = *b;
    *b = other;
}

/* Items that are still to be halved. */
typedef struct sfgp_range {
    int64_t count; /* 0: nothing is left to do */
    int64_t size;  /* the rule says of what */
    int64_t place; /* of the first result */
    sfgp_item *items;
} sfgp_range;

/* How a range is halved, and what becomes of one that is whole. */
typedef struct sfgp_halves_rule {
    /* False: the range is whole. */
    bool (*halve)(const sfgp_range *range, sfgp_range halves[2], const void *user);
    void (*finish)(const sfgp_range *range, const void *user); /* NULL: nothing */
    const void *user;
} sfgp_halves_rule;

/* The axis along which the items extend farthest. O(count). */
int sfgp_halves_axis(int64_t count, const sfgp_item *items);
/* Moves the first `here` items along the longest side to the front. O(count) in the mean. */
void sfgp_halves_partition(int64_t count, int64_t here, sfgp_item *items);

/* Halves the range by the rule until all of its parts are whole. */
void sfgp_halves_run(const sfgp_halves_rule *rule, const sfgp_range *range);

#endif
