/* Slicer fiducials, .fcsv: comments that name the coordinate system and the columns, then rows of fields.
 * Without a system it is RAS, as in Slicer 4. Slicer 5 writes two fields more than it names columns. */
#include "io/landmarks.h"

#include <string.h>

#define COLUMNS "id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID"

/* The text behind "# key =", start NULL when the comment says something else. */
static sfgp_text value_of(sfgp_text comment, const char *key)
{
    const char *sign = memchr(comment.start, '=', (size_t)comment.length);
    if (!sign)
        return (sfgp_text){NULL, 0};
    const sfgp_text found = sfgp_text_trim((sfgp_text){comment.start + 1, sign - comment.start - 1});
    const sfgp_text value = {sign + 1, comment.start + comment.length - sign - 1};
    return sfgp_text_is_nocase(found, key) ? sfgp_text_trim(value) : (sfgp_text){NULL, 0};
}

static sfgp_status read_comment(sfgp_source *source, sfgp_text line, sfgp_landmark_columns *columns,
                                sfgp_landmark_list *list)
{
    const sfgp_text system = value_of(line, "CoordinateSystem"), header = value_of(line, "columns");
    if (system.start && !(list->system = sfgp_landmark_system(system)))
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "coordinate system '%s' is neither LPS nor RAS",
                                sfgp_text_show(system).text);
    if (header.start && (!sfgp_landmark_header(header, ',', columns) || columns->axes[2] < 0))
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "the columns '%s' have no x, y, z",
                                sfgp_text_show(header).text);
    return SFGP_OK;
}

sfgp_status sfgp_landmarks_fcsv_read(sfgp_source *source, sfgp_landmark_list *list)
{
    const sfgp_text standard = {COLUMNS, sizeof COLUMNS - 1};
    sfgp_landmark_columns columns = {.open = true};
    sfgp_text line;
    sfgp_landmark_header(standard, ',', &columns);
    list->system = "RAS";
    sfgp_status status = sfgp_source_skip_bom(source);
    while (sfgp_source_each_line(source, false, &line, &status))
        status = line.start[0] == '#' ? read_comment(source, line, &columns, list)
                                      : sfgp_landmark_row(source, line, &columns, list);
    return status;
}

void sfgp_landmarks_fcsv_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer)
{
    const int d = landmarks->dimension;
    sfgp_buffer_text(buffer, "# Markups fiducial file version = 4.11\n# CoordinateSystem = ");
    sfgp_buffer_text(buffer, landmarks->system[0] ? landmarks->system : "LPS");
    sfgp_buffer_text(buffer, "\n# columns = " COLUMNS "\n");
    for (int64_t k = 0; k < landmarks->count; k++) {
        sfgp_buffer_print(buffer, "%lld", (long long)k + 1);
        for (int a = 0; a < 3; a++) {
            sfgp_buffer_text(buffer, ",");
            sfgp_buffer_number(buffer, a < d ? landmarks->points[k * d + a] : 0);
        }
        sfgp_buffer_text(buffer, ",0,0,0,1,1,1,0,");
        sfgp_landmark_put_name(landmarks->names[k], buffer);
        sfgp_buffer_text(buffer, ",");
        sfgp_landmark_describe(sd, k, buffer);
        sfgp_buffer_text(buffer, ",\n");
    }
}
