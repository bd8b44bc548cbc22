/* The frame of a chart: SVG document, title, axes with ticks and grid, legend. Coordinates are pixels from the top
 * left corner. */
#ifndef SFGP_REPORT_CHART_FRAME_H
#define SFGP_REPORT_CHART_FRAME_H

#include "report/chart.h"
#include "report/chart_scale.h"

#include <stdio.h>

/* The plot area of a panel. */
typedef struct chart_area {
    double left, top, right, bottom;
} chart_area;

/* Names and styles in the order of their first use. Names that find no place are left out. */
enum { CHART_LEGEND_MAX = 32 };
typedef struct chart_legend {
    int count;
    struct {
        const char *name;
        chart_style style;
    } entries[CHART_LEGEND_MAX];
} chart_legend;

/* The style of a series: row `style`, or when that is 0 the row of its place among the names. Adds its name. */
chart_style chart_legend_add(chart_legend *legend, const char *name, int style, int place);

/* Room that texts need around the panels. */
typedef struct chart_margins {
    double left, top, right;
    double bottom; /* without the legend */
    double legend; /* height of the legend */
} chart_margins;
enum { CHART_FONT = 12, CHART_FONT_SMALL = 11 };

/* Width of the widest tick text. */
double chart_ticks_width(const chart_scale *scale);
double chart_legend_height(const chart_legend *legend, double width);

/* What a document shows, for its title. */
typedef struct chart_subject {
    const char *title; /* also drawn above the plot; NULL or "": the labels of the axes say it */
    const char *y, *x; /* labels of the axes; NULL or "": none */
} chart_subject;

/* Begin and end the document. */
void chart_write_head(FILE *out, const chart_subject *subject, double width, double height);
void chart_write_foot(FILE *out);

void chart_draw_y_axis(FILE *out, chart_area area, const chart_scale *scale, const char *label,
                       double label_x);
/* named: with texts and label. A panel above others has ticks only. */
void chart_draw_x_axis(FILE *out, chart_area area, const chart_scale *scale, const char *label, bool named);
void chart_draw_legend(FILE *out, const chart_legend *legend, double left, double top, double width,
                       bool lines);
void chart_draw_no_data(FILE *out, chart_area area);

/* The form of a text. */
typedef struct chart_font {
    const char *anchor; /* which part of the text is at its position: start, middle or end */
    double size;
    const char *colour;
} chart_font;

void chart_draw_label(FILE *out, const char *text, double x, double y, const chart_font *font);
/* A line from (left, top) to (right, bottom) of ends. */
void chart_draw_segment(FILE *out, chart_area ends, const char *colour, double width);

/* From begin to end nothing is drawn outside the area, except for markers on its border. */
void chart_clip_begin(FILE *out, chart_area area);
void chart_clip_end(FILE *out);

#endif
