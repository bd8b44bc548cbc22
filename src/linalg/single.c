/* Single-precision products and triangular solves: thin wrappers over BLAS. The shapes stand in single.h. */
#include "linalg/single.h"

#include <cblas.h>

void sfgp_single_gram(int64_t n, int64_t m, const float *a, float *c)
{
    if (m > 0) /* without rows BLAS sets C to 0 */
        cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, (int)m, (int)n, 1.0f, a, (int)m, 0.0f, c, (int)m);
}

void sfgp_single_cross(int64_t n, int64_t m, int64_t k, const float *a, const float *b, float *c)
{
    if (m > 0 && k > 0)
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)m, (int)k, (int)n, 1.0f, a, (int)m, b,
                    (int)k, 0.0f, c, (int)k);
}

void sfgp_single_subtract(int64_t n, int64_t m, int64_t k, const float *a, const float *b, float *c)
{
    if (n > 0 && m > 0 && k > 0)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)k, (int)m, -1.0f, a, (int)m, b,
                    (int)k, 1.0f, c, (int)k);
}

void sfgp_single_solve_rows(int64_t n, int64_t m, const float *l, float *x)
{
    if (n > 0 && m > 0)
        cblas_strsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)n, (int)m, 1.0f, l,
                    (int)m, x, (int)m);
}
