/* Rims: edges at one face only, which are the borders of a surface and of its holes. */
#ifndef SFGP_GEOM_RIMS_H
#define SFGP_GEOM_RIMS_H

#include "base/context.h"

typedef struct sfgp_rims {
    int64_t groups; /* rims; those that touch each other count as one */
    int64_t edges;  /* with one face */
    int64_t knots;  /* edges with more than two faces */
} sfgp_rims;

/* O(corners log corners). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_rims_count(sfgp_context *context, const sfgp_mesh *mesh, sfgp_rims *rims);

#endif
