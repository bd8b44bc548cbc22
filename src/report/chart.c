/* Layout of a chart: panels above each other that share the x axis. chart_panel.c draws each panel. */
#include "report/chart.h"
#include "page/sink.h"
#include "report/chart_frame.h"
#include "report/chart_panel.h"
#include "report/chart_scale.h"

#include <math.h>

enum { PANEL_GAP = 16, LEVELS_MAX = 12 };

/* ---- the x axis -------------------------------------------------------------------------------------- */

/* Sorted, distinct values of x. count is LEVELS_MAX + 1 when there are more than LEVELS_MAX. */
typedef struct levels {
    int count;
    double values[LEVELS_MAX];
} levels;

static void add_level(levels *found, double value)
{
    int at = 0;
    while (at < found->count && at < LEVELS_MAX && found->values[at] < value)
        at++;
    if (found->count > LEVELS_MAX || (at < found->count && found->values[at] == value))
        return;
    if (found->count++ == LEVELS_MAX)
        return;
    for (int k = found->count - 1; k > at; k--)
        found->values[k] = found->values[k - 1];
    found->values[at] = value;
}

static void add_levels(levels *found, const chart_axis *axis, const chart_series *series)
{
    for (int64_t k = 0; k < series->count; k++)
        if (chart_axis_shows(axis, series->x[k]))
            add_level(found, series->x[k]);
}

static chart_scale make_x_scale(const chart *figure)
{
    levels found = {0};
    chart_range range = {0};
    for (int p = 0; p < figure->panel_count; p++)
        for (int s = 0; s < figure->panels[p].series_count; s++) {
            const chart_series *series = &figure->panels[p].series[s];
            chart_range_add(&range, &figure->x, series->count, series->x);
            add_levels(&found, &figure->x, series);
        }
    const bool as_ticks = figure->x.at_data && found.count <= LEVELS_MAX;
    return chart_scale_make(&figure->x, range, as_ticks ? found.count : 0, found.values);
}

/* ---- panels ------------------------------------------------------------------------------------------ */

static double weight_of(const chart_panel *panel)
{
    return panel->weight > 0 ? panel->weight : 1;
}

static void draw_panels(FILE *out, const chart_plan *plan)
{
    const chart *figure = plan->figure;
    const chart_margins *m = &plan->margins;
    double total = 0, top = m->top;
    const double height =
        plan->height - m->top - m->bottom - m->legend - PANEL_GAP * (figure->panel_count - 1);
    for (int p = 0; p < figure->panel_count; p++)
        total += weight_of(&figure->panels[p]);
    for (int p = 0; p < figure->panel_count; p++) {
        const double bottom = top + height * weight_of(&figure->panels[p]) / total;
        chart_draw_panel(out, plan, p, (chart_area){m->left, top, plan->width - m->right, bottom});
        top = bottom + PANEL_GAP;
    }
}

/* ---- the figure -------------------------------------------------------------------------------------- */

static double widest_y_tick(const chart *figure)
{
    double width = 0;
    int64_t count = 0;
    for (int p = 0; p < figure->panel_count; p++) {
        const chart_scale scale = chart_panel_scale(&figure->panels[p], &count);
        width = fmax(width, chart_ticks_width(&scale));
    }
    return width;
}

static chart_plan plan_layout(const chart *figure)
{
    chart_plan plan = {.figure = figure, .x = make_x_scale(figure)};
    for (int p = 0; p < figure->panel_count; p++)
        for (int s = 0; s < figure->panels[p].series_count; s++)
            chart_legend_add(&plan.legend, figure->panels[p].series[s].name,
                             figure->panels[p].series[s].style, s);
    plan.width = figure->width > 0 ? figure->width : 460;
    plan.height = figure->height > 0 ? figure->height : 320 + 110.0 * fmax(0, figure->panel_count - 1);
    plan.margins = (chart_margins){
        .left = 34 + widest_y_tick(figure),
        .top = figure->title && figure->title[0] ? 34 : 14,
        .right = 16,
        .bottom = 44,
        .legend = chart_legend_height(&plan.legend, plan.width - 40),
    };
    plan.label_x = 17;
    return plan;
}

sfgp_status chart_svg(const chart *figure, char **text)
{
    page_sink sink;
    *text = NULL;
    if (!page_sink_open(&sink))
        return SFGP_ERROR_MEMORY;
    const chart_plan plan = plan_layout(figure);
    const char *y = figure->panel_count > 0 ? figure->panels[figure->panel_count - 1].y.label : NULL;
    chart_write_head(sink.out, &(chart_subject){figure->title, y, figure->x.label}, plan.width, plan.height);
    if (figure->panel_count > 0)
        draw_panels(sink.out, &plan);
    else
        chart_draw_no_data(sink.out, (chart_area){0, 0, plan.width, plan.height});
    chart_draw_legend(sink.out, &plan.legend, 20, plan.height - plan.margins.legend, plan.width - 40,
                      figure->mark == CHART_LINES);
    chart_write_foot(sink.out);
    return page_sink_close(&sink, text);
}
