/* Draws one panel: its axes, and the lines, bands, markers and labels of its series. */
#include "report/chart_panel.h"
#include "report/chart_labels.h"
#include "report/chart_style.h"
#include "page/markup.h"

chart_scale chart_panel_scale(const chart_panel *panel, int64_t *count)
{
    chart_range range = {0};
    for (int s = 0; s < panel->series_count; s++)
        chart_range_add(&range, &panel->y, panel->series[s].count, panel->series[s].y);
    *count = range.count;
    for (int s = 0; s < panel->series_count; s++) {
        chart_range_add(&range, &panel->y, panel->series[s].count, panel->series[s].low);
        chart_range_add(&range, &panel->y, panel->series[s].count, panel->series[s].high);
    }
    return chart_scale_make(&panel->y, range, 0, NULL);
}

/* ---- series ------------------------------------------------------------------------------------------ */

/* What the drawing of a panel needs. */
typedef struct pen {
    FILE *out;
    const chart_plan *plan;
    const chart_panel *panel;
    chart_area area;
    chart_scale x, y;
} pen;

/* Horizontal offset of a series in pixels, so that whiskers at the same x do not hide each other. */
static double offset_of(const pen *p, int s)
{
    const bool spread = p->panel->series[s].low && p->panel->series[s].high;
    const bool beside =
        spread && p->plan->figure->mark == CHART_LINES && p->plan->figure->spread == CHART_WHISKERS;
    return beside ? 3.0 * (s - (p->panel->series_count - 1) / 2.0) : 0;
}

static double place_x(const pen *p, int s, int64_t k)
{
    return chart_scale_place(&p->x, p->panel->series[s].x[k]) + offset_of(p, s);
}

static bool shows(const pen *p, int s, int64_t k)
{
    const chart_series *series = &p->panel->series[s];
    return chart_axis_shows(&p->plan->figure->x, series->x[k]) &&
           chart_axis_shows(&p->panel->y, series->y[k]);
}

static bool shows_spread(const pen *p, int s, int64_t k)
{
    const chart_series *series = &p->panel->series[s];
    return series->low && series->high && chart_axis_shows(&p->plan->figure->x, series->x[k]) &&
           chart_axis_shows(&p->panel->y, series->low[k]) && chart_axis_shows(&p->panel->y, series->high[k]);
}

static void write_path_point(const pen *p, char command, double x, double y)
{
    char a[MARKUP_NUMBER_SIZE], b[MARKUP_NUMBER_SIZE];
    fprintf(p->out, "%c%s %s", command, markup_coordinate(x, a), markup_coordinate(y, b));
}

static void draw_line(const pen *p, int s, const chart_style *style)
{
    const chart_series *series = &p->panel->series[s];
    bool drawn = false, joined = false;
    for (int64_t k = 0; k < series->count; k++) {
        const bool here = shows(p, s, k);
        if (here && !drawn)
            fputs("<path d=\"", p->out);
        if (here && joined && series->steps)
            write_path_point(p, 'L', place_x(p, s, k), chart_scale_place(&p->y, series->y[k - 1]));
        if (here)
            write_path_point(p, joined ? 'L' : 'M', place_x(p, s, k), chart_scale_place(&p->y, series->y[k]));
        drawn |= here;
        joined = here;
    }
    if (!drawn)
        return;
    fputc('"', p->out);
    chart_write_stroke(p->out, style);
    fputs(" stroke-linejoin=\"round\"/>\n", p->out);
}

static void draw_whiskers(const pen *p, int s, const chart_style *style)
{
    const chart_series *series = &p->panel->series[s];
    for (int64_t k = 0; k < series->count; k++) {
        if (!shows_spread(p, s, k))
            continue;
        const double x = place_x(p, s, k), low = chart_scale_place(&p->y, series->low[k]),
                     high = chart_scale_place(&p->y, series->high[k]);
        chart_draw_segment(p->out, (chart_area){x, low, x, high}, style->colour, 1);
        chart_draw_segment(p->out, (chart_area){x - 2.5, low, x + 2.5, low}, style->colour, 1);
        chart_draw_segment(p->out, (chart_area){x - 2.5, high, x + 2.5, high}, style->colour, 1);
    }
}

/* Draws the band over consecutive points that have a spread, from `first` on: along its upper edge, and back along its
 * lower edge. Returns the index after the last of them. */
static int64_t draw_band(const pen *p, int s, const chart_style *style, int64_t first)
{
    const chart_series *series = &p->panel->series[s];
    int64_t end = first;
    while (end < series->count && shows_spread(p, s, end))
        end++;
    if (end == first)
        return first + 1;
    fputs("<path d=\"", p->out);
    for (int64_t k = first; k < end; k++)
        write_path_point(p, k == first ? 'M' : 'L', place_x(p, s, k),
                         chart_scale_place(&p->y, series->high[k]));
    for (int64_t k = end; k-- > first;)
        write_path_point(p, 'L', place_x(p, s, k), chart_scale_place(&p->y, series->low[k]));
    fprintf(p->out, "Z\" fill=\"%s\" fill-opacity=\"0.15\"/>\n", style->colour);
    return end;
}

static void draw_spread(const pen *p, int s, const chart_style *style)
{
    if (p->plan->figure->spread == CHART_WHISKERS)
        draw_whiskers(p, s, style);
    else
        for (int64_t k = 0; k < p->panel->series[s].count;)
            k = draw_band(p, s, style, k);
}

/* A curve of many points has about twenty markers. */
static void draw_markers(const pen *p, int s, const chart_style *style)
{
    const chart_series *series = &p->panel->series[s];
    const bool lines = p->plan->figure->mark == CHART_LINES;
    const int64_t stride = lines && series->count > 40 ? series->count / 20 : 1;
    for (int64_t k = 0; k < series->count; k += stride)
        if (shows(p, s, k))
            chart_draw_marker(p->out, style, place_x(p, s, k), chart_scale_place(&p->y, series->y[k]),
                              lines ? 6.5 : 7.5);
}

/* ---- panels ------------------------------------------------------------------------------------------ */

static chart_style style_of(const chart_plan *plan, const chart_series *series, int place)
{
    chart_legend legend = plan->legend;
    return chart_legend_add(&legend, series->name, series->style, place);
}

static void draw_labels(const pen *p)
{
    chart_labels labels = {.area = p->area};
    for (int s = 0; s < p->panel->series_count; s++)
        for (int64_t k = 0; k < p->panel->series[s].count; k++)
            if (shows(p, s, k))
                chart_labels_avoid(&labels, place_x(p, s, k),
                                   chart_scale_place(&p->y, p->panel->series[s].y[k]));
    for (int s = 0; s < p->panel->series_count; s++)
        for (int64_t k = 0; p->panel->series[s].labels && k < p->panel->series[s].count; k++)
            if (shows(p, s, k))
                chart_labels_draw(&labels, p->out, p->panel->series[s].labels[k], place_x(p, s, k),
                                  chart_scale_place(&p->y, p->panel->series[s].y[k]));
}

static void draw_series(const pen *p)
{
    for (int s = 0; s < p->panel->series_count; s++) {
        const chart_style style = style_of(p->plan, &p->panel->series[s], s);
        draw_spread(p, s, &style);
    }
    for (int s = 0; s < p->panel->series_count; s++) {
        const chart_style style = style_of(p->plan, &p->panel->series[s], s);
        if (p->plan->figure->mark == CHART_LINES || p->panel->series[s].steps)
            draw_line(p, s, &style);
        if (!p->panel->series[s].steps)
            draw_markers(p, s, &style);
    }
    draw_labels(p);
}

void chart_draw_panel(FILE *out, const chart_plan *plan, int index, chart_area area)
{
    int64_t count = 0;
    const bool last = index == plan->figure->panel_count - 1;
    pen p = {.out = out, .plan = plan, .panel = &plan->figure->panels[index], .area = area, .x = plan->x};
    p.x.from = area.left;
    p.x.to = area.right;
    p.y = chart_panel_scale(p.panel, &count);
    p.y.from = area.bottom;
    p.y.to = area.top;
    chart_draw_y_axis(out, area, &p.y, p.panel->y.label, plan->label_x);
    chart_draw_x_axis(out, area, &p.x, plan->figure->x.label, last);
    if (count == 0) {
        chart_draw_no_data(out, area);
        return;
    }
    chart_clip_begin(out, area);
    draw_series(&p);
    chart_clip_end(out);
}
