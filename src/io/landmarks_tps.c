/* TPS, as tpsDig and geomorph have it: LM=n or LM3=n, n rows of coordinates, then KEY=value. One specimen a file, as landmarks
 * have no names to tell specimens apart; curves are left out. SCALE multiplies the coordinates, as in geomorph. */
#include "io/landmarks.h"
#include "io/file.h"

#include <string.h>

typedef struct tps {
    sfgp_source *source;
    sfgp_landmark_list *list;
    bool curves; /* a warning was given */
} tps;

/* KEY=value; false when there is no equals sign. */
static bool cut_key(sfgp_text line, sfgp_text *key, sfgp_text *value)
{
    const char *const sign = memchr(line.start, '=', (size_t)line.length);
    if (!sign)
        return false;
    *key = sfgp_text_trim((sfgp_text){line.start, sign - line.start});
    *value = sfgp_text_trim((sfgp_text){sign + 1, line.start + line.length - sign - 1});
    return true;
}

static sfgp_status read_count(const tps *file, sfgp_text value, int64_t *count)
{
    if (sfgp_text_integer(value, count) && *count >= 0 && *count <= file->source->size)
        return SFGP_OK;
    return sfgp_source_fail(file->source, SFGP_ERROR_FORMAT, "'%s' is not a number of points",
                            sfgp_text_show(value).text);
}

static sfgp_status next_row(const tps *file, sfgp_text *line)
{
    const sfgp_status status = sfgp_source_next_line(file->source, false, line);
    if (status == SFGP_OK && !line->start)
        return sfgp_source_fail(file->source, SFGP_ERROR_FORMAT, "the file ends before its last point");
    return status;
}

static sfgp_status read_point(const tps *file, sfgp_text line)
{
    sfgp_text word;
    double point[3];
    int count = 0;
    for (; sfgp_text_word(&line, &word); count++) {
        double value;
        if (sfgp_landmark_is_absent(word))
            return sfgp_landmark_leave_out(file->source, (sfgp_text){"", 0});
        const sfgp_status status = sfgp_source_number(file->source, word, &value);
        if (status != SFGP_OK)
            return status;
        if (count < 3)
            point[count] = value;
    }
    if (count != file->list->dimension)
        return sfgp_source_fail(file->source, SFGP_ERROR_FORMAT, "expected %d coordinates",
                                file->list->dimension);
    sfgp_landmark_add(file->list, (sfgp_text){"", 0}, point);
    return file->list->points.status;
}

static sfgp_status read_landmarks(const tps *file, sfgp_text value, int dimension)
{
    int64_t count = 0;
    sfgp_text line;
    if (file->list->count > 0)
        return sfgp_source_fail(file->source, SFGP_ERROR_FORMAT,
                                "a second specimen: write each one into a file of its own");
    sfgp_status status = read_count(file, value, &count);
    file->list->dimension = dimension;
    for (int64_t k = 0; k < count && status == SFGP_OK; k++)
        if ((status = next_row(file, &line)) == SFGP_OK)
            status = read_point(file, line);
    return status;
}

static sfgp_status skip_curves(tps *file, sfgp_text value)
{
    int64_t count = 0;
    sfgp_text line;
    sfgp_status status = read_count(file, value, &count);
    if (status == SFGP_OK && count > 0 && !file->curves)
        sfgp_warn(file->source->context, "%s: curves are left out: its landmarks alone are read",
                  sfgp_path_shown(file->source->path));
    file->curves = file->curves || count > 0;
    for (int64_t k = 0; k < count && status == SFGP_OK; k++)
        status = next_row(file, &line);
    return status;
}

static sfgp_status scale(const tps *file, sfgp_text value)
{
    double factor = 1;
    double *const points = (double *)(void *)file->list->points.bytes;
    const sfgp_status status = sfgp_source_number(file->source, value, &factor);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < file->list->count * file->list->dimension; k++) {
        points[k] *= factor;
        if (!(points[k] - points[k] == 0))
            return sfgp_source_fail(file->source, SFGP_ERROR_DATA, "SCALE makes a coordinate infinite");
    }
    return SFGP_OK;
}

sfgp_status sfgp_landmarks_tps_read(sfgp_source *source, sfgp_landmark_list *list)
{
    tps file = {source, list, false};
    sfgp_text line, key, value;
    sfgp_status status = sfgp_source_skip_bom(source);
    while (sfgp_source_each_line(source, false, &line, &status)) {
        if (!cut_key(line, &key, &value))
            return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected KEY=value, found '%s'",
                                    sfgp_text_show(line).text);
        if (sfgp_text_is_nocase(key, "LM") || sfgp_text_is_nocase(key, "LM3"))
            status = read_landmarks(&file, value, key.length == 2 ? 2 : 3);
        else if (sfgp_text_is_nocase(key, "POINTS") || sfgp_text_is_nocase(key, "POINTS3"))
            status = skip_curves(&file, value);
        else if (sfgp_text_is_nocase(key, "SCALE"))
            status = scale(&file, value);
    }
    return status;
}

/* Without names and deviations, which the format does not have. */
void sfgp_landmarks_tps_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer)
{
    const int d = landmarks->dimension;
    (void)sd;
    sfgp_buffer_print(buffer, "LM%s=%lld\n", d == 3 ? "3" : "", (long long)landmarks->count);
    for (int64_t k = 0; k < landmarks->count * d; k++) {
        sfgp_buffer_number(buffer, landmarks->points[k]);
        sfgp_buffer_text(buffer, (k + 1) % d == 0 ? "\n" : " ");
    }
    sfgp_buffer_text(buffer, "ID=1\n");
}
