/* Meshes of unknown size: appended point by point and face by face, then moved into a sfgp_mesh. */
#include "io/builder.h"
#include "base/memory.h"
#include "io/file.h"

sfgp_builder sfgp_builder_empty(sfgp_context *context)
{
    sfgp_buffer empty = sfgp_buffer_empty(context);
    return (sfgp_builder){.columns = 3, .points = empty, .face_start = empty, .face_points = empty};
}

void sfgp_builder_clear(sfgp_builder *builder)
{
    sfgp_buffer_clear(&builder->points);
    sfgp_buffer_clear(&builder->face_start);
    sfgp_buffer_clear(&builder->face_points);
}

void sfgp_builder_point(sfgp_builder *builder, const double *point)
{
    sfgp_buffer_add(&builder->points, point, builder->columns * (int64_t)sizeof *point);
    builder->count++;
}

void sfgp_builder_corner(sfgp_builder *builder, int64_t index)
{
    sfgp_buffer_add(&builder->face_points, &index, sizeof index);
}

void sfgp_builder_face(sfgp_builder *builder)
{
    const int64_t first = 0, size = sizeof(int64_t);
    if (builder->face_start.size == 0)
        sfgp_buffer_add(&builder->face_start, &first, size);
    if (sfgp_builder_status(builder) != SFGP_OK)
        return;
    int64_t end = builder->face_points.size / size;
    int64_t start = ((const int64_t *)(const void *)builder->face_start.bytes)[builder->face_count];
    if (end - start < 3) {
        builder->face_points.size = start * size;
        builder->skipped++;
        return;
    }
    sfgp_buffer_add(&builder->face_start, &end, size);
    builder->face_count++;
}

void sfgp_builder_strip(sfgp_builder *builder, int64_t k, int64_t a, int64_t b, int64_t c)
{
    sfgp_builder_corner(builder, k % 2 ? b : a);
    sfgp_builder_corner(builder, k % 2 ? a : b);
    sfgp_builder_corner(builder, c);
    sfgp_builder_face(builder);
}

sfgp_status sfgp_builder_status(const sfgp_builder *builder)
{
    if (builder->points.status != SFGP_OK)
        return builder->points.status;
    return builder->face_start.status != SFGP_OK ? builder->face_start.status : builder->face_points.status;
}

/* Removes the third column in place; false when it is not zero everywhere. */
static bool flatten(sfgp_builder *builder)
{
    double *points = (double *)(void *)builder->points.bytes;
    for (int64_t i = 0; i < builder->count; i++)
        if (points[3 * i + 2] != 0)
            return false;
    for (int64_t i = 0; i < builder->count; i++) {
        points[2 * i] = points[3 * i];
        points[2 * i + 1] = points[3 * i + 1];
    }
    return true;
}

static void move_into(sfgp_builder *builder, sfgp_mesh *mesh)
{
    sfgp_free(mesh->points);
    mesh->points = sfgp_buffer_release(&builder->points);
    mesh->count = builder->count;
    mesh->face_count = builder->face_count;
    if (builder->face_count == 0)
        return;
    mesh->face_start = sfgp_buffer_release(&builder->face_start);
    mesh->face_points = sfgp_buffer_release(&builder->face_points);
}

sfgp_status sfgp_builder_finish(sfgp_builder *builder, const char *path, int dimension, sfgp_mesh **mesh)
{
    sfgp_context *context = builder->points.context;
    const char *shown = sfgp_path_shown(path);
    sfgp_status status = sfgp_builder_status(builder);
    if (status == SFGP_OK && builder->count == 0)
        return sfgp_fail(context, SFGP_ERROR_DATA, "%s: has no points", shown);
    if (status == SFGP_OK && dimension < builder->columns && !flatten(builder)) {
        sfgp_warn(context, "%s: says dimension 2, but has z other than 0: read as three-dimensional", shown);
        dimension = builder->columns;
    }
    if (status == SFGP_OK)
        status = sfgp_mesh_new(context, 0, dimension, 0, 0, mesh);
    if (status != SFGP_OK)
        return status;
    if (builder->skipped > 0)
        sfgp_warn(context, "%s: %lld faces with fewer than three corners are left out", shown,
                  (long long)builder->skipped);
    move_into(builder, *mesh);
    sfgp_builder_clear(builder);
    return SFGP_OK;
}
