/* Copies a scan and measures what a fit needs to know of it. */
#include "geom/target.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/area.h"
#include "geom/blocks.h"
#include "geom/measure.h"
#include "geom/spread.h"

#include <string.h>

#define GRAIN 4096 /* points that a thread copies at a time */

typedef struct copying {
    const sfgp_mesh *mesh;
    const sfgp_target *target;
} copying;

static void copy_some(const void *data, int64_t first, int64_t end)
{
    const copying *c = data;
    const int64_t d = c->mesh->dimension;
    for (int64_t j = first; j < end; j++)
        memcpy(c->target->points + j * d, c->mesh->points + c->target->order[j] * d,
               (size_t)d * sizeof(double));
}

static sfgp_status copy_in_blocks(sfgp_context *context, const sfgp_mesh *mesh, sfgp_target *target)
{
    const copying all = {mesh, target};
    sfgp_status status = sfgp_allocate(context, mesh->count, &target->order);
    if (status == SFGP_OK)
        status =
            sfgp_points_order(context, mesh->count, mesh->dimension, mesh->points, SFGP_BLOCK, target->order);
    if (status == SFGP_OK)
        sfgp_parallel_for(mesh->count, GRAIN, copy_some, &all);
    return status;
}

sfgp_status sfgp_target_load(sfgp_context *context, const sfgp_mesh *mesh, bool in_blocks,
                             sfgp_target *target)
{
    const int64_t row = mesh->dimension * (int64_t)sizeof(double);
    sfgp_free(target->order);
    sfgp_free(target->clutter);
    target->order = NULL;
    target->clutter = NULL;
    sfgp_status status =
        sfgp_reserve_bytes(context, mesh->count, row, (void **)&target->points, &target->capacity);
    if (status != SFGP_OK)
        return status;
    target->count = mesh->count;
    target->dimension = mesh->dimension;
    if (in_blocks)
        status = copy_in_blocks(context, mesh, target);
    else
        memcpy(target->points, mesh->points, (size_t)(mesh->count * row));
    if (status != SFGP_OK)
        return status;
    target->spacing = sfgp_points_spacing(target->count, target->dimension, target->points);
    target->density = sfgp_points_box_density(target->count, target->dimension, target->points);
    return SFGP_OK;
}

sfgp_status sfgp_target_set_clutter(sfgp_context *context, double area, uint64_t seed, sfgp_target *target)
{
    sfgp_status status = sfgp_allocate(context, target->count, &target->clutter);
    if (status == SFGP_OK)
        status = sfgp_points_density(context, target->count, target->points, area, seed, target->clutter);
    for (int64_t j = 0; status == SFGP_OK && j < target->count; j++)
        target->clutter[j] =
            SFGP_TARGET_STRAYS + (1 - SFGP_TARGET_STRAYS) * target->clutter[j] / target->density;
    return status;
}

void sfgp_target_clear(sfgp_target *target)
{
    sfgp_free(target->points);
    sfgp_free(target->order);
    sfgp_free(target->clutter);
    *target = (sfgp_target){0};
}
