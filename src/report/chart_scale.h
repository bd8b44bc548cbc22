/* Scales: the bounds and ticks of an axis, and the pixel of a value. */
#ifndef SFGP_REPORT_CHART_SCALE_H
#define SFGP_REPORT_CHART_SCALE_H

#include "report/chart.h"

/* Least and largest of the values so far; count 0: no value yet. */
typedef struct chart_range {
    double low, high;
    int64_t count;
} chart_range;

/* Whether the axis can show the value: at most 1e300 in size on a linear axis, from 1e-150 to 1e150 on a log axis, so
 * that differences and ratios are finite. */
bool chart_axis_shows(const chart_axis *axis, double value);
/* Extends the range by the values that the axis can show. values may be NULL. */
void chart_range_add(chart_range *range, const chart_axis *axis, int64_t count, const double *values);

enum { CHART_TICKS_MAX = 64 };

typedef struct chart_tick {
    double value;
    char text[24]; /* "" for a minor tick */
} chart_tick;

typedef struct chart_scale {
    bool log;
    double low;  /* lower bound, > 0 when log */
    double high; /* upper bound, > low */
    double from; /* pixel of low */
    double to;   /* pixel of high; from > to for an axis that points up */
    int tick_count;
    chart_tick ticks[CHART_TICKS_MAX];
} chart_scale;

/* Bounds and ticks of an axis for the range; from and to stay 0. at: the ticks of an axis with at_data, sorted and
 * distinct; at_count 0: none. */
chart_scale chart_scale_make(const chart_axis *axis, chart_range range, int at_count, const double *at);

/* The pixel of a value. */
double chart_scale_place(const chart_scale *scale, double value);

#endif
