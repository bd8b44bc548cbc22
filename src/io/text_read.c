/* Text: one point a row, 2 or 3 numbers, the same number in every row.
 *
 * The first row decides what separates numbers: ';' if it has one, else ',' if it has one, else blanks and
 * tabs. Blanks around a separator are free. A comma inside a field of another separator, and a blank inside a
 * field of comma separation ("1,5 2,5"), are how a decimal comma shows; both are refused, because a guess
 * would change the data without a word. Only "1,5" alone on a line (two columns) cannot be told apart. */
#include "io/builder.h"
#include "io/format.h"

#include <string.h>

typedef struct text_reader {
    sfgp_source *source;
    sfgp_builder builder;
    char separator; /* ' ' stands for blanks and tabs */
    int columns;    /* 0 before the first row */
} text_reader;

static bool has(sfgp_text text, char c)
{
    return memchr(text.start, c, (size_t)text.length) != NULL;
}

/* Cuts a field off rest; true when another one follows. */
static bool next_field(char separator, sfgp_text *rest, sfgp_text *field)
{
    if (separator == ' ') {
        sfgp_text_word(rest, field);
        *rest = sfgp_text_trim(*rest);
        return rest->length > 0;
    }
    const char *stop = rest->length > 0 ? memchr(rest->start, separator, (size_t)rest->length) : NULL;
    int64_t length = stop ? stop - rest->start : rest->length, taken = length + (stop ? 1 : 0);
    *field = sfgp_text_trim((sfgp_text){rest->start, length});
    *rest = (sfgp_text){rest->start + taken, rest->length - taken};
    return stop != NULL;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '"';
}

static const char *explain(const text_reader *reader, sfgp_text field)
{
    if (field.length == 0)
        return "nothing stands between the separators";
    if (has(field, ',') || (reader->separator == ',' && (has(field, ' ') || has(field, '\t'))))
        return "is this a decimal comma? write a point";
    if (has(field, ';') || has(field, ' ') || has(field, '\t'))
        return "use one separator: comma, semicolon, tab or blanks";
    return reader->columns == 0 && is_letter(field.start[0]) ? "start a header line with #"
                                                             : "digits with a point";
}

static sfgp_status read_field(text_reader *reader, sfgp_text field, int column, double *value)
{
    sfgp_status status = sfgp_source_number(reader->source, field, value);
    if (status == SFGP_OK)
        return status;
    if (status == SFGP_ERROR_DATA)
        return sfgp_source_fail(reader->source, status, "column %d: '%s' is not a finite number", column,
                                sfgp_text_show(field).text);
    return sfgp_source_fail(reader->source, status, "column %d: expected a number, found '%s' (%s)", column,
                            sfgp_text_show(field).text, explain(reader, field));
}

static sfgp_status check_columns(text_reader *reader, int columns)
{
    if (reader->columns == 0 && (columns == 2 || columns == 3))
        reader->builder.columns = reader->columns = columns;
    if (reader->columns == columns)
        return SFGP_OK;
    if (reader->columns == 0)
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT, "expected 2 or 3 columns, found %d%s",
                                columns, columns > 3 ? " or more" : "");
    return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                            "expected %d columns as in the rows before, found %d%s", reader->columns, columns,
                            columns > 3 ? " or more" : "");
}

static sfgp_status read_row(text_reader *reader, sfgp_text rest)
{
    double values[3];
    int columns = 0;
    bool more = true;
    sfgp_text field;
    if (reader->columns == 0)
        reader->separator = has(rest, ';') ? ';' : has(rest, ',') ? ',' : ' ';
    while (more) {
        if (columns == 3)
            return check_columns(reader, 4);
        more = next_field(reader->separator, &rest, &field);
        sfgp_status status = read_field(reader, field, columns + 1, &values[columns]);
        if (status != SFGP_OK)
            return status;
        columns++;
    }
    sfgp_status status = check_columns(reader, columns);
    if (status == SFGP_OK)
        sfgp_builder_point(&reader->builder, values);
    return status == SFGP_OK ? sfgp_builder_status(&reader->builder) : status;
}

sfgp_status sfgp_text_read(sfgp_source *source, sfgp_mesh **mesh)
{
    text_reader reader = {source, sfgp_builder_empty(source->context, 3), ' ', 0};
    sfgp_text line = {NULL, 0};
    sfgp_status status = sfgp_source_skip_bom(source);
    while (status == SFGP_OK) {
        status = sfgp_source_next_line(source, true, &line);
        if (status != SFGP_OK || !line.start)
            break;
        status = read_row(&reader, line);
    }
    if (status == SFGP_OK)
        status = sfgp_builder_finish(&reader.builder, source->path, reader.builder.columns, mesh);
    sfgp_builder_clear(&reader.builder);
    return status;
}
