/* Largest eigenpairs of a symmetric operator by ARPACK's implicitly restarted Lanczos method. */
#ifndef SFGP_LINALG_EIG_H
#define SFGP_LINALG_EIG_H

#include "base/context.h"

/* y = A x, both of length n. */
typedef void (*sfgp_operator)(const void *user, const double *x, double *y);

/* The count largest eigenpairs of the n x n operator, count <= n / 2: values descending, row k of vectors
 * (count x n) belongs to values[k]. The start vector comes from seed, so every run gives the same bits;
 * ARPACK is not re-entrant, one mutex guards it. Cost: about 2.5 count products per restart, O(n count^2) on
 * top. Errors: SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC when fewer than count pairs converged. */
sfgp_status sfgp_eig_largest(sfgp_context *context, int64_t n, int64_t count, sfgp_operator apply,
                             const void *user, uint64_t seed, double *values, double *vectors);

#endif
