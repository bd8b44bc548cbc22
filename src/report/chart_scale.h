/* From numbers to pixels, and the ticks on the way. */
#ifndef SFGP_REPORT_CHART_SCALE_H
#define SFGP_REPORT_CHART_SCALE_H

#include "report/chart.h"

/* Bounds of what an axis has to show; count 0: nothing yet. */
typedef struct chart_range {
    double low, high;
    int64_t count;
} chart_range;

/* Whether the axis can show the value: finite, on a log axis positive; within 1e300, on a log axis 1e-150 to
 * 1e150, so that differences and ratios are finite too. */
bool chart_axis_shows(const chart_axis *axis, double value);
/* Widens the range by those of the count values that the axis shows; values NULL is none. */
void chart_range_add(chart_range *range, const chart_axis *axis, int64_t count, const double *values);

enum { CHART_TICKS_MAX = 64 };

typedef struct chart_tick {
    double value;
    char text[24]; /* "" for a minor tick */
} chart_tick;

typedef struct chart_scale {
    bool log;
    double low, high; /* numbers: low < high, > 0 when log */
    double from, to;  /* their pixels; from > to for an axis that points up */
    int tick_count;
    chart_tick ticks[CHART_TICKS_MAX];
} chart_scale;

/* Bounds and ticks of an axis for the range; from and to are left 0. at: the values for an axis with
 * at_data, sorted, distinct; at_count 0 for none. */
chart_scale chart_scale_make(const chart_axis *axis, chart_range range, int at_count, const double *at);

double chart_scale_place(const chart_scale *scale, double value);

#endif
