/* One panel of a chart: its y axis and its series. */
#ifndef SFGP_REPORT_CHART_PANEL_H
#define SFGP_REPORT_CHART_PANEL_H

#include "report/chart_frame.h"

/* What is computed before anything is drawn. */
typedef struct chart_plan {
    const chart *figure;
    double width, height;
    chart_margins margins;
    chart_legend legend;
    chart_scale x;
    double label_x; /* of the labels of the y axes */
} chart_plan;

/* The y axis for the values of the panel. *count: the number of values that it can show. */
chart_scale chart_panel_scale(const chart_panel *panel, int64_t *count);

void chart_draw_panel(FILE *out, const chart_plan *plan, int index, chart_area area);

#endif
