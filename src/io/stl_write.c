/* Binary STL. Coordinates are rounded to 32 bits, the only type the format has; polygons become fans. */
#include "io/format.h"
#include "io/file.h"
#include "io/scalar.h"

#include <float.h>
#include <math.h>
#include <string.h>

static sfgp_status check(const sfgp_output *output, int64_t *triangles)
{
    const sfgp_mesh *mesh = output->mesh;
    const char *path = sfgp_path_shown(output->path);
    *triangles = mesh->face_start[mesh->face_count] - mesh->face_start[0] - 2 * mesh->face_count;
    if (*triangles > UINT32_MAX) /* GCOVR_EXCL_START: 100 GB of faces */
        return sfgp_fail(output->context, SFGP_ERROR_PARAMETER,
                         "%s: STL holds at most 2^32-1 triangles; write .ply", path); /* GCOVR_EXCL_STOP */
    for (int64_t k = 0; k < mesh->count * mesh->dimension; k++)
        if (fabs(mesh->points[k]) > (double)FLT_MAX)
            return sfgp_fail(output->context, SFGP_ERROR_PARAMETER,
                             "%s: STL holds 32-bit numbers, and point %lld has %g; write .ply", path,
                             (long long)(k / mesh->dimension), mesh->points[k]);
    return SFGP_OK;
}

static void get_corner(const sfgp_mesh *mesh, int64_t index, double corner[3])
{
    corner[2] = 0;
    for (int k = 0; k < mesh->dimension; k++)
        corner[k] = mesh->points[index * mesh->dimension + k];
}

/* Unit normal by the right-hand rule, zero for a triangle without area. */
static void get_normal(double corners[3][3], double normal[3])
{
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = corners[1][k] - corners[0][k];
        b[k] = corners[2][k] - corners[0][k];
    }
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        normal[k] = a[l] * b[m] - a[m] * b[l];
    }
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int k = 0; k < 3; k++)
        normal[k] = length > 0 ? normal[k] / length : 0;
}

static void add_row(sfgp_buffer *buffer, const double row[3])
{
    unsigned char bytes[12];
    for (int k = 0; k < 3; k++)
        sfgp_scalar_store(SFGP_FLOAT32, row[k], bytes + 4 * k);
    sfgp_buffer_add(buffer, bytes, sizeof bytes);
}

static void add_triangle(const sfgp_mesh *mesh, const int64_t indices[3], sfgp_buffer *buffer)
{
    static const unsigned char ATTRIBUTE[2] = {0, 0};
    double corners[3][3], normal[3];
    for (int k = 0; k < 3; k++)
        get_corner(mesh, indices[k], corners[k]);
    get_normal(corners, normal);
    add_row(buffer, normal);
    for (int k = 0; k < 3; k++)
        add_row(buffer, corners[k]);
    sfgp_buffer_add(buffer, ATTRIBUTE, sizeof ATTRIBUTE);
}

sfgp_status sfgp_stl_write(const sfgp_output *output, sfgp_buffer *buffer)
{
    const sfgp_mesh *mesh = output->mesh;
    unsigned char prefix[84] = "sfgp " SFGP_VERSION;
    int64_t triangles = 0;
    sfgp_status status = check(output, &triangles);
    if (status != SFGP_OK)
        return status;
    if (mesh->dimension == 2)
        memcpy(prefix + 40, "dimension 2", 11);
    sfgp_scalar_store(SFGP_UINT32, (double)triangles, prefix + 80);
    sfgp_buffer_add(buffer, prefix, sizeof prefix);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t *face = mesh->face_points + mesh->face_start[f];
        int64_t corners = mesh->face_start[f + 1] - mesh->face_start[f];
        for (int64_t k = 1; k + 1 < corners; k++)
            add_triangle(mesh, (const int64_t[]){face[0], face[k], face[k + 1]}, buffer);
    }
    return buffer->status;
}
