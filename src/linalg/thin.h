/* Products with matrices of one to three columns, one for each axis. BLAS first copies A for fast
 * access, which takes longer than such a small product. Row-major, one thread. */
#ifndef SFGP_LINALG_THIN_H
#define SFGP_LINALG_THIN_H

#include <stdint.h>

/* C (n x k) += A B, A: n x m, B: m x k, k = 1, 2, 3. */
void sfgp_thin_multiply(int64_t n, int64_t m, int64_t k, const double *a, const double *b, double *c);
/* C (m x k) += A'B, A: n x m, B: n x k. Rows of B that are 0 cost nothing. */
void sfgp_thin_cross(int64_t n, int64_t m, int64_t k, const double *a, const double *b, double *c);

#endif
