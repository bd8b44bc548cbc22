/* Figures of one set: which there are follows from the set, so that no study has to ask for them. */
#ifndef SFGP_STUDY_FIGURES_H
#define SFGP_STUDY_FIGURES_H

#include "study/study.h"

/* A table of the figures of a set; draw gives NULL in *svg where the set has nothing to show in it. */
typedef struct study_figure {
    const char *name, *caption; /* name: of the file in DIR/figures, after the number of the set */
    sfgp_status (*draw)(const study *s, int set, const study_rows *rows, const study_summary *summary,
                        char **svg);
} study_figure;

const study_figure *study_figure_row(int index); /* NULL past the end */

#endif
