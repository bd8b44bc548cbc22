/* OBJ: points (v) and faces (f); everything else of the format is passed over. */
#include "io/format.h"
#include "io/builder.h"
#include "io/kept.h"

#include <string.h>

typedef struct obj_reader {
    sfgp_source *source;
    sfgp_builder builder;
    sfgp_buffer joined; /* a line with its continuations */
    sfgp_keeper keeper;
    int dimension;
    int64_t highest, highest_line; /* the largest index of a face, and where it first stood */
} obj_reader;

static const char *const SKIPPED[] = {
    "vn",   "vt",    "vp",    "o",    "g",      "s",      "mg",       "usemtl",   "mtllib",     "l",
    "p",    "deg",   "bmat",  "step", "cstype", "curv",   "curv2",    "surf",     "parm",       "trim",
    "hole", "scrv",  "sp",    "end",  "con",    "bevel",  "c_interp", "d_interp", "shadow_obj", "trace_obj",
    "lod",  "ctech", "stech", "call", "csh",    "usemap", "maplib"};

static bool is_skipped(sfgp_text word)
{
    for (size_t k = 0; k < sizeof SKIPPED / sizeof *SKIPPED; k++)
        if (sfgp_text_is(word, SKIPPED[k]))
            return true;
    return false;
}

static sfgp_status fail_format(const obj_reader *reader, const char *expected, sfgp_text found)
{
    return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT, "expected %s, found '%s'", expected,
                            sfgp_text_show(found).text);
}

static sfgp_status read_comment(obj_reader *reader, sfgp_text line)
{
    sfgp_text mark, name, value, more;
    if (sfgp_text_word(&line, &mark) && sfgp_text_is(mark, "#") && sfgp_text_word(&line, &name) &&
        sfgp_text_is(name, "dimension") && sfgp_text_word(&line, &value) && sfgp_text_is(value, "2") &&
        !sfgp_text_word(&line, &more))
        reader->dimension = 2;
    return SFGP_OK;
}

/* x y z, x y z w, or x y z r g b; what follows z must be numbers, but is not used. */
static sfgp_status read_vertex(obj_reader *reader, sfgp_text rest)
{
    double values[6];
    int count = 0;
    sfgp_text word;
    while (sfgp_text_word(&rest, &word)) {
        if (count == 6)
            return fail_format(reader, "3, 4 or 6 numbers after v", word);
        sfgp_status status = sfgp_source_number(reader->source, word, &values[count++]);
        if (status != SFGP_OK)
            return status;
    }
    if (count != 3 && count != 4 && count != 6)
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                                "expected 3, 4 or 6 numbers after v, found %d", count);
    sfgp_builder_point(&reader->builder, values);
    return SFGP_OK;
}

static sfgp_text cut_at_slash(sfgp_text *rest)
{
    const char *slash = rest->length > 0 ? memchr(rest->start, '/', (size_t)rest->length) : NULL;
    sfgp_text part = {rest->start, slash ? slash - rest->start : rest->length};
    int64_t taken = part.length + (slash ? 1 : 0);
    *rest = (sfgp_text){rest->start + taken, rest->length - taken};
    return part;
}

/* a, a/b, a//c or a/b/c: a counts from 1, or back from the last point when it is negative. */
static sfgp_status read_corner(obj_reader *reader, sfgp_text word)
{
    sfgp_text rest = word, part = cut_at_slash(&rest);
    int64_t index = 0, other = 0;
    bool good = sfgp_text_integer(part, &index) && index != 0;
    for (int k = 0; k < 2 && good; k++) {
        part = cut_at_slash(&rest);
        good = part.length == 0 || sfgp_text_integer(part, &other);
    }
    if (!good || rest.length > 0)
        return fail_format(reader, "a corner like 1, 1/2, 1//3 or 1/2/3", word);
    index = index < 0 ? reader->builder.count + index : index - 1;
    if (index < 0)
        return fail_format(reader, "a relative index within the points so far", word);
    if (index > reader->highest) {
        reader->highest = index;
        reader->highest_line = reader->source->line;
    }
    sfgp_builder_corner(&reader->builder, index);
    return SFGP_OK;
}

static sfgp_status read_face(obj_reader *reader, sfgp_text rest)
{
    sfgp_text word;
    sfgp_status status = SFGP_OK;
    while (status == SFGP_OK && sfgp_text_word(&rest, &word))
        status = read_corner(reader, word);
    if (status == SFGP_OK)
        sfgp_builder_face(&reader->builder);
    return status;
}

/* Of a point what stands behind x y z, unless that is a weight alone; of a corner what stands before the normal. */
static void keep_words(obj_reader *reader, sfgp_text word, sfgp_text rest)
{
    sfgp_buffer *lines = &reader->keeper.parts[SFGP_KEPT_HEAD];
    const bool point = sfgp_text_is(word, "v"), face = sfgp_text_is(word, "f");
    sfgp_text all[6];
    int count = 0;
    sfgp_buffer_add(lines, word.start, word.length);
    for (; (point || face) && sfgp_text_word(&rest, &word); count++) {
        sfgp_text corner = word, part = cut_at_slash(&corner), texture = cut_at_slash(&corner);
        if (point && count < 6)
            all[count] = word;
        if (face) {
            sfgp_buffer_text(lines, " ");
            sfgp_buffer_add(lines, part.start, part.length);
            sfgp_buffer_text(lines, texture.length > 0 ? "/" : "");
            sfgp_buffer_add(lines, texture.start, texture.length);
        }
    }
    for (int k = 3; point && count == 6 && k < 6; k++) {
        sfgp_buffer_text(lines, " ");
        sfgp_buffer_add(lines, all[k].start, all[k].length);
    }
    sfgp_buffer_add(lines, rest.start, point || face ? 0 : rest.length);
    sfgp_buffer_text(lines, "\n");
}

static void keep_line(obj_reader *reader, sfgp_text line)
{
    sfgp_text word;
    sfgp_text_word(&line, &word);
    const sfgp_text rest = sfgp_text_trim(line);
    const bool ours = sfgp_text_is(word, "#") && rest.length >= 4 && memcmp(rest.start, "sfgp", 4) == 0;
    if (reader->keeper.wanted && !sfgp_text_is(word, "vn") && !ours)
        keep_words(reader, word, line);
}

/* A point or a face without the comment behind it. In other lines # may be part of a name. */
static sfgp_text cut_comment(sfgp_text line)
{
    sfgp_text rest = line, word;
    const char *mark = memchr(line.start, '#', (size_t)line.length);
    const bool ours = sfgp_text_word(&rest, &word) && (sfgp_text_is(word, "v") || sfgp_text_is(word, "f"));
    return mark && ours ? sfgp_text_trim((sfgp_text){line.start, mark - line.start}) : line;
}

static sfgp_status read_line(obj_reader *reader, sfgp_text line)
{
    sfgp_text word;
    line = cut_comment(line);
    keep_line(reader, line);
    if (line.start[0] == '#')
        return read_comment(reader, line);
    sfgp_text_word(&line, &word);
    if (sfgp_text_is(word, "v"))
        return read_vertex(reader, line);
    if (sfgp_text_is(word, "f"))
        return read_face(reader, line);
    return is_skipped(word) ? SFGP_OK : fail_format(reader, "a keyword of OBJ (v, f, ...)", word);
}

/* A comment is not continued. */
static bool continues(sfgp_text line)
{
    return line.length > 0 && line.start[line.length - 1] == '\\' &&
           !memchr(line.start, '#', (size_t)line.length);
}

/* Appends the lines that continue this one; they stay in reader->joined. */
static sfgp_status join(obj_reader *reader, sfgp_text *line)
{
    sfgp_status status = SFGP_OK;
    sfgp_text next = *line;
    bool more = true;
    reader->joined.size = 0;
    while (status == SFGP_OK && more) {
        more = continues(next);
        sfgp_buffer_add(&reader->joined, next.start, next.length - more);
        sfgp_buffer_text(&reader->joined, " ");
        if (more)
            status = sfgp_source_line(reader->source, &next);
        more = more && next.start != NULL;
        next = sfgp_text_trim(next);
    }
    *line = sfgp_text_trim((sfgp_text){(const char *)reader->joined.bytes, reader->joined.size});
    return status == SFGP_OK ? reader->joined.status : status;
}

static sfgp_status read_lines(obj_reader *reader)
{
    sfgp_status status = SFGP_OK;
    sfgp_text line;
    while (sfgp_source_each_line(reader->source, false, &line, &status)) {
        if (continues(line))
            status = join(reader, &line);
        if (status == SFGP_OK && line.length > 0)
            status = read_line(reader, line);
        if (status == SFGP_OK)
            status = sfgp_builder_status(&reader->builder);
    }
    return status;
}

sfgp_status sfgp_obj_read(sfgp_source *source, sfgp_mesh **mesh)
{
    obj_reader reader = {source,
                         sfgp_builder_empty(source->context),
                         sfgp_buffer_empty(source->context),
                         sfgp_keeper_start(source->context, source->keep),
                         3,
                         -1,
                         0};
    sfgp_status status = sfgp_source_skip_bom(source);
    if (status == SFGP_OK)
        status = read_lines(&reader);
    if (status == SFGP_OK && reader.builder.count > 0 && reader.highest >= reader.builder.count) {
        source->line = reader.highest_line;
        status = sfgp_source_fail(source, SFGP_ERROR_FORMAT, "the face has the point %lld, the file has %lld",
                                  (long long)reader.highest + 1, (long long)reader.builder.count);
    }
    if (status == SFGP_OK)
        status = sfgp_builder_finish(&reader.builder, source->path, reader.dimension, mesh);
    if (status == SFGP_OK)
        status = sfgp_keeper_finish(&reader.keeper, SFGP_OBJ, *mesh);
    sfgp_keeper_clear(&reader.keeper);
    sfgp_buffer_clear(&reader.joined);
    sfgp_builder_clear(&reader.builder);
    return status;
}
