/* VTP: the tags (vtp.h). */
#include "io/vtp.h"

#include <string.h>

typedef struct tag_reader {
    sfgp_vtp_contents *contents;
    bool piece;        /* there was one */
    sfgp_text section; /* the element that arrays stand in: Points, Polys, ... */
} tag_reader;

static sfgp_status fail_tag(tag_reader *reader, const sfgp_tag *tag, const char *expected)
{
    return sfgp_xml_fail(&reader->contents->file.xml, tag->name.start, SFGP_ERROR_FORMAT,
                         "VTP: <%s>: expected %s", sfgp_text_show(tag->name).text, expected);
}

static sfgp_status read_file_tag(tag_reader *reader, const sfgp_tag *tag)
{
    sfgp_text compressor;
    if (!sfgp_tag_is(tag, "type", "PolyData"))
        return fail_tag(reader, tag, "type=\"PolyData\"; save other data sets as polygonal data (.vtp)");
    reader->contents->file.packed = sfgp_tag_value(tag, "compressor", &compressor) && compressor.length > 0;
    if (reader->contents->file.packed && !sfgp_text_is(compressor, "vtkZLibDataCompressor"))
        return fail_tag(
            reader, tag,
            "compressor=\"vtkZLibDataCompressor\" or none (in ParaView: Save Data, Compressor Type)");
    reader->contents->file.big_endian = sfgp_tag_is(tag, "byte_order", "BigEndian");
    reader->contents->file.wide = sfgp_tag_is(tag, "header_type", "UInt64");
    return SFGP_OK;
}

static bool read_count(const sfgp_tag *tag, const char *name, int64_t *count)
{
    sfgp_text value;
    return !sfgp_tag_value(tag, name, &value) || (sfgp_text_integer(value, count) && *count >= 0);
}

static sfgp_status read_piece(tag_reader *reader, const sfgp_tag *tag)
{
    if (reader->piece)
        return fail_tag(reader, tag, "one piece; save the file as one");
    reader->piece = true;
    if (!read_count(tag, "NumberOfPoints", &reader->contents->points) ||
        !read_count(tag, "NumberOfPolys", &reader->contents->polygons) ||
        !read_count(tag, "NumberOfStrips", &reader->contents->strips))
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
static bool find_role(const tag_reader *reader, const sfgp_tag *tag, sfgp_vtp_role *role)
{
    const bool ends = sfgp_tag_is(tag, "Name", "offsets"), points = sfgp_tag_is(tag, "Name", "connectivity");
    if (sfgp_text_is(reader->section, "Points"))
        *role = SFGP_VTP_POINTS;
    else if (sfgp_text_is(reader->section, "Polys") && (ends || points))
        *role = ends ? SFGP_VTP_POLYGON_ENDS : SFGP_VTP_POLYGON_POINTS;
    else if (sfgp_text_is(reader->section, "Strips") && (ends || points))
        *role = ends ? SFGP_VTP_STRIP_ENDS : SFGP_VTP_STRIP_POINTS;
    else if (sfgp_text_is(reader->section, "PointData") && reader->contents->file.xml.source->attributes)
        *role = SFGP_VTP_ATTRIBUTE;
    else
        return false;
    return true;
}

static sfgp_status read_array(tag_reader *reader, const sfgp_tag *tag)
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
    array.data = (sfgp_text){reader->contents->file.xml.at, 0};
    if (!tag->empty) {
        const char *end =
            memchr(array.data.start, '<', (size_t)(reader->contents->file.xml.end - array.data.start));
        array.data.length = (end ? end : reader->contents->file.xml.end) - array.data.start;
    }
    if (array.role == SFGP_VTP_ATTRIBUTE)
        sfgp_buffer_add(&reader->contents->attributes, &array, sizeof array);
    else if (reader->contents->arrays[array.role].data.start)
        return fail_tag(reader, tag, "each array once");
    else
        reader->contents->arrays[array.role] = array;
    return reader->contents->attributes.status;
}

/* Behind the tag: blanks, an underscore, the data. */
static sfgp_status read_appended(tag_reader *reader, const sfgp_tag *tag)
{
    sfgp_xml *xml = &reader->contents->file.xml;
    const char *mark = memchr(xml->at, '_', (size_t)(xml->end - xml->at));
    reader->contents->file.raw = sfgp_tag_is(tag, "encoding", "raw");
    if (!mark || (!reader->contents->file.raw && !sfgp_tag_is(tag, "encoding", "base64")))
        return fail_tag(reader, tag, "encoding=\"raw\" or \"base64\" and an underscore before the data");
    const char *end = reader->contents->file.raw ? xml->end : memchr(mark, '<', (size_t)(xml->end - mark));
    reader->contents->file.appended = (sfgp_text){mark + 1, (end ? end : xml->end) - mark - 1};
    return SFGP_OK;
}

static const char *const SECTIONS[] = {"Points", "Verts",     "Lines",    "Strips",
                                       "Polys",  "PointData", "CellData", "FieldData"};

static sfgp_status read_tag(tag_reader *reader, const sfgp_tag *tag, bool *end)
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

sfgp_status sfgp_vtp_read_tags(sfgp_vtp_contents *contents)
{
    tag_reader reader = {.contents = contents};
    sfgp_tag tag;
    bool end = false, first = true;
    sfgp_status status = SFGP_OK;
    while (status == SFGP_OK && !end) {
        if (!sfgp_xml_next(&contents->file.xml, &tag))
            return contents->file.xml.status;
        if (first && !sfgp_text_is(tag.name, "VTKFile"))
            return fail_tag(&reader, &tag, "VTKFile first; of XML files only VTP is read");
        first = false;
        status = read_tag(&reader, &tag, &end);
    }
    return status;
}
