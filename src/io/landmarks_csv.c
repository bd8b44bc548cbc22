/* CSV: name,x,y,z or name,x,y, with or without a header row; without names x,y,z or x,y. With a header other
 * columns are passed over, with a warning when they hold texts and none is called as names are; the names of the rows of
 * R and pandas are names. The first row decides the separator: comma, semicolon, tab, else blanks. A .pts of Landmark (IDAV) or
 * Checkpoint is the same behind two lines, "Version 1.0" and the number of landmarks. */
#include "io/fields.h"
#include "io/file.h"
#include "io/landmarks.h"

#include <string.h>

static char find_separator(sfgp_text line)
{
    static const char SEPARATORS[] = ",;\t";
    for (const char *c = SEPARATORS; *c; c++)
        if (memchr(line.start, *c, (size_t)line.length))
            return *c;
    return ' ';
}

static bool next_row(sfgp_source *source, sfgp_text *line)
{
    return sfgp_source_next_line(source, true, line) == SFGP_OK && line->start;
}

bool sfgp_landmarks_pts_starts(sfgp_text line)
{
    sfgp_text word;
    double version;
    return sfgp_text_word(&line, &word) && sfgp_text_is_nocase(word, "Version") &&
           sfgp_text_word(&line, &word) && sfgp_text_real(word, &version) && sfgp_text_trim(line).length == 0;
}

bool sfgp_landmarks_csv_starts(sfgp_source *source)
{
    sfgp_landmark_columns columns = {.count = 0};
    sfgp_text line, fields[2];
    if (sfgp_source_skip_bom(source) != SFGP_OK || !next_row(source, &line))
        return false;
    if (sfgp_fields_is_separator_line(line) && !next_row(source, &line))
        return false;
    if (sfgp_landmarks_pts_starts(line))
        return true;
    if (sfgp_path_has_extension(source->path, "pts"))
        return false; /* points of a scanner */
    const char separator = find_separator(line);
    const bool header = sfgp_landmark_header(line, separator, &columns);
    if (header && columns.name < 0 && next_row(source, &line))
        sfgp_landmark_find_row_names(line, &columns);
    if (header || columns.name >= 0)
        return columns.name >= 0;
    return sfgp_landmark_fields(line, separator, 2, fields) == 2 && sfgp_landmark_is_text(fields[0]) &&
           !sfgp_landmark_is_absent(fields[0]) &&
           (!sfgp_landmark_is_text(fields[1]) || sfgp_landmark_is_absent(fields[1]));
}

/* Without a header: a name first, unless there are but two or three numbers. */
static sfgp_status guess_columns(sfgp_source *source, sfgp_text line, char separator,
                                 sfgp_landmark_columns *columns)
{
    sfgp_text fields[8];
    const int count = sfgp_landmark_fields(line, separator, 8, fields);
    const bool named =
        count == 4 || (count == 3 && (fields[0].length == 0 || sfgp_landmark_is_text(fields[0])));
    if (count < 2 || count > 4)
        return sfgp_source_fail(
            source, SFGP_ERROR_FORMAT,
            "expected name,x,y,z or a header row that names the columns, found %d columns", count);
    *columns = (sfgp_landmark_columns){separator, count, named ? 0 : -1, {named, named + 1, -1},
                                       false,     false, false};
    if (count - named == 3)
        columns->axes[2] = named + 2;
    return SFGP_OK;
}

static sfgp_status read_row(sfgp_source *source, sfgp_text line, sfgp_landmark_columns *columns,
                            sfgp_landmark_list *list)
{
    if (list->count == 0)
        sfgp_landmark_find_row_names(line, columns);
    const sfgp_status status = sfgp_landmark_row(source, line, columns, list);
    if (status == SFGP_OK && list->count == 1)
        sfgp_landmark_warn_nameless(source, line, columns);
    return status;
}

/* Behind the version: the number of landmarks, then name x y z. */
static sfgp_status start_pts(sfgp_source *source, sfgp_landmark_columns *columns)
{
    sfgp_text line, word;
    int64_t count = 0;
    const sfgp_status status = sfgp_source_next_line(source, true, &line);
    if (status == SFGP_OK &&
        (!line.start || !sfgp_text_word(&line, &word) || !sfgp_text_integer(word, &count) || count < 0))
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected the number of landmarks");
    *columns = (sfgp_landmark_columns){' ', 4, 0, {1, 2, 3}, false, false, true};
    return status;
}

sfgp_status sfgp_landmarks_csv_read(sfgp_source *source, sfgp_landmark_list *list)
{
    sfgp_landmark_columns columns = {.count = 0};
    sfgp_text line;
    sfgp_status status = sfgp_source_skip_bom(source);
    while (sfgp_source_each_line(source, true, &line, &status)) {
        const bool first = columns.count == 0;
        if (first && sfgp_fields_is_separator_line(line))
            continue;
        if (first && sfgp_landmarks_pts_starts(line)) {
            status = start_pts(source, &columns);
            continue;
        }
        const char separator = first ? find_separator(line) : columns.separator;
        const bool header = first && sfgp_landmark_header(line, separator, &columns);
        if (first && !header)
            status = guess_columns(source, line, separator, &columns);
        list->dimension = columns.axes[2] >= 0 ? 3 : 2;
        if (status == SFGP_OK && !header)
            status = read_row(source, line, &columns, list);
    }
    return status;
}

void sfgp_landmarks_csv_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer)
{
    const int d = landmarks->dimension;
    sfgp_buffer_text(buffer, d == 3 ? "name,x,y,z" : "name,x,y");
    sfgp_buffer_text(buffer, sd ? ",sd\n" : "\n");
    for (int64_t k = 0; k < landmarks->count; k++) {
        sfgp_landmark_put_name(landmarks->names[k], buffer);
        for (int a = 0; a < d; a++) {
            sfgp_buffer_text(buffer, ",");
            sfgp_buffer_number(buffer, landmarks->points[k * d + a]);
        }
        if (sd) {
            sfgp_buffer_text(buffer, ",");
            sfgp_buffer_number(buffer, sd[k]);
        }
        sfgp_buffer_text(buffer, "\n");
    }
}
