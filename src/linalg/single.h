/* Some of dense.h in single precision, twice as fast, for approximate Hessians (gpr/posterior.h). Row-major,
 * one thread. A symmetric or triangular matrix is its lower triangle. */
#ifndef SFGP_LINALG_SINGLE_H
#define SFGP_LINALG_SINGLE_H

#include <stdint.h>

/* C (m x m, lower) = A'A, A: n x m; 0 without rows. */
void sfgp_single_gram(int64_t n, int64_t m, const float *a, float *c);
/* C (m x k) = A'B, A: n x m, B: n x k; 0 without rows. */
void sfgp_single_cross(int64_t n, int64_t m, int64_t k, const float *a, const float *b, float *c);
/* C (n x k) -= A B, A: n x m, B: m x k. */
void sfgp_single_subtract(int64_t n, int64_t m, int64_t k, const float *a, const float *b, float *c);
/* X (n x m) = X / L': every row x becomes L \ x. */
void sfgp_single_solve_rows(int64_t n, int64_t m, const float *l, float *x);

#endif
