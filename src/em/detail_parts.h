/* The field of detail.h from inside. */
#ifndef SFGP_EM_DETAIL_PARTS_H
#define SFGP_EM_DETAIL_PARTS_H

#include "em/detail.h"

#include <math.h>

/* M: the points that have the field (geom/coarse_surface.h). */
typedef struct sfgp_detail_workspace {
    sfgp_em *em;
    const sfgp_coarse_surface *coarse;
    const double *centres; /* M x 3: of the reference */
    const double *points;  /* M x 3: of the fit */
    double *fitted;        /* the same, where they are not all; else NULL */
    sfgp_neighbours neighbours;
    double *normals; /* M x 3 */
    double *labels;  /* M x 3: along the normal; then the field */
    double *weights; /* M: W */
} sfgp_detail_workspace;

/* Spacing of the points that have the field. */
static inline double sfgp_detail_spacing(const sfgp_detail_workspace *s)
{
    return sqrt(s->em->problem->shape_area / (double)s->coarse->count);
}

/* detail-> variance, length and noise; no variance where none is significant. detail.c has set the neighbours and normals of s. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_detail_learn(const sfgp_detail_workspace *s, sfgp_em_detail *detail);

#endif
