/* Lines over the levels: means over the samples, one line for each method. */
#include "study/figures_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void study_lines_clear(study_lines *l)
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

sfgp_status study_lines_make(const study_drawing *of, const char *column, const double *x, study_lines *l)
{
    const study *s = of->s;
    const int levels = s->sets[of->set].level_count;
    *l = (study_lines){calloc((size_t)s->method_count + 1, sizeof *l->series), 0,
                       calloc((size_t)s->method_count * (size_t)levels, sizeof *l->values)};
    if (!l->series || !l->values)
        return SFGP_ERROR_MEMORY;
    for (int m = 0; m < s->method_count; m++) {
        double *y = l->values + m * levels;
        bool known = false;
        for (int level = 0; level < levels; level++) {
            y[level] = mean_of(study_summary_find(of->summary, m, of->set, level), column);
            known = known || isfinite(y[level]);
        }
        if (known)
            l->series[l->count++] =
                (chart_series){.name = s->methods[m].name, .style = m + 1, .count = levels, .x = x, .y = y};
    }
    return SFGP_OK;
}

/* Whether any sample has missing points. Without them there is no figure of missing points or of the mask. */
static bool has_missing(const study_drawing *of)
{
    const study_summary *summary = of->summary;
    for (int64_t k = 0; k < summary->count; k++)
        if (summary->lines[k].set == of->set && study_line_column(&summary->lines[k], "missing")->count > 0)
            return true;
    return false;
}

const char *study_label(const char *title, const char *unit, char label[STUDY_LABEL_SIZE])
{
    snprintf(label, STUDY_LABEL_SIZE, "%s%s%s%s", title, unit[0] ? " (" : "", unit, unit[0] ? ")" : "");
    return label;
}

/* From this ratio of the largest to the smallest error on, small errors are invisible on a linear axis. */
#define WIDE 20

bool study_is_wide(double least, double most)
{
    return most > WIDE * least;
}

/* The axis of errors; logarithmic when they differ much. */
static chart_axis error_axis(const char *label, const study_lines *l, int levels)
{
    double least = HUGE_VAL, most = 0;
    for (int k = 0; k < l->count; k++)
        for (int level = 0; level < levels; level++)
            if (l->series[k].y[level] > 0) {
                least = fmin(least, l->series[k].y[level]);
                most = fmax(most, l->series[k].y[level]);
            }
    const bool wide = study_is_wide(least, most);
    return (chart_axis){.label = label, .log = wide, .from_zero = !wide};
}

sfgp_status study_draw_levels(const study_drawing *of, const study_figure *figure, char **svg)
{
    const study_set *set = &of->s->sets[of->set];
    char text[STUDY_LABEL_SIZE];
    study_lines l = {0};
    if (set->level_count < 2 || !has_missing(of))
        return SFGP_OK;
    sfgp_status status = study_lines_make(of, figure->column, set->levels, &l);
    study_label(figure->label, figure->high > 0 ? "" : set->unit, text);
    const chart_axis share = {.label = text, .from_zero = true, .high = figure->high};
    const chart_panel panel = {.y = figure->high > 0 ? share : error_axis(text, &l, set->level_count),
                               .series = l.series,
                               .series_count = l.count};
    const chart drawn = {.x = {.label = set->axis, .at_data = true}, .panels = &panel, .panel_count = 1};
    if (status == SFGP_OK && l.count > 0)
        status = chart_svg(&drawn, svg);
    study_lines_clear(&l);
    return status;
}

sfgp_status study_draw_error(const study_drawing *of, const study_figure *figure, char **svg)
{
    const study_set *set = &of->s->sets[of->set];
    char text[STUDY_LABEL_SIZE];
    study_lines success = {0}, error = {0};
    sfgp_status status = SFGP_OK;
    if (set->level_count < 2)
        return SFGP_OK;
    if ((status = study_lines_make(of, NULL, set->levels, &success)) == SFGP_OK)
        status = study_lines_make(of, figure->column, set->levels, &error);
    const chart_panel panels[] = {
        {.y = {.label = "Success", .low = 0, .high = 1.05},
         .series = success.series,
         .series_count = success.count,
         .weight = 0.35},
        {.y = error_axis(study_label(figure->label, set->unit, text), &error, set->level_count),
         .series = error.series,
         .series_count = error.count}};
    const chart drawn = {.x = {.label = set->axis, .at_data = true}, .panels = panels, .panel_count = 2};
    if (status == SFGP_OK && error.count > 0)
        status = chart_svg(&drawn, svg);
    study_lines_clear(&success);
    study_lines_clear(&error);
    return status;
}
