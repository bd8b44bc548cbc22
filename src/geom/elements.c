/* The triangles of a mesh, and the end of all elements. */
#include "geom/elements.h"
#include "base/memory.h"

void sfgp_elements_clear(sfgp_elements *elements)
{
    sfgp_free(elements->points);
    *elements = (sfgp_elements){0};
}

static void add_triangle(const int64_t *corner, int64_t k, sfgp_elements *elements)
{
    int32_t *points = elements->points + 3 * elements->count;
    points[0] = (int32_t)corner[0];
    points[1] = (int32_t)corner[k - 1];
    points[2] = (int32_t)corner[k];
    elements->count += points[0] != points[1] && points[1] != points[2] && points[2] != points[0];
}

static sfgp_status list_faces(sfgp_context *context, const sfgp_mesh *mesh, sfgp_elements *elements)
{
    const int64_t most = mesh->face_start[mesh->face_count] - 2 * mesh->face_count;
    *elements = (sfgp_elements){.corners = 3, .weight = 1};
    sfgp_status status = sfgp_allocate(context, 3 * (most + 1), &elements->points);
    for (int64_t f = 0; status == SFGP_OK && f < mesh->face_count; f++)
        for (int64_t k = 2; k < mesh->face_start[f + 1] - mesh->face_start[f]; k++)
            add_triangle(mesh->face_points + mesh->face_start[f], k, elements);
    return status;
}

sfgp_status sfgp_elements_new(sfgp_context *context, const sfgp_mesh *mesh, sfgp_elements *elements)
{
    *elements = (sfgp_elements){0};
    if (mesh->count >= INT32_MAX / 4) /* GCOVR_EXCL_START: half a thousand million points */
        return sfgp_fail(context, SFGP_ERROR_MEMORY, "too large: a surface of %lld points",
                         (long long)mesh->count); /* GCOVR_EXCL_STOP */
    return mesh->face_count > 0 ? list_faces(context, mesh, elements)
                                : sfgp_elements_of_cloud(context, mesh, elements);
}
