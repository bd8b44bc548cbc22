/* Box plots: values over the samples, one box for each method. */
#include "study/figures_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- any boxes --------------------------------------------------------------------------------------- */

/* Names, styles and samples for the chart. Methods without any value are left out. */
typedef struct plan {
    const char **names;
    int *styles;
    int *methods; /* indices of the methods that are shown */
    int shown;
    chart_sample *samples;
    double *values; /* groups x methods x room: the values of all boxes */
} plan;

static bool plan_make(const study_boxes *boxes, plan *p)
{
    const size_t methods = (size_t)boxes->of.s->method_count, count = methods * (size_t)boxes->group_count;
    *p = (plan){.names = calloc(methods, sizeof *p->names),
                .styles = calloc(methods, sizeof *p->styles),
                .methods = calloc(methods, sizeof *p->methods),
                .samples = calloc(count, sizeof *p->samples),
                .values = calloc(count * (size_t)boxes->room, sizeof *p->values)};
    return p->names && p->styles && p->methods && p->samples && p->values;
}

static void plan_clear(plan *p)
{
    free(p->names);
    free(p->styles);
    free(p->methods);
    free(p->samples);
    free(p->values);
}

static double *box_of(const study_boxes *boxes, const plan *p, int group, int method)
{
    return p->values + ((int64_t)group * boxes->of.s->method_count + method) * boxes->room;
}

static bool has_values(const study_boxes *boxes, const plan *p, int method)
{
    for (int g = 0; g < boxes->group_count; g++)
        for (int k = 0; k < boxes->room; k++)
            if (isfinite(box_of(boxes, p, g, method)[k]))
                return true;
    return false;
}

static void plan_fill(const study_boxes *boxes, plan *p)
{
    for (int m = 0; m < boxes->of.s->method_count; m++) {
        for (int g = 0; g < boxes->group_count; g++)
            boxes->values(boxes, g, m, box_of(boxes, p, g, m));
        if (!has_values(boxes, p, m))
            continue;
        p->names[p->shown] = boxes->of.s->methods[m].name;
        p->styles[p->shown] = m + 1;
        p->methods[p->shown++] = m;
    }
    for (int g = 0; g < boxes->group_count; g++)
        for (int k = 0; k < p->shown; k++)
            p->samples[g * p->shown + k] = (chart_sample){boxes->room, box_of(boxes, p, g, p->methods[k])};
}

static bool is_spread(const study_boxes *boxes, const plan *p)
{
    double least = HUGE_VAL, most = 0;
    for (int64_t k = 0; k < (int64_t)boxes->group_count * boxes->of.s->method_count * boxes->room; k++)
        if (p->values[k] > 0) {
            least = fmin(least, p->values[k]);
            most = fmax(most, p->values[k]);
        }
    return study_is_wide(least, most);
}

sfgp_status study_boxes_draw(const study_boxes *boxes, char **svg)
{
    plan p;
    sfgp_status status = plan_make(boxes, &p) ? SFGP_OK : SFGP_ERROR_MEMORY;
    if (status == SFGP_OK) {
        plan_fill(boxes, &p);
        chart_boxes figure = {.width = boxes->width,
                              .y = boxes->axis,
                              .groups = boxes->groups,
                              .group_count = boxes->group_count,
                              .series = p.names,
                              .styles = p.styles,
                              .series_count = p.shown,
                              .samples = p.samples};
        figure.y.log = boxes->axis.high <= boxes->axis.low && is_spread(boxes, &p);
        if (p.shown > 0)
            status = chart_boxes_svg(&figure, svg);
    }
    plan_clear(&p);
    return status;
}

double study_row_value(const study_rows *rows, study_key key, const char *name)
{
    const study_row *row = study_rows_find(rows, key);
    const study_column *column;
    for (int k = 0; row && row->success && (column = study_column_row(k)); k++)
        if (strcmp(column->name, name) == 0)
            return study_column_value(row, column);
    return STUDY_UNKNOWN;
}

/* ---- columns of a set without levels ----------------------------------------------------------------- */

/* What a figure shows: a column of the tables for each group. */
typedef struct columns {
    int count;
    const char *names[2], *groups[2];
} columns;

static void column_values(const study_boxes *boxes, int group, int method, double *values)
{
    const columns *what = boxes->what;
    for (int k = 0; k < boxes->room; k++)
        values[k] =
            study_row_value(boxes->of.rows, (study_key){method, -1, boxes->of.set, 0, k}, what->names[group]);
}

/* Only for sets without levels; the others have lines. */
static sfgp_status draw_columns(const study_drawing *of, const columns *what, const chart_axis *axis,
                                char **svg)
{
    const study_set *set = &of->s->sets[of->set];
    const study_boxes boxes = {.groups = what->groups,
                               .group_count = what->count,
                               .room = set->sample_count,
                               .axis = *axis,
                               .of = *of,
                               .what = what,
                               .values = column_values};
    return set->level_count == 1 ? study_boxes_draw(&boxes, svg) : SFGP_OK;
}

sfgp_status study_draw_samples(const study_drawing *of, const study_figure *figure, char **svg)
{
    char text[STUDY_LABEL_SIZE];
    const chart_axis axis = {.label = study_label(figure->label, of->s->sets[of->set].unit, text)};
    return draw_columns(of, &(columns){1, {figure->column}, {""}}, &axis, svg);
}

sfgp_status study_draw_mask(const study_drawing *of, const study_figure *figure, char **svg)
{
    static const columns WHAT = {2, {"recall", "precision"}, {"Recall", "Precision"}};
    (void)figure;
    return draw_columns(of, &WHAT, &(chart_axis){.label = "Share", .high = 1.05}, svg);
}
