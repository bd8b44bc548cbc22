/* Collects every case.json of a folder into cases.csv, and into overview.html with the worst cases first. */
#include "batch/parts.h"
#include "page/sink.h"
#include "report/csv.h"
#include "report/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    fputc(',', out);
    report_csv_text(out, row->warnings ? row->warnings : "");
    fputc('\n', out);
}

static sfgp_status write_table(batch *b, const char *folder, const batch_row *rows, int64_t count)
{
    char *text = NULL;
    page_sink sink;
    if (!page_sink_open(&sink))
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    fputs("id,status,outcome", sink.out);
    for (int k = 0; k < BATCH_VALUES; k++)
        fprintf(sink.out, ",%s", batch_value_row(k)->name);
    fputs(",target,words,warnings\n", sink.out);
    for (int64_t i = 0; i < count; i++)
        write_row(sink.out, &rows[i]);
    const sfgp_status status = page_sink_close(&sink, &text) == SFGP_OK
                                   ? batch_write(b, folder, "cases.csv", text, sink.size)
                                   : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    free(text);
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
        status = batch_fail(b, file.status, "%s: cannot read: %s; is this a folder of sfgp batch?", path,
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
        batch_row_read(b, i, folder, &rows[i]);
        count_row(totals, rows[i].status);
    }
    if (status == SFGP_OK)
        status = write_table(b, folder, rows, count);
    if (status == SFGP_OK)
        status = batch_write_landmarks(b, folder, rows, count, &totals->landmarks);
    if (status == SFGP_OK) {
        qsort(rows, (size_t)count, sizeof *rows, compare_rows);
        status = batch_write_overview(b, folder, rows, count, most);
    }
    for (int64_t i = 0; rows && i < count; i++)
        batch_row_clear(&rows[i]);
    free(rows);
    return status;
}
