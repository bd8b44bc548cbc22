/* One panel of a chart: its y axis and its series. */
#ifndef SFGP_REPORT_CHART_PANEL_H
#define SFGP_REPORT_CHART_PANEL_H

#include "report/chart_frame.h"

/* What is computed before the first stroke. */
typedef struct chart_plan {
    const chart *figure;
    double width, height;
    chart_margins margins;
    chart_legend legend;
    chart_scale x;
    double label_x; /* of the y axes' labels */
} chart_plan;

/* The y axis of the panel's numbers; count: how many of its values the axis shows. */
chart_scale chart_panel_scale(const chart_panel *panel, int64_t *count);

void chart_put_panel(FILE *out, const chart_plan *plan, int index, chart_area area);

#endif
