/* Names of the columns of a table: see header.h. */
#include "io/header.h"
#include "io/fields.h"

#include <string.h>

typedef bool (*comparison)(sfgp_text field, sfgp_text name);

static bool is_equal(sfgp_text field, sfgp_text name)
{
    return field.length == name.length && memcmp(field.start, name.start, (size_t)name.length) == 0;
}

/* The name, and behind it nothing or a unit in brackets. */
static bool is_axis(sfgp_text field, sfgp_text name)
{
    if (field.length < name.length || !sfgp_text_is_alike((sfgp_text){field.start, name.length}, name))
        return false;
    const sfgp_text unit = sfgp_text_trim((sfgp_text){field.start + name.length, field.length - name.length});
    return unit.length == 0 || *unit.start == '(' || *unit.start == '[';
}

static int64_t find(const sfgp_header *header, comparison compare, sfgp_text name, int64_t *found)
{
    sfgp_text rest = header->names, field;
    int64_t column = 0, last = -1;
    *found = 0;
    for (bool more = header->names.start != NULL; more; column++) {
        more = sfgp_fields_next(header->separator, &rest, &field);
        if (compare(field, name)) {
            last = column;
            ++*found;
        }
    }
    return last;
}

int64_t sfgp_header_find(const sfgp_header *header, sfgp_text name)
{
    int64_t found;
    int64_t column = find(header, is_equal, name, &found);
    if (found == 0)
        column = find(header, sfgp_text_is_alike, name, &found);
    return found == 1 ? column : -1;
}

bool sfgp_header_find_axes(const sfgp_header *header, sfgp_columns *columns)
{
    static const char *const AXES[][3] = {
        {"x", "y", "z"}, {"points:0", "points:1", "points:2"}, {"points_0", "points_1", "points_2"}};
    for (size_t k = 0; k < sizeof AXES / sizeof *AXES; k++) {
        int64_t found[3];
        for (int a = 0; a < 3; a++)
            columns->axes[a] = find(header, is_axis, sfgp_text_of(AXES[k][a]), &found[a]);
        columns->dimension = found[2] > 0 ? 3 : 2;
        if (found[0] > 0 && found[1] > 0)
            return found[0] == 1 && found[1] == 1 && found[2] <= 1;
    }
    return false;
}

/* ---- names that count -------------------------------------------------------------------------------- */

/* Length of the name without the digits at its end. */
static int64_t measure_prefix(sfgp_text name)
{
    int64_t length = name.length;
    while (length > 0 && name.start[length - 1] >= '0' && name.start[length - 1] <= '9')
        length--;
    return length;
}

static bool counts(sfgp_text first, sfgp_text name, int64_t step)
{
    const int64_t prefix = measure_prefix(first);
    int64_t from, number;
    return prefix == measure_prefix(name) && memcmp(first.start, name.start, (size_t)prefix) == 0 &&
           sfgp_text_integer((sfgp_text){first.start + prefix, first.length - prefix}, &from) &&
           sfgp_text_integer((sfgp_text){name.start + prefix, name.length - prefix}, &number) && from <= 1 &&
           number == from + step;
}

bool sfgp_header_find_counted(const sfgp_header *header, bool unnamed, sfgp_columns *columns)
{
    sfgp_text rest = header->names, field, first = {NULL, 0};
    int64_t column = 0, taken = 0;
    bool good = true;
    for (bool more = header->names.start != NULL; more && good; column++) {
        more = sfgp_fields_next(header->separator, &rest, &field);
        if (column == 0 && field.length == 0 && !unnamed)
            continue;
        first = taken == 0 ? field : first;
        good = taken < 3 && counts(first, field, taken);
        if (good)
            columns->axes[taken++] = column;
    }
    columns->dimension = (int)taken;
    return good && taken >= 2;
}

/* ---- is it a header? --------------------------------------------------------------------------------- */

/* Not what somebody wrote as a number, such as 1,5 or 0x1p3. */
static bool is_word(sfgp_text field)
{
    double value;
    return field.length > 0 && !memchr("0123456789+-.", field.start[0], 13) && !sfgp_text_real(field, &value);
}

bool sfgp_header_is(const sfgp_header *row)
{
    sfgp_text rest = row->names, field;
    sfgp_columns columns;
    int64_t column = 0, words = 0, others = 0;
    bool open = false;
    for (bool more = true; more; column++) {
        more = sfgp_fields_next(row->separator, &rest, &field);
        open = open || (column == 0 && field.length == 0);
        words += is_word(field);
        others += field.length > 0 && !is_word(field);
    }
    return column > 1 && (open || (words > 0 && others == 0) || sfgp_header_find_axes(row, &columns));
}
