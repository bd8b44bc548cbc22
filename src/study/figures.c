#include "study/figures.h"
#include "report/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The label of an axis in the unit of the set, in a buffer of the caller. */
#define LABEL_SIZE 120
static const char *with_unit(const char *words, const char *unit, char label[LABEL_SIZE])
{
    snprintf(label, LABEL_SIZE, "%s%s%s%s", words, unit[0] ? " (" : "", unit, unit[0] ? ")" : "");
    return label;
}

/* ---- lines against the level ------------------------------------------------------------------------- */

/* The series of one column: a line a method, over the levels of a set. */
typedef struct lines {
    chart_series *series;
    int count;
    double *values;
} lines;

static void clear_lines(lines *l)
{
    free(l->series);
    free(l->values);
}

static double success_share(const study_line *line)
{
    return line ? (double)line->successes / (double)line->runs : STUDY_UNKNOWN;
}

static double mean_of(const study_line *line, const char *column)
{
    return column ? study_line_column(line, column)->mean : success_share(line);
}

/* column NULL: share of success. Methods that have no value anywhere have no line. */
static sfgp_status make_lines(const study *s, int set, const study_summary *summary, const char *column,
                              const double *x, lines *l)
{
    const int levels = s->sets[set].level_count;
    *l = (lines){calloc((size_t)s->method_count, sizeof *l->series), 0,
                 calloc((size_t)(s->method_count * levels), sizeof *l->values)};
    if (!l->series || !l->values)
        return SFGP_ERROR_MEMORY;
    for (int m = 0; m < s->method_count; m++) {
        double *y = l->values + m * levels;
        bool known = false;
        for (int level = 0; level < levels; level++) {
            y[level] = mean_of(study_summary_find(summary, m, set, level), column);
            known = known || isfinite(y[level]);
        }
        if (known)
            l->series[l->count++] =
                (chart_series){.name = s->methods[m].name, .style = m + 1, .count = levels, .x = x, .y = y};
    }
    return SFGP_OK;
}

/* Whether any sample has missing points: else all of them are observed, and no mask can be judged. */
static bool has_missing(int set, const study_summary *summary)
{
    for (int64_t k = 0; k < summary->count; k++)
        if (summary->lines[k].set == set && study_line_column(&summary->lines[k], "missing")->count > 0)
            return true;
    return false;
}

#define WIDE                                                                                                 \
    20 /* ratio of the largest to the smallest error from which a linear axis hides the good ones            \
        */

static bool is_wide(double least, double most)
{
    return most > WIDE * least;
}

/* An axis of errors: logarithmic when they differ much. */
static chart_axis error_axis(const char *label, const lines *l, int levels)
{
    double least = INFINITY, most = 0;
    for (int k = 0; k < l->count; k++)
        for (int level = 0; level < levels; level++)
            if (l->series[k].y[level] > 0) {
                least = fmin(least, l->series[k].y[level]);
                most = fmax(most, l->series[k].y[level]);
            }
    const bool wide = is_wide(least, most);
    return (chart_axis){.label = label, .log = wide, .from_zero = !wide};
}

static sfgp_status draw_lines(const study *s, int set, const study_summary *summary, const char *column,
                              const char *label, double high, char **svg)
{
    const study_set *of = &s->sets[set];
    char text[LABEL_SIZE];
    lines l = {0};
    if (of->level_count < 2 || !has_missing(set, summary))
        return SFGP_OK;
    sfgp_status status = make_lines(s, set, summary, column, of->levels, &l);
    with_unit(label, high > 0 ? "" : of->unit, text);
    const chart_axis share = {.label = text, .from_zero = true, .high = high};
    const chart_panel panel = {.y = high > 0 ? share : error_axis(text, &l, of->level_count),
                               .series = l.series,
                               .series_count = l.count};
    const chart figure = {.x = {.label = of->axis, .at_data = true}, .panels = &panel, .panel_count = 1};
    if (status == SFGP_OK && l.count > 0)
        status = chart_svg(&figure, svg);
    clear_lines(&l);
    return status;
}

static sfgp_status draw_success_and_error(const study *s, int set, const study_rows *rows,
                                          const study_summary *summary, char **svg)
{
    const study_set *of = &s->sets[set];
    char text[LABEL_SIZE];
    lines success = {0}, error = {0};
    sfgp_status status = SFGP_OK;
    (void)rows;
    if (of->level_count < 2)
        return SFGP_OK;
    if ((status = make_lines(s, set, summary, NULL, of->levels, &success)) == SFGP_OK)
        status = make_lines(s, set, summary, "error", of->levels, &error);
    const chart_panel panels[] = {
        {.y = {.label = "Success", .low = 0, .high = 1.05},
         .series = success.series,
         .series_count = success.count,
         .weight = 0.35},
        {.y = error_axis(with_unit("Mean error", of->unit, text), &error, of->level_count),
         .series = error.series,
         .series_count = error.count}};
    const chart figure = {.x = {.label = of->axis, .at_data = true}, .panels = panels, .panel_count = 2};
    if (status == SFGP_OK && error.count > 0)
        status = chart_svg(&figure, svg);
    clear_lines(&success);
    clear_lines(&error);
    return status;
}

#define LINES(function, column, label, high)                                                                 \
    static sfgp_status function(const study *s, int set, const study_rows *rows,                             \
                                const study_summary *summary, char **svg)                                    \
    {                                                                                                        \
        (void)rows;                                                                                          \
        return draw_lines(s, set, summary, column, label, high, svg);                                        \
    }
LINES(draw_observed, "observed", "Mean error, observed points", 0)
LINES(draw_missing, "missing", "Mean error, missing points", 0)
LINES(draw_recall, "recall", "Recall of the missing points", 1.05)
LINES(draw_precision, "precision", "Precision of the missing points", 1.05)

/* ---- box plots --------------------------------------------------------------------------------------- */

static bool wide_spread(const double *values, int count)
{
    double least = INFINITY, most = 0;
    for (int k = 0; k < count; k++)
        if (values[k] > 0) {
            least = fmin(least, values[k]);
            most = fmax(most, values[k]);
        }
    return is_wide(least, most);
}

/* Values of a column over the samples of a set, method by method; sets with levels have lines instead. */
static sfgp_status draw_boxes(const study *s, int set, const study_rows *rows, size_t offset,
                              const char *label, char **svg)
{
    const study_set *of = &s->sets[set];
    const int samples = of->sample_count;
    char text[LABEL_SIZE];
    int shown = 0;
    const char **names = calloc((size_t)s->method_count, sizeof *names);
    int *styles = calloc((size_t)s->method_count, sizeof *styles);
    chart_sample *boxes = calloc((size_t)s->method_count, sizeof *boxes);
    double *values = calloc((size_t)(s->method_count * samples), sizeof *values);
    sfgp_status status = names && styles && boxes && values ? SFGP_OK : SFGP_ERROR_MEMORY;
    for (int m = 0; status == SFGP_OK && m < s->method_count; m++) {
        double *own = values + m * samples;
        int known = 0;
        for (int k = 0; k < samples; k++) {
            const study_row *row = study_rows_find(rows, (study_key){m, -1, set, 0, k});
            double value = STUDY_UNKNOWN;
            if (row && row->success)
                memcpy(&value, (const char *)row + offset, sizeof value);
            own[k] = value;
            known += isfinite(value);
        }
        if (known > 0)
            names[shown] = s->methods[m].name, styles[shown] = m + 1,
            boxes[shown++] = (chart_sample){samples, own};
    }
    const char *const group = "";
    const chart_axis axis = {.label = with_unit(label, of->unit, text),
                             .log = wide_spread(values, s->method_count * samples)};
    const chart_boxes figure = {.y = axis,
                                .groups = &group,
                                .group_count = 1,
                                .series = names,
                                .styles = styles,
                                .series_count = shown,
                                .samples = boxes};
    if (status == SFGP_OK && shown > 0 && of->level_count == 1)
        status = chart_boxes_svg(&figure, svg);
    free(names);
    free(styles);
    free(boxes);
    free(values);
    return status;
}

static sfgp_status draw_box_observed(const study *s, int set, const study_rows *rows,
                                     const study_summary *summary, char **svg)
{
    (void)summary;
    return draw_boxes(s, set, rows, offsetof(study_row, observed), "Error, observed points", svg);
}

static sfgp_status draw_box_missing(const study *s, int set, const study_rows *rows,
                                    const study_summary *summary, char **svg)
{
    (void)summary;
    return draw_boxes(s, set, rows, offsetof(study_row, missing), "Error, missing points", svg);
}

/* ---- time and memory --------------------------------------------------------------------------------- */

/* One marker a method: error against time, over all levels of the set. */
static sfgp_status draw_time(const study *s, int set, const study_rows *rows, const study_summary *summary,
                             char **svg)
{
    const study_set *of = &s->sets[set];
    char text[LABEL_SIZE];
    int shown = 0;
    chart_series *series = calloc((size_t)s->method_count, sizeof *series);
    double *values = calloc((size_t)(2 * s->method_count), sizeof *values);
    sfgp_status status = series && values ? SFGP_OK : SFGP_ERROR_MEMORY;
    (void)rows;
    for (int m = 0; status == SFGP_OK && m < s->method_count; m++) {
        double seconds = 0, error = 0, levels = 0;
        for (int level = 0; level < of->level_count; level++) {
            const study_line *line = study_summary_find(summary, m, set, level);
            if (line && study_line_column(line, "error")->count > 0) {
                seconds += study_line_column(line, "seconds")->median;
                error += study_line_column(line, "error")->mean;
                levels++;
            }
        }
        values[2 * m] = seconds / levels;
        values[2 * m + 1] = error / levels;
        if (levels > 0)
            series[shown++] = (chart_series){.name = s->methods[m].name,
                                             .style = m + 1,
                                             .count = 1,
                                             .x = &values[2 * m],
                                             .y = &values[2 * m + 1]};
    }
    const chart_panel panel = {.y = {.label = with_unit("Mean error", of->unit, text), .log = true},
                               .series = series,
                               .series_count = shown};
    const chart figure = {.x = {.label = "Median time of a run (s)", .log = true},
                          .mark = CHART_POINTS,
                          .panels = &panel,
                          .panel_count = 1};
    if (status == SFGP_OK && shown > 0)
        status = chart_svg(&figure, svg);
    free(series);
    free(values);
    return status;
}

/* Points of the reference by level; false when all levels have the same: then size is not what varies. */
static bool sizes_of(const study *s, int set, const study_summary *summary, double *sizes)
{
    bool differ = false;
    for (int level = 0; level < s->sets[set].level_count; level++) {
        sizes[level] = STUDY_UNKNOWN;
        for (int m = 0; m < s->method_count && !isfinite(sizes[level]); m++)
            sizes[level] =
                study_line_column(study_summary_find(summary, m, set, level), "points_reference")->mean;
        differ = differ || (level > 0 && sizes[level] != sizes[0]);
    }
    return differ;
}

static sfgp_status draw_growth(const study *s, int set, const study_summary *summary, const char *column,
                               const char *label, char **svg)
{
    const study_set *of = &s->sets[set];
    lines l = {0};
    double *sizes = calloc((size_t)of->level_count, sizeof *sizes);
    sfgp_status status = sizes ? SFGP_OK : SFGP_ERROR_MEMORY;
    bool grows = sizes && sizes_of(s, set, summary, sizes);
    if (grows)
        status = make_lines(s, set, summary, column, sizes, &l);
    const chart_panel panel = {
        .y = {.label = label, .log = true}, .series = l.series, .series_count = l.count};
    const chart figure = {
        .x = {.label = "Points of the reference", .log = true}, .panels = &panel, .panel_count = 1};
    if (status == SFGP_OK && grows && l.count > 0)
        status = chart_svg(&figure, svg);
    clear_lines(&l);
    free(sizes);
    return status;
}

static sfgp_status draw_seconds(const study *s, int set, const study_rows *rows, const study_summary *summary,
                                char **svg)
{
    (void)rows;
    return draw_growth(s, set, summary, "seconds", "Time of a run (s)", svg);
}

static sfgp_status draw_cpu(const study *s, int set, const study_rows *rows, const study_summary *summary,
                            char **svg)
{
    (void)rows;
    return draw_growth(s, set, summary, "cpu_seconds", "CPU time of a run (s)", svg);
}

static sfgp_status draw_memory(const study *s, int set, const study_rows *rows, const study_summary *summary,
                               char **svg)
{
    (void)rows;
    return draw_growth(s, set, summary, "peak_mib", "Peak memory of the process (MiB)", svg);
}

static const study_figure FIGURES[] = {
    {"error", "Share of the runs that succeeded, and mean error over these.", draw_success_and_error},
    {"observed", "Mean error over the points that the scan shows.", draw_observed},
    {"missing", "Mean error over the points that the scan does not show.", draw_missing},
    {"recall", "Of the missing points, the share that a method calls missing.", draw_recall},
    {"precision", "Of the points that a method calls missing, the share that is.", draw_precision},
    {"box-observed",
     "Error over the points that the scans show: median, quartiles, 1.5 interquartile ranges.",
     draw_box_observed},
    {"box-missing", "Error over the points that the scans do not show.", draw_box_missing},
    {"seconds", "Time of a run, model included, mean over the samples.", draw_seconds},
    {"cpu", "CPU time of a run, all threads: the same on a machine that has other work.", draw_cpu},
    {"memory", "Peak memory of the process that made the run.", draw_memory},
    {"time", "Error against time, model included, over all levels.", draw_time},
};

const study_figure *study_figure_row(int index)
{
    return index >= 0 && index < (int)(sizeof FIGURES / sizeof *FIGURES) ? &FIGURES[index] : NULL;
}
