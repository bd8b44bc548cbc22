/* Reads what the tables show of a case from its case.json. */
#include "batch/parts.h"
#include "page/sink.h"
#include "batch/digest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The object at a path such as "errors.all". */
static const json_t *find_object(const json_t *object, const char *path)
{
    char name[32];
    while (path && *path) {
        const size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        object = json_object_get(object, name);
        path += length + (path[length] == '.');
    }
    return object;
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static double read_value(const json_t *record, const batch_value *value)
{
    const json_t *object = find_object(record, value->object);
    return value->per ? number_of(object, value->key) / number_of(object, value->per)
                      : number_of(object, value->key);
}

/* The record of a case; NULL: none. When fit.ply does not exist or is not the file of the record, the case has no
 * result, and *message says why. */
static json_t *read_record(const char *folder, const char *id, const char **message)
{
    json_t *record = batch_record_read(folder, id);
    *message = NULL;
    if (!record || batch_record_holds(record, folder, id))
        return record;
    *message = batch_case_has(folder, id, "fit.ply")
                   ? "fit.ply is not the one of case.json; sfgp batch --resume does the case again"
                   : "fit.ply is not there; sfgp batch --resume does the case again";
    json_decref(record);
    return NULL;
}

/* The warnings of the fit, one after the other. NULL: none, or out of memory. */
static char *join_warnings(const json_t *record)
{
    const json_t *warnings = json_object_get(record, "warnings");
    page_sink sink;
    if (json_array_size(warnings) == 0 || !page_sink_open(&sink))
        return NULL;
    for (size_t k = 0; k < json_array_size(warnings); k++) {
        const char *warning = json_string_value(json_array_get(warnings, k));
        fprintf(sink.out, "%s%s", k > 0 ? "; " : "", warning ? warning : "");
    }
    return page_sink_text(&sink);
}

/* The path of the scan that was fitted, if the file is still the same. */
static char *find_scan(const json_t *record)
{
    char hex[BATCH_DIGEST];
    const char *path = json_string_value(json_object_get(record, "target_path")),
               *said = batch_record_digest(record, "target");
    return path && said && digest_file(path, hex) && strcmp(hex, said) == 0 ? strdup(path) : NULL;
}

static void read_values(const json_t *record, const char *problem, batch_row *row)
{
    const char *outcome = json_string_value(json_object_get(record, "outcome")),
               *error = json_string_value(json_object_get(record, "error")),
               *unit = json_string_value(json_object_get(record, "unit")),
               *message = problem ? problem : error;
    row->status = batch_record_status(record);
    for (int k = 0; k < BATCH_VALUES; k++)
        row->values[k] = read_value(record, batch_value_row(k));
    snprintf(row->outcome, sizeof row->outcome, "%s", outcome ? outcome : "");
    row->message = message ? strdup(message) : NULL;
    row->warnings = join_warnings(record);
    row->unit = unit ? strdup(unit) : NULL;
    row->scan = find_scan(record);
    row->target_scale = number_of(record, "target_scale");
}

/* The record holds what is in the folder; a mesh that was carried along has another name. */
static bool has_landmarks(const json_t *record, const char *folder, const char *id)
{
    return batch_record_digest(record, "carried") && batch_case_has(folder, id, BATCH_CARRIED_LANDMARKS);
}

void batch_row_read(const batch *b, int64_t number, const char *folder, batch_row *row)
{
    const char *problem;
    *row = (batch_row){.id = batch_cell(&b->manifest, number, BATCH_ID),
                       .target = batch_cell(&b->manifest, number, BATCH_TARGET)};
    json_t *record = read_record(folder, row->id, &problem);
    read_values(record, problem, row);
    row->landmarks = has_landmarks(record, folder, row->id);
    json_decref(record);
}

void batch_row_clear(batch_row *row)
{
    free(row->message);
    free(row->warnings);
    free(row->unit);
    free(row->scan);
}
