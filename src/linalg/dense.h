/* Dense linear algebra by BLAS and LAPACK: row-major, one thread. The callers cut parallel work into lanes. A
 * symmetric matrix is its lower triangle, and a Cholesky factor L replaces it. Arguments are in the order of
 * BLAS. */
#ifndef SFGP_LINALG_DENSE_H
#define SFGP_LINALG_DENSE_H

#include "base/context.h"

/* Makes OpenBLAS safe to call: one thread of its own between sfgp_threads_begin and _end, where the callers of these functions
 * are, and a work buffer (linalg/buffers.h) for each thread of each caller. Called again when there are more of them; otherwise
 * a later call costs nothing. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_dense_prepare(sfgp_context *context);

double sfgp_dense_dot(int64_t n, const double *x, const double *y);
/* y (n) += alpha A x, A: n x m by columns that are lda apart. */
void sfgp_dense_add_columns(int64_t n, int64_t m, double alpha, const double *a, int64_t lda, const double *x,
                            double *y);
/* C (m x m, lower) += alpha A'A, A: n x m. */
void sfgp_dense_gram(int64_t n, int64_t m, double alpha, const double *a, double *c);
/* C (m x k) += alpha A'B, A: n x m, B: n x k. */
void sfgp_dense_cross(int64_t n, int64_t m, int64_t k, double alpha, const double *a, const double *b,
                      double *c);
/* C (n x k) += alpha A B, A: n x m with rows lda apart, B: m x k, rows of C ldc apart. */
void sfgp_dense_multiply(int64_t n, int64_t m, int64_t k, double alpha, const double *a, int64_t lda,
                         const double *b, double *c, int64_t ldc);
/* A = L L' in place. SFGP_ERROR_NUMERIC naming `what` when A is not positive definite or not finite. */
sfgp_status sfgp_dense_cholesky(sfgp_context *context, const char *what, int64_t m, double *a);
/* B (m x k) = L \ B, or L' \ B. */
void sfgp_dense_solve_lower(int64_t m, int64_t k, const double *l, double *b);
void sfgp_dense_solve_lower_transposed(int64_t m, int64_t k, const double *l, double *b);
/* The same of one vector, whose m numbers are stride apart. */
void sfgp_dense_solve_lower_vector(int64_t m, const double *l, double *b, int64_t stride);
void sfgp_dense_solve_lower_transposed_vector(int64_t m, const double *l, double *b, int64_t stride);
/* X (n x m) = X / L': every row x becomes L \ x. */
void sfgp_dense_solve_rows(int64_t n, int64_t m, const double *l, double *x);
/* Eigenpairs of the symmetric A (m x m, destroyed): values descending, row k of vectors (m x m) belongs to
 * values[k]; the sign of a vector is set by its largest entry. SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_dense_eigen(sfgp_context *context, int64_t m, double *a, double *values, double *vectors);

#endif
