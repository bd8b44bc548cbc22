#include "lowrank/extension.h"
#include "base/memory.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define SPARE(rank) (2 * (rank) + 16) /* more than nystrom takes: its pivots are among these */

static sfgp_status take_pivots(sfgp_context *context, const sfgp_covariance *covariance,
                               const sfgp_factor *cholesky, sfgp_extension *extension)
{
    const int64_t q = cholesky->rank, n = covariance->count;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, covariance->dimension * q, &extension->axes)) != SFGP_OK ||
        (status = sfgp_allocate(context, q * q, &extension->triangle)) != SFGP_OK)
        return status;
    extension->kernel = *covariance->kernel;
    extension->pivots = (sfgp_covariance){&extension->kernel, q, covariance->dimension, extension->axes};
    for (int64_t k = 0; k < q; k++) {
        const int64_t pivot = cholesky->pivots[k];
        for (int axis = 0; axis < covariance->dimension; axis++)
            extension->axes[axis * q + k] = covariance->axes[axis * n + pivot];
        memcpy(extension->triangle + k * q, cholesky->values + pivot * q, (size_t)q * sizeof(double));
    }
    return SFGP_OK;
}

/* M = L \ B_P */
static sfgp_status mix_columns(sfgp_context *context, const int64_t *pivots, const sfgp_factor *factor,
                               sfgp_extension *extension)
{
    const int64_t q = extension->pivots.count, m = factor->rank;
    sfgp_status status =
        sfgp_allocate_bytes(context, q, m * (int64_t)sizeof(double), (void **)&extension->mix);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < q; k++)
        memcpy(extension->mix + k * m, factor->values + pivots[k] * m, (size_t)m * sizeof(double));
    sfgp_dense_solve_lower(q, m, extension->triangle, extension->mix);
    return SFGP_OK;
}

static sfgp_status extend_other(sfgp_context *context, const sfgp_covariance *covariance,
                                const sfgp_factor *factor, sfgp_extension *extension)
{
    const sfgp_factor_request request = {0, SPARE(factor->rank), 1};
    sfgp_factor pivoted = {0};
    sfgp_status status = sfgp_lowrank_cholesky.factorise(context, covariance, &request, &pivoted);
    if (status == SFGP_OK)
        status = take_pivots(context, covariance, &pivoted, extension);
    if (status == SFGP_OK)
        status = mix_columns(context, pivoted.pivots, factor, extension);
    sfgp_factor_clear(&pivoted);
    return status;
}

sfgp_status sfgp_extension_new(sfgp_context *context, const sfgp_covariance *covariance,
                               const sfgp_factor *factor, sfgp_extension *extension)
{
    *extension = (sfgp_extension){.rank = factor->rank};
    if (factor->rank == 0)
        return SFGP_OK;
    return factor->pivots ? take_pivots(context, covariance, factor, extension)
                          : extend_other(context, covariance, factor, extension);
}

void sfgp_extension_clear(sfgp_extension *extension)
{
    sfgp_free(extension->axes);
    sfgp_free(extension->triangle);
    sfgp_free(extension->mix);
    *extension = (sfgp_extension){0};
}

void sfgp_extension_rows(const sfgp_extension *extension, int64_t n, const double *points, double *buffer,
                         double *rows, double *left)
{
    const int64_t q = extension->pivots.count, m = extension->rank, d = extension->pivots.dimension;
    double *exact = extension->mix ? buffer : rows;
    memset(left, 0, (size_t)n * sizeof *left);
    if (m == 0)
        return;
    for (int64_t i = 0; i < n; i++)
        sfgp_covariance_cross(&extension->pivots, points + i * d, exact + i * q);
    sfgp_dense_solve_rows(n, q, extension->triangle, exact);
    if (extension->mix) {
        memset(rows, 0, (size_t)(n * m) * sizeof *rows);
        sfgp_dense_multiply(n, q, m, 1.0, buffer, q, extension->mix, rows, m);
    }
    for (int64_t i = 0; i < n; i++)
        left[i] =
            fmax(sfgp_kernel_variance(&extension->kernel) - sfgp_dense_dot(m, rows + i * m, rows + i * m), 0);
}
