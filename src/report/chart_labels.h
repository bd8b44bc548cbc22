/* Texts at points, each beside its point where it covers neither a marker nor another text. */
#ifndef SFGP_REPORT_CHART_LABELS_H
#define SFGP_REPORT_CHART_LABELS_H

#include "report/chart_frame.h"

enum { CHART_LABELS_MAX = 128 };

/* What is taken already. Zero but for the area. Rectangles beyond the last are not looked at. */
typedef struct chart_labels {
    chart_area area;
    int count;
    chart_area taken[CHART_LABELS_MAX];
} chart_labels;

/* Keeps texts off a marker. */
void chart_labels_block(chart_labels *labels, double x, double y);
/* Right, left, above or below, whichever is free first; where none is, right. NULL or "" draws nothing.
 * Cost: linear in the texts so far. */
void chart_labels_put(chart_labels *labels, FILE *out, const char *text, double x, double y);

#endif
