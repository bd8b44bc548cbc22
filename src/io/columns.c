/* Which columns are the coordinates: as the caller says, or as the header does (header.c). */
#include "io/columns.h"
#include "io/fields.h"

#define ASK "say which columns are the coordinates, e.g. --columns 1,2,3"

sfgp_status sfgp_columns_check(sfgp_context *context, const char *columns)
{
    sfgp_text rest = sfgp_text_of(columns ? columns : ""), field;
    int64_t number, count = 0;
    bool good = true;
    for (bool more = columns != NULL; more; count++) {
        more = sfgp_fields_next(',', &rest, &field);
        good = good && field.length > 0 && !(sfgp_text_integer(field, &number) && number < 1);
    }
    if (columns && (!good || count < 2 || count > 3))
        return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                         "columns: expected 2 or 3 names or numbers from 1, separated by commas, found '%s'",
                         sfgp_text_show(sfgp_text_of(columns)).text);
    return SFGP_OK;
}

/* ---- as the caller says ------------------------------------------------------------------------------ */

static sfgp_status fail_column(sfgp_source *source, const sfgp_header *header, sfgp_text name)
{
    const char *words = header->names.start ? "is not the name of one column of the header"
                                            : "is a name, and there is no header; give numbers from 1";
    source->line = header->names.start ? header->line : source->line;
    return sfgp_source_fail(source, SFGP_ERROR_PARAMETER, "columns: '%s' %s", sfgp_text_show(name).text,
                            words);
}

static sfgp_status find_asked(sfgp_source *source, const sfgp_header *header, sfgp_text name, int64_t unnamed,
                              sfgp_columns *columns)
{
    int64_t number, *column = &columns->axes[columns->dimension++];
    if (!sfgp_text_integer(name, &number)) {
        *column = sfgp_header_find(header, name);
        if (*column < 0)
            return fail_column(source, header, name);
        *column += unnamed;
        return SFGP_OK;
    }
    *column = number - 1;
    if (number <= columns->count)
        return SFGP_OK;
    return sfgp_source_fail(source, SFGP_ERROR_PARAMETER, "columns: %lld is not one of the %lld columns",
                            (long long)number, (long long)columns->count);
}

static sfgp_status resolve_asked(sfgp_source *source, const sfgp_header *header, int64_t unnamed,
                                 sfgp_columns *columns)
{
    sfgp_text rest = sfgp_text_of(source->columns), field;
    sfgp_status status = SFGP_OK;
    columns->dimension = 0;
    for (bool more = true; more && status == SFGP_OK;) {
        more = sfgp_fields_next(',', &rest, &field);
        status = find_asked(source, header, field, unnamed, columns);
    }
    const int64_t *axes = columns->axes;
    if (status == SFGP_OK &&
        (axes[0] == axes[1] || (columns->dimension == 3 && (axes[0] == axes[2] || axes[1] == axes[2]))))
        return sfgp_source_fail(source, SFGP_ERROR_PARAMETER, "columns: '%s': one column twice",
                                sfgp_text_show(sfgp_text_of(source->columns)).text);
    return status;
}

int sfgp_columns_axis(const sfgp_columns *columns, int64_t column)
{
    for (int a = 0; a < columns->dimension; a++)
        if (columns->axes[a] == column)
            return a;
    return -1;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static sfgp_status resolve_named(sfgp_source *source, const sfgp_header *header, int64_t unnamed,
                                 sfgp_columns *columns)
{
    if (!sfgp_header_find_axes(header, columns) && !sfgp_header_find_counted(header, unnamed > 0, columns)) {
        source->line = header->line;
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT,
                                "the header '%s' names no x and y (or one of x, y, z twice); " ASK,
                                sfgp_text_show(header->names).text);
    }
    for (int a = 0; a < columns->dimension; a++)
        columns->axes[a] += unnamed;
    return SFGP_OK;
}

sfgp_status sfgp_columns_resolve(sfgp_source *source, const sfgp_header *header, int64_t count,
                                 sfgp_columns *columns)
{
    const int64_t named = header->names.start ? sfgp_fields_count(header->separator, header->names) : count;
    *columns = (sfgp_columns){count, (int)(count < 3 ? count : 3), {0, 1, 2}};
    if (named != count && named + 1 != count)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT,
                                "expected %lld columns as the header has, found %lld", (long long)named,
                                (long long)count);
    if (source->columns)
        return resolve_asked(source, header, count - named, columns);
    if (header->names.start)
        return resolve_named(source, header, count - named, columns);
    if (count == 2 || count == 3)
        return SFGP_OK;
    if (count < 2)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected 2 or 3 columns, found %lld",
                                (long long)count);
    return sfgp_source_fail(source, SFGP_ERROR_FORMAT,
                            "expected 2 or 3 columns, found %lld and no header that names them; " ASK,
                            (long long)count);
}
