/* Rows of fields: the columns, by a header or by their number, and one landmark a row. */
#include "base/context.h"
#include "io/fields.h"
#include "io/file.h"
#include "io/landmarks.h"

#include <string.h>

enum { MOST_FIELDS = 32 };

/* ---- fields ------------------------------------------------------------------------------------------ */

int sfgp_landmark_fields(sfgp_text line, char separator, int most, sfgp_text *fields)
{
    int count = 0;
    for (bool more = true; more && count < most; count++)
        more = sfgp_fields_next(separator, &line, &fields[count]);
    return count;
}

bool sfgp_landmark_is_text(sfgp_text field)
{
    double value;
    return field.length > 0 && !sfgp_text_real(field, &value);
}

bool sfgp_landmark_is_absent(sfgp_text field)
{
    return field.length == 0 || sfgp_text_is_nocase(field, "NA") || sfgp_text_is_nocase(field, "nan");
}

/* ---- columns ----------------------------------------------------------------------------------------- */

/* The column of the names, the first that is there of these; -1: none. */
static int find_names(const sfgp_text *fields, int count)
{
    static const char *const NAMES[] = {"name", "label", "landmark", "id", "lm", "point"};
    for (size_t n = 0; n < sizeof NAMES / sizeof *NAMES; n++)
        for (int k = 0; k < count; k++)
            if (sfgp_text_is_nocase(fields[k], NAMES[n]))
                return k;
    return -1;
}

bool sfgp_landmark_header(sfgp_text line, char separator, sfgp_landmark_columns *columns)
{
    static const char *const AXES[] = {"x", "y", "z"};
    sfgp_text fields[MOST_FIELDS];
    *columns = (sfgp_landmark_columns){separator, 0, -1, {-1, -1, -1}, columns->open, false, false};
    columns->count = sfgp_landmark_fields(line, separator, MOST_FIELDS, fields);
    columns->name = find_names(fields, columns->count);
    columns->unnamed = fields[0].length == 0;
    for (int k = columns->count - 1; k >= 0; k--)
        for (int a = 0; a < 3; a++)
            if (sfgp_text_is_nocase(fields[k], AXES[a]))
                columns->axes[a] = k;
    return columns->axes[0] >= 0 && columns->axes[1] >= 0;
}

void sfgp_landmark_find_row_names(sfgp_text line, sfgp_landmark_columns *columns)
{
    sfgp_text fields[MOST_FIELDS];
    const int count = sfgp_landmark_fields(line, columns->separator, MOST_FIELDS, fields);
    const bool left_out = !columns->open && count == columns->count + 1 && fields[count - 1].length > 0;
    columns->count += left_out;
    columns->name += left_out && columns->name >= 0;
    for (int a = 0; a < 3; a++)
        columns->axes[a] += left_out && columns->axes[a] >= 0;
    if (columns->name < 0 && (left_out || columns->unnamed) && sfgp_landmark_is_text(fields[0]))
        columns->name = 0;
}

void sfgp_landmark_warn_nameless(const sfgp_source *source, sfgp_text line,
                                 const sfgp_landmark_columns *columns)
{
    sfgp_text fields[MOST_FIELDS];
    const int count = sfgp_landmark_fields(line, columns->separator, MOST_FIELDS, fields);
    int k = 0;
    while (k < count && (k == columns->axes[0] || k == columns->axes[1] || k == columns->axes[2] ||
                         !sfgp_landmark_is_text(fields[k])))
        k++;
    if (columns->name < 0 && k < count)
        sfgp_warn(
            source->context,
            "%s: line %lld: '%s' is in none of the columns name, label, landmark, id, lm and point: the "
            "landmarks have no names, and are paired by their order",
            sfgp_path_shown(source->path), (long long)source->line, sfgp_text_show(fields[k]).text);
}

static sfgp_status read_axis(const sfgp_source *source, sfgp_text field, double *value)
{
    if (field.length == 0)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected a number, found nothing");
    return sfgp_source_number(source, field, value);
}

/* As a field that is absent, and in .pts the number that stands for it. */
static bool holds_nothing(const sfgp_landmark_columns *columns, sfgp_text field)
{
    double value = 0;
    return sfgp_landmark_is_absent(field) ||
           (columns->nines && sfgp_text_real(field, &value) && value == 9999);
}

/* A name without coordinates: the landmark could not be set. Without names nothing would tell which one is left out. */
static bool is_unset(const sfgp_landmark_columns *columns, const sfgp_text *fields, int dimension)
{
    bool unset = columns->name >= 0 && !sfgp_landmark_is_absent(fields[columns->name]);
    for (int a = 0; a < dimension; a++)
        unset = unset && holds_nothing(columns, fields[columns->axes[a]]);
    return unset;
}

/* "" in a quoted field is one quote: name is at most as long as the field. */
static sfgp_status add_name(sfgp_text field, const double *point, sfgp_landmark_list *list)
{
    const int64_t before = list->names.size;
    sfgp_landmark_add(list, field, point);
    if (list->names.status != SFGP_OK || list->points.status != SFGP_OK)
        return list->names.status != SFGP_OK ? list->names.status : list->points.status;
    char *name = (char *)list->names.bytes + before, *to = name;
    for (const char *from = name; *from; from++) {
        *to++ = *from;
        from += from[0] == '"' && from[1] == '"';
    }
    *to = '\0';
    list->names.size = before + (to - name) + 1;
    return SFGP_OK;
}

sfgp_status sfgp_landmark_row(sfgp_source *source, sfgp_text line, const sfgp_landmark_columns *columns,
                              sfgp_landmark_list *list)
{
    sfgp_text fields[MOST_FIELDS], nameless = {"", 0};
    double point[3] = {0};
    line = sfgp_fields_row(columns->separator, columns->count, line, source->whole);
    const int count = sfgp_landmark_fields(line, columns->separator, MOST_FIELDS, fields);
    if (count < columns->count || (count > columns->count && !columns->open))
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT,
                                "expected %d columns as in the first row, found %d", columns->count, count);
    if (is_unset(columns, fields, list->dimension))
        return sfgp_landmark_leave_out(source, fields[columns->name]);
    for (int a = 0; a < list->dimension; a++) {
        sfgp_status status = read_axis(source, fields[columns->axes[a]], &point[a]);
        if (status != SFGP_OK)
            return status;
    }
    return add_name(columns->name >= 0 ? fields[columns->name] : nameless, point, list);
}

void sfgp_landmark_put_name(const char *name, sfgp_buffer *buffer)
{
    const bool quotes =
        strpbrk(name, ",\";\t#") || name[0] == ' ' || (name[0] && name[strlen(name) - 1] == ' ');
    if (quotes)
        sfgp_buffer_text(buffer, "\"");
    for (const char *c = name; *c; c++)
        sfgp_buffer_add(buffer, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    if (quotes)
        sfgp_buffer_text(buffer, "\"");
}
