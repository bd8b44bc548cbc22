/* Room for eigenpairs of the Laplacian, and all of them for few points by LAPACK. */
#include "base/memory.h"
#include "linalg/dense.h"
#include "lowrank/harmonics.h"

#include <math.h>
#include <string.h>

sfgp_status sfgp_harmonics_allocate(sfgp_context *context, int64_t points, int64_t count, sfgp_harmonics *h)
{
    *h = (sfgp_harmonics){.points = points, .count = count};
    sfgp_status status = sfgp_allocate(context, count, &h->values);
    if (status == SFGP_OK)
        status = sfgp_allocate_raw(context, points, count * (int64_t)sizeof(double), (void **)&h->vectors);
    return status;
}

void sfgp_harmonics_clear(sfgp_harmonics *harmonics)
{
    sfgp_free(harmonics->values);
    sfgp_free(harmonics->vectors);
    *harmonics = (sfgp_harmonics){0};
}

/* C^(-1/2) G C^(-1/2). Returns a bound of its eigenvalues (Gershgorin). */
static double fill_dense(const sfgp_laplacian *l, double *dense)
{
    const int32_t *start = sfgp_sparse_start(&l->stiffness), *row = sfgp_sparse_index(&l->stiffness);
    const double *value = sfgp_sparse_value(&l->stiffness);
    double top = 0;
    for (int64_t j = 0; j < l->count; j++)
        for (int32_t p = start[j]; p < start[j + 1]; p++)
            dense[row[p] * l->count + j] = dense[j * l->count + row[p]] =
                value[p] / sqrt(l->mass[j] * l->mass[row[p]]);
    for (int64_t i = 0; i < l->count; i++) {
        double sum = 0;
        for (int64_t j = 0; j < l->count; j++)
            sum += fabs(dense[i * l->count + j]);
        top = fmax(top, sum);
    }
    return top;
}

/* + top sum_c psi_c psi_c': the constants get the largest eigenvalues. */
static void lift_constants(const sfgp_laplacian *l, double top, double *dense)
{
    for (int64_t i = 0; i < l->count; i++)
        for (int64_t j = 0; j < l->count; j++)
            if (l->piece[i] == l->piece[j])
                dense[i * l->count + j] += top * sqrt(l->mass[i] * l->mass[j]) / l->weight[l->piece[i]];
}

sfgp_status sfgp_harmonics_dense(sfgp_context *context, const sfgp_laplacian *l, sfgp_harmonics *h)
{
    const int64_t n = l->count;
    double *dense = NULL, *values = NULL, *vectors = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_harmonics_allocate(context, n, n - l->piece_count, h)) == SFGP_OK &&
        (status = sfgp_allocate(context, n * n, &dense)) == SFGP_OK &&
        (status = sfgp_allocate(context, n * n, &vectors)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &values)) == SFGP_OK) {
        lift_constants(l, 1 + 2 * fill_dense(l, dense), dense);
        status = sfgp_dense_eigen(context, n, dense, values, vectors);
    }
    for (int64_t k = 0; status == SFGP_OK && k < h->count; k++) {
        h->values[k] = fmax(values[n - 1 - k], 0);
        memcpy(h->vectors + k * n, vectors + (n - 1 - k) * n, (size_t)n * sizeof(double));
    }
    sfgp_free(dense);
    sfgp_free(values);
    sfgp_free(vectors);
    return status;
}
