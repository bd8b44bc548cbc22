/* VTK legacy: polygonal data, and the points and polygons of unstructured grids, from section to section (vtk.h). Data
 * of points and cells follow last and are passed over. */
#include "io/vtk.h"
#include "base/memory.h"
#include "io/format.h"

#include <math.h>
#include <string.h>

static sfgp_status read_coordinate(sfgp_vtk_reader *reader, sfgp_scalar type, double *value)
{
    sfgp_status status = sfgp_vtk_number(reader, type, value);
    if (status == SFGP_OK && !isfinite(*value))
        return sfgp_source_fail(reader->source, SFGP_ERROR_DATA,
                                "VTK: a coordinate of point %lld is not a finite number; remove the point",
                                (long long)reader->builder.count);
    return status;
}

static sfgp_status read_points(sfgp_vtk_reader *reader, sfgp_text line)
{
    sfgp_scalar type = SFGP_FLOAT64;
    sfgp_text word;
    int64_t count = 0;
    sfgp_status status = sfgp_vtk_count(reader, &line, 6, &count);
    if (status == SFGP_OK && (!sfgp_text_word(&line, &word) || !sfgp_vtk_find_type(word, &type)))
        return sfgp_vtk_fail(reader, "the type of the points", word);
    if (status == SFGP_OK && reader->builder.count > 0)
        return sfgp_vtk_fail(reader, "one section POINTS", word);
    reader->rest = (sfgp_text){"", 0};
    for (int64_t i = 0; i < count && status == SFGP_OK; i++) {
        double point[3];
        for (int k = 0; k < 3 && status == SFGP_OK; k++)
            status = read_coordinate(reader, type, &point[k]);
        if (status != SFGP_OK)
            return status;
        sfgp_builder_point(&reader->builder, point);
        status = sfgp_builder_status(&reader->builder);
    }
    return status;
}

/* Up to an empty line. */
static sfgp_status skip_metadata(sfgp_vtk_reader *reader, sfgp_text line)
{
    sfgp_status status;
    do
        status = sfgp_source_line(reader->source, &line);
    while (status == SFGP_OK && line.start && sfgp_text_trim(line).length > 0);
    return status;
}

/* The line of an array of a FIELD. The one before may have a section METADATA behind it. */
static sfgp_status next_array(sfgp_vtk_reader *reader, sfgp_text *line)
{
    sfgp_status status = sfgp_source_next_line(reader->source, false, line);
    if (status == SFGP_OK && line->start && sfgp_text_is_nocase(sfgp_text_trim(*line), "METADATA") &&
        (status = skip_metadata(reader, *line)) == SFGP_OK)
        status = sfgp_source_next_line(reader->source, false, line);
    return status;
}

/* The name, the components and the tuples of an array; what is left of the line is its type. */
static sfgp_status read_array_size(sfgp_vtk_reader *reader, sfgp_text *line, int64_t *components,
                                   int64_t *tuples)
{
    sfgp_text name;
    sfgp_status status = next_array(reader, line);
    if (status == SFGP_OK && (!line->start || !sfgp_text_word(line, &name)))
        return sfgp_vtk_fail(reader, "an array of the field", (sfgp_text){"", 0});
    if (status == SFGP_OK)
        status = sfgp_vtk_count(reader, line, 1, components);
    return status == SFGP_OK ? sfgp_vtk_count(reader, line, 1, tuples) : status;
}

/* One array of a FIELD: name, components, tuples, type, then the values. */
static sfgp_status skip_array(sfgp_vtk_reader *reader)
{
    sfgp_text line, word;
    sfgp_scalar type = SFGP_INT8;
    int64_t components = 0, tuples = 0, count = 0;
    const sfgp_status status = read_array_size(reader, &line, &components, &tuples);
    if (status != SFGP_OK)
        return status;
    const bool strings = sfgp_text_word(&line, &word) && sfgp_text_is_nocase(word, "string");
    if ((!strings && !sfgp_vtk_find_type(word, &type)) || !sfgp_product(components, tuples, &count) ||
        count > reader->source->size)
        return sfgp_vtk_fail(reader, "an array of numbers or strings that fits into the file", word);
    reader->rest = (sfgp_text){"", 0};
    return strings ? sfgp_vtk_skip_strings(reader, count) : sfgp_vtk_skip(reader, type, count);
}

static sfgp_status skip_field(sfgp_vtk_reader *reader, sfgp_text line)
{
    sfgp_text word;
    int64_t count = 0;
    sfgp_text_word(&line, &word);
    sfgp_status status = sfgp_vtk_count(reader, &line, 1, &count);
    for (int64_t k = 0; k < count && status == SFGP_OK; k++)
        status = skip_array(reader);
    return status;
}

static sfgp_status check_dataset(sfgp_vtk_reader *reader, sfgp_text line)
{
    sfgp_text word;
    sfgp_text_word(&line, &word);
    return sfgp_text_is_nocase(word, "POLYDATA") || sfgp_text_is_nocase(word, "UNSTRUCTURED_GRID")
               ? SFGP_OK
               : sfgp_vtk_fail(reader, "POLYDATA or UNSTRUCTURED_GRID", word);
}

static const struct section {
    const char *name;
    sfgp_status (*read)(sfgp_vtk_reader *reader, sfgp_text line);
} SECTIONS[] = {{"DATASET", check_dataset},
                {"POINTS", read_points},
                {"CELL_TYPES", sfgp_vtk_read_types},
                {"FIELD", skip_field},
                {"METADATA", skip_metadata}};

static const struct cells {
    const char *name;
    sfgp_vtk_kind kind;
} CELLS[] = {{"VERTICES", SFGP_VTK_NONE},
             {"LINES", SFGP_VTK_NONE},
             {"POLYGONS", SFGP_VTK_POLYGONS},
             {"TRIANGLE_STRIPS", SFGP_VTK_STRIPS},
             {"CELLS", SFGP_VTK_CELLS}};

static sfgp_status read_section(sfgp_vtk_reader *reader, bool *end)
{
    sfgp_text line, word;
    sfgp_status status = sfgp_source_next_line(reader->source, false, &line);
    *end = status == SFGP_OK && !line.start;
    if (status != SFGP_OK || *end)
        return status;
    sfgp_text_word(&line, &word);
    for (size_t k = 0; k < sizeof SECTIONS / sizeof *SECTIONS; k++)
        if (sfgp_text_is_nocase(word, SECTIONS[k].name))
            return SECTIONS[k].read(reader, line);
    for (size_t k = 0; k < sizeof CELLS / sizeof *CELLS; k++)
        if (sfgp_text_is_nocase(word, CELLS[k].name))
            return sfgp_vtk_read_cells(reader, CELLS[k].kind, line);
    *end = sfgp_text_is_nocase(word, "POINT_DATA") || sfgp_text_is_nocase(word, "CELL_DATA");
    return *end ? SFGP_OK : sfgp_vtk_fail(reader, "a section such as POINTS or POLYGONS", word);
}

/* "# vtk DataFile Version 5.1", a title, and ASCII or BINARY. */
static sfgp_status read_header(sfgp_vtk_reader *reader)
{
    static const char START[] = "# vtk DataFile Version ";
    const int64_t length = sizeof START - 1;
    sfgp_text line;
    sfgp_status status = sfgp_source_line(reader->source, &line);
    if (status != SFGP_OK)
        return status;
    if (!line.start || line.length <= length || memcmp(line.start, START, (size_t)length) != 0)
        return sfgp_vtk_fail(reader, START, line);
    reader->offsets = line.start[length] >= '5';
    if ((status = sfgp_source_line(reader->source, &line)) != SFGP_OK ||
        (status = sfgp_source_line(reader->source, &line)) != SFGP_OK)
        return status;
    line = line.start ? sfgp_text_trim(line) : (sfgp_text){"", 0};
    reader->binary = sfgp_text_is_nocase(line, "BINARY");
    return reader->binary || sfgp_text_is_nocase(line, "ASCII")
               ? SFGP_OK
               : sfgp_vtk_fail(reader, "ASCII or BINARY", line);
}

sfgp_status sfgp_vtk_read(sfgp_source *source, sfgp_mesh **mesh)
{
    const sfgp_buffer empty = sfgp_buffer_empty(source->context);
    sfgp_vtk_reader reader = {
        .source = source, .builder = sfgp_builder_empty(source->context), .ends = empty, .cells = empty};
    bool end = false;
    sfgp_status status = read_header(&reader);
    while (status == SFGP_OK && !end)
        status = read_section(&reader, &end);
    if (status == SFGP_OK && reader.ends.size > 0)
        status = sfgp_vtk_fail(&reader, "the section CELL_TYPES", (sfgp_text){"the end", 7});
    if (status == SFGP_OK)
        status = sfgp_builder_finish(&reader.builder, source->path, 3, mesh);
    sfgp_buffer_clear(&reader.ends);
    sfgp_buffer_clear(&reader.cells);
    sfgp_builder_clear(&reader.builder);
    return status;
}
