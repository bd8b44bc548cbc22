/* Figures of all sets together: errors as multiples of the errors of other methods at the same level. They are drawn
 * with the first set that the report shows. */
#include "study/figures_draw.h"

#include <stdlib.h>

/* ---- the sets ---------------------------------------------------------------------------------------- */

/* The sets that the report shows, and their largest numbers of levels and of runs of a method. */
typedef struct shown_sets {
    int *sets;          /* count: indices */
    const char **names; /* count */
    int count;
    int levels; /* largest number of levels */
    int runs;   /* largest number of runs of a method */
} shown_sets;

static sfgp_status find_sets(const study *s, shown_sets *shown)
{
    *shown = (shown_sets){calloc((size_t)s->set_count, sizeof *shown->sets),
                          calloc((size_t)s->set_count, sizeof *shown->names), 0, 0, 0};
    for (int k = 0; shown->sets && shown->names && k < s->set_count; k++) {
        const study_set *of = &s->sets[k];
        if (of->hidden)
            continue;
        const int runs = of->level_count * of->sample_count;
        shown->names[shown->count] = of->name;
        shown->sets[shown->count++] = k;
        shown->levels = of->level_count > shown->levels ? of->level_count : shown->levels;
        shown->runs = runs > shown->runs ? runs : shown->runs;
    }
    return shown->sets && shown->names ? SFGP_OK : SFGP_ERROR_MEMORY;
}

static void clear_sets(shown_sets *shown)
{
    free(shown->sets);
    free(shown->names);
}

/* Whether the figures of all sets are drawn with this set, and there is something to compare. */
static bool is_place(const study *s, const shown_sets *shown, int set)
{
    return shown->count > 1 && s->method_count > 1 && shown->sets[0] == set;
}

static double mean_error(const study_summary *summary, int method, int set, int level)
{
    return study_line_column(study_summary_find(summary, method, set, level), "error")->mean;
}

/* Least mean error of all methods except one (-1: of all methods). NaN: none. */
static double least_error(const study *s, const study_summary *summary, int but, int set, int level)
{
    double least = STUDY_UNKNOWN;
    for (int m = 0; m < s->method_count; m++)
        if (m != but)
            least = fmin(least, mean_error(summary, m, set, level));
    return least;
}

/* ---- the first method against the best of the others, by level --------------------------------------- */

/* Adds a line for each set. */
static int add_ratios(const study *s, const study_summary *summary, const shown_sets *shown, const double *x,
                      double *y, chart_series *series)
{
    int count = 0;
    for (int k = 0; k < shown->count; k++, y += shown->levels) {
        const int set = shown->sets[k], levels = s->sets[set].level_count;
        bool known = false;
        for (int level = 0; level < levels; level++) {
            y[level] = mean_error(summary, 0, set, level) / least_error(s, summary, 0, set, level);
            known = known || isfinite(y[level]);
        }
        if (known)
            series[count++] =
                (chart_series){.name = shown->names[k], .style = k + 1, .count = levels, .x = x, .y = y};
    }
    return count;
}

static sfgp_status draw_ratios(const study *s, const shown_sets *shown, chart_series *series, int count,
                               char **svg)
{
    static const double ONE[] = {1, 1};
    const double ends[] = {1, fmax(2, shown->levels)};
    char text[STUDY_LABEL_SIZE];
    snprintf(text, sizeof text, "Mean error of %.60s / best of the others", s->methods[0].name);
    series[count] = (chart_series){
        .name = "best of the others", .style = shown->count + 1, .count = 2, .x = ends, .y = ONE};
    const chart_panel panel = {
        .y = {.label = text, .log = true}, .series = series, .series_count = count + 1};
    const chart figure = {.height = 400,
                          .x = {.label = "Level of the set, 1: the first", .at_data = true},
                          .panels = &panel,
                          .panel_count = 1};
    return count > 0 ? chart_svg(&figure, svg) : SFGP_OK;
}

sfgp_status study_draw_relative(const study_drawing *of, const study_figure *figure, char **svg)
{
    const study *s = of->s;
    shown_sets shown;
    double *x = NULL;
    chart_series *series = NULL;
    sfgp_status status = find_sets(s, &shown);
    (void)figure;
    if (status != SFGP_OK || !is_place(s, &shown, of->set))
        return clear_sets(&shown), status;
    x = calloc((size_t)shown.levels * (1 + (size_t)shown.count), sizeof *x);
    series = calloc((size_t)shown.count + 1, sizeof *series);
    status = x && series ? SFGP_OK : SFGP_ERROR_MEMORY;
    for (int k = 0; status == SFGP_OK && k < shown.levels; k++)
        x[k] = k + 1;
    if (status == SFGP_OK) {
        const int count = add_ratios(s, of->summary, &shown, x, x + shown.levels, series);
        status = draw_ratios(s, &shown, series, count, svg);
    }
    free(x);
    free(series);
    clear_sets(&shown);
    return status;
}

/* ---- every run against the best method at its level -------------------------------------------------- */

static void spread_values(const study_boxes *boxes, int group, int method, double *values)
{
    const study_drawing *of = &boxes->of;
    const shown_sets *shown = boxes->what;
    const int set = shown->sets[group], samples = of->s->sets[set].sample_count;
    for (int k = 0; k < boxes->room; k++) {
        const int level = k / samples;
        const study_key key = {method, -1, set, level, k % samples};
        values[k] = level < of->s->sets[set].level_count ? study_row_value(of->rows, key, "error") /
                                                               least_error(of->s, of->summary, -1, set, level)
                                                         : STUDY_UNKNOWN;
    }
}

#define NAME_WIDTH 110.0
#define MOST_BOXES 40 /* more would be too narrow */

sfgp_status study_draw_spread(const study_drawing *of, const study_figure *figure, char **svg)
{
    shown_sets shown;
    sfgp_status status = find_sets(of->s, &shown);
    const study_boxes boxes = {.groups = shown.names,
                               .group_count = shown.count,
                               .room = shown.runs,
                               .width = fmax(460, 60 + NAME_WIDTH * shown.count),
                               .axis = {.label = "Error / least mean error at the level"},
                               .of = *of,
                               .what = &shown,
                               .values = spread_values};
    (void)figure;
    if (status == SFGP_OK && is_place(of->s, &shown, of->set) &&
        shown.count * of->s->method_count <= MOST_BOXES)
        status = study_boxes_draw(&boxes, svg);
    clear_sets(&shown);
    return status;
}
