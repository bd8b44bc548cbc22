/* Variances of N(0, A^-1), A sparse: the diagonal of the inverse of A, exactly or by samples.
 *
 * Exactly: the selected inverse (ldl.h). By samples x_s ~ N(0, A^-1), s = 1 .. S (Siden, Lindgren, Bolin, Villani, JCGS 27(4), 2018,
 * section 3.1): the variance of x_i is that given all others, 1 / A_ii, and that of the mean given them,
 *
 *     1 / A_ii + (1 / S) sum_s m_si^2,   m_si = -(1 / A_ii) sum_(k != i) A_ik x_sk.
 *
 * This has no bias, and the relative standard error sqrt(2 / S) times the share of the second term, below sqrt(2 / S). */
#ifndef SFGP_LINALG_VARIANCES_H
#define SFGP_LINALG_VARIANCES_H

#include "linalg/ldl.h"

typedef struct sfgp_variances_request {
    int samples; /* S; 0: exactly */
    uint64_t seed;
} sfgp_variances_request;

/* matrix: A, its lower triangle, rows ascending, the diagonal first in its column. ldl: its factor. variances: n. error: the largest
 * relative standard error, 0 where they are exact. S solves with L' and S products, or the selected inverse.
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_variances(sfgp_context *context, const sfgp_variances_request *request,
                           const sfgp_sparse *matrix, sfgp_ldl *ldl, double *variances, double *error);

#endif
