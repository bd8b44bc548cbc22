/* Prior of the coefficients of a scalar factor: c ~ N(0, C) for each axis, where C is not I (lowrank/rescale.h). One axis may have a C of its own, as
 * that across a plane of symmetry. */
#ifndef SFGP_GPR_PRIOR_H
#define SFGP_GPR_PRIOR_H

#include "base/context.h"

typedef struct sfgp_prior_axis {
    double *precision;      /* m x m: C^-1 */
    double *lower;          /* m x m: Q, C^-1 = QQ' */
    double log_determinant; /* ln det C */
} sfgp_prior_axis;

typedef struct sfgp_prior {
    int64_t size;            /* m: columns of the scalar factor */
    int across;              /* 1 + the axis with a C of its own; 0: all have the same */
    sfgp_prior_axis axes[2]; /* of the others, and of that one */
} sfgp_prior;

/* Of the leading m columns; rows of c are stride apart. O(m^3). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. Clear also after an
 * error. */
sfgp_status sfgp_prior_new(sfgp_context *context, int64_t m, const double *c, int64_t stride,
                           sfgp_prior *prior);
/* Gives an axis a C of its own, with as many columns. The same errors and cost. */
sfgp_status sfgp_prior_set_axis(sfgp_context *context, int axis, const double *c, int64_t stride,
                                sfgp_prior *prior);
void sfgp_prior_clear(sfgp_prior *prior);

/* Below, `prior` is NULL for C = I. */

/* C of this axis; axis -1: of those that share it. prior is not NULL. */
static inline const sfgp_prior_axis *sfgp_prior_of(const sfgp_prior *prior, int64_t axis)
{
    return &prior->axes[prior->across > 0 && axis == prior->across - 1];
}
/* A (m x m, lower) += C^-1 of this axis */
void sfgp_prior_add_precision(const sfgp_prior *prior, int64_t axis, int64_t m, double *a);
/* g (m x d) -= C^-1 c */
void sfgp_prior_subtract_gradient(const sfgp_prior *prior, int64_t m, int64_t d, const double *c, double *g);
/* sum over the axes of c' C^-1 c, c: m x d */
double sfgp_prior_square(const sfgp_prior *prior, int64_t m, int64_t d, const double *c);
/* sum over d axes of ln det C */
double sfgp_prior_log_determinant(const sfgp_prior *prior, int64_t d);

#endif
