/* Rows of a factor at any points, from its pivots. The formulas stand in extension.h. */
#include "lowrank/extension.h"
#include "base/memory.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

sfgp_status sfgp_extension_from_pivots(sfgp_context *context, const sfgp_covariance *covariance,
                                       const sfgp_factor *cholesky, sfgp_extension *extension)
{
    const int64_t q = cholesky->rank - cholesky->surface, n = covariance->count;
    sfgp_status status = SFGP_OK;
    *extension = (sfgp_extension){.rank = q};
    if ((status = sfgp_allocate(context, covariance->dimension * q, &extension->axes)) != SFGP_OK ||
        (status = sfgp_allocate(context, q * q, &extension->triangle)) != SFGP_OK)
        return status;
    extension->kernel = *covariance->kernel;
    extension->pivots = (sfgp_covariance){&extension->kernel, q, covariance->dimension, extension->axes};
    for (int64_t k = 0; k < q; k++) {
        const int64_t pivot = cholesky->pivots[k];
        for (int axis = 0; axis < covariance->dimension; axis++)
            extension->axes[axis * q + k] = covariance->axes[axis * n + pivot];
        memcpy(extension->triangle + k * q, cholesky->values + pivot * cholesky->rank,
               (size_t)q * sizeof(double));
    }
    return SFGP_OK;
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
