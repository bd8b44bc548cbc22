/* Time and memory: one marker for each method, or lines over the number of points. */
#include "study/figures_draw.h"

#include <math.h>
#include <stdlib.h>

/* ---- time and memory --------------------------------------------------------------------------------- */

/* Error against time, one marker for each method: means over all levels of the set. */
STUDY_DRAW(study_draw_time)
{
    const study_set *of = &s->sets[set];
    char text[STUDY_LABEL_SIZE];
    int shown = 0;
    chart_series *series = calloc((size_t)s->method_count, sizeof *series);
    double *values = calloc(2 * (size_t)s->method_count, sizeof *values);
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
    const chart_panel panel = {.y = {.label = study_label("Mean error", of->unit, text), .log = true},
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
