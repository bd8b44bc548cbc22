/* A hash table of points. */
#include "geom/point_table.h"
#include "base/memory.h"

#include <string.h>

enum { FIRST_CAPACITY = 1024 };

/* Multiply and fold; x + 0 makes -0 and 0 the same bits. */
static uint64_t hash(int dimension, const double *point)
{
    uint64_t sum = 0;
    for (int k = 0; k < dimension; k++) {
        const double value = point[k] + 0.0;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 32;
    }
    return sum;
}

static bool equal(int dimension, const double *a, const double *b)
{
    bool same = true;
    for (int k = 0; k < dimension; k++)
        same = same && a[k] == b[k];
    return same;
}

/* The slot of this point, or the free one where it belongs. */
static int64_t *find_slot(const sfgp_point_table *table, const double *rows, const double *point)
{
    const int d = table->dimension;
    const uint64_t mask = (uint64_t)table->capacity - 1;
    uint64_t slot = hash(d, point) & mask;
    while (table->slots[slot] != 0 && !equal(d, rows + (table->slots[slot] - 1) * d, point))
        slot = (slot + 1) & mask;
    return &table->slots[slot];
}

static sfgp_status grow(sfgp_context *context, const double *rows, sfgp_point_table *table)
{
    sfgp_point_table larger = *table;
    larger.capacity = table->capacity ? 2 * table->capacity : FIRST_CAPACITY;
    const sfgp_status status = sfgp_allocate(context, larger.capacity, &larger.slots);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < table->capacity; k++)
        if (table->slots[k] != 0)
            *find_slot(&larger, rows, rows + (table->slots[k] - 1) * table->dimension) = table->slots[k];
    sfgp_free(table->slots);
    *table = larger;
    return SFGP_OK;
}

sfgp_status sfgp_point_table_find(sfgp_context *context, const double *rows, const double *point,
                                  int64_t next, sfgp_point_table *table, int64_t *index)
{
    const sfgp_status status =
        2 * (table->count + 1) > table->capacity ? grow(context, rows, table) : SFGP_OK;
    if (status != SFGP_OK)
        return status;
    int64_t *slot = find_slot(table, rows, point);
    if (*slot == 0) {
        *slot = next + 1;
        table->count++;
    }
    *index = *slot - 1;
    return SFGP_OK;
}

void sfgp_point_table_clear(sfgp_point_table *table)
{
    sfgp_free(table->slots);
    *table = (sfgp_point_table){0};
}
