/* OFF of Geomview, in text: the numbers of points, faces and edges, then one point a line and one face a line. What
 * stands behind the coordinates of a point (normals, colours, texture) and behind the corners of a face (a colour) is
 * passed over. */
#include "io/builder.h"
#include "io/format.h"

#include <string.h>

/* Fewest bytes of a point and of a face: "0 0 0\n", "0\n". */
enum { LEAST_POINT = 6, LEAST_FACE = 2 };

typedef struct off_reader {
    sfgp_source *source;
    sfgp_builder builder;
    int64_t points, faces;
} off_reader;

static sfgp_status fail_format(const off_reader *reader, const char *expected, sfgp_text found)
{
    return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT, "OFF: expected %s, found '%s'", expected,
                            sfgp_text_show(found).text);
}

/* Without the comment at its end. */
static sfgp_status read_line(off_reader *reader, sfgp_text *line)
{
    sfgp_status status = sfgp_source_next_line(reader->source, true, line);
    const char *mark =
        status == SFGP_OK && line->start ? memchr(line->start, '#', (size_t)line->length) : NULL;
    if (mark)
        *line = sfgp_text_trim((sfgp_text){line->start, mark - line->start});
    if (status == SFGP_OK && !line->start)
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                                "OFF: the file ends here, but it promises %lld points and %lld faces",
                                (long long)reader->points, (long long)reader->faces);
    return status;
}

static bool read_count(sfgp_text *rest, int64_t *count)
{
    sfgp_text word;
    return sfgp_text_word(rest, &word) && sfgp_text_integer(word, count) && *count >= 0;
}

/* The number of edges may be missing. */
static sfgp_status read_counts(off_reader *reader, sfgp_text line)
{
    const sfgp_source *source = reader->source;
    sfgp_text rest = line;
    int64_t edges;
    const bool good = read_count(&rest, &reader->points) && read_count(&rest, &reader->faces) &&
                      (rest.length == 0 || read_count(&rest, &edges)) && sfgp_text_trim(rest).length == 0;
    const int64_t left = source->size - source->offset + 1; /* the last line may lack its end */
    if (!good)
        return fail_format(reader, "the numbers of points, faces and edges", line);
    if (reader->points > left / LEAST_POINT || reader->faces > left / LEAST_FACE)
        return sfgp_source_fail(
            source, SFGP_ERROR_FORMAT,
            "OFF: %lld points and %lld faces do not fit into the file; the numbers are wrong or the "
            "file is cut short",
            (long long)reader->points, (long long)reader->faces);
    return SFGP_OK;
}

/* Counts may follow OFF on its line. */
static sfgp_status read_header(off_reader *reader)
{
    sfgp_text line, word, rest;
    sfgp_status status = read_line(reader, &line);
    if (status != SFGP_OK)
        return status;
    rest = line;
    sfgp_text_word(&rest, &word);
    if (!sfgp_text_is_off(word))
        return fail_format(reader, "OFF, COFF, NOFF, CNOFF or one of them behind ST, in three dimensions",
                           word);
    rest = sfgp_text_trim(rest);
    if (sfgp_text_is(rest, "BINARY"))
        return fail_format(reader, "a text; save binary files as text or PLY", rest);
    if (rest.length == 0)
        status = read_line(reader, &rest);
    return status == SFGP_OK ? read_counts(reader, rest) : status;
}

static sfgp_status read_point(off_reader *reader, sfgp_text line)
{
    double point[3];
    sfgp_text rest = line, word;
    for (int k = 0; k < 3; k++) {
        if (!sfgp_text_word(&rest, &word))
            return fail_format(reader, "three coordinates", line);
        sfgp_status status = sfgp_source_number(reader->source, word, &point[k]);
        if (status != SFGP_OK)
            return status;
    }
    sfgp_builder_point(&reader->builder, point);
    return sfgp_builder_status(&reader->builder);
}

static sfgp_status read_face(off_reader *reader, sfgp_text line)
{
    sfgp_text rest = line, word;
    int64_t corners, index;
    if (!read_count(&rest, &corners))
        return fail_format(reader, "the number of corners of a face", line);
    for (int64_t k = 0; k < corners; k++) {
        if (!sfgp_text_word(&rest, &word))
            return fail_format(reader, "as many corners as the face says", line);
        if (!sfgp_text_integer(word, &index) || index < 0 || index >= reader->points)
            return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                                    "OFF: expected a point of 0 to %lld, found '%s'",
                                    (long long)reader->points - 1, sfgp_text_show(word).text);
        sfgp_builder_corner(&reader->builder, index);
    }
    sfgp_builder_face(&reader->builder);
    return sfgp_builder_status(&reader->builder);
}

static sfgp_status read_rows(off_reader *reader, int64_t count,
                             sfgp_status (*read)(off_reader *reader, sfgp_text line))
{
    sfgp_status status = SFGP_OK;
    for (int64_t k = 0; k < count && status == SFGP_OK; k++) {
        sfgp_text line;
        status = read_line(reader, &line);
        if (status == SFGP_OK)
            status = read(reader, line);
    }
    return status;
}

sfgp_status sfgp_off_read(sfgp_source *source, sfgp_mesh **mesh)
{
    off_reader reader = {.source = source, .builder = sfgp_builder_empty(source->context)};
    sfgp_status status = sfgp_source_skip_bom(source);
    if (status == SFGP_OK)
        status = read_header(&reader);
    if (status == SFGP_OK)
        status = read_rows(&reader, reader.points, read_point);
    if (status == SFGP_OK)
        status = read_rows(&reader, reader.faces, read_face);
    if (status == SFGP_OK)
        status = sfgp_source_warn_of_rest(source, true);
    if (status == SFGP_OK)
        status = sfgp_builder_finish(&reader.builder, source->path, 3, mesh);
    sfgp_builder_clear(&reader.builder);
    return status;
}
