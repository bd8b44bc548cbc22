/* The M-step of anisotropic labels. Equations in anisotropic.h. */
#include "gpr/anisotropic.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "gpr/normal.h"
#include "linalg/dense.h"
#include "linalg/single.h"

#include <math.h>
#include <string.h>

/* A is made again when this part of the weight has moved, or t by this part of itself: 4 to 19 times in 40 iterations
 * (ADR 0050). */
#define DRIFT 0.1

sfgp_status sfgp_anisotropic_new(sfgp_context *context, sfgp_posterior *posterior, sfgp_anisotropic *made)
{
    const int64_t n = posterior->basis->count, m = sfgp_basis_size(posterior->basis);
    sfgp_status status = SFGP_OK;
    *made = (sfgp_anisotropic){.posterior = posterior, .size = m, .stretch = -1};
    if ((status = sfgp_allocate(context, m * m, &made->factor)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &made->weights)) == SFGP_OK &&
        (status = sfgp_allocate(context, SFGP_LANES * m, &made->row)) == SFGP_OK &&
        (status = sfgp_allocate(context, n * m, &made->rows)) == SFGP_OK)
        status = sfgp_allocate(context, SFGP_LANES * m * m, &made->sums);
    return status;
}

void sfgp_anisotropic_clear(sfgp_anisotropic *made)
{
    sfgp_free(made->factor);
    sfgp_free(made->weights);
    sfgp_free(made->row);
    sfgp_free(made->rows);
    sfgp_free(made->sums);
    *made = (sfgp_anisotropic){0};
}

/* ---- A ------------------------------------------------------------------------------------------------- */

/* row (m) = sqrt(t W_i) z_i, in the order of the coefficients. */
static void fill_row(const sfgp_basis *basis, const sfgp_anisotropic_weights *weights, int64_t i, double *row)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    const double root = sqrt(weights->stretch * weights->across[i]), *normal = weights->normals + i * d;
    for (int64_t k = 0; k < s; k++)
        for (int64_t a = 0; a < d; a++)
            row[k * d + a] = root * basis->scalar.values[i * s + k] * normal[a];
    for (int64_t q = 0; q < p; q++) {
        double sum = 0;
        for (int64_t a = 0; a < d; a++)
            sum += normal[a] * basis->pca.factor[(i * d + a) * p + q];
        row[s * d + q] = root * sum;
    }
}

typedef struct weighted {
    const sfgp_anisotropic_weights *weights;
    const sfgp_anisotropic *made;
} weighted;

/* A lane's share of t sum_i W_i z_i z_i'. Points without labels have no row. */
static void add_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const weighted *all = data;
    const sfgp_anisotropic *made = all->made;
    const int64_t m = made->size;
    double *row = made->row + lane * m;
    float *rows = made->rows + first * m;
    int64_t count = 0;
    for (int64_t i = first; i < end; i++) {
        if (all->weights->across[i] == 0)
            continue;
        fill_row(made->posterior->basis, all->weights, i, row);
        for (int64_t k = 0; k < m; k++)
            rows[count * m + k] = (float)row[k];
        count++;
    }
    sfgp_single_gram(count, m, rows, made->sums + lane * m * m);
}

/* A += C^-1 + B'WB: a block for every axis, the modes across them. */
static void add_blocks(const sfgp_posterior *posterior, double *a)
{
    const sfgp_basis *basis = posterior->basis;
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension, m = d * s + p;
    const sfgp_normal sum = sfgp_normal_parts(basis, posterior->gram);
    sfgp_normal_add_prior(basis, posterior->prior, &sum);
    for (int64_t k = 0; k < s; k++)
        for (int64_t l = 0; l <= k; l++)
            for (int64_t axis = 0; axis < d; axis++)
                a[(k * d + axis) * m + l * d + axis] += sfgp_normal_of(basis, &sum, axis)[k * s + l];
    for (int64_t row = 0; row < d * s; row++)
        for (int64_t q = 0; q < p; q++)
            a[(d * s + q) * m + row % s * d + row / s] += sum.cross[row * p + q];
    for (int64_t q = 0; q < p; q++)
        for (int64_t l = 0; l <= q; l++)
            a[(d * s + q) * m + d * s + l] += sum.pca[q * p + l] + (q == l);
}

/* A = t sum_i W_i z_i z_i', of the sums of the lanes. */
static void sum_lanes(const sfgp_anisotropic *made)
{
    const int64_t size = made->size * made->size;
    memset(made->factor, 0, (size_t)size * sizeof(double));
    for (int lane = 0; lane < SFGP_LANES; lane++)
        for (int64_t k = 0; k < size; k++)
            made->factor[k] += (double)made->sums[lane * size + k];
}

/* The same in double precision, and so are its rows: rounded to single precision they would turn the directions that no label
 * tells of, where the prior alone decides, against those of B'WB and of the gradient. */
static void sum_rows(const sfgp_anisotropic_weights *weights, const sfgp_anisotropic *made)
{
    const int64_t n = made->posterior->basis->count, m = made->size;
    memset(made->factor, 0, (size_t)(m * m) * sizeof(double));
    for (int64_t i = 0; i < n; i++) {
        fill_row(made->posterior->basis, weights, i, made->row);
        for (int64_t k = 0; k < m; k++)
            for (int64_t l = 0; l <= k && made->row[k] != 0; l++)
                made->factor[k * m + l] += made->row[k] * made->row[l];
    }
}

static sfgp_status finish(sfgp_context *context, const sfgp_anisotropic *made)
{
    made->posterior->has_gram = false; /* the prior is added to it */
    add_blocks(made->posterior, made->factor);
    return sfgp_dense_cholesky(context, "posterior of anisotropic labels", made->size, made->factor);
}

/* In single precision. Its rounding may exceed the smallest eigenvalue, which is that of the prior: then in double. */
static sfgp_status factorise(sfgp_context *context, const sfgp_anisotropic_weights *weights,
                             sfgp_anisotropic *made)
{
    const int64_t n = made->posterior->basis->count;
    const weighted all = {weights, made};
    sfgp_lanes_run(n, add_lane, &all);
    sfgp_lanes_copy(n, weights->across, made->weights);
    made->stretch = weights->stretch;
    sfgp_posterior_accumulate_gram(weights->across, made->posterior);
    sum_lanes(made);
    const sfgp_status status = finish(context, made);
    if (status != SFGP_ERROR_NUMERIC)
        return status;
    sfgp_posterior_accumulate_gram_exactly(weights->across, weights->normals, made->posterior);
    sum_rows(weights, made);
    return finish(context, made);
}

/* ---- the step ------------------------------------------------------------------------------------------ */

static bool has_moved(const sfgp_anisotropic_weights *weights, const sfgp_anisotropic *made)
{
    const int64_t n = made->posterior->basis->count;
    double moved = 0, sum = 0;
    for (int64_t i = 0; i < n; i++) {
        moved += fabs(weights->across[i] - made->weights[i]);
        sum += weights->across[i];
    }
    return moved > DRIFT * sum || fabs(weights->stretch - made->stretch) > DRIFT * weights->stretch;
}

sfgp_status sfgp_anisotropic_step(sfgp_context *context, const sfgp_anisotropic_weights *weights,
                                  const double *residuals, const double *coefficients, sfgp_anisotropic *made,
                                  const double **step)
{
    const int64_t m = made->size;
    sfgp_status status = SFGP_OK;
    if ((made->stretch < 0 || has_moved(weights, made)) &&
        (status = factorise(context, weights, made)) != SFGP_OK)
        return status;
    double *solved = sfgp_posterior_gradient(residuals, coefficients, made->posterior);
    sfgp_dense_solve_lower(m, 1, made->factor, solved);
    sfgp_dense_solve_lower_transposed(m, 1, made->factor, solved);
    *step = solved;
    return SFGP_OK;
}
