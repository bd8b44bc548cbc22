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

/* The data of a set. */
typedef struct set_data {
    const study *s;
    int set;
    const study_rows *rows;
    const study_summary *summary;
} set_data;

/* The mean of a method at a level, or its value in a sample. */
static double value_at(const set_data *of, const study_column *column, int method, int k)
{
    if (of->s->sets[of->set].level_count > 1)
        return study_line_column(study_summary_find(of->summary, method, of->set, k), column->name)->mean;
    return study_row_value(of->rows, (study_key){method, -1, of->set, 0, k}, column->offset);
}

/* Adds a line over x for each method, with its values in y. */
static int add_methods(const set_data *of, const study_column *column, const double *x, double *y,
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

STUDY_DRAW(study_draw_coverage)
{
    static const study_column COLUMNS[] = {{"inside_observed", offsetof(study_row, inside_observed), false},
                                           {"inside_missing", offsetof(study_row, inside_missing), false}};
    static const char *const LABELS[] = {"Observed points", "Missing points"};
    const set_data of = {s, set, rows, summary};
    const int places = place_count(&s->sets[set]), methods = s->method_count;
    double *x = calloc((size_t)places * (1 + 2 * (size_t)methods), sizeof *x);
    chart_series *series = calloc(2 * (size_t)methods + 2, sizeof *series);
    chart_panel panels[2];
    double ends[2] = {0, 0};
    sfgp_status status = x && series ? SFGP_OK : SFGP_ERROR_MEMORY;
    bool known = false;
    for (int k = 0; status == SFGP_OK && k < places; k++)
        x[k] = place_of(&s->sets[set], k);
    if (status == SFGP_OK)
        ends[0] = x[0], ends[1] = x[places - 1];
    for (int part = 0; status == SFGP_OK && part < 2; part++) {
        chart_series *own = series + part * (methods + 1);
        int count = add_methods(&of, &COLUMNS[part], x, x + places * (1 + part * methods), own);
        known = known || count > 0;
        own[count++] = band(s, ends);
        panels[part] =
            (chart_panel){.y = {.label = LABELS[part], .high = 1.05}, .series = own, .series_count = count};
    }
    if (status == SFGP_OK && known)
        status = draw_panels(&s->sets[set], panels, svg);
    free(x);
    free(series);
    return status;
}
