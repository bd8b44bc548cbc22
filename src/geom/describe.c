/* Sizes of a mesh and the holes in its faces: sfgp_mesh_describe. */
#include "base/memory.h"
#include "geom/copies.h"
#include "geom/measure.h"
#include "geom/mesh.h"
#include "geom/rims.h"

#include <math.h>

static void find_box(const sfgp_mesh *mesh, sfgp_mesh_info *info)
{
    const int d = mesh->dimension;
    for (int a = 0; a < d; a++) {
        info->low[a] = info->high[a] = mesh->points[a];
        for (int64_t i = 1; i < mesh->count; i++) {
            info->low[a] = fmin(info->low[a], mesh->points[i * d + a]);
            info->high[a] = fmax(info->high[a], mesh->points[i * d + a]);
        }
    }
    info->diagonal = sfgp_points_distance(d, info->low, info->high);
}

/* Those of the mesh whose equal points are joined: triangles and texture seams with points of their own leave no holes. */
static sfgp_status find_rims(sfgp_context *context, const sfgp_mesh *mesh, sfgp_mesh_info *info)
{
    const int64_t corners = mesh->face_count > 0 ? mesh->face_start[mesh->face_count] : 0;
    int64_t *first = NULL;
    sfgp_mesh joined = *mesh;
    sfgp_rims rims = {0};
    joined.face_points = NULL;
    sfgp_status status = sfgp_allocate(context, mesh->count, &first);
    if (status == SFGP_OK)
        status = sfgp_copies_map(context, mesh, first, &info->copies);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, corners, &joined.face_points);
    for (int64_t k = 0; k < corners && status == SFGP_OK; k++)
        joined.face_points[k] = first[mesh->face_points[k]];
    if (status == SFGP_OK)
        status = sfgp_rims_count(context, &joined, &rims);
    info->holes = rims.groups;
    info->open_edges = rims.edges;
    info->knots = rims.knots;
    sfgp_free(first);
    sfgp_free(joined.face_points);
    return status;
}

static sfgp_status describe(sfgp_context *context, const sfgp_mesh *mesh, sfgp_mesh_info *info)
{
    if (mesh->count < 1)
        return sfgp_fail(context, SFGP_ERROR_DATA, "mesh: it has no points");
    sfgp_status status = sfgp_mesh_check_faces(context, mesh);
    if (status != SFGP_OK)
        return status;
    find_box(mesh, info);
    info->radius = sfgp_points_radius(mesh->count, mesh->dimension, mesh->points);
    info->spacing = mesh->count > 1 ? sfgp_points_spacing(mesh->count, mesh->dimension, mesh->points) : 0;
    return find_rims(context, mesh, info);
}

sfgp_status sfgp_mesh_describe_sized(sfgp_context *context, const sfgp_mesh *mesh, sfgp_mesh_info *info,
                                     size_t size)
{
    sfgp_mesh_info all = {.diagonal = 0};
    const sfgp_status status = describe(context, mesh, &all);
    sfgp_struct_copy(&all, sizeof all, size, info);
    return status;
}
