/* Joins equal points of triangle soups (STL) with a hash table. */
#include "io/weld.h"
#include "base/memory.h"

#include <string.h>

enum { FIRST_CAPACITY = 1024 };

static const double *point_at(const sfgp_weld *weld, int64_t index)
{
    return (const double *)(const void *)weld->builder->points.bytes + 3 * index;
}

/* Multiply and fold; x + 0 makes -0 and 0 the same bits. */
static uint64_t hash(const double point[3])
{
    uint64_t sum = 0;
    for (int k = 0; k < 3; k++) {
        double value = point[k] + 0.0;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 32;
    }
    return sum;
}

/* The slot of this point, or the free one where it belongs. */
static int64_t find_slot(const sfgp_weld *weld, const double point[3])
{
    uint64_t mask = (uint64_t)weld->capacity - 1, slot = hash(point) & mask;
    for (; weld->slots[slot] != 0; slot = (slot + 1) & mask) {
        const double *other = point_at(weld, weld->slots[slot] - 1);
        if (other[0] == point[0] && other[1] == point[1] && other[2] == point[2])
            break;
    }
    return (int64_t)slot;
}

static sfgp_status grow(sfgp_weld *weld)
{
    sfgp_weld larger = {weld->builder, NULL, weld->capacity ? 2 * weld->capacity : FIRST_CAPACITY};
    sfgp_status status = sfgp_allocate(weld->builder->points.context, larger.capacity, &larger.slots);
    if (status != SFGP_OK)
        return status;
    for (int64_t i = 0; i < weld->builder->count; i++)
        larger.slots[find_slot(&larger, point_at(weld, i))] = i + 1;
    sfgp_free(weld->slots);
    *weld = larger;
    return SFGP_OK;
}

sfgp_status sfgp_weld_point(sfgp_weld *weld, const double point[3], int64_t *index)
{
    if (2 * (weld->builder->count + 1) > weld->capacity) {
        sfgp_status status = grow(weld);
        if (status != SFGP_OK)
            return status;
    }
    int64_t slot = find_slot(weld, point);
    if (weld->slots[slot] == 0) {
        sfgp_builder_point(weld->builder, point);
        weld->slots[slot] = weld->builder->count;
    }
    *index = weld->slots[slot] - 1;
    return sfgp_builder_status(weld->builder);
}

void sfgp_weld_clear(sfgp_weld *weld)
{
    sfgp_free(weld->slots);
    weld->slots = NULL;
}
