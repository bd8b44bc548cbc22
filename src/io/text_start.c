/* What stands before the first row of numbers: comments, a header, the number of points.
 *   header: x,y,z        or //X Y Z as CloudCompare writes it, or a comment # x y z right before the first row
 *   sep=;                passed over
 *   number of points     as .pts files have it, a row of one whole number */
#include "io/text.h"
#include "io/fields.h"
#include "io/file.h"
#include "io/format.h"
#include "io/landmarks.h"

#include <string.h>

enum { LONGEST_COMMENT = 4096 }; /* as names of columns */

static sfgp_status keep_names(sfgp_text_reader *reader, sfgp_text names)
{
    reader->names.size = 0;
    sfgp_buffer_add(&reader->names, names.start, names.length);
    reader->names_line = reader->source->line;
    return reader->names.status;
}

static sfgp_status keep_comment(sfgp_text_reader *reader, sfgp_text line)
{
    const sfgp_text names = sfgp_text_trim((sfgp_text){line.start + 1, line.length - 1});
    return reader->has_header || names.length > LONGEST_COMMENT ? SFGP_OK : keep_names(reader, names);
}

static sfgp_status keep_header(sfgp_text_reader *reader, sfgp_text names)
{
    reader->has_header = true;
    reader->separator = sfgp_fields_separator(names);
    return keep_names(reader, names);
}

static bool is_count(const sfgp_text_reader *reader, sfgp_text line, int64_t *count)
{
    int64_t number;
    if (reader->promised >= 0 || !sfgp_text_integer(line, &number) || number < 1)
        return false;
    *count = number;
    return true;
}

/* A comment names the columns only where it has as many words as the rows, x and y (or what is asked for) among
 * them. */
static sfgp_header find_header(const sfgp_text_reader *reader, int64_t count)
{
    sfgp_columns columns;
    sfgp_header header = {
        {(const char *)reader->names.bytes, reader->names.size}, reader->separator, reader->names_line};
    const bool fits = reader->names.size > 0 && sfgp_fields_count(header.separator, header.names) == count;
    if (!reader->has_header &&
        !(fits && (reader->source->columns || sfgp_header_find_axes(&header, &columns))))
        header.names.start = NULL;
    return header;
}

/* x y z first, then an intensity, normals or colours, because the count of a .pts or the extension says so. */
static bool is_xyz_first(const sfgp_text_reader *reader, int64_t count)
{
    const char *path = reader->source->path;
    if (reader->promised >= 0 && (count == 4 || count == 6 || count == 7))
        return true;
    return count == 6 && (sfgp_path_has_extension(path, "xyzn") || sfgp_path_has_extension(path, "xyzrgb"));
}

/* "1,5 2,5 3,5": between two commas stand two numbers. */
static bool has_decimal_commas(const sfgp_text_reader *reader, sfgp_text line)
{
    sfgp_text field, first, second;
    double number;
    bool more = reader->separator == ',', found = false;
    while (more && !found) {
        more = sfgp_fields_next(',', &line, &field);
        found = sfgp_text_word(&field, &first) && sfgp_text_word(&field, &second) &&
                sfgp_text_real(first, &number) && sfgp_text_real(second, &number);
    }
    return found;
}

/* Rows that nothing names, of more columns than coordinates. */
static sfgp_status check_numbers(const sfgp_text_reader *reader, sfgp_text line)
{
    sfgp_text rest = line, field;
    double number;
    if (has_decimal_commas(reader, line))
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                                "'%s': is this a decimal comma? write a point", sfgp_text_show(line).text);
    sfgp_fields_next(reader->separator, &rest, &field);
    if (sfgp_text_real(field, &number))
        return SFGP_OK;
    return sfgp_source_fail(
        reader->source, SFGP_ERROR_FORMAT,
        "'%s' begins with no number; put a # before lines of words, or say which columns are the "
        "coordinates, e.g. --columns 2,3,4",
        sfgp_text_show(line).text);
}

/* Of tabs *line becomes the whole line. */
static void find_separator(sfgp_text_reader *reader, sfgp_text *line)
{
    const sfgp_text names = {(const char *)reader->names.bytes, reader->names.size};
    const sfgp_text whole = reader->source->whole;
    if (!reader->has_header)
        reader->separator = sfgp_fields_separator(*line);
    else if (reader->separator == ' ' && sfgp_fields_have_tabs(names, whole)) {
        reader->separator = '\t';
        *line = whole;
    }
}

static sfgp_status find_columns(sfgp_text_reader *reader, sfgp_text line)
{
    find_separator(reader, &line);
    const int64_t count = sfgp_fields_count(reader->separator, line);
    const sfgp_header header = find_header(reader, count);
    const bool open = !header.names.start && !reader->source->columns, first = is_xyz_first(reader, count);
    const sfgp_status status = open && count > 3 ? check_numbers(reader, line) : SFGP_OK;
    if (status != SFGP_OK)
        return status;
    reader->extras = sfgp_extras_start(open && !first ? count : 0);
    if (!open || (!first && reader->extras.columns == 0))
        return sfgp_columns_resolve(reader->source, &header, count, &reader->columns);
    reader->columns = (sfgp_columns){count, 3, {0, 1, 2}};
    return SFGP_OK;
}

sfgp_status sfgp_text_start(sfgp_text_reader *reader, sfgp_text line, bool *row)
{
    const sfgp_header header = {line, sfgp_fields_separator(line), reader->source->line};
    *row = false;
    if (sfgp_landmarks_pts_starts(line))
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                                "this is a file of landmarks (Landmark, Checkpoint); a mesh is expected "
                                "here; " SFGP_LANDMARKS_ADVICE);
    if (!reader->has_header && sfgp_fields_is_separator_line(line))
        return SFGP_OK;
    if (line.start[0] == '#')
        return keep_comment(reader, line);
    if (!reader->has_header && line.length > 2 && memcmp(line.start, "//", 2) == 0)
        return keep_header(reader, sfgp_text_trim((sfgp_text){line.start + 2, line.length - 2}));
    if (is_count(reader, line, &reader->promised)) {
        reader->promised_line = reader->source->line;
        return SFGP_OK;
    }
    if (!reader->has_header && sfgp_header_is(&header))
        return keep_header(reader, line);
    *row = true;
    return find_columns(reader, line);
}
