/* Box plots: groups along x, and in each group one box for each series. */
#include "report/chart.h"
#include "base/quantile.h"
#include "page/sink.h"
#include "report/chart_frame.h"
#include "report/chart_scale.h"
#include "report/chart_style.h"
#include "page/markup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The values of a sample that the axis can show, sorted, and its box. */
typedef struct box {
    int64_t count;
    double *values;
    double low; /* end of the lower whisker */
    double q1, median, q3;
    double high; /* end of the upper whisker */
} box;

typedef struct layout {
    const chart_boxes *figure;
    chart_area area;
    chart_scale y;
    chart_legend legend;
    double width, height;
    double
        lower; /* how much lower every second name of a group stands; 0: they have room beside each other */
} layout;

/* ---- numbers ----------------------------------------------------------------------------------------- */

static void summarize(box *b)
{
    b->q1 = sfgp_quantile(b->count, b->values, 0.25);
    b->median = sfgp_quantile(b->count, b->values, 0.5);
    b->q3 = sfgp_quantile(b->count, b->values, 0.75);
    const double reach = 1.5 * (b->q3 - b->q1);
    b->low = b->q1;
    b->high = b->q3;
    for (int64_t k = 0; k < b->count; k++) {
        if (b->values[k] >= b->q1 - reach)
            b->low = fmin(b->low, b->values[k]);
        if (b->values[k] <= b->q3 + reach)
            b->high = fmax(b->high, b->values[k]);
    }
}

static bool make_box(const chart_axis *axis, const chart_sample *sample, box *b)
{
    *b = (box){.values = malloc(sizeof(double) * (size_t)(sample->count > 0 ? sample->count : 1))};
    if (!b->values)
        return false;
    for (int64_t k = 0; k < sample->count; k++)
        if (chart_axis_shows(axis, sample->values[k]))
            b->values[b->count++] = sample->values[k];
    sfgp_sort(b->count, b->values);
    if (b->count > 0)
        summarize(b);
    return true;
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

static void draw_rectangle(FILE *out, double x, double y, double width, double height, const char *colour)
{
    fputs("<rect", out);
    markup_write_number(out, "x", x);
    markup_write_number(out, "y", y);
    markup_write_number(out, "width", width);
    markup_write_number(out, "height", height);
    fprintf(out, " fill=\"%s\" fill-opacity=\"0.22\" stroke=\"%s\" stroke-width=\"1.2\"/>\n", colour, colour);
}

static void draw_outliers(FILE *out, const layout *plan, const box *b, double x, const char *colour)
{
    for (int64_t k = 0; k < b->count; k++) {
        if (b->values[k] >= b->low && b->values[k] <= b->high)
            continue;
        fputs("<circle", out);
        markup_write_number(out, "cx", x);
        markup_write_number(out, "cy", chart_scale_place(&plan->y, b->values[k]));
        fprintf(out, " r=\"2\" fill=\"none\" stroke=\"%s\" stroke-width=\"0.9\"/>\n", colour);
    }
}

/* The marker on the median identifies the series in black and white. */
static void draw_box(FILE *out, const layout *plan, const box *b, double x, double width,
                     const chart_style *style)
{
    const double half = width / 2, low = chart_scale_place(&plan->y, b->low),
                 high = chart_scale_place(&plan->y, b->high), q1 = chart_scale_place(&plan->y, b->q1),
                 q3 = chart_scale_place(&plan->y, b->q3), median = chart_scale_place(&plan->y, b->median);
    chart_draw_segment(out, (chart_area){x, low, x, q1}, style->colour, 1.2);
    chart_draw_segment(out, (chart_area){x, q3, x, high}, style->colour, 1.2);
    chart_draw_segment(out, (chart_area){x - half / 2, low, x + half / 2, low}, style->colour, 1.2);
    chart_draw_segment(out, (chart_area){x - half / 2, high, x + half / 2, high}, style->colour, 1.2);
    draw_rectangle(out, x - half, q3, width, q1 - q3, style->colour);
    chart_draw_segment(out, (chart_area){x - half, median, x + half, median}, style->colour, 2.2);
    if (plan->figure->series_count > 1)
        chart_draw_marker(out, style, x, median, fmin(7, width * 0.7));
    draw_outliers(out, plan, b, x, style->colour);
}

static chart_style style_of(const chart_boxes *figure, chart_legend *legend, int s)
{
    return chart_legend_add(legend, figure->series[s], figure->styles ? figure->styles[s] : 0, s);
}

static void draw_groups(FILE *out, layout *plan, const box *boxes)
{
    const chart_boxes *figure = plan->figure;
    const double group = (plan->area.right - plan->area.left) / fmax(1, figure->group_count);
    const double slot = group * 0.84 / fmax(1, figure->series_count), width = fmin(30, slot * 0.72);
    for (int g = 0; g < figure->group_count; g++) {
        const double middle = plan->area.left + group * (g + 0.5);
        chart_draw_label(out, figure->groups[g], middle, plan->area.bottom + 18 + (g % 2 ? plan->lower : 0),
                         &(chart_font){"middle", CHART_FONT, "#1a1a1a"});
        chart_clip_begin(out, plan->area);
        for (int s = 0; s < figure->series_count; s++) {
            const box *b = &boxes[g * figure->series_count + s];
            const chart_style style = style_of(figure, &plan->legend, s);
            if (b->count > 0)
                draw_box(out, plan, b, middle + slot * (s - (figure->series_count - 1) / 2.0), width, &style);
        }
        chart_clip_end(out);
    }
}

/* ---- the figure -------------------------------------------------------------------------------------- */

/* The names of two groups side by side would touch. */
static bool names_touch(const chart_boxes *figure, double group)
{
    for (int g = 1; g < figure->group_count; g++)
        if (markup_width(figure->groups[g - 1], CHART_FONT) + markup_width(figure->groups[g], CHART_FONT) >
            2 * (group - 5))
            return true;
    return false;
}

static layout plan_layout(const chart_boxes *figure, const box *boxes, int box_count)
{
    layout plan = {.figure = figure};
    chart_range range = {0};
    for (int k = 0; k < box_count; k++)
        chart_range_add(&range, &figure->y, boxes[k].count, boxes[k].values);
    for (int s = 0; s < figure->series_count; s++)
        style_of(figure, &plan.legend, s);
    if (figure->series_count == 1)
        plan.legend.count = 0; /* one series: the names of the groups are enough */
    plan.y = chart_scale_make(&figure->y, range, 0, NULL);
    plan.width = figure->width > 0 ? figure->width : fmax(460, 90 + 22.0 * box_count);
    plan.height = figure->height > 0 ? figure->height : 320;
    plan.area = (chart_area){
        .left = 34 + chart_ticks_width(&plan.y),
        .top = figure->title && figure->title[0] ? 34 : 14,
        .right = plan.width - 16,
        .bottom = plan.height - 32 - chart_legend_height(&plan.legend, plan.width - 40),
    };
    plan.lower =
        names_touch(figure, (plan.area.right - plan.area.left) / fmax(1, figure->group_count)) ? 16 : 0;
    plan.area.bottom -= plan.lower;
    plan.y.from = plan.area.bottom;
    plan.y.to = plan.area.top;
    return plan;
}

static void draw_figure(FILE *out, const chart_boxes *figure, const box *boxes, int box_count)
{
    int64_t count = 0;
    layout plan = plan_layout(figure, boxes, box_count);
    for (int k = 0; k < box_count; k++)
        count += boxes[k].count;
    chart_write_head(out, &(chart_subject){.title = figure->title, .y = figure->y.label}, plan.width,
                     plan.height);
    chart_draw_y_axis(out, plan.area, &plan.y, figure->y.label, 17);
    chart_draw_segment(out, (chart_area){plan.area.left, plan.area.bottom, plan.area.right, plan.area.bottom},
                       "#595959", 1);
    chart_draw_legend(out, &plan.legend, 20, plan.area.bottom + 32 + plan.lower, plan.width - 40, false);
    draw_groups(out, &plan, boxes);
    if (count == 0)
        chart_draw_no_data(out, plan.area);
    chart_write_foot(out);
}

static void free_boxes(box *boxes, int count)
{
    for (int k = 0; boxes && k < count; k++)
        free(boxes[k].values);
    free(boxes);
}

sfgp_status chart_boxes_svg(const chart_boxes *figure, char **text)
{
    page_sink sink;
    const int count = figure->group_count * figure->series_count;
    box *boxes = calloc((size_t)count + 1, sizeof *boxes);
    bool made = boxes != NULL;
    *text = NULL;
    for (int k = 0; k < count && made; k++)
        made = make_box(&figure->y, &figure->samples[k], &boxes[k]);
    made = made && page_sink_open(&sink);
    if (made)
        draw_figure(sink.out, figure, boxes, count);
    free_boxes(boxes, count);
    return made ? page_sink_close(&sink, text) : SFGP_ERROR_MEMORY;
}
