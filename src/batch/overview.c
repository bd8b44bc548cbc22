/* Writes overview.html: one file that needs no other, with the worst cases first. */
#include "batch/batch.h"
#include "report/fitted.h"
#include "report/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_COLUMNS = 3, COLUMNS = FIRST_COLUMNS + BATCH_VALUES };

/* The table of the overview. All thumbnails have the same axis of view and colours, so that they can be compared. */
typedef struct overview {
    batch *b;
    const char *folder;
    page_column columns[COLUMNS];
    int column_count;
    int shown[BATCH_VALUES]; /* index of the value in each column after the first ones */
    double top;              /* sd that has the darkest colour */
    int along;               /* axis of view; -1: the first fit will set it */
} overview;

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over the cases of their largest sd. It sets the colours of all thumbnails; a median, because a single case
 * may have a huge sd. */
static double median_largest_sd(const batch_row *rows, int64_t count)
{
    const int largest = batch_value_find("sd_largest");
    double *values = malloc(((size_t)count + 1) * sizeof *values), top = 0;
    int64_t known = 0;
    for (int64_t i = 0; values && i < count; i++)
        if (isfinite(rows[i].values[largest]))
            values[known++] = rows[i].values[largest];
    if (known > 0) {
        qsort(values, (size_t)known, sizeof *values, compare_numbers);
        top = values[known / 2];
    }
    free(values);
    return top;
}

/* NULL: the case has no fit, or it cannot be read. */
static char *make_thumbnail(overview *o, const batch_row *row)
{
    report_fitted fitted;
    char *path = batch_in_case(o->folder, row->id, "fit.ply"), *svg = NULL;
    const bool fits = row->status == BATCH_GOOD || row->status == BATCH_FLAGGED;
    if (path && fits) {
        if (report_fitted_read(o->b->context, path, &fitted) == SFGP_OK) {
            o->along = o->along < 0 ? batch_thumbnail_axis(&fitted) : o->along;
            svg = batch_thumbnail(&fitted, o->along, o->top);
        }
        report_fitted_clear(&fitted);
    }
    free(path);
    return svg;
}

static bool is_shown(int k, const batch_row *rows, int64_t count)
{
    bool known = false;
    for (int64_t i = 0; i < count && !known && batch_value_row(k)->title; i++)
        known = isfinite(rows[i].values[k]);
    return known;
}

static void name_columns(const batch_row *rows, int64_t count, overview *o)
{
    o->columns[0] = (page_column){"Case", PAGE_LABEL};
    o->columns[1] = (page_column){"Status", PAGE_LABEL};
    o->columns[2] = (page_column){"Outcome", PAGE_LABEL};
    o->column_count = FIRST_COLUMNS;
    for (int k = 0; k < BATCH_VALUES; k++)
        if (is_shown(k, rows, count)) {
            o->shown[o->column_count - FIRST_COLUMNS] = k;
            o->columns[o->column_count++] = (page_column){batch_value_row(k)->title, PAGE_NUMBER};
        }
}

static void write_row(overview *o, const batch_row *row, page *p)
{
    page_cell cells[COLUMNS] = {{.text = row->id},
                                {.text = batch_status_text(row->status), .best = row->status != BATCH_GOOD},
                                {.text = row->message ? row->message : row->outcome}};
    char *svg = make_thumbnail(o, row);
    for (int k = FIRST_COLUMNS; k < o->column_count; k++)
        cells[k] = (page_cell){.value = row->values[o->shown[k - FIRST_COLUMNS]]};
    page_table_row_figure(p, cells, svg);
    free(svg);
}

static void write_head(page *p, const batch_row *rows, int64_t count)
{
    int64_t of[BATCH_FAILED + 1] = {0};
    for (int64_t i = 0; i < count; i++)
        of[rows[i].status]++;
    char *message = report_format("%lld cases: %lld ok, %lld flagged (not converged, or no overlap), %lld "
                                  "failed, %lld without a result. "
                                  "cases.csv has all of them.",
                                  (long long)count, (long long)of[BATCH_GOOD], (long long)of[BATCH_FLAGGED],
                                  (long long)of[BATCH_FAILED], (long long)of[BATCH_UNFINISHED]);
    page_text(p, message ? message : "");
    page_text(
        p, "Blue: points that the scan shows; a darker blue is a larger standard deviation. Red: points "
           "that are missing from the scan and predicted by the model. Missing is the share of these points, "
           "sigma the standard deviation about the scan in its unit, explained the share of the scan that "
           "is not classified as outliers. A click on the name of a column sorts by it.");
    free(message);
}

static sfgp_status save(batch *b, const char *folder, page *p)
{
    char *text = NULL, *path = report_format("%s/overview.html", folder);
    size_t size = 0;
    sfgp_status status = page_close(p, &text, &size);
    if (status == SFGP_OK && path)
        status = sfgp_file_write(b->context, path, text, size);
    else
        status = SFGP_ERROR_MEMORY;
    if (status != SFGP_OK)
        batch_fail(b, status, "%s", text ? sfgp_context_error(b->context) : "out of memory");
    free(text);
    free(path);
    return status;
}

sfgp_status batch_write_overview(batch *b, const char *folder, const batch_row *rows, int64_t count,
                                 int64_t most)
{
    overview o = {.b = b, .folder = folder, .top = median_largest_sd(rows, count), .along = -1};
    const int64_t listed = count < most ? count : most;
    page *p = page_open("Batch");
    name_columns(rows, count, &o);
    write_head(p, rows, count);
    char *caption = report_format("Worst first: %lld of %lld", (long long)listed, (long long)count);
    page_table_begin(p, caption ? caption : "", o.columns, o.column_count);
    for (int64_t i = 0; i < listed; i++)
        write_row(&o, &rows[i], p);
    page_table_end(p);
    free(caption);
    return save(b, folder, p);
}
