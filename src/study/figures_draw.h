/* The functions that draw the figures of the table in figures.c, and helpers that they share. */
#ifndef SFGP_STUDY_FIGURES_DRAW_H
#define SFGP_STUDY_FIGURES_DRAW_H

#include "report/chart.h"
#include "study/figures.h"

/* figures_lines.c: over the levels */
study_draw study_draw_error, study_draw_levels;
/* figures_boxes.c: over the samples of a set without levels */
study_draw study_draw_samples, study_draw_mask;
/* figures_coverage.c: coverage of the 95 % region, over the levels or the samples */
study_draw study_draw_coverage;
/* figures_relative.c: all sets in one figure, which belongs to the first set */
study_draw study_draw_relative, study_draw_spread;
/* figures_growth.c: time and memory over the number of points, error against time */
study_draw study_draw_growth, study_draw_time;
/* figures_front.c: error against CPU time, of a set without levels */
study_draw study_draw_front;

/* ---- shared ------------------------------------------------------------------------------------------ */

/* The label of an axis with the unit of the set. Returns label. */
#define STUDY_LABEL_SIZE 160
const char *study_label(const char *title, const char *unit, char label[STUDY_LABEL_SIZE]);

/* Whether the values differ so much that small ones are invisible on a linear axis. */
bool study_is_wide(double least, double most);

/* The lines of one column: one for each method, over the levels of a set. */
typedef struct study_lines {
    chart_series *series; /* has room for one more than the methods */
    int count;            /* lines */
    double *values;       /* of all lines */
} study_lines;

/* column: name of the column; NULL: share of successful runs. x: one number for each level; it must outlive the lines.
 * Methods without any value have no line. */
sfgp_status study_lines_make(const study_drawing *of, const char *column, const double *x, study_lines *l);
void study_lines_clear(study_lines *l);

/* Points of an error (y: its name) against a time (x), on logarithmic axes. */
sfgp_status study_points_draw(const study_drawing *of, const char *x, const char *y,
                              const chart_series *series, int count, char **svg);

/* A box plot: groups along x, and in each group one box for each method. */
typedef struct study_boxes {
    const char *const *groups;
    int group_count;
    int room;     /* largest number of values of a box */
    double width; /* of the chart; 0: from the number of boxes */
    chart_axis axis;
    study_drawing of;
    const void *what; /* for the function values */
    /* Sets the `room` values of a box; NaN: no value. */
    void (*values)(const struct study_boxes *boxes, int group, int method, double *values);
} study_boxes;

/* Methods without any value have no box. The axis is logarithmic when the values differ much (study_is_wide) and it has
 * no bounds. */
sfgp_status study_boxes_draw(const study_boxes *boxes, char **svg);

/* Value of the column of this name in one run. NaN when the run failed or does not exist. */
double study_row_value(const study_rows *rows, study_key key, const char *name);

#endif
