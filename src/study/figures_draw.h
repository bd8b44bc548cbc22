/* The drawings of the table in figures.c, and what they share. Each gives NULL in *svg where the set has
 * nothing to show in it, else text that is the caller's, free(). Errors: SFGP_ERROR_MEMORY. Cost: of a look
 * at every row of the set, or of all sets. */
#ifndef SFGP_STUDY_FIGURES_DRAW_H
#define SFGP_STUDY_FIGURES_DRAW_H

#include "report/chart.h"
#include "study/figures.h"

#define STUDY_DRAW(name)                                                                                     \
    sfgp_status name(const study *s, int set, const study_rows *rows, const study_summary *summary,          \
                     char **svg)

/* figures_lines.c: against the level */
STUDY_DRAW(study_draw_error);
STUDY_DRAW(study_draw_observed);
STUDY_DRAW(study_draw_missing);
STUDY_DRAW(study_draw_recall);
STUDY_DRAW(study_draw_precision);
/* figures_boxes.c: over the samples of a set without levels */
STUDY_DRAW(study_draw_box_observed);
STUDY_DRAW(study_draw_box_missing);
STUDY_DRAW(study_draw_mask);
/* figures_coverage.c: the stated 95 % region, against the level or the sample */
STUDY_DRAW(study_draw_coverage);
/* figures_relative.c: all sets in one, with the first of them */
STUDY_DRAW(study_draw_relative);
STUDY_DRAW(study_draw_spread);
/* figures_growth.c: time and memory */
STUDY_DRAW(study_draw_seconds);
STUDY_DRAW(study_draw_cpu);
STUDY_DRAW(study_draw_memory);
STUDY_DRAW(study_draw_time);

/* ---- shared ------------------------------------------------------------------------------------------ */

/* The label of an axis in the unit of the set, in a buffer of the caller. */
#define STUDY_LABEL_SIZE 160
const char *study_label(const char *words, const char *unit, char label[STUDY_LABEL_SIZE]);

/* Whether a linear axis from least to most would hide the small ones. */
bool study_is_wide(double least, double most);

/* The series of one column: a line a method, over the levels of a set. */
typedef struct study_lines {
    chart_series *series; /* room for one more than the methods */
    int count;
    double *values;
} study_lines;

/* column NULL: share of success; x: a number a level, borrowed. Methods without a value anywhere have no
 * line. */
sfgp_status study_lines_make(const study *s, int set, const study_summary *summary, const char *column,
                             const double *x, study_lines *l);
void study_lines_clear(study_lines *l);

/* Boxes: a group along x, in it a box a method. */
typedef struct study_boxes {
    const char *const *groups;
    int group_count;
    int room;     /* values of a box at most */
    double width; /* 0: of so many boxes */
    chart_axis axis;
    const study *s;
    const study_rows *rows;
    const study_summary *summary;
    const void *what; /* of values */
    /* The values of a box, room of them, NaN where there is none. */
    void (*values)(const struct study_boxes *of, int group, int method, double *values);
} study_boxes;

/* Methods without a value anywhere have no box. A wide spread makes the axis logarithmic, unless it has
 * bounds. */
sfgp_status study_boxes_draw(const study_boxes *of, char **svg);

/* Value of a column, offset of a double in study_row, in one run; NaN when it failed or is not there. */
double study_row_value(const study_rows *rows, study_key key, size_t offset);

#endif
