/* Eigenpairs by ARPACK with the products of a finer factor. */
#include "lowrank/implicit.h"
#include "base/memory.h"
#include "linalg/dense.h"
#include "lowrank/spectral.h"

#include <string.h>

/* FF' as an operator. */
typedef struct implicit {
    const sfgp_factor *factor; /* F */
    double *inner;             /* rank: F'x */
} implicit;

static sfgp_status fill(sfgp_context *context, int64_t n, double value, double **values)
{
    const sfgp_status status = sfgp_allocate(context, n, values);
    for (int64_t i = 0; status == SFGP_OK && i < n; i++)
        (*values)[i] = value;
    return status;
}

static void apply(const void *user, const double *x, double *y)
{
    const implicit *op = user;
    const sfgp_factor *f = op->factor;
    memset(op->inner, 0, (size_t)f->rank * sizeof(double));
    memset(y, 0, (size_t)f->rows * sizeof(double));
    sfgp_dense_cross(f->rows, f->rank, 1, 1.0, f->values, x, op->inner);
    sfgp_dense_multiply(f->rows, f->rank, 1, 1.0, f->values, f->rank, op->inner, y, 1);
}

sfgp_status sfgp_factor_implicit(sfgp_context *context, const sfgp_covariance *covariance,
                                 const sfgp_factor_request *finer, int64_t guess,
                                 const sfgp_factor_request *request, sfgp_factor *factor)
{
    sfgp_factor_request limited = *request;
    sfgp_factor pivoted;
    implicit op = {&pivoted, NULL};
    double *diagonal = NULL;
    *factor = (sfgp_factor){0};
    sfgp_status status = sfgp_lowrank_cholesky.factorise(context, covariance, finer, &pivoted);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, pivoted.rank, &op.inner);
    if (status == SFGP_OK)
        status = fill(context, covariance->count, sfgp_kernel_variance(covariance->kernel), &diagonal);
    if (pivoted.rank < limited.rank)
        limited.rank = pivoted.rank; /* FF' has no more eigenvalues */
    const sfgp_operator matrix = {covariance->count, apply, &op};
    if (status == SFGP_OK)
        status = sfgp_factor_spectral(context, &matrix, diagonal,
                                      guess > 0 ? guess : pivoted.rank - pivoted.rank / 8, &limited, factor);
    sfgp_free(op.inner);
    sfgp_free(diagonal);
    sfgp_factor_clear(&pivoted);
    return status;
}
