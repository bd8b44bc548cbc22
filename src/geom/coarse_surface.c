/* Coarse points, and the triangles of their cells. */
#include "geom/coarse_surface.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/kdtree.h"
#include "geom/spread.h"

#include <stdlib.h>
#include <string.h>

#define GRAIN 1024 /* points that a thread takes at a time */

/* ---- points and cells -------------------------------------------------------------------------------- */

typedef struct assignment {
    const sfgp_kdtree *tree; /* over the centres */
    const double *centres, *points;
    int32_t *cell;
} assignment;

static void assign_some(const void *data, int64_t first, int64_t end)
{
    const assignment *a = data;
    int64_t cell = -1;
    double distance2;
    for (int64_t i = first; i < end; i++) {
        cell = sfgp_kdtree_follow(a->tree, a->centres, 3, cell, a->points + 3 * i, &distance2);
        a->cell[i] = (int32_t)cell;
    }
}

/* A point belongs to the nearest centre: the halves by which the centres were chosen may lie on two sides of a gap. */
static sfgp_status assign(sfgp_context *context, const sfgp_mesh *mesh, sfgp_coarse_surface *coarse)
{
    sfgp_kdtree *tree = NULL;
    const sfgp_status status = sfgp_kdtree_new(context, coarse->count, 3, coarse->centres, &tree);
    const assignment all = {tree, coarse->centres, mesh->points, coarse->cell};
    if (status == SFGP_OK)
        sfgp_parallel_for(coarse->points, GRAIN, assign_some, &all);
    sfgp_kdtree_free(tree);
    return status;
}

void sfgp_coarse_surface_clear(sfgp_coarse_surface *coarse)
{
    sfgp_free(coarse->index);
    sfgp_free(coarse->cell);
    sfgp_free(coarse->centres);
    sfgp_laplacian_clear(&coarse->laplacian);
    *coarse = (sfgp_coarse_surface){0};
}

static sfgp_status choose(sfgp_context *context, const sfgp_mesh *mesh, sfgp_coarse_surface *coarse)
{
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, coarse->count, &coarse->index)) != SFGP_OK ||
        (status = sfgp_allocate(context, coarse->points, &coarse->cell)) != SFGP_OK ||
        (status = sfgp_allocate(context, 3 * coarse->count, &coarse->centres)) != SFGP_OK)
        return status;
    status = sfgp_points_spread(context, mesh->count, 3, mesh->points, coarse->count, coarse->index, NULL);
    for (int64_t k = 0; status == SFGP_OK && k < coarse->count; k++)
        memcpy(coarse->centres + 3 * k, mesh->points + 3 * coarse->index[k], 3 * sizeof(double));
    return status == SFGP_OK ? assign(context, mesh, coarse) : status;
}

sfgp_status sfgp_coarse_surface_new(sfgp_context *context, const sfgp_mesh *mesh, int64_t most,
                                    sfgp_coarse_surface *coarse)
{
    const bool all = mesh->count <= most;
    *coarse = (sfgp_coarse_surface){.points = mesh->count, .count = all ? mesh->count : most};
    const sfgp_status status = all ? SFGP_OK : choose(context, mesh, coarse);
    if (status != SFGP_OK)
        sfgp_coarse_surface_clear(coarse);
    return status;
}

/* ---- triangles of cells ------------------------------------------------------------------------------ */

/* Cells, ascending. */
typedef struct triple {
    int32_t cell[3];
} triple;

static int compare(const void *left, const void *right)
{
    const triple *a = left, *b = right;
    for (int k = 0; k < 3; k++)
        if (a->cell[k] != b->cell[k])
            return a->cell[k] < b->cell[k] ? -1 : 1;
    return 0;
}

static void swap_if_larger(int32_t *a, int32_t *b)
{
    if (*a > *b) {
        const int32_t swapped = *a;
        *a = *b;
        *b = swapped;
    }
}

/* The cells of a triangle; false unless there are three. */
static bool cells_of(const sfgp_coarse_surface *coarse, int64_t a, int64_t b, int64_t c, triple *found)
{
    int32_t *cell = found->cell;
    cell[0] = coarse->cell[a], cell[1] = coarse->cell[b], cell[2] = coarse->cell[c];
    if (cell[0] == cell[1] || cell[1] == cell[2] || cell[2] == cell[0])
        return false;
    swap_if_larger(cell, cell + 1);
    swap_if_larger(cell + 1, cell + 2);
    swap_if_larger(cell, cell + 1);
    return true;
}

/* Of all faces, which are fans of triangles. triples: NULL or room for them. Returns how many there are. */
static int64_t list_triples(const sfgp_coarse_surface *coarse, const sfgp_mesh *mesh, triple *triples)
{
    int64_t count = 0;
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t *corner = mesh->face_points + mesh->face_start[f];
        for (int64_t k = 2; k < mesh->face_start[f + 1] - mesh->face_start[f]; k++) {
            triple found;
            if (cells_of(coarse, corner[0], corner[k - 1], corner[k], &found) && triples)
                triples[count] = found;
            count += cells_of(coarse, corner[0], corner[k - 1], corner[k], &found);
        }
    }
    return count;
}

static int64_t leave_out_copies(int64_t count, triple *triples)
{
    int64_t used = 0;
    qsort(triples, (size_t)count, sizeof *triples, compare);
    for (int64_t k = 0; k < count; k++)
        if (used == 0 || compare(triples + used - 1, triples + k) != 0)
            triples[used++] = triples[k];
    return used;
}

/* The coarse points with a face for each triple. */
static sfgp_status mesh_of(sfgp_context *context, const sfgp_coarse_surface *coarse, int64_t count,
                           const triple *triples, sfgp_mesh **made)
{
    sfgp_status status = sfgp_mesh_new(context, coarse->count, 3, count, 3 * count, made);
    if (status != SFGP_OK)
        return status;
    memcpy((*made)->points, coarse->centres, (size_t)(3 * coarse->count) * sizeof(double));
    for (int64_t f = 0; f < count; f++) {
        (*made)->face_start[f + 1] = 3 * (f + 1);
        for (int k = 0; k < 3; k++)
            (*made)->face_points[3 * f + k] = triples[f].cell[k];
    }
    return SFGP_OK;
}

static sfgp_status make_mesh(sfgp_context *context, const sfgp_coarse_surface *coarse, const sfgp_mesh *mesh,
                             sfgp_mesh **made)
{
    const int64_t all = list_triples(coarse, mesh, NULL);
    triple *triples = NULL;
    sfgp_status status = sfgp_allocate(context, all, &triples);
    *made = NULL;
    if (status == SFGP_OK) {
        list_triples(coarse, mesh, triples);
        status = mesh_of(context, coarse, leave_out_copies(all, triples), triples, made);
    }
    sfgp_free(triples);
    return status;
}

sfgp_status sfgp_coarse_surface_connect(sfgp_context *context, const sfgp_mesh *mesh,
                                        sfgp_coarse_surface *coarse)
{
    sfgp_mesh *made = NULL;
    sfgp_status status = SFGP_OK;
    if (coarse->laplacian.count > 0)
        return SFGP_OK;
    if (coarse->cell)
        status = make_mesh(context, coarse, mesh, &made);
    if (status == SFGP_OK)
        status = sfgp_laplacian_new(context, made ? made : mesh, &coarse->laplacian);
    if (status != SFGP_OK)
        sfgp_laplacian_clear(&coarse->laplacian);
    sfgp_mesh_free(made);
    return status;
}
