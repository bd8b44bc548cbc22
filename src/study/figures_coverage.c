/* Coverage: the share of true points inside the 95 % region that a fit states for them. It should be 95 %. */
#include "study/figures_draw.h"

#include <stdlib.h>

/* The band of shares that agree with 95 %. It is wide, because the errors of the points of one shape are correlated. */
static const double LEAST[] = {0.90, 0.90}, MOST[] = {0.99, 0.99}, NOWHERE[] = {STUDY_UNKNOWN, STUDY_UNKNOWN};

/* Positions along x: the levels of a set, or the samples of its only level. */
static int place_count(const study_set *of)
{
    return of->level_count > 1 ? of->level_count : of->sample_count;
}

static double place_of(const study_set *of, int k)
{
    return of->level_count > 1 ? of->levels[k] : of->first + k;
}

/* The mean of a method at a level, or its value in a sample. */
static double value_at(const study_drawing *of, const char *column, int method, int k)
{
    if (of->s->sets[of->set].level_count > 1)
        return study_line_column(study_summary_find(of->summary, method, of->set, k), column)->mean;
    return study_row_value(of->rows, (study_key){method, -1, of->set, 0, k}, column);
}

/* Adds a line over x for each method, with its values in y. */
static int add_methods(const study_drawing *of, const char *column, const double *x, double *y,
                       chart_series *series)
{
    const int count = place_count(&of->s->sets[of->set]);
    int shown = 0;
    for (int m = 0; m < of->s->method_count; m++, y += count) {
        bool known = false;
        for (int k = 0; k < count; k++) {
            y[k] = value_at(of, column, m, k);
            known = known || isfinite(y[k]);
        }
        if (known)
            series[shown++] = (chart_series){
                .name = of->s->methods[m].name, .style = m + 1, .count = count, .x = x, .y = y};
    }
    return shown;
}

/* The band over the whole x axis. Without a name it is not in the legend; the caption has it. */
static chart_series band(const study *s, const double ends[2])
{
    return (chart_series){
        .style = s->method_count + 1, .count = 2, .x = ends, .y = NOWHERE, .low = LEAST, .high = MOST};
}

static sfgp_status draw_panels(const study_set *of, const chart_panel panels[2], char **svg)
{
    const bool leveled = of->level_count > 1;
    const chart figure = {.x = {.label = leveled ? of->axis : "Sample", .at_data = leveled},
                          .spread = CHART_BANDS,
                          .panels = panels,
                          .panel_count = 2};
    return chart_svg(&figure, svg);
}

/* Points that the scan shows, and points that it does not. */
static const char *const COLUMNS[] = {"inside_observed", "inside_missing"}, *const LABELS[] = {
                                                                                "Observed points",
                                                                                "Missing points"};

/* One panel for each column. x has room for the places, and then for the values of every line. The band is a series of every panel. */
static sfgp_status draw_lines(const study_drawing *of, double *x, chart_series *series, char **svg)
{
    const study_set *own = &of->s->sets[of->set];
    const int places = place_count(own), methods = of->s->method_count;
    chart_panel panels[2];
    for (int k = 0; k < places; k++)
        x[k] = place_of(own, k);
    const double ends[2] = {x[0], x[places - 1]};
    for (int part = 0; part < 2; part++, series += methods + 1) {
        const int count = add_methods(of, COLUMNS[part], x, x + places * (1 + part * methods), series);
        series[count] = band(of->s, ends);
        panels[part] = (chart_panel){
            .y = {.label = LABELS[part], .high = 1.05}, .series = series, .series_count = count + 1};
    }
    const bool has_lines = panels[0].series_count + panels[1].series_count > 2;
    return has_lines ? draw_panels(own, panels, svg) : SFGP_OK;
}

sfgp_status study_draw_coverage(const study_drawing *of, const study_figure *figure, char **svg)
{
    const size_t places = (size_t)place_count(&of->s->sets[of->set]), methods = (size_t)of->s->method_count;
    double *x = calloc(places * (1 + 2 * methods), sizeof *x);
    chart_series *series = calloc(2 * (methods + 1), sizeof *series);
    const sfgp_status status = x && series ? draw_lines(of, x, series, svg) : SFGP_ERROR_MEMORY;
    (void)figure;
    free(x);
    free(series);
    return status;
}
