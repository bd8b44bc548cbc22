/* Points that are there more than once: a hash table with open addressing and linear probing. */
#include "geom/copies.h"
#include "base/memory.h"
#include "geom/mesh.h"

#include <string.h>

typedef struct table {
    const sfgp_mesh *mesh;
    int32_t *slots; /* 1 + index of a point, 0 = free */
    uint64_t mask;  /* a power of two less one; at most half of the slots are in use */
} table;

/* Multiply and fold; x + 0 makes -0 and 0 the same bits. */
static uint64_t hash(const sfgp_mesh *mesh, int64_t i)
{
    uint64_t sum = 0;
    for (int k = 0; k < mesh->dimension; k++) {
        const double value = mesh->points[i * mesh->dimension + k] + 0.0;
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 32;
    }
    return sum;
}

static bool equal(const sfgp_mesh *mesh, int64_t i, int64_t j)
{
    const int d = mesh->dimension;
    bool same = true;
    for (int k = 0; k < d; k++)
        same = same && mesh->points[i * d + k] == mesh->points[j * d + k];
    return same;
}

/* Whether point i is the first of its kind, which is then remembered. */
static bool is_first(const table *seen, int64_t i)
{
    uint64_t slot = hash(seen->mesh, i) & seen->mask;
    for (; seen->slots[slot] != 0; slot = (slot + 1) & seen->mask)
        if (equal(seen->mesh, seen->slots[slot] - 1, i))
            return false;
    seen->slots[slot] = (int32_t)(i + 1);
    return true;
}

static sfgp_status table_new(sfgp_context *context, const sfgp_mesh *mesh, table *seen)
{
    int64_t size = 2;
    while (size < 2 * mesh->count)
        size *= 2;
    *seen = (table){mesh, NULL, (uint64_t)size - 1};
    return sfgp_allocate(context, size, &seen->slots);
}

/* The rest, when it is known how many points it has. */
static sfgp_status copy_rest(sfgp_context *context, const sfgp_mesh *mesh, int64_t count, sfgp_copies *copies)
{
    const size_t row = (size_t)mesh->dimension * sizeof(double);
    const sfgp_status status =
        sfgp_mesh_from_points(context, count, mesh->dimension, mesh->points, &copies->rest);
    for (int64_t j = 0; status == SFGP_OK && j < count; j++)
        memcpy(copies->rest->points + j * mesh->dimension,
               mesh->points + copies->first[j] * (int64_t)mesh->dimension, row);
    return status;
}

sfgp_status sfgp_copies_find(sfgp_context *context, const sfgp_mesh *mesh, sfgp_copies *copies)
{
    table seen;
    int64_t count = 0;
    *copies = (sfgp_copies){0};
    sfgp_status status = table_new(context, mesh, &seen);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, mesh->count, &copies->first);
    for (int64_t i = 0; status == SFGP_OK && i < mesh->count; i++)
        if (is_first(&seen, i))
            copies->first[count++] = (int32_t)i;
    sfgp_free(seen.slots);
    if (status == SFGP_OK && count < mesh->count)
        return copy_rest(context, mesh, count, copies);
    sfgp_copies_clear(copies);
    return status;
}

void sfgp_copies_clear(sfgp_copies *copies)
{
    sfgp_mesh_free(copies->rest);
    sfgp_free(copies->first);
    *copies = (sfgp_copies){0};
}
