/* Largest eigenpairs of a symmetric operator by ARPACK's implicitly restarted Lanczos method. */
#ifndef SFGP_LINALG_EIG_H
#define SFGP_LINALG_EIG_H

#include "base/context.h"

/* A symmetric n x n matrix A, given by its products. */
typedef struct sfgp_operator {
    int64_t n;
    void (*apply)(const void *user, const double *x, double *y); /* y = A x */
    const void *user;                                            /* passed to apply */
} sfgp_operator;

/* The count largest eigenpairs, count <= n / 2: values descending, row k of vectors (count x n) belongs to
 * values[k]. The start vector comes from seed, so every run gives the same bits. ARPACK is not re-entrant,
 * and a mutex guards it. Cost: about 2.5 count products for each restart, and O(n count^2). Errors:
 * SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC when fewer than count pairs converged. */
sfgp_status sfgp_eig_largest(sfgp_context *context, const sfgp_operator *matrix, int64_t count, uint64_t seed,
                             double *values, double *vectors);

#endif
