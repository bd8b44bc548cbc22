/* Preconditioned conjugate gradients (Saad, Iterative Methods for Sparse Linear Systems, 2003,
 * algorithm 9.1). The same bits on any number of threads if `apply` and `precondition` have them. */
#ifndef SFGP_LINALG_CONJUGATE_H
#define SFGP_LINALG_CONJUGATE_H

#include "base/context.h"

typedef struct sfgp_conjugate {
    int64_t size;
    void (*apply)(const void *data, const double *x, double *y);        /* y = A x */
    void (*precondition)(const void *data, const double *r, double *z); /* z = M^-1 r, M near A */
    const void *data;                                                   /* A, M: positive definite */
    double tolerance; /* of the residual, relative to the right-hand side, in the norm of M^-1 */
    int most;         /* iterations */
} sfgp_conjugate;

/* x (size): the right-hand side, then the solution. SFGP_ERROR_MEMORY; SFGP_ERROR_NUMERIC after the most iterations. */
sfgp_status sfgp_conjugate_solve(sfgp_context *context, const sfgp_conjugate *system, double *x);

#endif
