/* Text: one point a row, as many columns in every row (text.h).
 *
 * A comma inside a field of another separator, and a blank inside a field of comma separation ("1,5 2,5"), are how
 * a decimal comma shows; both are refused, because a guess would change the data without a word. Only "1,5" alone
 * on a line (two columns) cannot be told apart. */
#include "io/text.h"
#include "io/fields.h"
#include "io/file.h"
#include "io/format.h"

#include <math.h>
#include <string.h>

static bool has(sfgp_text text, char c)
{
    return memchr(text.start, c, (size_t)text.length) != NULL;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '"';
}

static const char *explain(const sfgp_text_reader *reader, sfgp_text field)
{
    if (field.length == 0)
        return "nothing stands between the separators";
    if (has(field, ',') || (reader->separator == ',' && (has(field, ' ') || has(field, '\t'))))
        return "is this a decimal comma? write a point";
    if (has(field, ';') || has(field, ' ') || has(field, '\t'))
        return "use one separator: comma, semicolon, tab or blanks";
    return reader->builder.count == 0 && is_letter(field.start[0])
               ? "say which columns are the coordinates, e.g. --columns 2,3,4"
               : "digits with a point";
}

static sfgp_status read_field(sfgp_text_reader *reader, sfgp_text field, int64_t column, double *value)
{
    sfgp_status status = sfgp_source_number(reader->source, field, value);
    if (status == SFGP_OK)
        return status;
    if (status == SFGP_ERROR_DATA)
        return sfgp_source_fail(reader->source, status, "column %lld: '%s' is not a finite number",
                                (long long)column + 1, sfgp_text_show(field).text);
    return sfgp_source_fail(reader->source, status, "column %lld: expected a number, found '%s' (%s)",
                            (long long)column + 1, sfgp_text_show(field).text, explain(reader, field));
}

/* The coordinate that a column holds, or the place of an extra behind them; -1: none that is wanted. */
static int find_place(const sfgp_text_reader *reader, int64_t column)
{
    return reader->extras.columns > 0 ? (int)column : sfgp_columns_axis(&reader->columns, column);
}

/* Only fields that are wanted are read as numbers: others may be words. */
static sfgp_status read_fields(sfgp_text_reader *reader, sfgp_text rest, double values[SFGP_EXTRAS_MOST])
{
    sfgp_text field;
    int64_t column = 0;
    for (bool more = true; more; column++) {
        more = sfgp_fields_next(reader->separator, &rest, &field);
        const int place = column < reader->columns.count ? find_place(reader, column) : -1;
        sfgp_status status = place < 0 ? SFGP_OK : read_field(reader, field, column, &values[place]);
        if (status != SFGP_OK)
            return status;
    }
    if (column == reader->columns.count)
        return SFGP_OK;
    return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                            "expected %lld columns as in the rows before, found %lld",
                            (long long)reader->columns.count, (long long)column);
}

static sfgp_status fail_extras(const sfgp_text_reader *reader)
{
    return sfgp_source_fail(
        reader->source, SFGP_ERROR_FORMAT,
        "%lld columns without a header, and those behind the third are not surely normals or "
        "colours; say which columns are the coordinates, e.g. --columns 1,2,3",
        (long long)reader->columns.count);
}

static sfgp_status read_row(sfgp_text_reader *reader, sfgp_text line)
{
    double values[SFGP_EXTRAS_MOST];
    const sfgp_text row =
        sfgp_fields_row(reader->separator, reader->columns.count, line, reader->source->whole);
    sfgp_status status = read_fields(reader, row, values);
    if (status != SFGP_OK)
        return status;
    if (reader->extras.columns > 0 && !sfgp_extras_add(&reader->extras, values))
        return fail_extras(reader);
    sfgp_builder_point(&reader->builder, values);
    return sfgp_builder_status(&reader->builder);
}

static sfgp_status read_line(sfgp_text_reader *reader, sfgp_text line)
{
    bool row = line.start[0] != '#';
    sfgp_status status = SFGP_OK;
    if (reader->columns.count == 0) {
        status = sfgp_text_start(reader, line, &row);
        reader->builder.columns = reader->columns.dimension;
    }
    return status == SFGP_OK && row ? read_row(reader, line) : status;
}

/* pandas names columns 0,1,2: such a row before fractions is rather a header than a point. */
static void warn_of_counting(const sfgp_text_reader *reader)
{
    const double *points = (const double *)(const void *)reader->builder.points.bytes;
    const int d = reader->columns.dimension;
    bool counts = reader->builder.count > 1 && !reader->has_header, whole = true;
    for (int a = 0; counts && a < d; a++) {
        counts = points[a] == a;
        whole = whole && points[d + a] == floor(points[d + a]);
    }
    if (counts && !whole)
        sfgp_warn(
            reader->source->context,
            "%s: the first row is the point 0,1%s; if these are names of columns, start the line with #",
            sfgp_path_shown(reader->source->path), d == 3 ? ",2" : "");
}

static sfgp_status check_end(const sfgp_text_reader *reader)
{
    if (reader->builder.count > 0 && reader->extras.columns > 0 && !sfgp_extras_told(&reader->extras))
        return fail_extras(reader);
    if (reader->promised < 0 || reader->promised == reader->builder.count)
        return SFGP_OK;
    reader->source->line = reader->promised_line;
    return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT, "says that there are %lld points, found %lld",
                            (long long)reader->promised, (long long)reader->builder.count);
}

sfgp_status sfgp_text_read(sfgp_source *source, sfgp_mesh **mesh)
{
    sfgp_text_reader reader = {.source = source,
                               .builder = sfgp_builder_empty(source->context),
                               .separator = ' ',
                               .names = sfgp_buffer_empty(source->context),
                               .promised = -1};
    sfgp_text line;
    sfgp_status status = sfgp_source_skip_bom(source);
    while (sfgp_source_each_line(source, false, &line, &status))
        status = read_line(&reader, line);
    if (status == SFGP_OK)
        status = check_end(&reader);
    if (status == SFGP_OK)
        warn_of_counting(&reader);
    if (status == SFGP_OK)
        status = sfgp_builder_finish(&reader.builder, source->path, reader.builder.columns, mesh);
    sfgp_buffer_clear(&reader.names);
    sfgp_builder_clear(&reader.builder);
    return status;
}
