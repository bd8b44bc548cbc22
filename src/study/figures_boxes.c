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

static bool plan_make(const study_boxes *of, plan *p)
{
    const size_t methods = (size_t)of->s->method_count, boxes = methods * (size_t)of->group_count;
    *p = (plan){.names = calloc(methods, sizeof *p->names),
                .styles = calloc(methods, sizeof *p->styles),
                .methods = calloc(methods, sizeof *p->methods),
                .samples = calloc(boxes, sizeof *p->samples),
                .values = calloc(boxes * (size_t)of->room, sizeof *p->values)};
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

static double *box_of(const study_boxes *of, const plan *p, int group, int method)
{
    return p->values + ((int64_t)group * of->s->method_count + method) * of->room;
}

static bool has_values(const study_boxes *of, const plan *p, int method)
{
    for (int g = 0; g < of->group_count; g++)
        for (int k = 0; k < of->room; k++)
            if (isfinite(box_of(of, p, g, method)[k]))
                return true;
    return false;
}

static void plan_fill(const study_boxes *of, plan *p)
{
    for (int m = 0; m < of->s->method_count; m++) {
        for (int g = 0; g < of->group_count; g++)
            of->values(of, g, m, box_of(of, p, g, m));
        if (!has_values(of, p, m))
            continue;
        p->names[p->shown] = of->s->methods[m].name;
        p->styles[p->shown] = m + 1;
        p->methods[p->shown++] = m;
    }
    for (int g = 0; g < of->group_count; g++)
        for (int k = 0; k < p->shown; k++)
            p->samples[g * p->shown + k] = (chart_sample){of->room, box_of(of, p, g, p->methods[k])};
}

static bool is_spread(const study_boxes *of, const plan *p)
{
    double least = HUGE_VAL, most = 0;
    for (int64_t k = 0; k < (int64_t)of->group_count * of->s->method_count * of->room; k++)
        if (p->values[k] > 0) {
            least = fmin(least, p->values[k]);
            most = fmax(most, p->values[k]);
        }
    return study_is_wide(least, most);
}

sfgp_status study_boxes_draw(const study_boxes *of, char **svg)
{
    plan p;
    sfgp_status status = plan_make(of, &p) ? SFGP_OK : SFGP_ERROR_MEMORY;
    if (status == SFGP_OK) {
        plan_fill(of, &p);
        chart_boxes figure = {.width = of->width,
                              .y = of->axis,
                              .groups = of->groups,
                              .group_count = of->group_count,
                              .series = p.names,
                              .styles = p.styles,
                              .series_count = p.shown,
                              .samples = p.samples};
        figure.y.log = of->axis.high <= of->axis.low && is_spread(of, &p);
        if (p.shown > 0)
            status = chart_boxes_svg(&figure, svg);
    }
    plan_clear(&p);
    return status;
}

double study_row_value(const study_rows *rows, study_key key, size_t offset)
{
    const study_row *row = study_rows_find(rows, key);
    double value = STUDY_UNKNOWN;
    if (row && row->success)
        memcpy(&value, (const char *)row + offset, sizeof value);
    return value;
}

/* ---- columns of a set without levels ----------------------------------------------------------------- */

/* The columns of a table that a figure shows, one for each group. */
typedef struct columns {
    int set;
    int count;
    size_t offsets[2]; /* in study_row */
    const char *groups[2];
} columns;

static void column_values(const study_boxes *of, int group, int method, double *values)
{
    const columns *what = of->what;
    for (int k = 0; k < of->room; k++)
        values[k] = study_row_value(of->rows, (study_key){method, -1, what->set, 0, k}, what->offsets[group]);
}

/* Only for sets without levels; the others have lines. */
static sfgp_status draw_columns(const study *s, const study_rows *rows, const columns *what,
                                const chart_axis *axis, char **svg)
{
    const study_set *set = &s->sets[what->set];
    const study_boxes boxes = {.groups = what->groups,
                               .group_count = what->count,
                               .room = set->sample_count,
                               .axis = *axis,
                               .s = s,
                               .rows = rows,
                               .what = what,
                               .values = column_values};
    return set->level_count == 1 ? study_boxes_draw(&boxes, svg) : SFGP_OK;
}

static sfgp_status draw_errors(const study *s, int set, const study_rows *rows, size_t offset,
                               const char *title, char **svg)
{
    char text[STUDY_LABEL_SIZE];
    const chart_axis axis = {.label = study_label(title, s->sets[set].unit, text)};
    return draw_columns(s, rows, &(columns){set, 1, {offset}, {""}}, &axis, svg);
}

STUDY_DRAW(study_draw_box_observed)
{
    (void)summary;
    return draw_errors(s, set, rows, offsetof(study_row, observed), "Error, observed points", svg);
}

STUDY_DRAW(study_draw_box_missing)
{
    (void)summary;
    return draw_errors(s, set, rows, offsetof(study_row, missing), "Error, missing points", svg);
}

STUDY_DRAW(study_draw_mask)
{
    const columns what = {
        set, 2, {offsetof(study_row, recall), offsetof(study_row, precision)}, {"Recall", "Precision"}};
    (void)summary;
    return draw_columns(s, rows, &what, &(chart_axis){.label = "Share", .high = 1.05}, svg);
}
