/* How a chart_style is drawn in SVG. */
#ifndef SFGP_REPORT_CHART_STYLE_H
#define SFGP_REPORT_CHART_STYLE_H

#include "report/chart.h"

#include <stdio.h>

/* A marker of about `size` pixels. Its white border separates it from markers below it. */
void chart_draw_marker(FILE *out, const chart_style *style, double x, double y, double size);
/* The attributes of a line: colour, dash, width; no fill. */
void chart_write_stroke(FILE *out, const chart_style *style);

#endif
