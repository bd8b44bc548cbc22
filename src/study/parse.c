/* Reads STUDY.json into a study. Every name, type and size is checked before anything runs. */
#include "study/parse.h"
#include "report/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STUDY_KEYS "title text seed threads jobs data sets methods tune views"

/* The folder of the data: $SFGP_DATA, or else the member "data", which is relative to the study file. */
static sfgp_status find_data(study *s, const char *path)
{
    const char *given = getenv("SFGP_DATA"), *named = ".", *slash = strrchr(path, '/');
    sfgp_status status = study_object_text(&(study_object){s, s->json, "the study"}, "data", &named);
    if (status != SFGP_OK)
        return status;
    s->folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    s->data = given && given[0] ? strdup(given) : s->folder ? study_path(s->folder, named) : NULL;
    return s->data ? SFGP_OK : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
}

static sfgp_status parse_whole_number(const study_object *object, const char *name, double most,
                                      int64_t *number)
{
    double value = 1;
    sfgp_status status = study_object_number(object, name, (const double[]){0, most}, &value);
    if (status == SFGP_OK && value != floor(value))
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: %s: is not a whole number", object->where, name);
    *number = (int64_t)value;
    return status;
}

static sfgp_status parse_members(study *s)
{
    static const int JOBS[] = {0, STUDY_MOST_JOBS};
    const study_object object = {s, s->json, "the study"};
    sfgp_status status = SFGP_OK;
    s->title = "Study";
    s->text = "";
    s->tune = json_object_get(s->json, "tune");
    s->views = json_object_get(s->json, "views");
    if ((status = study_object_check_keys(&object, STUDY_KEYS, "")) == SFGP_OK &&
        (status = study_object_text(&object, "title", &s->title)) == SFGP_OK &&
        (status = study_object_text(&object, "text", &s->text)) == SFGP_OK &&
        (status = parse_whole_number(&object, "seed", 0x1p53, &s->seed)) == SFGP_OK &&
        (status = parse_whole_number(&object, "threads", 1e6, &s->threads)) == SFGP_OK)
        status = study_object_count(&object, "jobs", JOBS, &s->jobs);
    return status;
}

static sfgp_status parse(study *s, const char *path)
{
    sfgp_status status = parse_members(s);
    if (status == SFGP_OK && (status = find_data(s, path)) == SFGP_OK &&
        (status = study_parse_sets(s)) == SFGP_OK)
        status = study_parse_methods(s);
    return status;
}

static sfgp_status read_json(study *s, const char *path)
{
    enum { MOST_BYTES = 1 << 26 };
    json_error_t error;
    report_file file;
    if (!report_file_read(path, MOST_BYTES, &file))
        return study_fail(s, file.status, "cannot read: %s", file.problem);
    const char *content = report_file_content(&file);
    s->json = json_loadb(content, file.size - (size_t)(content - file.text), JSON_REJECT_DUPLICATES, &error);
    free(file.text);
    return s->json ? SFGP_OK
                   : study_fail(s, SFGP_ERROR_FORMAT, "line %d: %s; it should be a study, a JSON object",
                                error.line, error.text);
}

sfgp_status study_open(study *s, const char *path)
{
    sfgp_status status = SFGP_OK;
    *s = (study){0};
    if ((status = read_json(s, path)) == SFGP_OK && (status = parse(s, path)) == SFGP_OK &&
        (status = study_sets_open(s)) == SFGP_OK && (status = study_check_tune(s)) == SFGP_OK)
        status = study_check_views(s);
    return status;
}

void study_clear(study *s)
{
    for (int k = 0; k < s->set_count; k++)
        study_set_clear(&s->sets[k]);
    free(s->sets);
    free(s->methods);
    free(s->folder);
    free(s->data);
    json_decref(s->json);
    *s = (study){0};
}
