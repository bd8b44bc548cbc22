/* Dense products, factors and eigenpairs: thin wrappers over BLAS and LAPACK, with checked sizes and our
 * errors. The shapes stand in dense.h. */
#include "linalg/dense.h"
#include "base/memory.h"
#include "base/threads.h"
#include "linalg/buffers.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

/* Setting a number that is there already would still wake the threads of OpenBLAS, after a fork. */
static int exchange_threads(int threads)
{
    const int before = openblas_get_num_threads();
    if (before != threads)
        openblas_set_num_threads(threads);
    return before;
}

sfgp_status sfgp_dense_prepare(sfgp_context *context)
{
    sfgp_threads_hold(exchange_threads);
    return sfgp_buffers_map(context, sfgp_threads_at_most());
}

double sfgp_dense_dot(int64_t n, const double *x, const double *y)
{
    return cblas_ddot((int)n, x, 1, y, 1);
}

void sfgp_dense_add_columns(int64_t n, int64_t m, double alpha, const double *a, int64_t lda, const double *x,
                            double *y)
{
    if (n > 0 && m > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)n, (int)m, alpha, a, (int)lda, x, 1, 1.0, y, 1);
}

void sfgp_dense_gram(int64_t n, int64_t m, double alpha, const double *a, double *c)
{
    if (n > 0 && m > 0)
        cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, (int)m, (int)n, alpha, a, (int)m, 1.0, c, (int)m);
}

void sfgp_dense_cross(int64_t n, int64_t m, int64_t k, double alpha, const double *a, const double *b,
                      double *c)
{
    if (n > 0 && m > 0 && k > 0)
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)m, (int)k, (int)n, alpha, a, (int)m, b,
                    (int)k, 1.0, c, (int)k);
}

/* NOLINTNEXTLINE(readability-function-size): the arguments of BLAS */
void sfgp_dense_multiply(int64_t n, int64_t m, int64_t k, double alpha, const double *a, int64_t lda,
                         const double *b, double *c, int64_t ldc)
{
    if (n > 0 && m > 0 && k > 0)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)k, (int)m, alpha, a, (int)lda, b,
                    (int)k, 1.0, c, (int)ldc);
}

sfgp_status sfgp_dense_cholesky(sfgp_context *context, const char *what, int64_t m, double *a)
{
    /* The lower triangle by rows is the upper triangle by columns: no transpose, no memory. */
    lapack_int info = m > 0 ? LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', (int)m, a, (int)m) : 0;
    bool finite = true;
    for (int64_t k = 0; k < m; k++)
        finite = finite && isfinite(a[k * m + k]);
    if (info == 0 && finite)
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_NUMERIC, "%s: Cholesky factorisation failed at column %d of %lld",
                     what, (int)info, (long long)m);
}

void sfgp_dense_solve_lower(int64_t m, int64_t k, const double *l, double *b)
{
    if (m > 0 && k > 0)
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)m, (int)k, 1.0, l,
                    (int)m, b, (int)k);
}

void sfgp_dense_solve_lower_transposed(int64_t m, int64_t k, const double *l, double *b)
{
    if (m > 0 && k > 0)
        cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, (int)m, (int)k, 1.0, l,
                    (int)m, b, (int)k);
}

void sfgp_dense_solve_lower_vector(int64_t m, const double *l, double *b, int64_t stride)
{
    if (m > 0)
        cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)m, l, (int)m, b, (int)stride);
}

void sfgp_dense_solve_lower_transposed_vector(int64_t m, const double *l, double *b, int64_t stride)
{
    if (m > 0)
        cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, (int)m, l, (int)m, b, (int)stride);
}

void sfgp_dense_solve_rows(int64_t n, int64_t m, const double *l, double *x)
{
    if (n > 0 && m > 0)
        cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)n, (int)m, 1.0, l,
                    (int)m, x, (int)m);
}

static void fix_sign(int64_t m, double *vector)
{
    int64_t largest = (int64_t)cblas_idamax((int)m, vector, 1);
    if (vector[largest] < 0)
        cblas_dscal((int)m, -1.0, vector, 1);
}

sfgp_status sfgp_dense_eigen(sfgp_context *context, int64_t m, double *a, double *values, double *vectors)
{
    lapack_int found = 0, info = 0;
    lapack_int *support = NULL;
    sfgp_status status = sfgp_allocate(context, 2 * m + 1, &support);
    if (status != SFGP_OK)
        return status;
    info = LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'A', 'U', (int)m, a, (int)m, 0, 0, 0, 0, 0, &found, values,
                          vectors, (int)m, support);
    sfgp_free(support);
    if (info == LAPACK_WORK_MEMORY_ERROR)
        return sfgp_fail(context, SFGP_ERROR_MEMORY, "out of memory: eigenvalues of a %lld x %lld matrix",
                         (long long)m, (long long)m);
    if (info != 0 || found != m)
        return sfgp_fail(context, SFGP_ERROR_NUMERIC, "eigenvalues of a %lld x %lld matrix: dsyevr says %d",
                         (long long)m, (long long)m, (int)info);
    for (int64_t k = 0; k < m / 2; k++) { /* ascending to descending */
        double value = values[k];
        values[k] = values[m - 1 - k];
        values[m - 1 - k] = value;
        cblas_dswap((int)m, vectors + k * m, 1, vectors + (m - 1 - k) * m, 1);
    }
    for (int64_t k = 0; k < m; k++)
        fix_sign(m, vectors + k * m);
    return SFGP_OK;
}
