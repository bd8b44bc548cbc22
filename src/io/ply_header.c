/* Reads a PLY header (G. Turk, 1994): format, elements, properties, up to the line end_header. */
#include "io/ply.h"

#include <string.h>

static sfgp_status fail_format(const sfgp_source *source, const char *expected, sfgp_text found)
{
    return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "PLY header: expected %s, found '%s'", expected,
                            sfgp_text_show(found).text);
}

static sfgp_status read_format(sfgp_source *source, sfgp_text rest, sfgp_ply_header *header)
{
    sfgp_text encoding, version, more;
    sfgp_text_word(&rest, &encoding);
    sfgp_text_word(&rest, &version);
    header->text = sfgp_text_is(encoding, "ascii");
    header->big_endian = sfgp_text_is(encoding, "binary_big_endian");
    if (!header->text && !header->big_endian && !sfgp_text_is(encoding, "binary_little_endian"))
        return fail_format(source, "ascii, binary_little_endian or binary_big_endian", encoding);
    if (!sfgp_text_is(version, "1.0") || sfgp_text_word(&rest, &more))
        return fail_format(source, "version 1.0", version);
    if (header->has_format)
        return fail_format(source, "one format line", encoding);
    header->has_format = true;
    return SFGP_OK;
}

static void keep_line(sfgp_buffer *part, const char *keyword, sfgp_text rest)
{
    sfgp_buffer_text(part, keyword);
    sfgp_buffer_text(part, " ");
    sfgp_buffer_add(part, rest.start, rest.length);
    sfgp_buffer_text(part, "\n");
}

static sfgp_status read_comment(sfgp_source *source, sfgp_text rest, sfgp_ply_header *header)
{
    sfgp_text name, value, more;
    const sfgp_text comment = sfgp_text_trim(rest);
    (void)source;
    if (header->keeper.wanted && comment.length > 11 && memcmp(comment.start, "TextureFile", 11) == 0)
        keep_line(&header->keeper.parts[SFGP_KEPT_HEAD], "comment", comment);
    if (sfgp_text_word(&rest, &name) && sfgp_text_is(name, "dimension") && sfgp_text_word(&rest, &value) &&
        sfgp_text_is(value, "2") && !sfgp_text_word(&rest, &more))
        header->dimension = 2;
    return SFGP_OK;
}

static sfgp_ply_kind find_kind(sfgp_text name)
{
    return sfgp_text_is(name, "vertex")      ? SFGP_PLY_VERTEX
           : sfgp_text_is(name, "face")      ? SFGP_PLY_FACE
           : sfgp_text_is(name, "tristrips") ? SFGP_PLY_STRIPS
                                             : SFGP_PLY_UNKNOWN;
}

static sfgp_status read_element(sfgp_source *source, sfgp_text rest, sfgp_ply_header *header)
{
    sfgp_text name, count, more;
    sfgp_ply_element element = {.first = header->property_count, .end = header->property_count};
    sfgp_text_word(&rest, &name);
    sfgp_text_word(&rest, &count);
    if (!sfgp_text_integer(count, &element.count) || element.count < 0 || sfgp_text_word(&rest, &more))
        return fail_format(source, "element NAME COUNT with a count of 0 to 2^63-1", count);
    element.kind = find_kind(name);
    for (int k = 0; k < header->element_count; k++)
        if (element.kind != SFGP_PLY_UNKNOWN && header->elements[k].kind == element.kind)
            return fail_format(source, "one element of each name", name);
    if (header->element_count == SFGP_PLY_ELEMENTS)
        return fail_format(source, "at most 64 elements", name);
    if (element.kind == SFGP_PLY_VERTEX)
        header->vertex_count = element.count;
    header->elements[header->element_count++] = element;
    return SFGP_OK;
}

static sfgp_ply_role find_role(sfgp_ply_kind kind, sfgp_text name)
{
    if (kind == SFGP_PLY_VERTEX && name.length == 1 && name.start[0] >= 'x' && name.start[0] <= 'z')
        return (sfgp_ply_role)(name.start[0] - 'x');
    if ((kind == SFGP_PLY_FACE || kind == SFGP_PLY_STRIPS) &&
        (sfgp_text_is(name, "vertex_indices") || sfgp_text_is(name, "vertex_index")))
        return SFGP_PLY_CORNERS;
    return SFGP_PLY_OTHER;
}

/* The types of a property line; the name is left in *word. */
static sfgp_status read_types(sfgp_source *source, sfgp_text *rest, sfgp_text *word,
                              sfgp_ply_property *property)
{
    sfgp_text_word(rest, word);
    property->list = sfgp_text_is(*word, "list");
    if (property->list) {
        sfgp_text_word(rest, word);
        if (!sfgp_scalar_find(*word, &property->length_type) ||
            !sfgp_scalar_is_integer(property->length_type))
            return fail_format(source, "an integer type for the length of a list", *word);
        sfgp_text_word(rest, word);
    }
    if (!sfgp_scalar_find(*word, &property->type))
        return fail_format(source, "a type (char uchar short ushort int uint float double)", *word);
    return sfgp_text_word(rest, word) ? SFGP_OK : fail_format(source, "the name of the property", *word);
}

/* Normals would be wrong for points that have moved, and fits write the others themselves. */
static bool is_kept(const sfgp_ply_header *header, sfgp_ply_kind kind, sfgp_ply_role role, sfgp_text name)
{
    static const char *const LEFT_OUT[] = {"nx", "ny", "nz", "sd", "missing", "quality", "distance"};
    bool kept =
        header->keeper.wanted && role == SFGP_PLY_OTHER && (kind == SFGP_PLY_VERTEX || kind == SFGP_PLY_FACE);
    for (size_t k = 0; k < sizeof LEFT_OUT / sizeof *LEFT_OUT; k++)
        kept = kept && !sfgp_text_is(name, LEFT_OUT[k]);
    return kept;
}

static sfgp_status read_property(sfgp_source *source, sfgp_text rest, sfgp_ply_header *header)
{
    sfgp_ply_property property = {.role = SFGP_PLY_OTHER};
    const sfgp_text whole = sfgp_text_trim(rest);
    sfgp_text name, more;
    sfgp_status status = read_types(source, &rest, &name, &property);
    if (status != SFGP_OK)
        return status;
    if (header->element_count == 0 || sfgp_text_word(&rest, &more))
        return fail_format(source, "property TYPE NAME after an element", name);
    if (header->property_count == SFGP_PLY_PROPERTIES)
        return fail_format(source, "at most 1024 properties", name);
    sfgp_ply_element *element = &header->elements[header->element_count - 1];
    property.role = find_role(element->kind, name);
    if (property.role != SFGP_PLY_OTHER && sfgp_ply_has_role(header, element, property.role))
        return fail_format(source, "each property once", name);
    if (property.role != SFGP_PLY_OTHER && property.list != (property.role == SFGP_PLY_CORNERS))
        return fail_format(source, "x, y, z as numbers and vertex_indices as a list", name);
    if (property.role == SFGP_PLY_CORNERS && !sfgp_scalar_is_integer(property.type))
        return fail_format(source, "an integer type for vertex indices", name);
    property.kept = is_kept(header, element->kind, property.role, name);
    if (property.kept)
        keep_line(&header->keeper
                       .parts[element->kind == SFGP_PLY_FACE ? SFGP_KEPT_FACE_HEAD : SFGP_KEPT_POINT_HEAD],
                  "property", whole);
    property.name = header->names.size;
    sfgp_buffer_add(&header->names, name.start, name.length);
    sfgp_buffer_add(&header->names, "", 1);
    header->properties[header->property_count++] = property;
    element->end = header->property_count;
    return header->names.status;
}

static sfgp_status read_nothing(sfgp_source *source, sfgp_text rest, sfgp_ply_header *header)
{
    (void)source, (void)rest, (void)header;
    return SFGP_OK;
}

static const struct keyword {
    const char *name;
    sfgp_status (*read)(sfgp_source *source, sfgp_text rest, sfgp_ply_header *header);
} KEYWORDS[] = {{"format", read_format},   {"comment", read_comment},   {"obj_info", read_nothing},
                {"element", read_element}, {"property", read_property}, {"end_header", read_nothing}};

static sfgp_status read_header_line(sfgp_source *source, sfgp_ply_header *header, bool *end)
{
    sfgp_text rest, word = {NULL, 0};
    sfgp_status status = sfgp_source_line(source, &rest);
    if (status != SFGP_OK)
        return status;
    if (!rest.start)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "PLY header: the file ends before end_header");
    sfgp_text_word(&rest, &word);
    for (size_t k = 0; k < sizeof KEYWORDS / sizeof *KEYWORDS; k++)
        if (sfgp_text_is(word, KEYWORDS[k].name)) {
            *end = sfgp_text_is(word, "end_header");
            return KEYWORDS[k].read(source, rest, header);
        }
    return fail_format(source, "format, comment, obj_info, element, property or end_header", word);
}

/* Rows of faces that also have strips beside them are not the faces of the mesh: nothing of them is kept. */
static void keep_no_faces_beside_strips(sfgp_ply_header *header)
{
    bool strips = false;
    for (int k = 0; k < header->element_count; k++)
        strips = strips || header->elements[k].kind == SFGP_PLY_STRIPS;
    for (int k = 0; strips && k < header->element_count; k++)
        for (int j = header->elements[k].first; j < header->elements[k].end; j++)
            header->properties[j].kept &= header->elements[k].kind != SFGP_PLY_FACE;
    if (strips)
        header->keeper.parts[SFGP_KEPT_FACE_HEAD].size = 0;
}

sfgp_status sfgp_ply_read_header(sfgp_source *source, sfgp_ply_header *header)
{
    sfgp_text line;
    bool end = false;
    header->dimension = 3;
    header->names = sfgp_buffer_empty(source->context);
    header->keeper = sfgp_keeper_start(source->context, source->keep);
    sfgp_status status = sfgp_source_line(source, &line);
    if (status == SFGP_OK && (!line.start || !sfgp_text_is(sfgp_text_trim(line), "ply")))
        return fail_format(source, "ply", line);
    while (status == SFGP_OK && !end)
        status = read_header_line(source, header, &end);
    keep_no_faces_beside_strips(header);
    return status == SFGP_OK ? sfgp_ply_check_header(source, header) : status;
}
