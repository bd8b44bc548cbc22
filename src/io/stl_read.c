/* STL: triangles without shared points; equal corners are welded. A file whose size is that of a binary STL
 * with the count in its bytes 80 to 83 is binary, even when it starts with "solid" as some programs write. */
#include "geom/point_table.h"
#include "io/builder.h"
#include "io/format.h"
#include "io/scalar.h"

#include <math.h>
#include <string.h>

enum { HEADER = 80, PREFIX = 84, TRIANGLE = 50, NORMAL = 12 };

/* Equal points become one, in the order of first appearance. */
typedef struct weld {
    sfgp_builder builder;
    sfgp_point_table table;
} weld;

static sfgp_status add_corner(sfgp_source *source, weld *w, const double point[3])
{
    sfgp_builder *builder = &w->builder;
    const double *rows = (const double *)(const void *)builder->points.bytes;
    int64_t index = 0;
    for (int k = 0; k < 3; k++)
        if (!isfinite(point[k]))
            return sfgp_source_fail(source, SFGP_ERROR_DATA,
                                    "coordinate %c of a corner is not a finite number", "xyz"[k]);
    sfgp_status status =
        sfgp_point_table_find(source->context, rows, point, builder->count, &w->table, &index);
    if (status != SFGP_OK)
        return status;
    if (index == builder->count)
        sfgp_builder_point(builder, point);
    sfgp_builder_corner(builder, index);
    return sfgp_builder_status(builder);
}

static sfgp_status read_triangle(sfgp_source *source, weld *w)
{
    const unsigned char *bytes;
    sfgp_status status = sfgp_source_take(source, TRIANGLE, &bytes);
    for (int corner = 0; corner < 3 && status == SFGP_OK; corner++) {
        double point[3];
        for (int k = 0; k < 3; k++)
            point[k] = sfgp_scalar_load(SFGP_FLOAT32, false, bytes + NORMAL + 12 * corner + 4 * k);
        status = add_corner(source, w, point);
    }
    sfgp_builder_face(&w->builder);
    return status == SFGP_OK ? sfgp_builder_status(&w->builder) : status;
}

/* Our writer notes the dimension in the 80 bytes that the format leaves free. */
static bool says_flat(const unsigned char *header)
{
    static const char NOTE[] = "dimension 2";
    for (int k = 0; k + (int)sizeof NOTE - 1 <= HEADER; k++)
        if (memcmp(header + k, NOTE, sizeof NOTE - 1) == 0)
            return true;
    return false;
}

static sfgp_status read_binary(sfgp_source *source, weld *w, int *dimension)
{
    const unsigned char *bytes;
    sfgp_status status = sfgp_source_take(source, PREFIX, &bytes);
    if (status != SFGP_OK)
        return status;
    int64_t count = (int64_t)sfgp_scalar_load(SFGP_UINT32, false, bytes + HEADER);
    *dimension = says_flat(bytes) ? 2 : 3;
    for (int64_t t = 0; t < count && status == SFGP_OK; t++)
        status = read_triangle(source, w);
    return status;
}

static sfgp_status read_corner_line(sfgp_source *source, sfgp_text rest, weld *w)
{
    double point[3];
    sfgp_text word;
    for (int k = 0; k < 3; k++) {
        if (!sfgp_text_word(&rest, &word))
            return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected three numbers, found %d", k);
        sfgp_status status = sfgp_source_number(source, word, &point[k]);
        if (status != SFGP_OK)
            return status;
    }
    if (sfgp_text_word(&rest, &word))
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected three numbers, found more");
    return add_corner(source, w, point);
}

/* The lines of a file in order; after the last the next facet, or endsolid. */
static const char *const LINES[] = {"solid",  "facet",  "outer",   "vertex",
                                    "vertex", "vertex", "endloop", "endfacet"};
enum { SOLID, FACET, OUTER, FIRST_VERTEX, LAST_VERTEX = FIRST_VERTEX + 2, ENDLOOP, ENDFACET };

static sfgp_status read_text_line(sfgp_source *source, sfgp_text line, int *state, weld *w)
{
    sfgp_text word;
    sfgp_status status = SFGP_OK;
    sfgp_text_word(&line, &word);
    if (*state == FACET && sfgp_text_is_nocase(word, "endsolid")) {
        *state = SOLID;
        return SFGP_OK;
    }
    if (!sfgp_text_is_nocase(word, LINES[*state]))
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected '%s'%s, found '%s'", LINES[*state],
                                *state == FACET ? " or 'endsolid'" : "", sfgp_text_show(word).text);
    if (*state >= FIRST_VERTEX && *state <= LAST_VERTEX)
        status = read_corner_line(source, line, w);
    if (*state == ENDFACET)
        sfgp_builder_face(&w->builder);
    *state = *state == ENDFACET ? FACET : *state + 1;
    return status == SFGP_OK ? sfgp_builder_status(&w->builder) : status;
}

static sfgp_status read_text(sfgp_source *source, weld *w)
{
    int state = SOLID;
    sfgp_text line;
    sfgp_status status = sfgp_source_skip_bom(source);
    while (sfgp_source_each_line(source, false, &line, &status))
        status = read_text_line(source, line, &state, w);
    if (status == SFGP_OK && state != SOLID)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "the file ends here, expected '%s'%s",
                                LINES[state], state == FACET ? " or 'endsolid'" : "");
    return status;
}

static sfgp_status read_either(sfgp_source *source, weld *w, int *dimension)
{
    sfgp_head head = {NULL, 0, 0};
    sfgp_status status = sfgp_head_read(source, &head);
    if (status != SFGP_OK)
        return status;
    if (sfgp_head_is_stl_binary(&head))
        return read_binary(source, w, dimension);
    if (sfgp_head_is_stl_text(&head))
        return read_text(source, w);
    if (head.length < PREFIX)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT,
                                "expected 'solid' or a binary STL of 84 bytes or more, found %lld",
                                (long long)head.file_size);
    return sfgp_source_fail(source, SFGP_ERROR_FORMAT,
                            "expected 'solid' or a binary STL of %lld bytes by its count, found %lld",
                            (long long)sfgp_head_stl_size(&head), (long long)head.file_size);
}

sfgp_status sfgp_stl_read(sfgp_source *source, sfgp_mesh **mesh)
{
    weld w = {.builder = sfgp_builder_empty(source->context), .table = {.dimension = 3}};
    int dimension = 3;
    sfgp_status status = read_either(source, &w, &dimension);
    if (status == SFGP_OK)
        status = sfgp_builder_finish(&w.builder, source->path, dimension, mesh);
    sfgp_point_table_clear(&w.table);
    sfgp_builder_clear(&w.builder);
    return status;
}
