/* Points that are there more than once. */
#include "geom/copies.h"
#include "base/memory.h"
#include "geom/point_table.h"

#include <string.h>

#define AHEAD 16 /* points; of a million 0.04 s instead of 0.09 without it, by hand */

/* index: of the first point with the coordinates of point i. */
static sfgp_status find_point(sfgp_context *context, const sfgp_mesh *mesh, int64_t i,
                              sfgp_point_table *table, int64_t *index)
{
    if (i + AHEAD < mesh->count)
        sfgp_point_table_expect(table, mesh->points + (i + AHEAD) * mesh->dimension);
    return sfgp_point_table_find(context, mesh->points, mesh->points + i * mesh->dimension, i, table, index);
}

sfgp_status sfgp_copies_map(sfgp_context *context, const sfgp_mesh *mesh, int64_t *first, int64_t *count)
{
    sfgp_point_table table = {.dimension = mesh->dimension};
    sfgp_status status = sfgp_point_table_reserve(context, mesh->count, mesh->points, &table);
    *count = 0;
    for (int64_t i = 0; status == SFGP_OK && i < mesh->count; i++) {
        status = find_point(context, mesh, i, &table, &first[i]);
        *count += status == SFGP_OK && first[i] != i;
    }
    sfgp_point_table_clear(&table);
    return status;
}

/* The first of equal points, and how many they are. */
static sfgp_status find_first(sfgp_context *context, const sfgp_mesh *mesh, int32_t *first, int64_t *count)
{
    sfgp_point_table table = {.dimension = mesh->dimension};
    sfgp_status status = sfgp_point_table_reserve(context, mesh->count, mesh->points, &table);
    for (int64_t i = 0; status == SFGP_OK && i < mesh->count; i++) {
        int64_t index = 0;
        status = find_point(context, mesh, i, &table, &index);
        if (status == SFGP_OK && index == i)
            first[(*count)++] = (int32_t)i;
    }
    sfgp_point_table_clear(&table);
    return status;
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
    int64_t count = 0;
    *copies = (sfgp_copies){0};
    sfgp_status status = sfgp_allocate(context, mesh->count, &copies->first);
    if (status == SFGP_OK)
        status = find_first(context, mesh, copies->first, &count);
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
