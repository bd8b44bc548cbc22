/* Time and memory: one marker for each method, or lines over the number of points. */
#include "study/figures_draw.h"

#include <math.h>
#include <stdlib.h>

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
static int mark_methods(const study_drawing *of, double (*points)[2], chart_series *series)
{
    const study *s = of->s;
    int shown = 0;
    for (int m = 0; m < s->method_count; m++)
        if (average_levels(of->summary, m, of->set, s->sets[of->set].level_count, points[m]))
            series[shown++] = (chart_series){.name = s->methods[m].name,
                                             .style = m + 1,
                                             .count = 1,
                                             .x = &points[m][0],
                                             .y = &points[m][1]};
    return shown;
}

sfgp_status study_points_draw(const study_drawing *of, const char *x, const char *y,
                              const chart_series *series, int count, char **svg)
{
    char text[STUDY_LABEL_SIZE];
    const chart_panel panel = {.y = {.label = study_label(y, of->s->sets[of->set].unit, text), .log = true},
                               .series = series,
                               .series_count = count};
    const chart figure = {
        .x = {.label = x, .log = true}, .mark = CHART_POINTS, .panels = &panel, .panel_count = 1};
    return chart_svg(&figure, svg);
}

/* Error against time, one marker for each method. */
sfgp_status study_draw_time(const study_drawing *of, const study_figure *figure, char **svg)
{
    const size_t methods = (size_t)of->s->method_count;
    chart_series *series = calloc(methods, sizeof *series);
    double(*points)[2] = calloc(methods, sizeof *points);
    sfgp_status status = series && points ? SFGP_OK : SFGP_ERROR_MEMORY;
    const int count = status == SFGP_OK ? mark_methods(of, points, series) : 0;
    if (count > 0)
        status = study_points_draw(of, figure->label, "Mean error", series, count, svg);
    free(series);
    free(points);
    return status;
}

/* sizes: points of the reference at each level. False when they are equal at all levels. */
static bool sizes_of(const study_drawing *of, double *sizes)
{
    const study *s = of->s;
    bool differ = false;
    for (int level = 0; level < s->sets[of->set].level_count; level++) {
        sizes[level] = STUDY_UNKNOWN;
        for (int m = 0; m < s->method_count && !isfinite(sizes[level]); m++)
            sizes[level] =
                study_line_column(study_summary_find(of->summary, m, of->set, level), "points_reference")
                    ->mean;
        differ = differ || (level > 0 && sizes[level] != sizes[0]);
    }
    return differ;
}

sfgp_status study_draw_growth(const study_drawing *of, const study_figure *figure, char **svg)
{
    study_lines l = {0};
    double *sizes = calloc((size_t)of->s->sets[of->set].level_count, sizeof *sizes);
    sfgp_status status = sizes ? SFGP_OK : SFGP_ERROR_MEMORY;
    bool grows = sizes && sizes_of(of, sizes);
    if (grows)
        status = study_lines_make(of, figure->column, sizes, &l);
    const chart_panel panel = {
        .y = {.label = figure->label, .log = true}, .series = l.series, .series_count = l.count};
    const chart drawn = {
        .x = {.label = "Points of the reference", .log = true}, .panels = &panel, .panel_count = 1};
    if (status == SFGP_OK && grows && l.count > 0)
        status = chart_svg(&drawn, svg);
    study_lines_clear(&l);
    free(sizes);
    return status;
}
