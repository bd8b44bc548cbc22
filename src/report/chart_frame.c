/* The frame of a chart: document, title, axes, clipping and legend. */
#include "report/chart_frame.h"
#include "report/chart_style.h"
#include "page/markup.h"

#include <math.h>
#include <string.h>

static const char INK[] = "#1a1a1a", QUIET[] = "#595959", GRID[] = "#e4e4e4";

static bool is_known(const char *text)
{
    return text && text[0];
}

static void write_title(FILE *out, const chart_subject *subject)
{
    const bool titled = is_known(subject->title), y = is_known(subject->y), x = is_known(subject->x);
    markup_write(out, titled ? subject->title : y ? subject->y : x ? subject->x : "Figure");
    if (!titled && y && x) {
        fputs(" by ", out);
        markup_write(out, subject->x);
    }
}

void chart_write_head(FILE *out, const chart_subject *subject, double width, double height)
{
    char w[MARKUP_NUMBER_SIZE], h[MARKUP_NUMBER_SIZE];
    markup_coordinate(width, w);
    markup_coordinate(height, h);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\" "
            "role=\"img\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n<title>",
            w, h, w, h);
    write_title(out, subject);
    fprintf(out, "</title>\n<rect width=\"%s\" height=\"%s\" fill=\"#fff\"/>\n", w, h);
    if (is_known(subject->title))
        chart_draw_label(out, subject->title, 10, 19, &(chart_font){"start", 13, INK});
}

void chart_write_foot(FILE *out)
{
    fputs("</svg>\n", out);
}

void chart_draw_label(FILE *out, const char *text, double x, double y, const chart_font *font)
{
    if (!text || !text[0])
        return;
    fputs("<text", out);
    markup_write_number(out, "x", x);
    markup_write_number(out, "y", y);
    markup_write_number(out, "font-size", font->size);
    if (strcmp(font->anchor, "start") != 0)
        fprintf(out, " text-anchor=\"%s\"", font->anchor);
    fprintf(out, " fill=\"%s\">", font->colour);
    markup_write(out, text);
    fputs("</text>\n", out);
}

void chart_draw_segment(FILE *out, chart_area ends, const char *colour, double width)
{
    fputs("<line", out);
    markup_write_number(out, "x1", ends.left);
    markup_write_number(out, "y1", ends.top);
    markup_write_number(out, "x2", ends.right);
    markup_write_number(out, "y2", ends.bottom);
    fprintf(out, " stroke=\"%s\"", colour);
    markup_write_number(out, "stroke-width", width);
    fputs("/>\n", out);
}

/* ---- axes -------------------------------------------------------------------------------------------- */

double chart_ticks_width(const chart_scale *scale)
{
    double width = 0;
    for (int k = 0; k < scale->tick_count; k++)
        width = fmax(width, markup_width(scale->ticks[k].text, CHART_FONT_SMALL));
    return width;
}

static void draw_turned_label(FILE *out, const char *text, double x, double y)
{
    char a[MARKUP_NUMBER_SIZE], b[MARKUP_NUMBER_SIZE];
    if (!text || !text[0])
        return;
    fprintf(out, "<text transform=\"translate(%s %s) rotate(-90)\" font-size=\"%d\" ",
            markup_coordinate(x, a), markup_coordinate(y, b), CHART_FONT);
    fprintf(out, "text-anchor=\"middle\" fill=\"%s\">", INK);
    markup_write(out, text);
    fputs("</text>\n", out);
}

void chart_draw_y_axis(FILE *out, chart_area area, const chart_scale *scale, const char *label,
                       double label_x)
{
    for (int k = 0; k < scale->tick_count; k++) {
        const chart_tick *tick = &scale->ticks[k];
        const double y = chart_scale_place(scale, tick->value);
        if (tick->text[0])
            chart_draw_segment(out, (chart_area){area.left, y, area.right, y}, GRID, 1);
        chart_draw_segment(out, (chart_area){area.left - (tick->text[0] ? 4 : 2.5), y, area.left, y}, QUIET,
                           1);
        chart_draw_label(out, tick->text, area.left - 7, y + 4,
                         &(chart_font){"end", CHART_FONT_SMALL, QUIET});
    }
    chart_draw_segment(out, (chart_area){area.left, area.top, area.left, area.bottom}, QUIET, 1);
    draw_turned_label(out, label, label_x, (area.top + area.bottom) / 2);
}

/* A text that would touch the text before it is left out. Its tick stays. */
void chart_draw_x_axis(FILE *out, chart_area area, const chart_scale *scale, const char *label, bool named)
{
    double free_from = -1e6;
    for (int k = 0; k < scale->tick_count; k++) {
        const chart_tick *tick = &scale->ticks[k];
        const double x = chart_scale_place(scale, tick->value);
        const double half = markup_width(tick->text, CHART_FONT_SMALL) / 2;
        if (x < area.left - 0.5 || x > area.right + 0.5)
            continue;
        chart_draw_segment(out, (chart_area){x, area.bottom, x, area.bottom + (tick->text[0] ? 4 : 2.5)},
                           QUIET, 1);
        if (!named || !tick->text[0] || x - half < free_from)
            continue;
        chart_draw_label(out, tick->text, x, area.bottom + 17,
                         &(chart_font){"middle", CHART_FONT_SMALL, QUIET});
        free_from = x + half + 5;
    }
    chart_draw_segment(out, (chart_area){area.left, area.bottom, area.right, area.bottom}, QUIET, 1);
    if (named)
        chart_draw_label(out, label, (area.left + area.right) / 2, area.bottom + 35,
                         &(chart_font){"middle", CHART_FONT, INK});
}

void chart_draw_no_data(FILE *out, chart_area area)
{
    chart_draw_label(out, "no data", (area.left + area.right) / 2, (area.top + area.bottom) / 2,
                     &(chart_font){"middle", CHART_FONT, QUIET});
}

void chart_clip_begin(FILE *out, chart_area area)
{
    const double air = 6, width = area.right - area.left + 2 * air, height = area.bottom - area.top + 2 * air;
    char text[4][MARKUP_NUMBER_SIZE];
    fputs("<svg", out);
    markup_write_number(out, "x", area.left - air);
    markup_write_number(out, "y", area.top - air);
    markup_write_number(out, "width", width);
    markup_write_number(out, "height", height);
    fprintf(out, " viewBox=\"%s %s %s %s\">\n", markup_coordinate(area.left - air, text[0]),
            markup_coordinate(area.top - air, text[1]), markup_coordinate(width, text[2]),
            markup_coordinate(height, text[3]));
}

void chart_clip_end(FILE *out)
{
    fputs("</svg>\n", out);
}

/* ---- legend ------------------------------------------------------------------------------------------ */

chart_style chart_legend_add(chart_legend *legend, const char *name, int style, int place)
{
    if (!name || !name[0])
        return chart_style_row(style > 0 ? style : place + 1);
    for (int k = 0; k < legend->count; k++)
        if (strcmp(legend->entries[k].name, name) == 0)
            return legend->entries[k].style;
    const chart_style row = chart_style_row(style > 0 ? style : legend->count + 1);
    if (legend->count < CHART_LEGEND_MAX) {
        legend->entries[legend->count].name = name;
        legend->entries[legend->count].style = row;
        legend->count++;
    }
    return row;
}

enum {
    SAMPLE = 30, /* width of a line with its marker */
    ROW = 17,    /* height of a row */
    GAP = 18     /* between columns */
};

static double column_width(const chart_legend *legend)
{
    double width = 0;
    for (int k = 0; k < legend->count; k++)
        width = fmax(width, markup_width(legend->entries[k].name, CHART_FONT_SMALL));
    return width + SAMPLE + 6 + GAP;
}

static int legend_columns(const chart_legend *legend, double width)
{
    const int fit = (int)fmax(1, floor((width + GAP) / column_width(legend)));
    const int rows = (legend->count + fit - 1) / fit;
    return (legend->count + rows - 1) / rows; /* rows of about equal length: 4 + 3, not 6 + 1 */
}

double chart_legend_height(const chart_legend *legend, double width)
{
    if (legend->count == 0)
        return 0;
    const int columns = legend_columns(legend, width), rows = (legend->count + columns - 1) / columns;
    return ROW * rows + 6.0;
}

void chart_draw_legend(FILE *out, const chart_legend *legend, double left, double top, double width,
                       bool lines)
{
    const int columns = legend->count ? legend_columns(legend, width) : 1;
    const double column = legend->count ? column_width(legend) : 0;
    const double start = left + fmax(0, (width - (columns * column - GAP)) / 2);
    for (int k = 0; k < legend->count; k++) {
        const chart_style *style = &legend->entries[k].style;
        const int row = k / columns;
        const double x = start + column * (k % columns), y = top + ROW * row + ROW / 2.0;
        if (lines) {
            fputs("<path d=\"", out);
            char a[MARKUP_NUMBER_SIZE], b[MARKUP_NUMBER_SIZE];
            fprintf(out, "M%s %sh%d\"", markup_coordinate(x, a), markup_coordinate(y, b), SAMPLE);
            chart_write_stroke(out, style);
            fputs("/>\n", out);
        }
        chart_draw_marker(out, style, x + SAMPLE / 2.0, y, 7);
        chart_draw_label(out, legend->entries[k].name, x + SAMPLE + 6, y + 4,
                         &(chart_font){"start", CHART_FONT_SMALL, INK});
    }
}
