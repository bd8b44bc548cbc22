/* Prior of the coefficients of a scalar factor: c ~ N(0, C) for each axis, where C is not I (lowrank/rescale.h). */
#ifndef SFGP_GPR_PRIOR_H
#define SFGP_GPR_PRIOR_H

#include "base/context.h"

typedef struct sfgp_prior {
    int64_t size;           /* m: columns of the scalar factor */
    double *precision;      /* m x m: C^-1 */
    double *lower;          /* m x m: Q, C^-1 = QQ' */
    double log_determinant; /* ln det C */
} sfgp_prior;

/* Of the leading m columns; rows of c are stride apart. O(m^3). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. Clear also after an
 * error. */
sfgp_status sfgp_prior_new(sfgp_context *context, int64_t m, const double *c, int64_t stride,
                           sfgp_prior *prior);
void sfgp_prior_clear(sfgp_prior *prior);

/* Below, `prior` is NULL for C = I. */

/* A (m x m, lower) += C^-1 */
void sfgp_prior_add_precision(const sfgp_prior *prior, int64_t m, double *a);
/* g (m x d) -= C^-1 c */
void sfgp_prior_subtract_gradient(const sfgp_prior *prior, int64_t m, int64_t d, const double *c, double *g);
/* trace(c' C^-1 c), c: m x d */
double sfgp_prior_square(const sfgp_prior *prior, int64_t m, int64_t d, const double *c);
/* ln det C */
double sfgp_prior_log_determinant(const sfgp_prior *prior);

#endif
