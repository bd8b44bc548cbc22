/* Lists of cells in VTK legacy files. Up to version 4 a list is, cell by cell, the number of points and the points.
 * Since version 5 it is two arrays: offsets, one more than there are cells, and connectivity. */
#include "io/vtk.h"

/* Two-dimensional cells of an unstructured grid, and those without a surface. */
enum { VERTEX = 1, POLY_LINE = 4, TRIANGLE = 5, STRIP = 6, POLYGON = 7, PIXEL = 8, QUAD = 9 };

static const int64_t *numbers_of(const sfgp_buffer *buffer)
{
    return (const int64_t *)(const void *)buffer->bytes;
}

static void add_number(sfgp_buffer *buffer, int64_t number)
{
    sfgp_buffer_add(buffer, &number, sizeof number);
}

static sfgp_status buffer_status(const sfgp_vtk_reader *reader)
{
    return reader->ends.status != SFGP_OK ? reader->ends.status : reader->cells.status;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static sfgp_status read_point(sfgp_vtk_reader *reader, sfgp_scalar type)
{
    int64_t index = 0;
    sfgp_status status = sfgp_vtk_integer(reader, type, &index);
    if (status == SFGP_OK && (index < 0 || index >= reader->builder.count))
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                                "VTK: a cell has the point %lld, there are %lld", (long long)index,
                                (long long)reader->builder.count);
    add_number(&reader->cells, index);
    return status == SFGP_OK ? reader->cells.status : status;
}

static sfgp_status read_counted(sfgp_vtk_reader *reader, int64_t count, int64_t size)
{
    sfgp_status status = SFGP_OK;
    int64_t left = size, corners = 0;
    for (int64_t c = 0; c < count && status == SFGP_OK; c++) {
        status = sfgp_vtk_integer(reader, SFGP_INT32, &corners);
        if (status == SFGP_OK && (corners < 0 || corners >= left--))
            return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                                    "VTK: a cell of %lld points, room for %lld", (long long)corners,
                                    (long long)left);
        for (int64_t k = 0; k < corners && status == SFGP_OK; k++)
            status = read_point(reader, SFGP_INT32);
        left -= corners;
        add_number(&reader->ends, reader->cells.size / (int64_t)sizeof left);
    }
    return status == SFGP_OK ? buffer_status(reader) : status;
}

/* The line "OFFSETS type" or "CONNECTIVITY type". */
static sfgp_status read_array_line(sfgp_vtk_reader *reader, const char *name, sfgp_scalar *type)
{
    sfgp_text line, word;
    sfgp_status status = sfgp_source_next_line(reader->source, false, &line);
    if (status != SFGP_OK)
        return status;
    if (!line.start || !sfgp_text_word(&line, &word) || !sfgp_text_is_nocase(word, name) ||
        !sfgp_text_word(&line, &word) || !sfgp_vtk_find_type(word, type))
        return sfgp_vtk_fail(reader, name, line.start ? word : (sfgp_text){"", 0});
    reader->rest = line;
    return SFGP_OK;
}

/* The first offset is 0, and the last one is the size of the connectivity. */
static sfgp_status read_offsets(sfgp_vtk_reader *reader, int64_t count, int64_t size)
{
    sfgp_scalar type = SFGP_INT64;
    int64_t last = 0, end = 0;
    sfgp_status status = read_array_line(reader, "OFFSETS", &type);
    for (int64_t k = 0; k < count && status == SFGP_OK; k++) {
        status = sfgp_vtk_integer(reader, type, &end);
        if (status == SFGP_OK && (end < last || (k == 0 && end != 0) || (k + 1 == count && end != size)))
            return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                                    "VTK: offsets have to grow from 0 to %lld, found %lld", (long long)size,
                                    (long long)end);
        if (k > 0)
            add_number(&reader->ends, end);
        last = end;
    }
    return status == SFGP_OK ? reader->ends.status : status;
}

static sfgp_status read_arrays(sfgp_vtk_reader *reader, int64_t count, int64_t size)
{
    sfgp_scalar type = SFGP_INT64;
    sfgp_status status = read_offsets(reader, count, size);
    if (status == SFGP_OK)
        status = read_array_line(reader, "CONNECTIVITY", &type);
    for (int64_t k = 0; k < size && status == SFGP_OK; k++)
        status = read_point(reader, type);
    return status;
}

/* ---- faces ------------------------------------------------------------------------------------------- */

static void add_polygon(sfgp_builder *builder, const int64_t *points, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        sfgp_builder_corner(builder, points[k]);
    sfgp_builder_face(builder);
}

static void add_cell(sfgp_vtk_reader *reader, int64_t cell, bool strip)
{
    const int64_t *ends = numbers_of(&reader->ends), start = cell > 0 ? ends[cell - 1] : 0;
    const int64_t *points = numbers_of(&reader->cells) + start;
    for (int64_t k = start; strip && k + 2 < ends[cell]; k++, points++)
        sfgp_builder_strip(&reader->builder, k - start, points[0], points[1], points[2]);
    if (!strip)
        add_polygon(&reader->builder, points, ends[cell] - start);
}

static sfgp_status make_faces(sfgp_vtk_reader *reader, sfgp_vtk_kind kind)
{
    const int64_t count = reader->ends.size / (int64_t)sizeof(int64_t);
    for (int64_t c = 0; c < count && kind != SFGP_VTK_NONE; c++)
        add_cell(reader, c, kind == SFGP_VTK_STRIPS);
    reader->ends.size = reader->cells.size = 0;
    return sfgp_builder_status(&reader->builder);
}

sfgp_status sfgp_vtk_read_cells(sfgp_vtk_reader *reader, sfgp_vtk_kind kind, sfgp_text line)
{
    const int64_t least = reader->binary ? 4 : 2;
    int64_t count = 0, size = 0;
    sfgp_status status = sfgp_vtk_count(reader, &line, least, &count);
    if (status == SFGP_OK)
        status = sfgp_vtk_count(reader, &line, least, &size);
    reader->ends.size = reader->cells.size = 0;
    reader->rest = (sfgp_text){"", 0};
    if (status == SFGP_OK && count > 0)
        status = reader->offsets ? read_arrays(reader, count, size) : read_counted(reader, count, size);
    return status == SFGP_OK && kind != SFGP_VTK_CELLS ? make_faces(reader, kind) : status;
}

/* A pixel is a quadrangle whose points go row by row. */
static void add_pixel(sfgp_vtk_reader *reader, int64_t cell)
{
    const int64_t *p = numbers_of(&reader->cells) + (cell > 0 ? numbers_of(&reader->ends)[cell - 1] : 0);
    const int64_t points[] = {p[0], p[1], p[3], p[2]};
    add_polygon(&reader->builder, points, 4);
}

static sfgp_status add_typed(sfgp_vtk_reader *reader, int64_t cell, int64_t type, int64_t *others)
{
    const int64_t *ends = numbers_of(&reader->ends);
    if (type == PIXEL && ends[cell] - (cell > 0 ? ends[cell - 1] : 0) == 4)
        add_pixel(reader, cell);
    else if (type == TRIANGLE || type == POLYGON || type == QUAD || type == STRIP)
        add_cell(reader, cell, type == STRIP);
    else
        *others += type < VERTEX || type > POLY_LINE;
    return sfgp_builder_status(&reader->builder);
}

sfgp_status sfgp_vtk_read_types(sfgp_vtk_reader *reader, sfgp_text line)
{
    const int64_t cells = reader->ends.size / (int64_t)sizeof cells;
    int64_t count = 0, type = 0, others = 0;
    sfgp_status status = sfgp_vtk_count(reader, &line, reader->binary ? 4 : 2, &count);
    if (status == SFGP_OK && count != cells)
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT, "VTK: %lld types of %lld cells",
                                (long long)count, (long long)cells);
    reader->rest = (sfgp_text){"", 0};
    for (int64_t c = 0; c < count && status == SFGP_OK; c++) {
        status = sfgp_vtk_integer(reader, SFGP_INT32, &type);
        if (status == SFGP_OK)
            status = add_typed(reader, c, type, &others);
    }
    if (status == SFGP_OK && others > 0)
        sfgp_warn(reader->source->context, "%s: %lld cells that are no polygons are left out",
                  reader->source->path, (long long)others);
    reader->ends.size = reader->cells.size = 0;
    return status;
}
