/* The observed information H and the variance by it. Equations in information.h. */
#include "gpr/information.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "gpr/normal.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define BLOCK SFGP_SCORE_BLOCK
#define ENTRIES ((int64_t)1 << 22) /* entries of P that are transposed at a time */

typedef struct information {
    sfgp_observed observed;
    const sfgp_prior *prior; /* of the scalar coefficients; NULL: N(0, I) */
    int64_t size;            /* m */
    double weight;           /* of the target points */
    double *sums;     /* SFGP_LANES x m x m: a lane's share of H; lane 0 gets the total, then its root */
    double *buffers;  /* SFGP_LANES x BLOCK x m */
    double *modes;    /* SFGP_LANES x BLOCK x m_p */
    double *variance; /* N: the result */
} information;

static void information_clear(information *made)
{
    sfgp_free(made->sums);
    sfgp_free(made->buffers);
    sfgp_free(made->modes);
}

static sfgp_status information_new(sfgp_context *context, information *made)
{
    const int64_t m = made->size, p = made->observed.basis->pca.modes, row = (int64_t)sizeof(double);
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate_bytes(context, SFGP_LANES * m, m * row, (void **)&made->sums)) == SFGP_OK &&
        (status = sfgp_allocate(context, SFGP_LANES * BLOCK * m, &made->buffers)) == SFGP_OK)
        status = sfgp_allocate(context, SFGP_LANES * BLOCK * p, &made->modes);
    return status;
}

/* ---- information of complete data, less the missing information --------------------------------------- */

/* M_i = (nu_i / v_i) I - C_i, d x d. */
static void point_information(const sfgp_observed *observed, int64_t i, double *m)
{
    const sfgp_responsibilities *r = observed->r;
    const int d = r->dimension == 2 ? 2 : 3;
    const int32_t *start = sfgp_sparse_start(&r->matrix), *index = sfgp_sparse_index(&r->matrix);
    const double *p = sfgp_sparse_value(&r->matrix), v = observed->sigma2[i];
    double u[3];
    for (int k = 0; k < d * d; k++)
        m[k] = k % (d + 1) == 0 ? r->mass[i] / v : 0;
    for (int32_t k = start[i]; k < start[i + 1]; k++) {
        for (int a = 0; a < d; a++)
            u[a] = (observed->target[(int64_t)index[k] * d + a] - observed->points[i * d + a]) / v;
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++)
                m[a * d + b] -= p[k] * u[a] * u[b];
    }
}

/* w (m) = a row of M_i B_i, that of M_i in row (d). */
static void weigh(const sfgp_basis *basis, int64_t i, const double *row, double *w)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    const double *features = basis->scalar.values + i * s, *modes = basis->pca.factor + i * d * p;
    for (int64_t b = 0; b < d; b++)
        for (int64_t k = 0; k < s; k++)
            w[b * s + k] = row[b] * features[k];
    for (int64_t k = 0; k < p; k++)
        w[d * s + k] = 0;
    for (int64_t b = 0; b < d; b++)
        for (int64_t k = 0; k < p; k++)
            w[d * s + k] += row[b] * modes[b * p + k];
}

/* Rows of the PCA factor of n points: one axis, packed. */
static void pack_modes(const sfgp_basis *basis, int64_t first, int64_t n, int64_t axis, double *packed)
{
    const int64_t p = basis->pca.modes, d = basis->dimension;
    for (int64_t r = 0; r < n && p > 0; r++)
        memcpy(packed + r * p, basis->pca.factor + ((first + r) * d + axis) * p, (size_t)p * sizeof *packed);
}

/* sum += sum_i B_i' M_i B_i over n <= BLOCK points. With W_a the rows of axis a of all M_i B_i, that axis
 * adds B_s'W_a to the rows of its scalar coefficients and B_p,a'W_a to those of the modes. */
static void add_block(const information *made, int64_t first, int64_t n, double *w, double *modes,
                      double *sum)
{
    const sfgp_basis *basis = made->observed.basis;
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension, m = made->size;
    double each[BLOCK * 9] = {0};
    for (int64_t r = 0; r < n; r++)
        point_information(&made->observed, first + r, each + r * d * d);
    for (int64_t a = 0; a < d; a++) {
        for (int64_t r = 0; r < n; r++)
            weigh(basis, first + r, each + (r * d + a) * d, w + r * m);
        pack_modes(basis, first, n, a, modes);
        sfgp_dense_cross(n, s, m, 1.0, basis->scalar.values + first * s, w, sum + a * s * m);
        sfgp_dense_cross(n, p, m, 1.0, modes, w, sum + d * s * m);
    }
}

static void add_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const information *made = data;
    const int64_t m = made->size, p = made->observed.basis->pca.modes;
    for (int64_t at = first; at < end; at += BLOCK)
        add_block(made, at, end - at < BLOCK ? end - at : BLOCK, made->buffers + lane * BLOCK * m,
                  made->modes + lane * BLOCK * p, made->sums + lane * m * m);
}

/* ---- all steps ---------------------------------------------------------------------------------------- */

/* sum (m x m, lower) += B_l'W_l B_l, whose parts are those of the M-step. */
static void add_landmarks(const sfgp_basis *basis, double *landmarks, double *sum)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension, m = d * s + p;
    const sfgp_normal known = sfgp_normal_parts(basis, landmarks);
    for (int64_t a = 0; a < d; a++)
        for (int64_t k = 0; k < s; k++) {
            for (int64_t l = 0; l <= k; l++)
                sum[(a * s + k) * m + a * s + l] += known.scalar[k * s + l];
            for (int64_t q = 0; q < p; q++)
                sum[(d * s + q) * m + a * s + k] += known.cross[(a * s + k) * p + q];
        }
    for (int64_t q = 0; q < p; q++)
        for (int64_t l = 0; l <= q; l++)
            sum[(d * s + q) * m + d * s + l] += known.pca[q * p + l];
}

/* H += C^-1 for every axis, and I of the modes. */
static void add_prior(information *made)
{
    const int64_t s = made->observed.basis->scalar.rank, d = made->observed.basis->dimension, m = made->size;
    for (int64_t k = made->prior ? d * s : 0; k < m; k++)
        made->sums[k * m + k] += 1;
    for (int64_t row = 0; row < d * s && made->prior; row++)
        for (int64_t l = 0, a = row / s; l < s; l++)
            made->sums[row * m + a * s + l] += sfgp_prior_of(made->prior, a)->precision[row % s * s + l];
}

/* Lane 0 of the sums becomes H. */
static void collect(information *made, double *landmarks)
{
    const int64_t m = made->size;
    for (int lane = 1; lane < SFGP_LANES; lane++)
        for (int64_t k = 0; k < m * m; k++)
            made->sums[k] += made->sums[lane * m * m + k];
    for (int64_t k = 0; k < m * m; k++)
        made->sums[k] *= made->weight;
    add_prior(made);
    if (landmarks)
        add_landmarks(made->observed.basis, landmarks, made->sums);
}

/* Rows Q \ H of every axis; sums: rows of all coefficients. */
static void solve_axes(const information *made)
{
    const int64_t s = made->observed.basis->scalar.rank, m = made->size;
    for (int64_t a = 0; a < made->observed.basis->dimension; a++)
        sfgp_dense_solve_lower(s, m, sfgp_prior_of(made->prior, a)->lower, made->sums + a * s * m);
}

/* H (lower triangle) becomes Q \ H / Q'. */
static void whiten(information *made)
{
    const int64_t m = made->size;
    double *h = made->sums;
    for (int64_t k = 0; k < m; k++)
        for (int64_t l = 0; l < k; l++)
            h[l * m + k] = h[k * m + l];
    solve_axes(made);
    for (int64_t k = 0; k < m; k++)
        for (int64_t l = 0; l < k; l++) {
            const double upper = h[l * m + k];
            h[l * m + k] = h[k * m + l];
            h[k * m + l] = upper;
        }
    solve_axes(made);
}

/* R becomes Q' \ R. */
static void unwhiten(information *made)
{
    const int64_t s = made->observed.basis->scalar.rank, m = made->size;
    for (int64_t a = 0; a < made->observed.basis->dimension; a++)
        sfgp_dense_solve_lower_transposed(s, m, sfgp_prior_of(made->prior, a)->lower, made->sums + a * s * m);
}

/* Replaces H by R = V / sqrt(max(values, 1)) with its eigenvectors V: RR' = H^-1, where eigenvalues below 1 are set to
 * 1. The vectors are rows in the memory of the next lane, which is free. */
static sfgp_status invert_by_root(sfgp_context *context, information *made)
{
    const int64_t m = made->size;
    double *root = made->sums, *vectors = made->sums + m * m, *values = NULL;
    sfgp_status status = sfgp_allocate(context, m, &values);
    if (status == SFGP_OK && made->prior)
        whiten(made);
    if (status == SFGP_OK)
        status = sfgp_dense_eigen(context, m, root, values, vectors);
    for (int64_t k = 0; status == SFGP_OK && k < m; k++)
        for (int64_t r = 0; r < m; r++)
            root[r * m + k] = vectors[k * m + r] / sqrt(fmax(values[k], 1));
    if (status == SFGP_OK && made->prior)
        unwhiten(made);
    sfgp_free(values);
    return status;
}

/* p_i = sum_a |row a of B_i R|^2 / d, n <= BLOCK points. */
static void predict_block(const information *made, int64_t first, int64_t n, double *y, double *variance)
{
    const sfgp_basis *basis = made->observed.basis;
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension, m = made->size;
    memset(variance + first, 0, (size_t)n * sizeof *variance);
    for (int64_t a = 0; a < d; a++) {
        memset(y, 0, (size_t)(n * m) * sizeof *y);
        sfgp_dense_multiply(n, s, m, 1.0, basis->scalar.values + first * s, s, made->sums + a * s * m, y, m);
        sfgp_dense_multiply(n, p, m, 1.0, basis->pca.factor + (first * d + a) * p, d * p,
                            made->sums + d * s * m, y, m);
        for (int64_t r = 0; r < n; r++)
            variance[first + r] += sfgp_dense_dot(m, y + r * m, y + r * m) / (double)d;
    }
}

static void predict_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const information *made = data;
    for (int64_t at = first; at < end; at += BLOCK)
        predict_block(made, at, end - at < BLOCK ? end - at : BLOCK,
                      made->buffers + lane * BLOCK * made->size, made->variance);
}

sfgp_status sfgp_information_variance(sfgp_context *context, const sfgp_posterior *posterior,
                                      const sfgp_observed *observed, double weight, double *variance)
{
    const int64_t n = observed->basis->count;
    information made = {.observed = *observed,
                        .prior = posterior->prior,
                        .size = sfgp_basis_size(observed->basis),
                        .weight = weight,
                        .variance = variance};
    sfgp_status status = made.size > 0 ? information_new(context, &made) : SFGP_OK;
    if (status != SFGP_OK || made.size <= 0)
        goto cleanup;
    sfgp_lanes_run(n, add_lane, &made);
    if ((status = sfgp_score_gram(context, &made.observed, ENTRIES, made.buffers, made.sums)) != SFGP_OK)
        goto cleanup;
    collect(&made, posterior->landmarks);
    if ((status = invert_by_root(context, &made)) != SFGP_OK)
        goto cleanup;
    sfgp_lanes_run(n, predict_lane, &made);
cleanup:
    information_clear(&made);
    return status;
}
