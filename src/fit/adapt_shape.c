/* Moves of the reference along its normals. Equation in adapt_shape.h. */
#include "fit/adapt_shape.h"
#include "base/memory.h"
#include "geom/normals.h"
#include "geom/outward.h"
#include "lowrank/flow.h"

#include <math.h>
#include <string.h>

enum { NEIGHBOURS = 8 }; /* that give a normal where outside is not known, as in em/anisotropic.h */

void sfgp_adapt_shape_clear(sfgp_adapt_shape *shape)
{
    sfgp_coarse_surface_clear(&shape->surface);
    sfgp_free(shape->points);
    sfgp_free(shape->normals);
    *shape = (sfgp_adapt_shape){0};
}

/* to (surface.count x 3): the rows of the points whose moves are known. */
static void select_rows(const sfgp_adapt_shape *shape, const double *rows, double *to)
{
    const int64_t *index = shape->surface.index;
    for (int64_t k = 0; k < shape->surface.count; k++)
        memcpy(to + 3 * k, rows + 3 * (index ? index[k] : k), 3 * sizeof *to);
}

static sfgp_status estimate_normals(sfgp_adapt_shape *shape)
{
    sfgp_neighbours neighbours;
    const sfgp_status status =
        sfgp_neighbours_new(shape->context, shape->surface.count, 3, shape->points, NEIGHBOURS, &neighbours);
    if (status == SFGP_OK)
        sfgp_normals_estimate(&neighbours, shape->points, shape->normals);
    sfgp_neighbours_clear(&neighbours);
    return status;
}

static sfgp_status find_normals(sfgp_adapt_shape *shape)
{
    double *all = NULL;
    const sfgp_status status = sfgp_allocate(shape->context, 3 * shape->reference.count, &all);
    shape->has_outside =
        status == SFGP_OK && sfgp_outward_normals(&shape->reference, shape->reference.points, all);
    if (shape->has_outside)
        select_rows(shape, all, shape->normals);
    sfgp_free(all);
    return status == SFGP_OK && !shape->has_outside ? estimate_normals(shape) : status;
}

sfgp_status sfgp_adapt_shape_new(sfgp_context *context, const sfgp_mesh *reference, sfgp_adapt_shape *shape)
{
    *shape = (sfgp_adapt_shape){.context = context, .reference = *reference};
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_coarse_surface_new(context, reference, SFGP_ADAPT_KNOWN, &shape->surface)) !=
            SFGP_OK ||
        (status = sfgp_coarse_surface_connect(context, reference, &shape->surface)) != SFGP_OK ||
        (status = sfgp_allocate(context, 3 * shape->surface.count, &shape->points)) != SFGP_OK ||
        (status = sfgp_allocate(context, 3 * shape->surface.count, &shape->normals)) != SFGP_OK)
        return status;
    select_rows(shape, reference->points, shape->points);
    return find_normals(shape);
}

/* moves: f on entry. */
static void move_along_normals(const sfgp_adapt_shape *shape, const sfgp_adaptation *adaptation,
                               double *moves)
{
    const double sign = adaptation->smooth < 0 ? -1 : 1;
    for (int64_t i = 0; i < shape->surface.count; i++) {
        const double *normal = shape->normals + 3 * i;
        double along = adaptation->offset;
        for (int a = 0; a < 3; a++)
            along += sign * normal[a] * (moves[3 * i + a] - shape->points[3 * i + a]);
        for (int a = 0; a < 3; a++)
            moves[3 * i + a] = along * normal[a];
    }
}

sfgp_status sfgp_adapt_shape_moves(const sfgp_adapt_shape *shape, const sfgp_adaptation *adaptation,
                                   double *moves)
{
    const double length = fabs(adaptation->smooth);
    sfgp_status status = SFGP_OK;
    if (length > 0)
        status = sfgp_flow(shape->context, &shape->surface.laplacian, length, shape->points, moves);
    else
        memcpy(moves, shape->points, 3 * (size_t)shape->surface.count * sizeof *moves);
    if (status == SFGP_OK)
        move_along_normals(shape, adaptation, moves);
    return status;
}

sfgp_status sfgp_adapt_shape_carry(const sfgp_adapt_shape *shape, const double *moves, double *points)
{
    if (shape->surface.index)
        return sfgp_coarse_surface_carry(shape->context, &shape->surface, &shape->reference, moves, points);
    for (int64_t k = 0; k < 3 * shape->surface.count; k++)
        points[k] += moves[k];
    return SFGP_OK;
}
