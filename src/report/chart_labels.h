/* Texts beside points, placed so that they cover neither markers nor each other. */
#ifndef SFGP_REPORT_CHART_LABELS_H
#define SFGP_REPORT_CHART_LABELS_H

#include "report/chart_frame.h"

enum { CHART_LABELS_MAX = 128 };

/* Rectangles that are occupied. Start with all fields zero except area. After CHART_LABELS_MAX no more are kept. */
typedef struct chart_labels {
    chart_area area;
    int count;
    chart_area occupied[CHART_LABELS_MAX];
} chart_labels;

/* Keeps texts away from a marker. */
void chart_labels_avoid(chart_labels *labels, double x, double y);
/* Draws a text at the first free place: right, left, above, below, then the corners; right when no place is free. NULL
 * or "" draws nothing. Cost: linear in the number of texts so far. */
void chart_labels_draw(chart_labels *labels, FILE *out, const char *text, double x, double y);

#endif
