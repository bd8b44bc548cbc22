/* Figures of a set. The set decides which of them are drawn; a study file does not list them. */
#ifndef SFGP_STUDY_FIGURES_H
#define SFGP_STUDY_FIGURES_H

#include "study/parts.h"

/* A row of the table of figures. draw sets *svg to NULL when the set has no data for the figure. */
typedef struct study_figure {
    const char *name; /* of the file in DIR/figures, after the number of the set */
    const char *caption;
    sfgp_status (*draw)(const study *s, int set, const study_rows *rows, const study_summary *summary,
                        char **svg);
    bool together; /* shows all sets; drawn with the first one */
} study_figure;

const study_figure *study_figure_row(int index); /* NULL past the end */

#endif
