/* Writes overview.html: one file that needs no other, with the worst cases first. Each row leads to the page of its fit, or
 * to its case.json. */
#include "batch/parts.h"
#include "page/canvas.h"
#include "report/fitted.h"
#include "page/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_COLUMNS = 4, COLUMNS = FIRST_COLUMNS + BATCH_VALUES };

/* The table of the overview. All thumbnails are seen from the same side, so that they can be compared. */
typedef struct overview {
    batch *b;
    const char *folder;
    const char *unit; /* of the files; NULL: not known */
    page_column columns[COLUMNS];
    char *titles[COLUMNS]; /* owned */
    int column_count;
    int shown[BATCH_VALUES]; /* index of the value in each column after the first ones */
    bool looked;             /* the camera is known */
    canvas_camera camera;
} overview;

/* ---- thumbnails -------------------------------------------------------------------------------------- */

static char *draw_case(const overview *o, const report_fitted *fitted, const batch_row *row)
{
    const sfgp_read_options options = {.scale = row->target_scale};
    sfgp_mesh *scan =
        NULL; /* the file is not the one that was fitted any more, or there is no memory to read it */
    if (row->scan)
        sfgp_mesh_read_with(o->b->context, row->scan, &options, &scan, NULL);
    char *images = batch_thumbnails(fitted, scan, &o->camera, row->id);
    sfgp_mesh_free(scan);
    return images;
}

/* False: the case has no fit, or it cannot be read. Clear in any case. */
static bool read_fit(const overview *o, const batch_row *row, report_fitted *fitted)
{
    const bool fits = row->status == BATCH_GOOD || row->status == BATCH_FLAGGED;
    char *path = fits ? batch_in_case(o->folder, row->id, "fit.ply") : NULL;
    *fitted = (report_fitted){0};
    const bool read = path && report_fitted_read(o->b->context, path, fitted) == SFGP_OK;
    free(path);
    return read;
}

/* NULL: there is nothing to draw. */
static char *make_thumbnails(const overview *o, const batch_row *row)
{
    report_fitted fitted;
    char *images = read_fit(o, row, &fitted) ? draw_case(o, &fitted, row) : NULL;
    report_fitted_clear(&fitted);
    return images;
}

/* The side from which the best case is seen: a bad fit may lie anyhow. */
static void choose_camera(const batch_row *rows, int64_t count, overview *o)
{
    report_fitted fitted;
    for (int64_t i = count; i-- > 0 && !o->looked;) {
        o->looked = read_fit(o, &rows[i], &fitted);
        if (o->looked)
            o->camera = canvas_find_camera(fitted.mesh);
        report_fitted_clear(&fitted);
    }
}

/* ---- columns ----------------------------------------------------------------------------------------- */

static bool is_shown(int k, const batch_row *rows, int64_t count)
{
    bool known = false;
    for (int64_t i = 0; i < count && !known && batch_value_row(k)->title; i++)
        known = isfinite(rows[i].values[k]);
    return known;
}

/* With the unit where that is known. */
static char *make_title(const batch_value *value, const char *unit)
{
    return value->kind == BATCH_LENGTH && unit ? report_format("%s (%s)", value->title, unit)
                                               : report_format("%s", value->title);
}

/* What batch was told; NULL: nothing. */
static const char *find_unit(const batch_row *rows, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (rows[i].unit)
            return rows[i].unit;
    return NULL;
}

static void name_columns(const batch_row *rows, int64_t count, overview *o)
{
    static const page_column FIRST[FIRST_COLUMNS] = {{"Case", PAGE_WORDS},
                                                     {"Status", PAGE_LABEL},
                                                     {"Outcome or error", PAGE_WORDS},
                                                     {"Warnings", PAGE_WORDS}};
    memcpy(o->columns, FIRST, sizeof FIRST);
    o->column_count = FIRST_COLUMNS;
    for (int k = 0; k < BATCH_VALUES; k++)
        if (is_shown(k, rows, count)) {
            char *title = make_title(batch_value_row(k), o->unit);
            o->shown[o->column_count - FIRST_COLUMNS] = k;
            o->titles[o->column_count] = title;
            o->columns[o->column_count++] =
                (page_column){title ? title : batch_value_row(k)->title, PAGE_NUMBER};
        }
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* Where the name of a case leads to, relative to the overview; NULL: nowhere. Ids have no character that a URL cannot
 * have. */
static char *find_link(const overview *o, const batch_row *row)
{
    static const char *const NAMES[] = {"fit.html", "case.json"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++)
        if (batch_case_has(o->folder, row->id, NAMES[k]))
            return report_format("%s/%s", row->id, NAMES[k]);
    return NULL;
}

static page_cell make_cell(const batch_row *row, int k, char text[SFGP_NUMBER_SIZE])
{
    const double value = row->values[k];
    const int kind = batch_value_row(k)->kind;
    if ((kind != BATCH_SHARE && kind != BATCH_TIME) || !isfinite(value))
        return (page_cell){.value = value};
    snprintf(text, SFGP_NUMBER_SIZE, kind == BATCH_SHARE ? "%.1f %%" : "%.1f",
             kind == BATCH_SHARE ? 100 * value : value);
    return (page_cell){.text = text, .value = value};
}

static void write_row(const overview *o, const batch_row *row, page *p)
{
    char texts[COLUMNS][SFGP_NUMBER_SIZE], *images = make_thumbnails(o, row), *link = find_link(o, row);
    page_cell cells[COLUMNS] = {{.text = row->id, .link = link},
                                {.text = batch_status_text(row->status), .best = row->status != BATCH_GOOD},
                                {.text = row->message ? row->message : row->outcome},
                                {.text = row->warnings}};
    for (int k = FIRST_COLUMNS; k < o->column_count; k++)
        cells[k] = make_cell(row, o->shown[k - FIRST_COLUMNS], texts[k]);
    page_table_row_figure(p, cells, images);
    free(images);
    free(link);
}

/* ---- page -------------------------------------------------------------------------------------------- */

static void write_head(const overview *o, page *p, const batch_row *rows, int64_t count)
{
    int64_t of[BATCH_FAILED + 1] = {0};
    for (int64_t i = 0; i < count; i++)
        of[rows[i].status]++;
    char *message =
        report_format("%lld cases: %lld ok, %lld flagged (not converged, doubtful, or no overlap), %lld "
                      "failed, %lld without a result. "
                      "cases.csv has all of them.",
                      (long long)count, (long long)of[BATCH_GOOD], (long long)of[BATCH_FLAGGED],
                      (long long)of[BATCH_FAILED], (long long)of[BATCH_UNFINISHED]);
    page_text(p, message);
    page_text(
        p,
        "The first picture is the scan, the second its fit: blue-green points are missing from the scan and predicted "
        "by the model. Missing is the share of these points, sigma the standard deviation of the scan about the fit, "
        "explained the share of the scan that is not taken for outliers, expected error the mean distance of the fit from "
        "the true shape by its standard deviations. The name of a case leads to the page of its "
        "fit (batch --html), or to its report. The name of a column sorts by it.");
    if (!o->unit)
        page_text(p, "Lengths are in the unit of the files.");
    free(message);
}

static sfgp_status save(batch *b, const char *folder, page *p)
{
    char *text = NULL;
    size_t size = 0;
    const sfgp_status status = page_close(p, &text, &size) == SFGP_OK
                                   ? batch_write(b, folder, "overview.html", text, size)
                                   : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

static page *open_page(const char *folder)
{
    char *title = report_format("Batch %s", folder);
    page *p = page_open(title);
    free(title);
    return p;
}

sfgp_status batch_write_overview(batch *b, const char *folder, const batch_row *rows, int64_t count,
                                 int64_t most)
{
    overview o = {.b = b, .folder = folder};
    const int64_t listed = count < most ? count : most;
    page *p = open_page(folder);
    o.unit = b->unit ? b->unit : find_unit(rows, count);
    name_columns(rows, count, &o);
    choose_camera(rows, count, &o);
    write_head(&o, p, rows, count);
    char *caption = report_format("Worst first: %lld of %lld", (long long)listed, (long long)count);
    page_table_begin(p, caption, o.columns, o.column_count);
    for (int64_t i = 0; i < listed; i++)
        write_row(&o, &rows[i], p);
    page_table_end(p);
    free(caption);
    for (int k = 0; k < COLUMNS; k++)
        free(o.titles[k]);
    return save(b, folder, p);
}
