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

typedef struct sfgp_eig_request {
    int64_t count;    /* pairs, at most n / 2 */
    int64_t basis;    /* vectors of the Lanczos basis; 0: 2 count + 20 */
    double tolerance; /* error of a pair, of its eigenvalue; 0: rounding */
    uint64_t seed;    /* of the start vector, so that every run gives the same bits */
} sfgp_eig_request;

/* The largest eigenpairs: values (count) descending, row k of *vectors (count x n) belongs to values[k]. *vectors is the block of the
 * Lanczos basis, which is longer: nothing is copied. The caller frees it; after an error it is NULL. ARPACK is not re-entrant, and a mutex
 * guards it. Cost: some products for each vector of the basis, and O(n basis^2). Errors: SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC when fewer
 * than count pairs converged. */
sfgp_status sfgp_eig_largest(sfgp_context *context, const sfgp_operator *matrix,
                             const sfgp_eig_request *request, double *values, double **vectors);

#endif
