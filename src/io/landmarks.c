/* Landmarks of any format: the table of the formats, reading into the public struct and writing. */
#include "io/landmarks.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/format.h"

#include <math.h>
#include <string.h>

/* csv is last: it takes every extension. */
static const sfgp_landmark_format FORMATS[] = {
    {"mrk.json", "json", false, sfgp_landmarks_markups_read, sfgp_landmarks_markups_write},
    {"fcsv", "fcsv", true, sfgp_landmarks_fcsv_read, sfgp_landmarks_fcsv_write},
    {"pp", "pp", true, sfgp_landmarks_picked_read, sfgp_landmarks_picked_write},
    {"tps", "tps", false, sfgp_landmarks_tps_read, sfgp_landmarks_tps_write},
    {"nts", "nts", true, sfgp_landmarks_nts_read, NULL},
    {"nts", "dta", true, sfgp_landmarks_nts_read, NULL},
    {"csv", NULL, true, sfgp_landmarks_csv_read, sfgp_landmarks_csv_write},
};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS, CSV = FORMAT_COUNT - 1 };

static const sfgp_landmark_format *format_of(const char *path)
{
    int k = 0;
    while (k < CSV && !sfgp_path_has_extension(path, FORMATS[k].extension))
        k++;
    return &FORMATS[k];
}

/* By the extension, of standard input by the content. */
static sfgp_status format_of_source(sfgp_source *source, const sfgp_landmark_format **format)
{
    const char *extension = NULL;
    sfgp_status status = SFGP_OK;
    int k = 0;
    *format = format_of(source->path);
    if (!source->input.held)
        return SFGP_OK;
    status = sfgp_landmarks_extension_by_content(source, &extension);
    while (k < CSV && !(extension && strcmp(extension, FORMATS[k].extension) == 0))
        k++;
    *format = &FORMATS[k];
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static sfgp_status make(sfgp_context *context, sfgp_landmark_list *list, sfgp_landmarks **landmarks)
{
    sfgp_status status = sfgp_allocate(context, 1, landmarks);
    if (status != SFGP_OK)
        return status;
    sfgp_landmarks *made = *landmarks;
    made->count = list->count;
    made->dimension = list->dimension;
    made->system = list->system;
    if ((status = sfgp_allocate(context, list->count, &made->names)) != SFGP_OK)
        return status;
    made->points = sfgp_buffer_release(&list->points);
    made->names[0] = sfgp_buffer_release(&list->names); /* one block for all of them */
    for (int64_t k = 1; k < made->count; k++)
        made->names[k] = made->names[k - 1] + strlen(made->names[k - 1]) + 1;
    return SFGP_OK;
}

static sfgp_status read_source(sfgp_source *source, sfgp_landmarks **landmarks)
{
    const sfgp_landmark_format *format;
    sfgp_landmark_list list = {.dimension = 3, .system = ""};
    list.names = list.points = sfgp_buffer_empty(source->context);
    sfgp_status status = format_of_source(source, &format);
    if (status == SFGP_OK && format == &FORMATS[CSV])
        status = sfgp_format_refuse_foreign(source);
    if (status == SFGP_OK)
        status = format->read(source, &list);
    if (status == SFGP_OK)
        status = sfgp_source_check_unchanged(source);
    if (status == SFGP_OK)
        sfgp_landmarks_recode(source, &list.names);
    if (status == SFGP_OK)
        status = list.names.status != SFGP_OK ? list.names.status : list.points.status;
    if (status == SFGP_OK && list.count == 0)
        status = sfgp_fail(source->context, SFGP_ERROR_FORMAT, "%s: line %lld: the file holds no landmark",
                           sfgp_path_shown(source->path), (long long)source->line);
    if (status == SFGP_OK)
        status = make(source->context, &list, landmarks);
    if (status == SFGP_OK)
        (*landmarks)->format = list.format ? list.format : format->name;
    sfgp_buffer_clear(&list.names);
    sfgp_buffer_clear(&list.points);
    return status;
}

sfgp_status sfgp_landmarks_read(sfgp_context *context, const char *path, sfgp_landmarks **landmarks)
{
    sfgp_source source;
    if (!context || !path || !landmarks)
        return SFGP_ERROR_PARAMETER;
    *landmarks = NULL;
    sfgp_status status = sfgp_source_open(context, path, &source);
    if (status == SFGP_OK)
        status = read_source(&source, landmarks);
    if (status != SFGP_OK) {
        sfgp_landmarks_free(*landmarks);
        *landmarks = NULL;
    }
    sfgp_source_close(&source);
    return status;
}

void sfgp_landmarks_free(sfgp_landmarks *landmarks)
{
    if (!landmarks)
        return;
    if (landmarks->names && landmarks->count > 0)
        sfgp_free(landmarks->names[0]);
    sfgp_free(landmarks->names);
    sfgp_free(landmarks->points);
    sfgp_free(landmarks);
}

/* Standard input may also be a mesh of any format, whose first row may look like a name and a number. */
static bool holds_landmarks(sfgp_source *source)
{
    const sfgp_landmark_format *format;
    const sfgp_format *mesh;
    if (format_of_source(source, &format) != SFGP_OK || format != &FORMATS[CSV])
        return format != &FORMATS[CSV];
    if (source->input.held &&
        (sfgp_format_detect(source, &mesh) != SFGP_OK || strcmp(mesh->name, "text") != 0))
        return false;
    return sfgp_landmarks_csv_starts(source);
}

int sfgp_landmarks_is_file(const char *path)
{
    sfgp_context *context = NULL;
    sfgp_source source;
    const bool stream = sfgp_path_is_stream(path);
    if (!stream && format_of(path) != &FORMATS[CSV])
        return 1;
    const bool table = sfgp_path_has_extension(path, "csv") || sfgp_path_has_extension(path, "pts");
    if ((!stream && !table) || sfgp_context_new(NULL, &context) != SFGP_OK)
        return 0;
    const bool found = sfgp_source_open(context, path, &source) == SFGP_OK && holds_landmarks(&source);
    sfgp_input_put_back(&source.input);
    sfgp_source_close(&source);
    sfgp_context_free(context);
    return found;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

/* JSON stays Scalismo's when it was, and becomes so when the name says it. */
static void write_landmarks(const char *path, const sfgp_landmarks *landmarks, const double *sd,
                            sfgp_buffer *buffer)
{
    const sfgp_landmark_format *format = format_of(path);
    const bool scalismo = landmarks->format && strcmp(landmarks->format, SFGP_LANDMARKS_SCALISMO) == 0 &&
                          !sfgp_path_ends_in(path, ".mrk.json");
    if (format == &FORMATS[0] && (scalismo || sfgp_path_ends_in(path, ".scalismo.json")))
        sfgp_landmarks_scalismo_write(landmarks, sd, buffer);
    else
        format->write(landmarks, sd, buffer);
}

/* CSV takes every extension when it is read, and its own, none on standard output and devices when it is written. */
static sfgp_status check_extension(sfgp_context *context, const char *path)
{
    const bool open = sfgp_path_extension(path).length == 0;
    const bool own = format_of(path) != &FORMATS[CSV] || sfgp_path_has_extension(path, "csv") ||
                     sfgp_path_has_extension(path, "txt");
    if (format_of(path)->write && (own || (open && (sfgp_path_is_stream(path) || sfgp_path_is_device(path)))))
        return SFGP_OK;
    return sfgp_fail(
        context, SFGP_ERROR_PARAMETER,
        "%s: landmarks are written as .csv, .txt, .json, .fcsv, .pp or .tps, or to standard output as -",
        sfgp_path_shown(path));
}

static sfgp_status check(sfgp_context *context, const char *path, const sfgp_landmarks *landmarks,
                         const double *sd)
{
    const int d = landmarks->dimension;
    if (landmarks->count < 1 || d < 2 || d > 3)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "%s: %lld landmarks in %dD cannot be written",
                         sfgp_path_shown(path), (long long)landmarks->count, d);
    for (int64_t k = 0; k < landmarks->count; k++) {
        if (format_of(path)->lines && strpbrk(landmarks->names[k], "\r\n"))
            return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                             "%s: the name of landmark %lld has a line end; write .mrk.json",
                             sfgp_path_shown(path), (long long)k);
        bool finite = !sd || isfinite(sd[k]);
        for (int a = 0; a < d; a++)
            finite = finite && isfinite(landmarks->points[k * d + a]);
        if (!finite)
            return sfgp_fail(context, SFGP_ERROR_DATA, "%s: landmark %lld is not finite",
                             sfgp_path_shown(path), (long long)k);
    }
    return SFGP_OK;
}

sfgp_status sfgp_landmarks_write(sfgp_context *context, const char *path, const sfgp_landmarks *landmarks,
                                 const double *sd)
{
    if (!context || !path || !landmarks)
        return SFGP_ERROR_PARAMETER;
    sfgp_buffer buffer = sfgp_buffer_empty(context);
    sfgp_status status = check(context, path, landmarks, sd);
    if (status == SFGP_OK)
        status = check_extension(context, path);
    if (status == SFGP_OK)
        write_landmarks(path, landmarks, sd, &buffer);
    return sfgp_buffer_save(&buffer, status, path);
}
