/* VTP: a mesh of the arrays that the tags tell of (vtp.h). Points, polygons and strips of triangles are kept;
 * numbers of the points where they are asked for; vertices and lines are passed over. */
#include "io/vtp.h"
#include "base/memory.h"
#include "io/attributes.h"
#include "io/builder.h"
#include "io/format.h"

#include <math.h>
#include <string.h>

enum { LONGEST_NAME = 200 };

typedef struct vtp_reader {
    sfgp_vtp_contents contents;
    sfgp_builder builder;
} vtp_reader;

/* ---- arrays ------------------------------------------------------------------------------------------ */

static sfgp_status fail_array(vtp_reader *reader, const sfgp_vtp_array *array, sfgp_status status,
                              const char *words)
{
    return sfgp_xml_fail(&reader->contents.file.xml, array->data.start, status, "VTP: %s", words);
}

static sfgp_status read_points(vtp_reader *reader)
{
    const sfgp_vtp_array *array = &reader->contents.arrays[SFGP_VTP_POINTS];
    double *values = NULL;
    if (reader->contents.points == 0)
        return SFGP_OK;
    if (!array->data.start || array->components != 3 || reader->contents.points > INT64_MAX / 3)
        return sfgp_xml_fail(&reader->contents.file.xml, reader->contents.file.xml.at, SFGP_ERROR_FORMAT,
                             "VTP: expected <Points> with an array of three components");
    sfgp_status status = sfgp_vtp_decode(&reader->contents.file, array, 3 * reader->contents.points, &values);
    for (int64_t i = 0; i < reader->contents.points && status == SFGP_OK; i++) {
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
        if (!(points[k] >= 0 && points[k] < (double)reader->contents.points && points[k] == floor(points[k])))
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
    const sfgp_vtp_array *points = &reader->contents.arrays[points_role],
                         *ends = &reader->contents.arrays[points_role + 1];
    double *numbers = NULL, *offsets = NULL;
    if (cells == 0)
        return SFGP_OK;
    if (!points->data.start || !ends->data.start)
        return sfgp_xml_fail(&reader->contents.file.xml, reader->contents.file.xml.at, SFGP_ERROR_FORMAT,
                             "VTP: cells without connectivity and offsets");
    sfgp_status status = sfgp_vtp_decode(&reader->contents.file, ends, cells, &offsets);
    if (status == SFGP_OK)
        status = check_ends(reader, ends, offsets, cells);
    if (status == SFGP_OK)
        status = sfgp_vtp_decode(&reader->contents.file, points, (int64_t)offsets[cells - 1], &numbers);
    for (int64_t c = 0, start = 0; c < cells && status == SFGP_OK; start = (int64_t)offsets[c++])
        status = add_cell(reader, points, numbers + start, (int64_t)offsets[c] - start);
    sfgp_free(numbers);
    sfgp_free(offsets);
    return status;
}

/* Arrays of one number a point. */
static sfgp_status read_attributes(vtp_reader *reader)
{
    const sfgp_vtp_array *arrays = (const sfgp_vtp_array *)(const void *)reader->contents.attributes.bytes;
    const int64_t count = reader->contents.attributes.size / (int64_t)sizeof *arrays;
    sfgp_source *source = reader->contents.file.xml.source;
    sfgp_status status = SFGP_OK;
    for (int64_t k = 0; k < count && status == SFGP_OK; k++) {
        char name[LONGEST_NAME + 1] = "";
        double *kept = NULL, *values = NULL;
        if (arrays[k].components != 1 || arrays[k].name.length > LONGEST_NAME)
            continue;
        memcpy(name, arrays[k].name.start, (size_t)arrays[k].name.length);
        status = sfgp_vtp_decode(&reader->contents.file, &arrays[k], reader->contents.points, &values);
        if (status == SFGP_OK)
            status = sfgp_attributes_add(source->context, source->attributes, name, reader->contents.points,
                                         arrays[k].type == SFGP_UINT8, &kept);
        if (status == SFGP_OK && reader->contents.points > 0)
            memcpy(kept, values, (size_t)reader->contents.points * sizeof *kept);
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
    vtp_reader reader = {.contents.attributes = sfgp_buffer_empty(source->context),
                         .builder = sfgp_builder_empty(source->context)};
    sfgp_text all;
    sfgp_status status = sfgp_source_take_rest(source, &all);
    reader.contents.file.xml = sfgp_xml_start(source, all);
    if (status == SFGP_OK && (status = sfgp_vtp_read_tags(&reader.contents)) == SFGP_OK &&
        (status = read_points(&reader)) == SFGP_OK &&
        (status = read_cells(&reader, SFGP_VTP_POLYGON_POINTS, reader.contents.polygons)) == SFGP_OK &&
        (status = read_cells(&reader, SFGP_VTP_STRIP_POINTS, reader.contents.strips)) == SFGP_OK)
        status = read_attributes(&reader);
    if (status == SFGP_OK)
        status = sfgp_builder_finish(&reader.builder, source->path, find_dimension(&reader.contents.file.xml),
                                     mesh);
    sfgp_buffer_clear(&reader.contents.attributes);
    sfgp_builder_clear(&reader.builder);
    return status;
}
