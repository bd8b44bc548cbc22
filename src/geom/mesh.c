/* Meshes in memory: made, copied in part, turned, checked and freed. */
#include "base/memory.h"
#include "geom/mesh.h"

#include <math.h>
#include <string.h>

sfgp_status sfgp_mesh_new(sfgp_context *context, int64_t count, int dimension, int64_t face_count,
                          int64_t face_point_count, sfgp_mesh **mesh)
{
    sfgp_mesh *made = NULL;
    sfgp_status status = SFGP_OK;
    *mesh = NULL;
    if (count < 0 || face_count < 0 || face_point_count < 0 || dimension < 2 || dimension > 3)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "mesh: dimension must be 2 or 3 and counts >= 0");
    if ((status = sfgp_allocate(context, 1, &made)) != SFGP_OK)
        return status;
    made->count = count;
    made->dimension = dimension;
    made->face_count = face_count;
    made->format = "memory";
    status = sfgp_allocate_bytes(context, count, dimension * (int64_t)sizeof(double), (void **)&made->points);
    if (status == SFGP_OK && face_count > 0)
        status = sfgp_allocate(context, face_count + 1, &made->face_start);
    if (status == SFGP_OK && face_count > 0)
        status = sfgp_allocate(context, face_point_count, &made->face_points);
    if (status == SFGP_OK)
        *mesh = made;
    else
        sfgp_mesh_free(made);
    return status;
}

sfgp_status sfgp_mesh_from_points(sfgp_context *context, int64_t count, int dimension, const double *points,
                                  sfgp_mesh **mesh)
{
    sfgp_status status = sfgp_mesh_new(context, count, dimension, 0, 0, mesh);
    if (status == SFGP_OK)
        memcpy((*mesh)->points, points, (size_t)(count * dimension) * sizeof *points);
    return status;
}

sfgp_status sfgp_mesh_select(sfgp_context *context, const sfgp_mesh *mesh, int64_t count,
                             const int64_t *index, sfgp_mesh **part)
{
    const int64_t d = mesh->dimension;
    sfgp_status status = sfgp_mesh_new(context, count, mesh->dimension, 0, 0, part);
    for (int64_t k = 0; status == SFGP_OK && k < count; k++)
        memcpy((*part)->points + k * d, mesh->points + index[k] * d, (size_t)d * sizeof(double));
    return status;
}

void sfgp_mesh_free(sfgp_mesh *mesh)
{
    if (!mesh)
        return;
    sfgp_free(mesh->points);
    sfgp_free(mesh->face_start);
    sfgp_free(mesh->face_points);
    sfgp_free(mesh->kept);
    sfgp_free(mesh);
}

void sfgp_mesh_turn_faces(sfgp_mesh *mesh)
{
    for (int64_t f = 0; f < mesh->face_count; f++)
        for (int64_t a = mesh->face_start[f], b = mesh->face_start[f + 1] - 1; a < b; a++, b--) {
            const int64_t corner = mesh->face_points[a];
            mesh->face_points[a] = mesh->face_points[b];
            mesh->face_points[b] = corner;
        }
    sfgp_free(mesh->kept);
    mesh->kept = NULL;
}

sfgp_status sfgp_mesh_check_finite(sfgp_context *context, const char *role, const sfgp_mesh *mesh)
{
    for (int64_t k = 0; k < mesh->count * mesh->dimension; k++)
        if (!isfinite(mesh->points[k]))
            return sfgp_fail(context, SFGP_ERROR_DATA, "%s: point %lld has the coordinate %c = %g; remove it",
                             role, (long long)(k / mesh->dimension), "xyz"[k % mesh->dimension],
                             mesh -> points[k]);
    return SFGP_OK;
}

sfgp_status sfgp_mesh_check_faces(sfgp_context *context, const sfgp_mesh *mesh)
{
    if (mesh->face_count > 0 && (!mesh->face_start || !mesh->face_points))
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "the mesh has no arrays for its faces");
    if (mesh->face_count > 0 && mesh->face_start[0] != 0)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "the corners of face 0 begin at %lld, not at 0",
                         (long long)mesh->face_start[0]);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        if (mesh->face_start[f + 1] < mesh->face_start[f] + 3)
            return sfgp_fail(context, SFGP_ERROR_PARAMETER, "face %lld has fewer than three corners",
                             (long long)f);
        for (int64_t k = mesh->face_start[f]; k < mesh->face_start[f + 1]; k++)
            if (mesh->face_points[k] < 0 || mesh->face_points[k] >= mesh->count)
                return sfgp_fail(context, SFGP_ERROR_PARAMETER, "face %lld has the point %lld of %lld",
                                 (long long)f, (long long)mesh->face_points[k], (long long)mesh->count);
    }
    return SFGP_OK;
}
