/* Principal axes of a point set: the directions in which it varies most, then most of what is left, and least. */
#ifndef SFGP_GEOM_PRINCIPAL_H
#define SFGP_GEOM_PRINCIPAL_H

#include "base/context.h"

typedef struct sfgp_principal {
    double centre[3]; /* d: centroid */
    double axes[9];   /* d x d: rows are unit vectors */
    double square;    /* mean squared distance from the centroid */
} sfgp_principal;

/* points: count x d. O(count). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_principal_of(sfgp_context *context, int64_t count, int dimension, const double *points,
                              sfgp_principal *principal);

#endif
