/* Extension of any factor: by its own pivots, or by those of a Cholesky factor (extension.h). */
#include "base/memory.h"
#include "linalg/dense.h"
#include "lowrank/extension.h"

#include <string.h>

/* Columns of the Cholesky factor: more than nystrom uses, so that its pivots are among these. */
#define SPARE(rank) (2 * (rank) + 16)

/* M = L \ B_P */
static sfgp_status mix_columns(sfgp_context *context, const int64_t *pivots, const sfgp_factor *factor,
                               sfgp_extension *extension)
{
    const int64_t q = extension->pivots.count, m = extension->rank;
    sfgp_status status =
        sfgp_allocate_bytes(context, q, m * (int64_t)sizeof(double), (void **)&extension->mix);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < q; k++)
        memcpy(extension->mix + k * m, factor->values + pivots[k] * factor->rank, (size_t)m * sizeof(double));
    sfgp_dense_solve_lower(q, m, extension->triangle, extension->mix);
    return SFGP_OK;
}

static sfgp_status extend_by_cholesky(sfgp_context *context, const sfgp_covariance *covariance,
                                      const sfgp_factor *factor, sfgp_extension *extension)
{
    const int64_t rank = factor->rank - factor->surface;
    const sfgp_factor_request request = {0, SPARE(rank), 1, false};
    sfgp_factor pivoted = {0};
    sfgp_status status = sfgp_lowrank_cholesky.factorise(context, covariance, &request, &pivoted);
    if (status == SFGP_OK)
        status = sfgp_extension_from_pivots(context, covariance, &pivoted, extension);
    extension->rank = rank;
    if (status == SFGP_OK)
        status = mix_columns(context, pivoted.pivots, factor, extension);
    sfgp_factor_clear(&pivoted);
    return status;
}

sfgp_status sfgp_extension_new(sfgp_context *context, const sfgp_covariance *covariance,
                               const sfgp_factor *factor, sfgp_extension *extension)
{
    *extension = (sfgp_extension){.rank = factor->rank - factor->surface};
    if (extension->rank == 0)
        return SFGP_OK;
    return factor->pivots ? sfgp_extension_from_pivots(context, covariance, factor, extension)
                          : extend_by_cholesky(context, covariance, factor, extension);
}
