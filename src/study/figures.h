/* Figures of a set. The set decides which of them are drawn; a study file does not list them. */
#ifndef SFGP_STUDY_FIGURES_H
#define SFGP_STUDY_FIGURES_H

#include "study/parts.h"

/* What a figure is drawn of. */
typedef struct study_drawing {
    const study *s;
    int set;
    const study_rows *rows;
    const study_summary *summary;
} study_drawing;

/* Draws a figure. *svg is NULL when the set has no data for it; otherwise the caller frees it. Errors: SFGP_ERROR_MEMORY. Cost: linear in
 * the rows. */
struct study_figure;
typedef sfgp_status study_draw(const study_drawing *of, const struct study_figure *figure, char **svg);

/* A row of the table of figures. */
typedef struct study_figure {
    const char *name; /* of the file in DIR/figures, after the number of the set */
    const char *caption;
    study_draw *draw;
    bool together;      /* shows all sets; drawn with the first one */
    const char *column; /* that it shows, of functions that draw several figures */
    const char *label;  /* of its axis */
    double high;        /* end of the axis of a share; 0: the column is no share */
} study_figure;

const study_figure *study_figure_row(int index); /* NULL past the end */

#endif
