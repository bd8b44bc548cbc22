/* The functions that draw the figures of the table in figures.c, and helpers that they share. *svg is NULL when the set
 * has no data for the figure; otherwise the caller frees it. Errors: SFGP_ERROR_MEMORY. Cost: linear in the rows. */
#ifndef SFGP_STUDY_FIGURES_DRAW_H
#define SFGP_STUDY_FIGURES_DRAW_H

#include "report/chart.h"
#include "study/figures.h"

#define STUDY_DRAW(name)                                                                                     \
    sfgp_status name(const study *s, int set, const study_rows *rows, const study_summary *summary,          \
                     char **svg)

/* figures_lines.c: over the levels */
STUDY_DRAW(study_draw_error);
STUDY_DRAW(study_draw_observed);
STUDY_DRAW(study_draw_missing);
STUDY_DRAW(study_draw_recall);
STUDY_DRAW(study_draw_precision);
/* figures_boxes.c: over the samples of a set without levels */
STUDY_DRAW(study_draw_box_observed);
STUDY_DRAW(study_draw_box_missing);
STUDY_DRAW(study_draw_mask);
/* figures_coverage.c: coverage of the 95 % region, over the levels or the samples */
STUDY_DRAW(study_draw_coverage);
/* figures_relative.c: all sets in one figure, which belongs to the first set */
STUDY_DRAW(study_draw_relative);
STUDY_DRAW(study_draw_spread);
/* figures_growth.c: time and memory */
STUDY_DRAW(study_draw_seconds);
STUDY_DRAW(study_draw_cpu);
STUDY_DRAW(study_draw_memory);
STUDY_DRAW(study_draw_time);

/* figures_front.c: error against CPU time, of a set without levels */
STUDY_DRAW(study_draw_front);

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
sfgp_status study_lines_make(const study *s, int set, const study_summary *summary, const char *column,
                             const double *x, study_lines *l);
void study_lines_clear(study_lines *l);

/* A box plot: groups along x, and in each group one box for each method. */
typedef struct study_boxes {
    const char *const *groups;
    int group_count;
    int room;     /* largest number of values of a box */
    double width; /* of the chart; 0: from the number of boxes */
    chart_axis axis;
    const study *s;
    const study_rows *rows;
    const study_summary *summary;
    const void *what; /* for the function values */
    /* Sets the `room` values of a box; NaN: no value. */
    void (*values)(const struct study_boxes *of, int group, int method, double *values);
} study_boxes;

/* Methods without any value have no box. The axis is logarithmic when the values differ much (study_is_wide) and it has
 * no bounds. */
sfgp_status study_boxes_draw(const study_boxes *of, char **svg);

/* Value of a column in one run. offset: of a double in study_row. NaN when the run failed or does not exist. */
double study_row_value(const study_rows *rows, study_key key, size_t offset);

#endif
