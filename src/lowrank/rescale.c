/* Coefficients under scaled terms, and with mirror images. Equations in rescale.h. */
#include "lowrank/rescale.h"
#include "base/memory.h"
#include "linalg/dense.h"
#include "lowrank/extension.h"

/* axes (d x 2m): the pivots, then their mirror images. */
static void set_points(const sfgp_covariance *pivots, int axis, double *axes)
{
    const int64_t m = pivots->count;
    for (int64_t a = 0; a < pivots->dimension; a++)
        for (int64_t k = 0; k < m; k++) {
            const double x = pivots->axes[a * m + k];
            axes[a * 2 * m + k] = x;
            axes[a * 2 * m + m + k] = a == axis ? -x : x;
        }
}

/* c (m x m) = K'(P, P) + r K'(P, P*); row: m. */
static void fill(const sfgp_covariance *both, double correlation, double *row, double *c)
{
    const int64_t m = both->count / 2;
    for (int64_t k = 0; k < m; k++) {
        sfgp_covariance_row(both, k, 0, m, c + k * m);
        if (correlation == 0)
            continue;
        sfgp_covariance_row(both, k, m, m, row);
        for (int64_t l = 0; l < m; l++)
            c[k * m + l] += correlation * row[l];
    }
}

sfgp_status sfgp_factor_rescale(sfgp_context *context, const sfgp_covariance *covariance,
                                const sfgp_factor *factor, const sfgp_kernel *rescaled,
                                const sfgp_reflection *reflection, double **c)
{
    const int64_t m = factor->rank, d = covariance->dimension;
    sfgp_extension at = {0};
    double *axes = NULL, *row = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_extension_from_pivots(context, covariance, factor, &at)) == SFGP_OK &&
        (status = sfgp_allocate(context, d * 2 * m, &axes)) == SFGP_OK &&
        (status = sfgp_allocate(context, m, &row)) == SFGP_OK &&
        (status = sfgp_allocate(context, m * m, c)) == SFGP_OK) {
        const sfgp_covariance both = {rescaled, 2 * m, (int)d, axes};
        set_points(&at.pivots, reflection->axis, axes);
        fill(&both, reflection->correlation, row, *c);
        sfgp_dense_solve_lower(m, m, at.triangle, *c);
        sfgp_dense_solve_rows(m, m, at.triangle, *c);
    }
    sfgp_free(axes);
    sfgp_free(row);
    sfgp_extension_clear(&at);
    return status;
}
