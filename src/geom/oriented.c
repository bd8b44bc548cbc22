/* Even subsets with normals. */
#include "geom/oriented.h"
#include "base/memory.h"
#include "geom/normals.h"
#include "geom/spread.h"

#include <string.h>

/* Room for an even subset, and which points it has; the caller frees the index. */
static sfgp_status choose(sfgp_context *context, int64_t count, const double *points, int64_t most,
                          int64_t **index, sfgp_oriented *some)
{
    *some = (sfgp_oriented){.count = count < most ? count : most};
    *index = NULL;
    sfgp_status status = sfgp_allocate(context, some->count, index);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 3 * some->count, &some->points);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 3 * some->count, &some->normals);
    return status == SFGP_OK ? sfgp_points_spread(context, count, 3, points, some->count, *index, NULL)
                             : status;
}

static void copy_rows(int64_t count, const int64_t *index, const double *from, double *to)
{
    for (int64_t k = 0; k < count; k++)
        memcpy(to + 3 * k, from + 3 * index[k], 3 * sizeof(double));
}

sfgp_status sfgp_oriented_new(sfgp_context *context, int64_t count, const double *points, int64_t most,
                              int neighbours, sfgp_oriented *made)
{
    int64_t *index;
    sfgp_neighbours near = {0};
    sfgp_status status = choose(context, count, points, most, &index, made);
    if (status == SFGP_OK) {
        copy_rows(made->count, index, points, made->points);
        status = sfgp_neighbours_new(context, made->count, 3, made->points, neighbours, &near);
    }
    if (status == SFGP_OK)
        sfgp_normals_estimate(&near, made->points, made->normals);
    sfgp_neighbours_clear(&near);
    sfgp_free(index);
    return status;
}

sfgp_status sfgp_oriented_choose(sfgp_context *context, const sfgp_oriented *from, int64_t most,
                                 sfgp_oriented *some)
{
    int64_t *index;
    const sfgp_status status = choose(context, from->count, from->points, most, &index, some);
    if (status == SFGP_OK) {
        copy_rows(some->count, index, from->points, some->points);
        copy_rows(some->count, index, from->normals, some->normals);
    }
    sfgp_free(index);
    return status;
}

void sfgp_oriented_clear(sfgp_oriented *oriented)
{
    sfgp_free(oriented->points);
    sfgp_free(oriented->normals);
    *oriented = (sfgp_oriented){0};
}
