/* Writes binary little-endian PLY: points as 64-bit reals, numbers of the points, faces. */
#include "io/format.h"
#include "io/file.h"
#include "io/kept.h"
#include "io/scalar.h"

static sfgp_status check(const sfgp_output *output)
{
    /* GCOVR_EXCL_START: 50 GB of points */
    if (output->mesh->face_count > 0 && output->mesh->count > INT32_MAX)
        return sfgp_fail(output->context, SFGP_ERROR_PARAMETER,
                         "%s: PLY faces hold point numbers up to 2^31-1; write .npy without faces",
                         sfgp_path_shown(output->path));
    /* GCOVR_EXCL_STOP */
    return SFGP_OK;
}

/* A list has an int for its length only where a byte is too small. */
static sfgp_scalar find_length_type(const sfgp_mesh *mesh)
{
    for (int64_t f = 0; f < mesh->face_count; f++)
        if (mesh->face_start[f + 1] - mesh->face_start[f] > 255)
            return SFGP_INT32;
    return SFGP_UINT8;
}

static void add_text(sfgp_buffer *buffer, sfgp_text text)
{
    sfgp_buffer_add(buffer, text.start, text.length);
}

static void add_header(const sfgp_output *output, sfgp_scalar length_type, sfgp_buffer *buffer)
{
    const sfgp_mesh *mesh = output->mesh;
    sfgp_buffer_text(buffer, "ply\nformat binary_little_endian 1.0\ncomment sfgp " SFGP_VERSION "\n");
    if (mesh->dimension == 2)
        sfgp_buffer_text(buffer, "comment dimension 2\n");
    add_text(buffer, sfgp_kept_find(mesh, SFGP_PLY, SFGP_KEPT_HEAD));
    sfgp_buffer_print(buffer, "element vertex %lld\n", (long long)mesh->count);
    sfgp_buffer_text(buffer, "property double x\nproperty double y\nproperty double z\n");
    for (int k = 0; k < output->attribute_count; k++)
        sfgp_buffer_print(buffer, "property %s %s\n", output->attributes[k].integer ? "uchar" : "double",
                          output->attributes[k].name);
    add_text(buffer, sfgp_kept_find(mesh, SFGP_PLY, SFGP_KEPT_POINT_HEAD));
    if (mesh->face_count > 0)
        sfgp_buffer_print(buffer, "element face %lld\nproperty list %s int vertex_indices\n",
                          (long long)mesh->face_count, length_type == SFGP_UINT8 ? "uchar" : "int");
    if (mesh->face_count > 0)
        add_text(buffer, sfgp_kept_find(mesh, SFGP_PLY, SFGP_KEPT_FACE_HEAD));
    sfgp_buffer_text(buffer, "end_header\n");
}

static void add_scalar(sfgp_buffer *buffer, sfgp_scalar type, double value)
{
    unsigned char *bytes = sfgp_buffer_extend(buffer, sfgp_scalar_size(type));
    if (bytes)
        sfgp_scalar_store(type, value, bytes);
}

static int64_t kept_size(const sfgp_mesh *mesh, sfgp_kept_part part)
{
    return sfgp_kept_find(mesh, SFGP_PLY, part).length;
}

/* Room for all rows. */
static void reserve(const sfgp_output *output, sfgp_scalar length_type, sfgp_buffer *buffer)
{
    const sfgp_mesh *mesh = output->mesh;
    int64_t row = 3 * sfgp_scalar_size(SFGP_FLOAT64);
    for (int k = 0; k < output->attribute_count; k++)
        row += sfgp_scalar_size(output->attributes[k].integer ? SFGP_UINT8 : SFGP_FLOAT64);
    sfgp_buffer_reserve(
        buffer,
        mesh->count * row + kept_size(mesh, SFGP_KEPT_POINTS) + kept_size(mesh, SFGP_KEPT_FACES) +
            mesh->face_count * sfgp_scalar_size(length_type) +
            (mesh->face_count > 0 ? mesh->face_start[mesh->face_count] * sfgp_scalar_size(SFGP_INT32) : 0),
        1);
}

static void add_vertex(const sfgp_output *output, int64_t i, sfgp_buffer *buffer)
{
    const sfgp_mesh *mesh = output->mesh;
    for (int k = 0; k < 3; k++)
        add_scalar(buffer, SFGP_FLOAT64, k < mesh->dimension ? mesh->points[i * mesh->dimension + k] : 0.0);
    for (int k = 0; k < output->attribute_count; k++) {
        const sfgp_attribute *attribute = &output->attributes[k];
        add_scalar(buffer, attribute->integer ? SFGP_UINT8 : SFGP_FLOAT64, attribute->values[i]);
    }
    add_text(buffer, sfgp_kept_row(mesh, SFGP_PLY, SFGP_KEPT_POINTS, i));
}

sfgp_status sfgp_ply_write(const sfgp_output *output, sfgp_buffer *buffer)
{
    const sfgp_mesh *mesh = output->mesh;
    sfgp_status status = sfgp_output_check_attributes(output);
    if (status == SFGP_OK)
        status = check(output);
    if (status != SFGP_OK)
        return status;
    sfgp_scalar length_type = find_length_type(mesh);
    add_header(output, length_type, buffer);
    reserve(output, length_type, buffer);
    for (int64_t i = 0; i < mesh->count; i++)
        add_vertex(output, i, buffer);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        add_scalar(buffer, length_type, (double)(mesh->face_start[f + 1] - mesh->face_start[f]));
        for (int64_t k = mesh->face_start[f]; k < mesh->face_start[f + 1]; k++)
            add_scalar(buffer, SFGP_INT32, (double)mesh->face_points[k]);
        add_text(buffer, sfgp_kept_row(mesh, SFGP_PLY, SFGP_KEPT_FACES, f));
    }
    return buffer->status;
}
