/* Charts as SVG text: lines against a level, curves, scatter, panels that share x, box plots.
 *
 * Design
 *   A chart is a plain struct. It knows nothing about studies or methods, and owns nothing that it points to.
 *   chart_svg draws panels of series; the panels stand above each other and share the x axis. chart_boxes_svg draws
 *   groups of boxes. Each makes one complete SVG document with a white background. It loads nothing from outside, and
 *   has no ids, so that any number of charts can stand in one page.
 *   Every series has a colour that colour-blind readers can tell apart (Okabe and Ito), a dash and a marker, so that a
 *   chart can also be read in black and white. The same input gives the same bytes.
 * Numbers
 *   Lengths are CSS pixels. Values that are not finite, or not positive on a log axis, are left out, and a line has a
 *   gap there. Points outside the bounds of the caller are clipped. A chart without any value says "no data".
 * Text
 *   UTF-8; it is escaped here. Bytes that XML forbids become '?'. NULL is the same as "".
 * Cost: linear in the points (box plots sort). Errors: SFGP_ERROR_MEMORY; *text is NULL then. */
#ifndef SFGP_REPORT_CHART_H
#define SFGP_REPORT_CHART_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

/* With all fields zero: a linear axis without a label, with bounds from the data. */
typedef struct chart_axis {
    const char *label; /* with the unit, e.g. "Mean error (mm)" */
    bool log;          /* logarithmic, base 10 */
    bool from_zero;    /* a linear axis that begins at 0 when the data are positive */
    bool at_data; /* ticks at the values of the data, for levels; texts that would overlap are left out */
    double low;   /* lower bound; low == high: bounds from the data, rounded to ticks */
    double high;  /* upper bound */
} chart_axis;

/* Values y[k] at x[k], joined in the order given. */
typedef struct chart_series {
    const char *name;   /* in the legend; equal names in two panels are one entry; "" or NULL: no entry */
    int style;          /* row of chart_style_row; 0: its place among the names of the chart */
    int64_t count;      /* points */
    const double *x;    /* count */
    const double *y;    /* count */
    const double *low;  /* count: lower end of the spread around y, as a quartile; NULL, or NaN: none */
    const double *high; /* count: upper end */
    const char *const *labels; /* count: a text at each point; NULL, also of one point: none */
    bool steps; /* a staircase without markers: level from each point to the next x, then to its y */
} chart_series;

typedef enum chart_mark { CHART_LINES, CHART_POINTS } chart_mark; /* lines with markers, or markers only */
typedef enum chart_spread { CHART_WHISKERS, CHART_BANDS } chart_spread; /* how the spread is drawn */

typedef struct chart_panel {
    chart_axis y;
    const chart_series *series;
    int series_count;
    double weight; /* height relative to the other panels; 0 means 1 */
} chart_panel;

typedef struct chart {
    const char *title; /* above the plot and in <title>; "" or NULL: none */
    double width;      /* 0: 460 */
    double height;     /* 0: 320, and 110 more for each panel after the first */
    chart_axis x;      /* shared by the panels */
    chart_mark mark;
    chart_spread spread;
    const chart_panel *panels; /* from top to bottom */
    int panel_count;
} chart;

/* The caller frees *text. */
sfgp_status chart_svg(const chart *figure, char **text);

/* ---- box plots --------------------------------------------------------------------------------------- */

/* The values of one box. Values that are not finite are left out. count 0: the place stays empty. */
typedef struct chart_sample {
    int64_t count;
    const double *values;
} chart_sample;

/* A box shows the quartiles (linear between order statistics) and the median. Its whiskers end at the outermost values
 * within 1.5 interquartile ranges of the box. Values beyond them are dots. */
typedef struct chart_boxes {
    const char *title;
    double width;  /* 0: 460, or more for many boxes */
    double height; /* 0: 320 */
    chart_axis y;  /* at_data is ignored */
    const char *const *groups;
    int group_count;
    const char *const *series; /* names for the legend */
    const int *styles;         /* as chart_series.style; NULL: all 0 */
    int series_count;
    const chart_sample *samples; /* group_count x series_count, row by row */
} chart_boxes;

/* The caller frees *text. */
sfgp_status chart_boxes_svg(const chart_boxes *figure, char **text);

/* ---- styles ------------------------------------------------------------------------------------------ */

typedef enum chart_marker {
    CHART_CIRCLE,
    CHART_SQUARE,
    CHART_TRIANGLE,
    CHART_DIAMOND,
    CHART_CROSS,
    CHART_TRIANGLE_DOWN,
    CHART_PLUS,
    CHART_RING
} chart_marker;

typedef struct chart_style {
    const char *colour; /* #rrggbb */
    const char *dash;   /* stroke-dasharray, "" is solid */
    chart_marker marker;
} chart_style;

/* Style s, s >= 1. The table has 14 styles; after the last one the first one follows again. */
chart_style chart_style_row(int s);

#endif
