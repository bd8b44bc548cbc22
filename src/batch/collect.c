/* Collects every case.json of a folder into cases.csv, and into overview.html with the worst cases first. */
#include "batch/batch.h"
#include "report/csv.h"
#include "report/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- rows -------------------------------------------------------------------------------------------- */

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
    char *path = batch_in_case(folder, id, "fit.ply");
    *message = path && access(path, F_OK) == 0
                   ? "fit.ply is not the one of case.json; sfgp batch --resume does the case again"
                   : "fit.ply is not there; sfgp batch --resume does the case again";
    free(path);
    json_decref(record);
    return NULL;
}

static void read_row(const batch *b, int64_t i, const char *folder, batch_row *row)
{
    const char *problem;
    *row = (batch_row){.id = batch_cell(&b->manifest, i, BATCH_ID),
                       .target = batch_cell(&b->manifest, i, BATCH_TARGET)};
    json_t *record = read_record(folder, row->id, &problem);
    const char *outcome = json_string_value(json_object_get(record, "outcome")),
               *error = json_string_value(json_object_get(record, "error")),
               *message = problem ? problem : error;
    row->status = batch_record_status(record);
    for (int k = 0; k < BATCH_VALUES; k++)
        row->values[k] = read_value(record, batch_value_row(k));
    snprintf(row->outcome, sizeof row->outcome, "%s", outcome ? outcome : "");
    row->message = message ? strdup(message) : NULL;
    json_decref(record);
}

/* ---- cases.csv --------------------------------------------------------------------------------------- */

static void write_row(FILE *out, const batch_row *row)
{
    report_csv_text(out, row->id);
    fprintf(out, ",%s,%s", batch_status_text(row->status), row->outcome);
    for (int k = 0; k < BATCH_VALUES; k++) {
        fputc(',', out);
        report_csv_number(out, row->values[k]);
    }
    fputc(',', out);
    report_csv_text(out, row->target);
    fputc(',', out);
    report_csv_text(out, row->message ? row->message : "");
    fputc('\n', out);
}

static sfgp_status write_table(batch *b, const char *folder, const batch_row *rows, int64_t count)
{
    char *text = NULL, *path = report_format("%s/cases.csv", folder);
    size_t size = 0;
    FILE *out = path ? open_memstream(&text, &size) : NULL;
    sfgp_status status = SFGP_ERROR_MEMORY;
    if (out) {
        fputs("id,status,outcome", out);
        for (int k = 0; k < BATCH_VALUES; k++)
            fprintf(out, ",%s", batch_value_row(k)->name);
        fputs(",target,words\n", out);
        for (int64_t i = 0; i < count; i++)
            write_row(out, &rows[i]);
        const bool whole = !ferror(out);
        if (fclose(out) == 0 && whole)
            status = sfgp_file_write(b->context, path, text, size);
    }
    if (status != SFGP_OK)
        batch_fail(b, status, "%s", text ? sfgp_context_error(b->context) : "out of memory");
    free(text);
    free(path);
    return status;
}

/* ---- all steps --------------------------------------------------------------------------------------- */

/* Worst first: failed, absent, flagged, ok. Among equals: no overlap first, then the largest sigma, then by id. */
static int compare_rows(const void *a, const void *b)
{
    const batch_row *x = a, *y = b;
    const int sigma = batch_value_find("sigma");
    const double first = x->values[sigma], second = y->values[sigma];
    const bool lost = strcmp(x->outcome, "no_overlap") == 0, other = strcmp(y->outcome, "no_overlap") == 0;
    if (x->status != y->status)
        return x->status > y->status ? -1 : 1;
    if (lost != other)
        return lost ? -1 : 1;
    if (first > second || first < second)
        return first > second ? -1 : 1;
    return strcmp(x->id, y->id);
}

static sfgp_status read_folder(batch *b, const char *folder)
{
    report_file file = {0};
    char *path = report_format("%s/manifest.tsv", folder);
    const bool good = path && report_file_read(path, BATCH_MOST_MANIFEST, &file);
    sfgp_status status = b->context ? SFGP_OK : sfgp_context_new(NULL, &b->context);
    b->path = "manifest.tsv";
    sfgp_settings_default(&b->settings);
    if (status != SFGP_OK || !path)
        status = batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    else if (!good)
        status = batch_fail(b, SFGP_ERROR_READ, "%s: cannot read: %s; is this a folder of sfgp batch?", path,
                            file.problem);
    else
        status = batch_manifest_parse(b, file.text, file.size), file.text = NULL;
    free(file.text);
    free(path);
    return status;
}

static void count_row(batch_collection *totals, batch_status status)
{
    totals->cases++;
    totals->absent += status == BATCH_UNFINISHED;
    totals->good += status == BATCH_GOOD;
    totals->flagged += status == BATCH_FLAGGED;
    totals->failed += status == BATCH_FAILED;
}

sfgp_status batch_collect(batch *b, const char *folder, int64_t most, batch_collection *totals)
{
    batch_row *rows = NULL;
    *totals = (batch_collection){0};
    b->event_file = -1;
    sfgp_status status = read_folder(b, folder);
    const int64_t count = status == SFGP_OK ? b->manifest.count : 0;
    if (status == SFGP_OK && !(rows = calloc((size_t)count + 1, sizeof *rows)))
        status = batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    for (int64_t i = 0; rows && i < count; i++) {
        read_row(b, i, folder, &rows[i]);
        count_row(totals, rows[i].status);
    }
    if (status == SFGP_OK)
        status = write_table(b, folder, rows, count);
    if (status == SFGP_OK) {
        qsort(rows, (size_t)count, sizeof *rows, compare_rows);
        status = batch_write_overview(b, folder, rows, count, most);
    }
    for (int64_t i = 0; rows && i < count; i++)
        free(rows[i].message);
    free(rows);
    return status;
}
