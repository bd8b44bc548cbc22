/* Time and memory: one marker for each method, or lines over the number of points. */
#include "study/figures_draw.h"

#include <math.h>
#include <stdlib.h>

/* ---- time and memory --------------------------------------------------------------------------------- */

/* The means of time and error of a method over all levels of a set, in point[0] and point[1]. False: it has none. */
static bool average_levels(const study_summary *summary, int method, int set, int level_count,
                           double point[2])
{
    double levels = 0;
    point[0] = point[1] = 0;
    for (int level = 0; level < level_count; level++) {
        const study_line *line = study_summary_find(summary, method, set, level);
        if (line && study_line_column(line, "error")->count > 0) {
            point[0] += study_line_column(line, "seconds")->median;
            point[1] += study_line_column(line, "error")->mean;
            levels++;
        }
    }
    point[0] /= levels;
    point[1] /= levels;
    return levels > 0;
}

/* Marks the methods that have an error. points: room for two numbers a method. Returns the number of markers. */
static int mark_methods(const study *s, int set, const study_summary *summary, double (*points)[2],
                        chart_series *series)
{
    int shown = 0;
    for (int m = 0; m < s->method_count; m++)
        if (average_levels(summary, m, set, s->sets[set].level_count, points[m]))
            series[shown++] = (chart_series){.name = s->methods[m].name,
                                             .style = m + 1,
                                             .count = 1,
                                             .x = &points[m][0],
                                             .y = &points[m][1]};
    return shown;
}

static sfgp_status draw_markers(const char *unit, const chart_series *series, int count, char **svg)
{
    char text[STUDY_LABEL_SIZE];
    const chart_panel panel = {.y = {.label = study_label("Mean error", unit, text), .log = true},
                               .series = series,
                               .series_count = count};
    const chart figure = {.x = {.label = "Median time of a run (s)", .log = true},
                          .mark = CHART_POINTS,
                          .panels = &panel,
                          .panel_count = 1};
    return chart_svg(&figure, svg);
}

/* Error against time, one marker for each method. */
STUDY_DRAW(study_draw_time)
{
    chart_series *series = calloc((size_t)s->method_count, sizeof *series);
    double(*points)[2] = calloc((size_t)s->method_count, sizeof *points);
    sfgp_status status = series && points ? SFGP_OK : SFGP_ERROR_MEMORY;
    (void)rows;
    const int count = status == SFGP_OK ? mark_methods(s, set, summary, points, series) : 0;
    if (count > 0)
        status = draw_markers(s->sets[set].unit, series, count, svg);
    free(series);
    free(points);
    return status;
}

/* sizes: points of the reference at each level. False when they are equal at all levels. */
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
    study_lines l = {0};
    double *sizes = calloc((size_t)of->level_count, sizeof *sizes);
    sfgp_status status = sizes ? SFGP_OK : SFGP_ERROR_MEMORY;
    bool grows = sizes && sizes_of(s, set, summary, sizes);
    if (grows)
        status = study_lines_make(s, set, summary, column, sizes, &l);
    const chart_panel panel = {
        .y = {.label = label, .log = true}, .series = l.series, .series_count = l.count};
    const chart figure = {
        .x = {.label = "Points of the reference", .log = true}, .panels = &panel, .panel_count = 1};
    if (status == SFGP_OK && grows && l.count > 0)
        status = chart_svg(&figure, svg);
    study_lines_clear(&l);
    free(sizes);
    return status;
}

STUDY_DRAW(study_draw_seconds)
{
    (void)rows;
    return draw_growth(s, set, summary, "seconds", "Time of a run (s)", svg);
}

STUDY_DRAW(study_draw_cpu)
{
    (void)rows;
    return draw_growth(s, set, summary, "cpu_seconds", "CPU time of a run (s)", svg);
}

STUDY_DRAW(study_draw_memory)
{
    (void)rows;
    return draw_growth(s, set, summary, "peak_mib", "Peak memory of the process (MiB)", svg);
}
