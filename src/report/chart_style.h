/* The look of a series: what chart_style means in SVG. */
#ifndef SFGP_REPORT_CHART_STYLE_H
#define SFGP_REPORT_CHART_STYLE_H

#include "report/chart.h"

#include <stdio.h>

/* A marker of about `size` pixels with a white rim, so that markers on top of each other stay apart. */
void chart_put_marker(FILE *out, const chart_style *style, double x, double y, double size);
/* The attributes of a line: colour, dash, width; no fill. */
void chart_put_stroke(FILE *out, const chart_style *style, double width);

#endif
