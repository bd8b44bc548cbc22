/* VTP: 64-bit numbers as raw bytes at the end, so that every bit is kept and nothing has to be encoded. Points without
 * faces become vertices, as ParaView shows no points otherwise. */
#include "io/format.h"
#include "io/scalar.h"

#include <string.h>

/* An array is headed by its size in 8 bytes; offset is the place of the next one behind the underscore. */
static void add_array_tag(sfgp_buffer *buffer, const char *type, const char *name, int components,
                          int64_t count, int64_t *offset)
{
    const int item = strcmp(type, "UInt8") == 0 ? 1 : 8;
    sfgp_buffer_print(buffer, "<DataArray type=\"%s\" Name=\"", type);
    for (const char *c = name; *c; c++)
        if (*c == '&' || *c == '<' || *c == '>' || *c == '"')
            sfgp_buffer_print(buffer, "&#%d;", *c);
        else
            sfgp_buffer_add(buffer, c, 1);
    sfgp_buffer_print(buffer, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%lld\"/>\n",
                      components, (long long)*offset);
    *offset += 8 + count * components * item;
}

static void add_cells_tags(sfgp_buffer *buffer, const char *name, int64_t corners, int64_t cells,
                           int64_t *offset)
{
    sfgp_buffer_print(buffer, "<%s>\n", name);
    add_array_tag(buffer, "Int64", "connectivity", 1, corners, offset);
    add_array_tag(buffer, "Int64", "offsets", 1, cells, offset);
    sfgp_buffer_print(buffer, "</%s>\n", name);
}

static int64_t count_corners(const sfgp_mesh *mesh)
{
    return mesh->face_count > 0 ? mesh->face_start[mesh->face_count] : mesh->count;
}

static void add_tags(const sfgp_output *output, sfgp_buffer *buffer)
{
    const sfgp_mesh *mesh = output->mesh;
    const bool faces = mesh->face_count > 0;
    int64_t offset = 0;
    sfgp_buffer_print(buffer, "<?xml version=\"1.0\"?>\n<!-- sfgp " SFGP_VERSION "%s -->\n",
                      mesh->dimension == 2 ? ", dimension 2" : "");
    sfgp_buffer_text(buffer, "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                             "header_type=\"UInt64\">\n<PolyData>\n");
    sfgp_buffer_print(
        buffer, "<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfPolys=\"%lld\">\n",
        (long long)mesh->count, (long long)(faces ? 0 : mesh->count), (long long)mesh->face_count);
    sfgp_buffer_text(buffer, "<Points>\n");
    add_array_tag(buffer, "Float64", "Points", 3, mesh->count, &offset);
    sfgp_buffer_text(buffer, "</Points>\n");
    add_cells_tags(buffer, faces ? "Polys" : "Verts", count_corners(mesh),
                   faces ? mesh->face_count : mesh->count, &offset);
    sfgp_buffer_text(buffer, "<PointData>\n");
    for (int k = 0; k < output->attribute_count; k++)
        add_array_tag(buffer, output->attributes[k].integer ? "UInt8" : "Float64", output->attributes[k].name,
                      1, mesh->count, &offset);
    sfgp_buffer_text(buffer, "</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

static void add_number(sfgp_buffer *buffer, sfgp_scalar type, double value)
{
    unsigned char bytes[8];
    sfgp_scalar_store(type, value, bytes);
    sfgp_buffer_add(buffer, bytes, sfgp_scalar_size(type));
}

static void add_points(const sfgp_mesh *mesh, sfgp_buffer *buffer)
{
    add_number(buffer, SFGP_INT64, 24.0 * (double)mesh->count);
    for (int64_t i = 0; i < mesh->count; i++)
        for (int k = 0; k < 3; k++)
            add_number(buffer, SFGP_FLOAT64,
                       k < mesh->dimension ? mesh->points[i * mesh->dimension + k] : 0.0);
}

static void add_cells(const sfgp_mesh *mesh, sfgp_buffer *buffer)
{
    const int64_t corners = count_corners(mesh),
                  cells = mesh->face_count > 0 ? mesh->face_count : mesh->count;
    add_number(buffer, SFGP_INT64, 8.0 * (double)corners);
    for (int64_t k = 0; k < corners; k++)
        add_number(buffer, SFGP_INT64, (double)(mesh->face_count > 0 ? mesh->face_points[k] : k));
    add_number(buffer, SFGP_INT64, 8.0 * (double)cells);
    for (int64_t c = 1; c <= cells; c++)
        add_number(buffer, SFGP_INT64, (double)(mesh->face_count > 0 ? mesh->face_start[c] : c));
}

sfgp_status sfgp_vtp_write(const sfgp_output *output, sfgp_buffer *buffer)
{
    const sfgp_mesh *mesh = output->mesh;
    sfgp_status status = sfgp_output_check_attributes(output);
    if (status != SFGP_OK)
        return status;
    add_tags(output, buffer);
    add_points(mesh, buffer);
    add_cells(mesh, buffer);
    for (int k = 0; k < output->attribute_count; k++) {
        const sfgp_attribute *attribute = &output->attributes[k];
        const sfgp_scalar type = attribute->integer ? SFGP_UINT8 : SFGP_FLOAT64;
        add_number(buffer, SFGP_INT64, (double)(mesh->count * sfgp_scalar_size(type)));
        for (int64_t i = 0; i < mesh->count; i++)
            add_number(buffer, type, attribute->values[i]);
    }
    sfgp_buffer_text(buffer, "\n</AppendedData>\n</VTKFile>\n");
    return buffer->status;
}
