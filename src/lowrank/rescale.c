/* Coefficients under scaled terms. Equation in rescale.h. */
#include "lowrank/rescale.h"
#include "base/memory.h"
#include "linalg/dense.h"
#include "lowrank/extension.h"

sfgp_status sfgp_factor_rescale(sfgp_context *context, const sfgp_covariance *covariance,
                                const sfgp_factor *factor, const sfgp_kernel *rescaled, double **c)
{
    const int64_t m = factor->rank;
    sfgp_extension at = {0};
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_extension_from_pivots(context, covariance, factor, &at)) == SFGP_OK &&
        (status = sfgp_allocate(context, m * m, c)) == SFGP_OK) {
        const sfgp_covariance pivots = {rescaled, m, covariance->dimension, at.axes};
        for (int64_t k = 0; k < m; k++)
            sfgp_covariance_row(&pivots, k, 0, m, *c + k * m);
        sfgp_dense_solve_lower(m, m, at.triangle, *c);
        sfgp_dense_solve_rows(m, m, at.triangle, *c);
    }
    sfgp_extension_clear(&at);
    return status;
}
