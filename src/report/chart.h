/* Charts as SVG text: lines against a level, curves, scatter, panels that share x, box plots.
 *
 * Design
 *   A chart is plain structs that know nothing about studies or methods; it borrows everything it points to.
 *   chart_svg draws panels (one above the other, one x axis) of series; chart_boxes_svg draws groups of boxes.
 *   Both make one whole SVG document: width, height, viewBox, <title>, texts as <text> in a sans-serif font,
 *   nothing from outside, no ids (so that any number of them fit into one page) and a white ground.
 *   Every series has a colour (Okabe and Ito's set, which colour-blind readers tell apart), a dash and a
 *   marker, so that it can be read in black and white. The same input gives the same bytes.
 * Numbers
 *   Lengths are CSS pixels. What is not finite, or not positive on a log axis, is left out: a line has a gap
 *   there. Points beyond bounds that the caller gave are clipped. A chart without any number says "no data".
 * Text
 *   UTF-8, escaped here. Bytes that XML forbids become '?'. NULL is the same as "".
 * Cost: linear in the points (box plots sort). Errors: SFGP_ERROR_MEMORY; *text is NULL then. */
#ifndef SFGP_REPORT_CHART_H
#define SFGP_REPORT_CHART_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

/* All zero is a linear axis without a label that fits the data. */
typedef struct chart_axis {
    const char *label; /* with the unit, e.g. "Mean error (mm)" */
    bool log;          /* base 10 */
    bool from_zero;    /* a linear axis that begins at 0 when the data are positive */
    bool at_data;      /* ticks at the values themselves (levels), as far as their numbers fit */
    double low, high;  /* bounds; equal (0, 0): from the data, rounded out to the next tick */
} chart_axis;

/* y[k] over x[k], joined in the order given. */
typedef struct chart_series {
    const char *name; /* in the legend; equal names in two panels are one entry; "" or NULL: none */
    int style;        /* 0: its place among the names of the chart; s >= 1: the s-th style, so that a
                         method looks the same in every figure of a page. Beyond the last it starts again */
    int64_t count;
    const double *x, *y;
    const double *low, *high;  /* spread around y, e.g. quartiles; NULL for none; NaN: none at that point */
    const char *const *labels; /* a text at each point; NULL for none, and so may be single ones */
} chart_series;

typedef enum chart_mark { CHART_LINES, CHART_POINTS } chart_mark; /* lines with markers, or markers only */
typedef enum chart_spread { CHART_WHISKERS, CHART_BANDS } chart_spread; /* how low .. high is drawn */

typedef struct chart_panel {
    chart_axis y;
    const chart_series *series;
    int series_count;
    double weight; /* share of the height; 0 means 1. A success panel over an error panel: 0.4 and 1 */
} chart_panel;

typedef struct chart {
    const char *title;    /* above the plot and in <title>; "" or NULL: none */
    double width, height; /* 0: 460 x 320 for one panel, 110 more for every other */
    chart_axis x;         /* shared by the panels */
    chart_mark mark;
    chart_spread spread;
    const chart_panel *panels; /* from top to bottom */
    int panel_count;
} chart;

/* Text is the caller's, free(). */
sfgp_status chart_svg(const chart *figure, char **text);

/* ---- box plots --------------------------------------------------------------------------------------- */

/* Values that one box stands for; those that are not finite do not count. 0: an empty place. */
typedef struct chart_sample {
    int64_t count;
    const double *values;
} chart_sample;

/* Box: quartiles (linear between order statistics) and median; whiskers: the outermost values within 1.5
 * interquartile ranges of the box; dots: the values beyond them. */
typedef struct chart_boxes {
    const char *title;
    double width, height; /* 0: 460 (or more where there are many boxes) x 320 */
    chart_axis y;         /* at_data is ignored */
    const char *const *groups;
    int group_count;
    const char *const *series; /* names for the legend */
    const int *styles;         /* as chart_series.style; NULL: all 0 */
    int series_count;
    const chart_sample *samples; /* group_count x series_count, row by row */
} chart_boxes;

/* Text is the caller's, free(). */
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

/* The s-th style, s >= 1; they repeat after the fourteenth. */
chart_style chart_style_row(int s);

#endif
