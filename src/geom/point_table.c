/* A hash table of points. */
#include "geom/point_table.h"
#include "base/memory.h"

#include <string.h>

enum { FIRST_CAPACITY = 1024 };

/* Of a slot. The upper bits tell most points apart without a look at their rows, which costs a cache miss. */
#define INDEX_BITS 40
#define INDEX_MASK (((uint64_t)1 << INDEX_BITS) - 1)

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

static int64_t index_in(uint64_t slot)
{
    return (int64_t)(slot & INDEX_MASK) - 1;
}

/* Whether the slot is free or has this point. */
static bool is_slot_of(const sfgp_point_table *table, uint64_t slot, const double *rows, const double *point,
                       uint64_t hashed)
{
    const int d = table->dimension;
    return slot == 0 || ((slot ^ hashed) <= INDEX_MASK && equal(d, rows + index_in(slot) * d, point));
}

/* The slot of this point, or the free one where it belongs. */
static uint64_t *find_slot(const sfgp_point_table *table, const double *rows, const double *point,
                           uint64_t hashed)
{
    const uint64_t mask = (uint64_t)table->capacity - 1;
    uint64_t slot = hashed & mask;
    while (!is_slot_of(table, table->slots[slot], rows, point, hashed))
        slot = (slot + 1) & mask;
    return &table->slots[slot];
}

static sfgp_status grow(sfgp_context *context, int64_t capacity, const double *rows, sfgp_point_table *table)
{
    sfgp_point_table larger = *table;
    larger.capacity = capacity;
    const sfgp_status status = sfgp_allocate(context, larger.capacity, &larger.slots);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < table->capacity; k++)
        if (table->slots[k] != 0) {
            const double *point = rows + index_in(table->slots[k]) * table->dimension;
            *find_slot(&larger, rows, point, hash(table->dimension, point)) = table->slots[k];
        }
    sfgp_free(table->slots);
    *table = larger;
    return SFGP_OK;
}

sfgp_status sfgp_point_table_find(sfgp_context *context, const double *rows, const double *point,
                                  int64_t next, sfgp_point_table *table, int64_t *index)
{
    const sfgp_status status = sfgp_point_table_reserve(context, table->count + 1, rows, table);
    if (status != SFGP_OK)
        return status;
    const uint64_t hashed = hash(table->dimension, point);
    uint64_t *slot = find_slot(table, rows, point, hashed);
    if (*slot == 0) {
        *slot = (hashed & ~INDEX_MASK) | (uint64_t)(next + 1);
        table->count++;
    }
    *index = index_in(*slot);
    return SFGP_OK;
}

sfgp_status sfgp_point_table_reserve(sfgp_context *context, int64_t count, const double *rows,
                                     sfgp_point_table *table)
{
    int64_t capacity = table->capacity ? table->capacity : FIRST_CAPACITY;
    while (capacity < 2 * count)
        capacity *= 2;
    return capacity > table->capacity ? grow(context, capacity, rows, table) : SFGP_OK;
}

void sfgp_point_table_expect(const sfgp_point_table *table, const double *point)
{
    __builtin_prefetch(table->slots + (hash(table->dimension, point) & ((uint64_t)table->capacity - 1)), 1);
}

void sfgp_point_table_clear(sfgp_point_table *table)
{
    sfgp_free(table->slots);
    *table = (sfgp_point_table){0};
}
