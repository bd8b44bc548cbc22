/* What is around the data: the document, title, axes with ticks and grid, legend. Pixels from the top left.
 */
#ifndef SFGP_REPORT_CHART_FRAME_H
#define SFGP_REPORT_CHART_FRAME_H

#include "report/chart.h"
#include "report/chart_scale.h"

#include <stdio.h>

/* The plot area of a panel. */
typedef struct chart_area {
    double left, top, right, bottom;
} chart_area;

/* Names and styles in the order of first appearance; names beyond the last place are left out. */
enum { CHART_LEGEND_MAX = 32 };
typedef struct chart_legend {
    int count;
    struct {
        const char *name;
        chart_style style;
    } entries[CHART_LEGEND_MAX];
} chart_legend;

/* The style of a series: the row it asks for, otherwise its place among the names; adds its name. */
chart_style chart_legend_add(chart_legend *legend, const char *name, int style, int place);

/* Shape of the frame that texts ask for. */
typedef struct chart_margins {
    double left, top, right, bottom; /* bottom without the legend */
    double legend;                   /* height of the legend */
} chart_margins;
enum { CHART_FONT = 12, CHART_FONT_SMALL = 11 };

/* Width of the widest tick text. */
double chart_ticks_width(const chart_scale *scale);
double chart_legend_height(const chart_legend *legend, double width);

/* Begins and ends the document. */
void chart_put_head(FILE *out, const char *title, double width, double height);
void chart_put_foot(FILE *out);

void chart_put_y_axis(FILE *out, chart_area area, const chart_scale *scale, const char *label,
                      double label_x);
/* named: with tick texts and label; otherwise ticks only (a panel above others). */
void chart_put_x_axis(FILE *out, chart_area area, const chart_scale *scale, const char *label, bool named);
void chart_put_legend(FILE *out, const chart_legend *legend, double left, double top, double width,
                      bool lines);
void chart_put_no_data(FILE *out, chart_area area);

/* Text with an anchor: start, middle or end. */
void chart_put_label(FILE *out, const char *text, double x, double y, const char *anchor, double size,
                     const char *colour);
void chart_put_segment(FILE *out, double x1, double y1, double x2, double y2, const char *colour,
                       double width);

/* Between the two nothing is drawn outside the area, but for the markers on its rim. */
void chart_clip_begin(FILE *out, chart_area area);
void chart_clip_end(FILE *out);

/* open_memstream with its two variables; text NULL when there is no memory. */
typedef struct chart_sink {
    FILE *out;
    char *text;
    size_t size;
} chart_sink;
bool chart_sink_open(chart_sink *sink);
/* Hands the text over. Errors: SFGP_ERROR_MEMORY; *text is NULL then. */
sfgp_status chart_sink_close(chart_sink *sink, char **text);

#endif
