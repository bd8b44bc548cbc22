/* The body of a PLY: rows of its elements, in text or binary, into points, faces and attributes. */
#include "io/ply.h"
#include "base/memory.h"
#include "io/attributes.h"
#include "io/builder.h"
#include "io/format.h"

#include <math.h>

typedef struct ply_reader {
    sfgp_source *source;
    sfgp_ply_header *header;
    sfgp_text row; /* what is left of the line, in text files */
    double point[3];
    sfgp_builder builder;
} ply_reader;

static sfgp_status read_word(ply_reader *reader, double *value)
{
    sfgp_text word;
    if (!sfgp_text_word(&reader->row, &word))
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT, "the row has too few values");
    if (!sfgp_text_real(word, value))
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT, "expected a number, found '%s'",
                                sfgp_text_show(word).text);
    return SFGP_OK;
}

/* NaN where the value is not finite: only coordinates and indices mind. */
static sfgp_status read_value(ply_reader *reader, sfgp_scalar type, double *value)
{
    const unsigned char *bytes;
    if (reader->header->text)
        return read_word(reader, value);
    sfgp_status status = sfgp_source_take(reader->source, sfgp_scalar_size(type), &bytes);
    if (status == SFGP_OK)
        *value = sfgp_scalar_load(type, reader->header->big_endian, bytes);
    return status;
}

/* What is no number of an integer type becomes 0. */
static void keep_value(ply_reader *reader, const sfgp_ply_element *element, sfgp_scalar type, double value)
{
    const bool face = element->kind == SFGP_PLY_FACE, whole = sfgp_scalar_is_integer(type);
    unsigned char bytes[8];
    sfgp_scalar_store(type, whole && !(fabs(value) <= 0x1p53) ? 0 : value, bytes);
    sfgp_buffer_add(&reader->header->keeper.parts[face ? SFGP_KEPT_FACES : SFGP_KEPT_POINTS], bytes,
                    sfgp_scalar_size(type));
}

/* Whether anything is kept of its rows. */
static bool is_kept(const ply_reader *reader, const sfgp_ply_element *element)
{
    const sfgp_buffer *parts = reader->header->keeper.parts;
    return (element->kind == SFGP_PLY_VERTEX && parts[SFGP_KEPT_POINT_HEAD].size > 0) ||
           (element->kind == SFGP_PLY_FACE && parts[SFGP_KEPT_FACE_HEAD].size > 0);
}

/* A face that is left out leaves nothing. */
static void end_kept_row(ply_reader *reader, const sfgp_ply_element *element)
{
    sfgp_keeper *keeper = &reader->header->keeper;
    const sfgp_buffer *ends = &keeper->parts[SFGP_KEPT_FACE_ENDS];
    const int64_t *end = (const int64_t *)(const void *)ends->bytes, rows = ends->size / (int64_t)sizeof *end;
    if (element->kind == SFGP_PLY_VERTEX)
        sfgp_keeper_end_row(keeper, SFGP_KEPT_POINTS);
    else if (reader->builder.face_count > rows)
        sfgp_keeper_end_row(keeper, SFGP_KEPT_FACES);
    else
        keeper->parts[SFGP_KEPT_FACES].size = rows > 0 ? end[rows - 1] : 0;
}

static sfgp_status read_scalar(ply_reader *reader, const sfgp_ply_element *element,
                               const sfgp_ply_property *property)
{
    double value = 0;
    sfgp_status status = read_value(reader, property->type, &value);
    if (status == SFGP_OK && property->values)
        property->values[reader->builder.count] = value;
    if (status == SFGP_OK && property->kept)
        keep_value(reader, element, property->type, value);
    if (status != SFGP_OK || property->role == SFGP_PLY_OTHER)
        return status;
    if (!isfinite(value))
        return sfgp_source_fail(reader->source, SFGP_ERROR_DATA,
                                "coordinate %c of point %lld is not a finite number; remove the point",
                                "xyz"[property->role], (long long)reader -> builder.count);
    reader->point[property->role] = value;
    return SFGP_OK;
}

static sfgp_status read_length(ply_reader *reader, const sfgp_ply_property *property, int64_t *length)
{
    const sfgp_source *source = reader->source;
    double value = 0;
    sfgp_status status = read_value(reader, property->length_type, &value);
    if (status != SFGP_OK)
        return status;
    int64_t item = reader->header->text ? 1 : sfgp_scalar_size(property->type);
    int64_t most = (reader->header->text ? reader->row.length : source->size - source->offset) / item;
    if (!(value >= 0 && value <= (double)most && value == floor(value)))
        return sfgp_source_fail(
            source, SFGP_ERROR_FORMAT,
            "list length %g, expected a whole number of 0 to %lld (what the file can hold)", value,
            (long long)most);
    *length = (int64_t)value;
    return SFGP_OK;
}

/* Of a point, or -1 where that is the least. */
static sfgp_status read_index(ply_reader *reader, sfgp_scalar type, int64_t least, int64_t *index)
{
    double value = 0;
    int64_t count = reader->header->vertex_count;
    sfgp_status status = read_value(reader, type, &value);
    if (status != SFGP_OK)
        return status;
    if (!(value >= (double)least && value < (double)count && value == floor(value)))
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                                "vertex index %.17g of a face, expected a whole number of %lld to %lld",
                                value, (long long)least, (long long)count - 1);
    *index = (int64_t)value;
    return SFGP_OK;
}

static sfgp_status read_face(ply_reader *reader, sfgp_scalar type, int64_t length)
{
    sfgp_status status = SFGP_OK;
    for (int64_t k = 0; k < length && status == SFGP_OK; k++) {
        int64_t index = 0;
        status = read_index(reader, type, 0, &index);
        if (status == SFGP_OK)
            sfgp_builder_corner(&reader->builder, index);
    }
    if (status == SFGP_OK)
        sfgp_builder_face(&reader->builder);
    return status;
}

/* Strips of triangles one after the other, each but the last ended by -1. */
static sfgp_status read_strips(ply_reader *reader, sfgp_scalar type, int64_t length)
{
    sfgp_status status = SFGP_OK;
    int64_t a = 0, b = 0, c = 0, corners = 0; /* of this strip */
    for (int64_t k = 0; k < length && status == SFGP_OK; k++) {
        status = read_index(reader, type, -1, &c);
        corners = c < 0 ? 0 : corners + 1;
        if (status == SFGP_OK && corners > 2)
            sfgp_builder_strip(&reader->builder, corners - 3, a, b, c);
        a = b;
        b = c;
    }
    return status;
}

static sfgp_status read_item(ply_reader *reader, const sfgp_ply_element *element,
                             const sfgp_ply_property *property)
{
    double value = 0;
    sfgp_status status = read_value(reader, property->type, &value);
    if (status == SFGP_OK && property->kept)
        keep_value(reader, element, property->type, value);
    return status;
}

static sfgp_status read_list(ply_reader *reader, const sfgp_ply_element *element,
                             const sfgp_ply_property *property)
{
    int64_t length = 0;
    sfgp_status status = read_length(reader, property, &length);
    if (status == SFGP_OK && property->kept)
        keep_value(reader, element, property->length_type, (double)length);
    if (status == SFGP_OK && property->role != SFGP_PLY_CORNERS && !reader->header->text && !property->kept)
        return sfgp_source_skip(reader->source, length * sfgp_scalar_size(property->type));
    if (status == SFGP_OK && property->role == SFGP_PLY_CORNERS)
        return element->kind == SFGP_PLY_STRIPS ? read_strips(reader, property->type, length)
                                                : read_face(reader, property->type, length);
    for (int64_t k = 0; k < length && status == SFGP_OK; k++)
        status = read_item(reader, element, property);
    return status;
}

static sfgp_status start_row(ply_reader *reader)
{
    if (!reader->header->text)
        return SFGP_OK;
    sfgp_status status = sfgp_source_next_line(reader->source, false, &reader->row);
    if (status == SFGP_OK && !reader->row.start)
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                                "the file ends here, but its header promises more rows");
    return status;
}

static sfgp_status end_row(ply_reader *reader, const sfgp_ply_element *element)
{
    sfgp_text more;
    if (reader->header->text && sfgp_text_word(&reader->row, &more))
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT, "the row has too many values, from '%s'",
                                sfgp_text_show(more).text);
    if (element->kind == SFGP_PLY_VERTEX)
        sfgp_builder_point(&reader->builder, reader->point);
    if (is_kept(reader, element))
        end_kept_row(reader, element);
    return sfgp_builder_status(&reader->builder);
}

static sfgp_status read_row(ply_reader *reader, const sfgp_ply_element *element)
{
    sfgp_status status = start_row(reader);
    for (int k = element->first; k < element->end && status == SFGP_OK; k++) {
        const sfgp_ply_property *property = &reader->header->properties[k];
        status =
            property->list ? read_list(reader, element, property) : read_scalar(reader, element, property);
    }
    return status == SFGP_OK ? end_row(reader, element) : status;
}

/* For the points, and for the faces as if they were triangles. The file has no more corners than bytes. */
static void reserve(ply_reader *reader)
{
    const sfgp_ply_header *header = reader->header;
    const int64_t rest = reader->source->size - reader->source->offset;
    sfgp_builder *builder = &reader->builder;
    int64_t faces = 0;
    for (int k = 0; k < header->element_count; k++)
        faces += header->elements[k].kind == SFGP_PLY_FACE ? header->elements[k].count : 0;
    sfgp_buffer_reserve(&builder->points, header->vertex_count, 3 * (int64_t)sizeof(double));
    if (faces == 0)
        return;
    sfgp_buffer_reserve(&builder->face_start, faces + 1, sizeof(int64_t));
    sfgp_buffer_reserve(&builder->face_points, faces < rest / 3 ? 3 * faces : rest, sizeof(int64_t));
}

static sfgp_status read_body(ply_reader *reader)
{
    const sfgp_ply_header *header = reader->header;
    sfgp_status status = SFGP_OK;
    reserve(reader);
    status = sfgp_builder_status(&reader->builder);
    for (int k = 0; k < header->element_count; k++)
        for (int64_t row = 0; row < header->elements[k].count && status == SFGP_OK; row++)
            status = read_row(reader, &header->elements[k]);
    return status == SFGP_OK ? sfgp_source_warn_of_rest(reader->source, header->text) : status;
}

/* An attribute for every scalar of the vertices that is no coordinate. The counts fit into the file. */
static sfgp_status add_attributes(const sfgp_source *source, sfgp_ply_header *header)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < header->element_count; k++) {
        const sfgp_ply_element *element = &header->elements[k];
        const bool vertex = element->kind == SFGP_PLY_VERTEX;
        for (int j = element->first; vertex && j < element->end && status == SFGP_OK; j++) {
            sfgp_ply_property *property = &header->properties[j];
            if (property->role == SFGP_PLY_OTHER && !property->list)
                status = sfgp_attributes_add(
                    source->context, source->attributes, (const char *)header->names.bytes + property->name,
                    header->vertex_count, property->type == SFGP_UINT8, &property->values);
        }
    }
    return status;
}

static void clear(sfgp_ply_header *header)
{
    sfgp_keeper_clear(&header->keeper);
    sfgp_buffer_clear(&header->names);
}

sfgp_status sfgp_ply_read(sfgp_source *source, sfgp_mesh **mesh)
{
    ply_reader reader = {.source = source, .builder = sfgp_builder_empty(source->context)};
    sfgp_status status = sfgp_source_skip_bom(source);
    if (status == SFGP_OK)
        status = sfgp_allocate(source->context, 1, &reader.header);
    if (status == SFGP_OK)
        status = sfgp_ply_read_header(source, reader.header);
    if (status == SFGP_OK && source->attributes)
        status = add_attributes(source, reader.header);
    if (status == SFGP_OK)
        status = read_body(&reader);
    if (status == SFGP_OK)
        status = sfgp_builder_finish(&reader.builder, source->path, reader.header->dimension, mesh);
    if (status == SFGP_OK)
        status = sfgp_keeper_finish(&reader.header->keeper, SFGP_PLY, *mesh);
    sfgp_builder_clear(&reader.builder);
    if (reader.header)
        clear(reader.header);
    sfgp_free(reader.header);
    return status;
}
