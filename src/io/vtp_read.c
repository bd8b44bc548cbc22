/* VTP: the tags, and a mesh of the arrays that they tell of (vtp.h). Points, polygons and strips of triangles are kept;
 * numbers of the points where they are asked for; vertices and lines are passed over. */
#include "io/vtp.h"
#include "base/memory.h"
#include "io/attributes.h"
#include "io/format.h"

#include <math.h>
#include <string.h>

enum { LONGEST_NAME = 200 };

typedef struct vtp_reader {
    sfgp_vtp_file file;
    sfgp_vtp_array arrays[SFGP_VTP_ROLES]; /* name.start is NULL: not there */
    sfgp_buffer attributes;                /* sfgp_vtp_array */
    int64_t points, polygons, strips;      /* of the piece */
    bool piece;                            /* there was one */
    sfgp_text section;                     /* the element that arrays stand in: Points, Polys, ... */
    sfgp_builder builder;
} vtp_reader;

static sfgp_status fail_tag(vtp_reader *reader, const sfgp_tag *tag, const char *expected)
{
    return sfgp_xml_fail(&reader->file.xml, tag->name.start, SFGP_ERROR_FORMAT, "VTP: <%s>: expected %s",
                         sfgp_text_show(tag->name).text, expected);
}

/* ---- tags -------------------------------------------------------------------------------------------- */

static sfgp_status read_file_tag(vtp_reader *reader, const sfgp_tag *tag)
{
    sfgp_text compressor;
    if (!sfgp_tag_is(tag, "type", "PolyData"))
        return fail_tag(reader, tag, "type=\"PolyData\"; save other data sets as polygonal data (.vtp)");
    reader->file.packed = sfgp_tag_value(tag, "compressor", &compressor) && compressor.length > 0;
    if (reader->file.packed && !sfgp_text_is(compressor, "vtkZLibDataCompressor"))
        return fail_tag(reader, tag, "compressor=\"vtkZLibDataCompressor\" or none");
    reader->file.big_endian = sfgp_tag_is(tag, "byte_order", "BigEndian");
    reader->file.wide = sfgp_tag_is(tag, "header_type", "UInt64");
    return SFGP_OK;
}

static bool read_count(const sfgp_tag *tag, const char *name, int64_t *count)
{
    sfgp_text value;
    return !sfgp_tag_value(tag, name, &value) || (sfgp_text_integer(value, count) && *count >= 0);
}

static sfgp_status read_piece(vtp_reader *reader, const sfgp_tag *tag)
{
    if (reader->piece)
        return fail_tag(reader, tag, "one piece; save the file as one");
    reader->piece = true;
    if (!read_count(tag, "NumberOfPoints", &reader->points) ||
        !read_count(tag, "NumberOfPolys", &reader->polygons) ||
        !read_count(tag, "NumberOfStrips", &reader->strips))
        return fail_tag(reader, tag, "counts of 0 or more");
    return SFGP_OK;
}

static const struct vtp_type {
    const char *word;
    sfgp_scalar type;
} TYPES[] = {{"Float32", SFGP_FLOAT32}, {"Float64", SFGP_FLOAT64}, {"Int8", SFGP_INT8},
             {"UInt8", SFGP_UINT8},     {"Int16", SFGP_INT16},     {"UInt16", SFGP_UINT16},
             {"Int32", SFGP_INT32},     {"UInt32", SFGP_UINT32},   {"Int64", SFGP_INT64},
             {"UInt64", SFGP_INT64}};

static bool read_type(const sfgp_tag *tag, sfgp_scalar *type)
{
    for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; k++)
        if (sfgp_tag_is(tag, "type", TYPES[k].word)) {
            *type = TYPES[k].type;
            return true;
        }
    return false;
}

static bool read_encoding(const sfgp_tag *tag, sfgp_vtp_array *array)
{
    sfgp_text offset;
    if (sfgp_tag_is(tag, "format", "appended")) {
        array->encoding = SFGP_VTP_APPENDED;
        return sfgp_tag_value(tag, "offset", &offset) && sfgp_text_integer(offset, &array->offset);
    }
    array->encoding = sfgp_tag_is(tag, "format", "binary") ? SFGP_VTP_INLINE : SFGP_VTP_TEXT;
    return sfgp_tag_is(tag, "format", "ascii") || array->encoding == SFGP_VTP_INLINE;
}

/* What an array is for, by the element that it stands in; false: not wanted. */
static bool find_role(const vtp_reader *reader, const sfgp_tag *tag, sfgp_vtp_role *role)
{
    const bool ends = sfgp_tag_is(tag, "Name", "offsets"), points = sfgp_tag_is(tag, "Name", "connectivity");
    if (sfgp_text_is(reader->section, "Points"))
        *role = SFGP_VTP_POINTS;
    else if (sfgp_text_is(reader->section, "Polys") && (ends || points))
        *role = ends ? SFGP_VTP_POLYGON_ENDS : SFGP_VTP_POLYGON_POINTS;
    else if (sfgp_text_is(reader->section, "Strips") && (ends || points))
        *role = ends ? SFGP_VTP_STRIP_ENDS : SFGP_VTP_STRIP_POINTS;
    else if (sfgp_text_is(reader->section, "PointData") && reader->file.xml.source->attributes)
        *role = SFGP_VTP_ATTRIBUTE;
    else
        return false;
    return true;
}

static sfgp_status read_array(vtp_reader *reader, const sfgp_tag *tag)
{
    sfgp_vtp_array array = {.components = 1, .name = {"", 0}};
    if (!find_role(reader, tag, &array.role))
        return SFGP_OK;
    if (array.role == SFGP_VTP_ATTRIBUTE && !read_type(tag, &array.type))
        return SFGP_OK; /* texts */
    if (!read_type(tag, &array.type) || !read_encoding(tag, &array) ||
        !read_count(tag, "NumberOfComponents", &array.components))
        return fail_tag(
            reader, tag,
            "a type such as Float32, and format=\"ascii\", \"binary\" or \"appended\" with an offset");
    if (!sfgp_tag_value(tag, "Name", &array.name))
        array.name = (sfgp_text){"", 0};
    array.data = (sfgp_text){reader->file.xml.at, 0};
    if (!tag->empty) {
        const char *end = memchr(array.data.start, '<', (size_t)(reader->file.xml.end - array.data.start));
        array.data.length = (end ? end : reader->file.xml.end) - array.data.start;
    }
    if (array.role == SFGP_VTP_ATTRIBUTE)
        sfgp_buffer_add(&reader->attributes, &array, sizeof array);
    else if (reader->arrays[array.role].data.start)
        return fail_tag(reader, tag, "each array once");
    else
        reader->arrays[array.role] = array;
    return reader->attributes.status;
}

/* Behind the tag: blanks, an underscore, the data. */
static sfgp_status read_appended(vtp_reader *reader, const sfgp_tag *tag)
{
    sfgp_xml *xml = &reader->file.xml;
    const char *mark = memchr(xml->at, '_', (size_t)(xml->end - xml->at));
    reader->file.raw = sfgp_tag_is(tag, "encoding", "raw");
    if (!mark || (!reader->file.raw && !sfgp_tag_is(tag, "encoding", "base64")))
        return fail_tag(reader, tag, "encoding=\"raw\" or \"base64\" and an underscore before the data");
    const char *end = reader->file.raw ? xml->end : memchr(mark, '<', (size_t)(xml->end - mark));
    reader->file.appended = (sfgp_text){mark + 1, (end ? end : xml->end) - mark - 1};
    return SFGP_OK;
}

static const char *const SECTIONS[] = {"Points", "Verts",     "Lines",    "Strips",
                                       "Polys",  "PointData", "CellData", "FieldData"};

static sfgp_status read_tag(vtp_reader *reader, const sfgp_tag *tag, bool *end)
{
    *end = sfgp_text_is(tag->name, "AppendedData") || (tag->closing && sfgp_text_is(tag->name, "VTKFile"));
    if (tag->closing)
        return SFGP_OK;
    if (*end)
        return read_appended(reader, tag);
    if (sfgp_text_is(tag->name, "VTKFile"))
        return read_file_tag(reader, tag);
    if (sfgp_text_is(tag->name, "Piece"))
        return read_piece(reader, tag);
    if (sfgp_text_is(tag->name, "DataArray"))
        return read_array(reader, tag);
    for (size_t k = 0; k < sizeof SECTIONS / sizeof *SECTIONS; k++)
        if (sfgp_text_is(tag->name, SECTIONS[k]))
            reader->section = tag->name;
    return SFGP_OK;
}

static sfgp_status read_tags(vtp_reader *reader)
{
    sfgp_tag tag;
    bool end = false, first = true;
    sfgp_status status = SFGP_OK;
    while (status == SFGP_OK && !end) {
        if (!sfgp_xml_next(&reader->file.xml, &tag))
            return reader->file.xml.status;
        if (first && !sfgp_text_is(tag.name, "VTKFile"))
            return fail_tag(reader, &tag, "VTKFile first; of XML files only VTP is read");
        first = false;
        status = read_tag(reader, &tag, &end);
    }
    return status;
}

/* ---- arrays ------------------------------------------------------------------------------------------ */

static sfgp_status fail_array(vtp_reader *reader, const sfgp_vtp_array *array, sfgp_status status,
                              const char *words)
{
    return sfgp_xml_fail(&reader->file.xml, array->data.start, status, "VTP: %s", words);
}

static sfgp_status read_points(vtp_reader *reader)
{
    const sfgp_vtp_array *array = &reader->arrays[SFGP_VTP_POINTS];
    double *values = NULL;
    if (reader->points == 0)
        return SFGP_OK;
    if (!array->data.start || array->components != 3 || reader->points > INT64_MAX / 3)
        return sfgp_xml_fail(&reader->file.xml, reader->file.xml.at, SFGP_ERROR_FORMAT,
                             "VTP: expected <Points> with an array of three components");
    sfgp_status status = sfgp_vtp_decode(&reader->file, array, 3 * reader->points, &values);
    for (int64_t i = 0; i < reader->points && status == SFGP_OK; i++) {
        if (!isfinite(values[3 * i]) || !isfinite(values[3 * i + 1]) || !isfinite(values[3 * i + 2]))
            status = fail_array(reader, array, SFGP_ERROR_DATA,
                                "a coordinate is not a finite number; remove the point");
        else
            sfgp_builder_point(&reader->builder, values + 3 * i);
    }
    sfgp_free(values);
    return status == SFGP_OK ? sfgp_builder_status(&reader->builder) : status;
}

/* One cell, points [start, end) of the connectivity. */
static sfgp_status add_cell(vtp_reader *reader, const sfgp_vtp_array *array, const double *points,
                            int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (!(points[k] >= 0 && points[k] < (double)reader->points && points[k] == floor(points[k])))
            return fail_array(reader, array, SFGP_ERROR_FORMAT, "a cell has a point that is not there");
    const bool strip = array->role == SFGP_VTP_STRIP_POINTS;
    for (int64_t k = 0; strip && k + 2 < count; k++)
        sfgp_builder_strip(&reader->builder, k, (int64_t)points[k], (int64_t)points[k + 1],
                           (int64_t)points[k + 2]);
    for (int64_t k = 0; !strip && k < count; k++)
        sfgp_builder_corner(&reader->builder, (int64_t)points[k]);
    if (!strip)
        sfgp_builder_face(&reader->builder);
    return sfgp_builder_status(&reader->builder);
}

static sfgp_status check_ends(vtp_reader *reader, const sfgp_vtp_array *array, const double *ends,
                              int64_t cells)
{
    for (int64_t c = 0; c < cells; c++)
        if (!(ends[c] >= (c > 0 ? ends[c - 1] : 0) && ends[c] <= 0x1p53 && ends[c] == floor(ends[c])))
            return fail_array(reader, array, SFGP_ERROR_FORMAT, "offsets of cells have to grow");
    return SFGP_OK;
}

static sfgp_status read_cells(vtp_reader *reader, sfgp_vtp_role points_role, int64_t cells)
{
    const sfgp_vtp_array *points = &reader->arrays[points_role], *ends = &reader->arrays[points_role + 1];
    double *numbers = NULL, *offsets = NULL;
    if (cells == 0)
        return SFGP_OK;
    if (!points->data.start || !ends->data.start)
        return sfgp_xml_fail(&reader->file.xml, reader->file.xml.at, SFGP_ERROR_FORMAT,
                             "VTP: cells without connectivity and offsets");
    sfgp_status status = sfgp_vtp_decode(&reader->file, ends, cells, &offsets);
    if (status == SFGP_OK)
        status = check_ends(reader, ends, offsets, cells);
    if (status == SFGP_OK)
        status = sfgp_vtp_decode(&reader->file, points, (int64_t)offsets[cells - 1], &numbers);
    for (int64_t c = 0, start = 0; c < cells && status == SFGP_OK; start = (int64_t)offsets[c++])
        status = add_cell(reader, points, numbers + start, (int64_t)offsets[c] - start);
    sfgp_free(numbers);
    sfgp_free(offsets);
    return status;
}

/* Arrays of one number a point. */
static sfgp_status read_attributes(vtp_reader *reader)
{
    const sfgp_vtp_array *arrays = (const sfgp_vtp_array *)(const void *)reader->attributes.bytes;
    const int64_t count = reader->attributes.size / (int64_t)sizeof *arrays;
    sfgp_source *source = reader->file.xml.source;
    sfgp_status status = SFGP_OK;
    for (int64_t k = 0; k < count && status == SFGP_OK; k++) {
        char name[LONGEST_NAME + 1] = "";
        double *kept = NULL, *values = NULL;
        if (arrays[k].components != 1 || arrays[k].name.length > LONGEST_NAME)
            continue;
        memcpy(name, arrays[k].name.start, (size_t)arrays[k].name.length);
        status = sfgp_vtp_decode(&reader->file, &arrays[k], reader->points, &values);
        if (status == SFGP_OK)
            status = sfgp_attributes_add(source->context, source->attributes, name, reader->points,
                                         arrays[k].type == SFGP_UINT8, &kept);
        if (status == SFGP_OK && reader->points > 0)
            memcpy(kept, values, (size_t)reader->points * sizeof *kept);
        sfgp_free(values);
    }
    return status;
}

/* Our own writer says so in a comment. */
static int find_dimension(const sfgp_xml *xml)
{
    static const char REMARK[] = ", dimension 2 -->";
    const int64_t size = (int64_t)(xml->end - xml->start), most = size < 256 ? size : 256;
    for (int64_t k = 0; k + (int64_t)sizeof REMARK - 1 <= most; k++)
        if (memcmp(xml->start + k, REMARK, sizeof REMARK - 1) == 0)
            return 2;
    return 3;
}

sfgp_status sfgp_vtp_read(sfgp_source *source, sfgp_mesh **mesh)
{
    vtp_reader reader = {.attributes = sfgp_buffer_empty(source->context),
                         .builder = sfgp_builder_empty(source->context)};
    sfgp_text all;
    sfgp_status status = sfgp_source_take_rest(source, &all);
    reader.file.xml = sfgp_xml_start(source, all);
    if (status == SFGP_OK && (status = read_tags(&reader)) == SFGP_OK &&
        (status = read_points(&reader)) == SFGP_OK &&
        (status = read_cells(&reader, SFGP_VTP_POLYGON_POINTS, reader.polygons)) == SFGP_OK &&
        (status = read_cells(&reader, SFGP_VTP_STRIP_POINTS, reader.strips)) == SFGP_OK)
        status = read_attributes(&reader);
    if (status == SFGP_OK)
        status = sfgp_builder_finish(&reader.builder, source->path, find_dimension(&reader.file.xml), mesh);
    sfgp_buffer_clear(&reader.attributes);
    sfgp_builder_clear(&reader.builder);
    return status;
}
