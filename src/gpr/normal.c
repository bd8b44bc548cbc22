/* The normal equations: sums over packed rows, block Cholesky solve, and prediction. Formulas in posterior.h. */
#include "gpr/normal.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define BLOCK SFGP_NORMAL_BLOCK

int64_t sfgp_normal_size(const sfgp_basis *basis)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    return (basis->across ? 2 : 1) * s * s + p * p + d * s * p + s * d + p;
}

int64_t sfgp_normal_buffer_size(const sfgp_basis *basis)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    return BLOCK * (s + d + d * p + d);
}

sfgp_normal sfgp_normal_parts(const sfgp_basis *basis, double *block)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    sfgp_normal normal;
    normal.scalar = block;
    normal.across = basis->across ? normal.scalar + s * s : normal.scalar;
    normal.pca = normal.across + s * s;
    normal.cross = normal.pca + p * p;
    normal.right_scalar = normal.cross + d * s * p;
    normal.right_pca = normal.right_scalar + s * d;
    return normal;
}

#define HELD                                                                                                 \
    1e6 /* of L: the coefficient of a column that a fit has left out is 0, with a deviation of 1e-6 */

/* rows x size numbers become the first of wider rows. */
static void widen(int64_t rows, int64_t size, const double *from, int64_t stride, double *to)
{
    for (int64_t k = 0; k < rows && size > 0; k++)
        memcpy(to + k * stride, from + k * size, (size_t)size * sizeof *to);
}

static void widen_factor(int64_t size, const double *from, int64_t wide, double *to)
{
    widen(size, size, from, wide, to);
    for (int64_t k = size; k < wide; k++)
        to[k * wide + k] = HELD;
}

void sfgp_normal_widen(const sfgp_basis *fewer, const double *block, const sfgp_basis *whole, double *wide)
{
    const int64_t r = fewer->scalar.rank, s = whole->scalar.rank, p = whole->pca.modes, d = whole->dimension;
    const sfgp_normal from = sfgp_normal_parts(fewer, (double *)block), to = sfgp_normal_parts(whole, wide);
    memset(wide, 0, (size_t)sfgp_normal_size(whole) * sizeof *wide);
    widen_factor(r, from.scalar, s, to.scalar);
    widen_factor(r, from.across, s, to.across);
    widen(p, p, from.pca, p, to.pca);
    for (int64_t axis = 0; axis < d; axis++)
        widen(r, p, from.cross + axis * r * p, p, to.cross + axis * s * p);
    widen(r, d, from.right_scalar, d, to.right_scalar);
    widen(1, p, from.right_pca, p, to.right_pca);
}

/* ---- sums -------------------------------------------------------------------------------------------- */

/* Rows of up to BLOCK observed points, each times sqrt(w): scalar features, PCA features by axis, labels. */
typedef struct packed {
    int64_t rows;
    double *scalar;      /* rows x m_s */
    double *labels;      /* rows x d */
    double *pca;         /* d times BLOCK x m_p */
    double *axis_labels; /* d times BLOCK */
} packed;

static packed packed_in(const sfgp_basis *basis, double *buffer)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    return (packed){0, buffer, buffer + BLOCK * s, buffer + BLOCK * (s + d),
                    buffer + BLOCK * (s + d + d * p)};
}

static void pack(const sfgp_basis *basis, int64_t i, double weight, const double *label, packed *rows)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension, r = rows->rows++;
    const double root = sqrt(weight), *features = basis->scalar.values + i * s;
    for (int64_t k = 0; k < s; k++)
        rows->scalar[r * s + k] = root * features[k];
    for (int64_t axis = 0; axis < d; axis++) {
        const double *modes = basis->pca.factor + (i * d + axis) * p;
        double *row = rows->pca + (axis * BLOCK + r) * p;
        rows->labels[r * d + axis] = rows->axis_labels[axis * BLOCK + r] = root * label[axis];
        for (int64_t k = 0; k < p; k++)
            row[k] = root * modes[k];
    }
}

static void add_rows(const sfgp_basis *basis, packed *rows, const sfgp_normal *sum)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension, n = rows->rows;
    sfgp_dense_gram(n, s, 1.0, rows->scalar, sum->scalar);
    sfgp_dense_cross(n, s, d, 1.0, rows->scalar, rows->labels, sum->right_scalar);
    for (int64_t axis = 0; axis < d; axis++) {
        const double *modes = rows->pca + axis * BLOCK * p;
        sfgp_dense_gram(n, p, 1.0, modes, sum->pca);
        sfgp_dense_cross(n, s, p, 1.0, rows->scalar, modes, sum->cross + axis * s * p);
        sfgp_dense_cross(n, p, 1, 1.0, modes, rows->axis_labels + axis * BLOCK, sum->right_pca);
    }
    rows->rows = 0;
}

void sfgp_normal_accumulate(const sfgp_basis *basis, const double *weights, const double *labels,
                            int64_t first, int64_t end, double *block, double *buffer)
{
    const sfgp_normal sum = sfgp_normal_parts(basis, block);
    packed rows = packed_in(basis, buffer);
    memset(block, 0, (size_t)sfgp_normal_size(basis) * sizeof *block);
    for (int64_t i = first; i < end; i++) {
        if (weights[i] > 0)
            pack(basis, i, weights[i], labels + i * basis->dimension, &rows);
        if (rows.rows == BLOCK)
            add_rows(basis, &rows, &sum);
    }
    add_rows(basis, &rows, &sum);
}

/* ---- solve ------------------------------------------------------------------------------------------- */

/* right_pca -= sum_a X_a' z_a, the a-th column of z = right_scalar (m_s x d). */
static void eliminate(const sfgp_basis *basis, const sfgp_normal *sum)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    for (int64_t axis = 0; axis < d; axis++)
        for (int64_t row = 0; row < s; row++)
            for (int64_t k = 0; k < p; k++)
                sum->right_pca[k] -= sum->cross[(axis * s + row) * p + k] * sum->right_scalar[row * d + axis];
}

/* z_a -= X_a c_p */
static void substitute(const sfgp_basis *basis, const sfgp_normal *sum)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    for (int64_t axis = 0; axis < d; axis++)
        for (int64_t row = 0; row < s; row++)
            sum->right_scalar[row * d + axis] -=
                sfgp_dense_dot(p, sum->cross + (axis * s + row) * p, sum->right_pca);
}

/* right_scalar = L_s \ right_scalar, axis by axis where one of them has a factor of its own; then L_s' \ it. */
static void solve_scalar(const sfgp_basis *basis, const sfgp_normal *sum)
{
    const int64_t s = basis->scalar.rank, d = basis->dimension;
    if (!basis->across)
        sfgp_dense_solve_lower(s, d, sum->scalar, sum->right_scalar);
    for (int64_t axis = 0; axis < d && basis->across; axis++)
        sfgp_dense_solve_lower_vector(s, sfgp_normal_of(basis, sum, axis), sum->right_scalar + axis, d);
}

static void solve_scalar_transposed(const sfgp_basis *basis, const sfgp_normal *sum)
{
    const int64_t s = basis->scalar.rank, d = basis->dimension;
    if (!basis->across)
        sfgp_dense_solve_lower_transposed(s, d, sum->scalar, sum->right_scalar);
    for (int64_t axis = 0; axis < d && basis->across; axis++)
        sfgp_dense_solve_lower_transposed_vector(s, sfgp_normal_of(basis, sum, axis),
                                                 sum->right_scalar + axis, d);
}

void sfgp_normal_solve_again(const sfgp_basis *basis, double *block)
{
    const int64_t p = basis->pca.modes;
    const sfgp_normal sum = sfgp_normal_parts(basis, block);
    solve_scalar(basis, &sum);
    eliminate(basis, &sum);
    sfgp_dense_solve_lower(p, 1, sum.pca, sum.right_pca);
    sfgp_dense_solve_lower_transposed(p, 1, sum.pca, sum.right_pca);
    substitute(basis, &sum);
    solve_scalar_transposed(basis, &sum);
}

void sfgp_normal_add_prior(const sfgp_basis *basis, const sfgp_prior *prior, const sfgp_normal *sum)
{
    const int64_t s = basis->scalar.rank;
    if (basis->across) {
        memcpy(sum->across, sum->scalar, (size_t)(s * s) * sizeof *sum->across);
        sfgp_prior_add_precision(prior, basis->across - 1, s, sum->across);
    }
    sfgp_prior_add_precision(prior, -1, s, sum->scalar);
}

/* A_s to L_s, and that of the axis with a prior of its own. */
static sfgp_status factorise_scalar(sfgp_context *context, const sfgp_basis *basis, const sfgp_normal *sum)
{
    const int64_t s = basis->scalar.rank;
    const sfgp_status status = sfgp_dense_cholesky(context, "posterior: A", s, sum->scalar);
    return status == SFGP_OK && basis->across ? sfgp_dense_cholesky(context, "posterior: A", s, sum->across)
                                              : status;
}

sfgp_status sfgp_normal_solve(sfgp_context *context, const sfgp_basis *basis, const sfgp_prior *prior,
                              double *block)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    const sfgp_normal sum = sfgp_normal_parts(basis, block);
    sfgp_normal_add_prior(basis, prior, &sum);
    sfgp_status status = factorise_scalar(context, basis, &sum);
    if (status != SFGP_OK)
        return status;
    sfgp_prior_add_precision(NULL, -1, p, sum.pca);
    for (int64_t axis = 0; axis < d; axis++) {
        sfgp_dense_solve_lower(s, p, sum.scalar, sum.cross + axis * s * p);
        sfgp_dense_gram(s, p, -1.0, sum.cross + axis * s * p, sum.pca);
    }
    if ((status = sfgp_dense_cholesky(context, "posterior: complement of A", p, sum.pca)) == SFGP_OK)
        sfgp_normal_solve_again(basis, block);
    return status;
}

static double log_diagonal(int64_t m, const double *l)
{
    double sum = 0;
    for (int64_t k = 0; k < m; k++)
        sum += log(l[k * m + k]);
    return sum;
}

double sfgp_normal_log_determinant(const sfgp_basis *basis, double *block)
{
    const sfgp_normal sum = sfgp_normal_parts(basis, block);
    const int64_t s = basis->scalar.rank;
    const double shared = (double)(basis->dimension - (basis->across ? 1 : 0));
    return 2 * (shared * log_diagonal(s, sum.scalar) + (basis->across ? log_diagonal(s, sum.across) : 0) +
                log_diagonal(basis->pca.modes, sum.pca));
}

/* ---- prediction -------------------------------------------------------------------------------------- */

static double squared_norm(int64_t n, const double *x)
{
    return sfgp_dense_dot(n, x, x);
}

/* variance = (variance (d - 1) + |row of B_s / L_s' of the axis with a prior of its own|^2) / d. Overwrites t. */
static void predict_across(const sfgp_basis *basis, const sfgp_normal *sum, int64_t first, int64_t n,
                           double *t, double *variance)
{
    const int64_t s = basis->scalar.rank, d = basis->dimension;
    memcpy(t, basis->scalar.values + first * s, (size_t)(n * s) * sizeof *t);
    sfgp_dense_solve_rows(n, s, sum->across, t);
    for (int64_t i = 0; i < n; i++)
        variance[first + i] += (squared_norm(s, t + i * s) - variance[first + i]) / (double)d;
}

/* Rows T = B_s / L_s', then (B_p,a - T X_a) / L_p' for each axis a: their squared norms add up to d p_i. */
static void predict_variance(const sfgp_basis *basis, const sfgp_normal *sum, int64_t first, int64_t n,
                             double *buffer, double *variance)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    double *t = buffer, *rest = buffer + BLOCK * s;
    memcpy(t, basis->scalar.values + first * s, (size_t)(n * s) * sizeof *t);
    sfgp_dense_solve_rows(n, s, sum->scalar, t);
    for (int64_t i = 0; i < n; i++)
        variance[first + i] = squared_norm(s, t + i * s);
    if (basis->across)
        predict_across(basis, sum, first, n, t, variance);
    for (int64_t axis = 0; axis < d && p > 0; axis++) {
        for (int64_t i = 0; i < n; i++)
            memcpy(rest + i * p, basis->pca.factor + ((first + i) * d + axis) * p, (size_t)p * sizeof *rest);
        sfgp_dense_multiply(n, s, p, -1.0, t, s, sum->cross + axis * s * p, rest, p);
        sfgp_dense_solve_rows(n, p, sum->pca, rest);
        for (int64_t i = 0; i < n; i++)
            variance[first + i] += squared_norm(p, rest + i * p) / (double)d;
    }
}

void sfgp_normal_predict(const sfgp_basis *basis, double *block, int64_t first, int64_t end, double *buffer,
                         double *mean, double *variance)
{
    const sfgp_normal sum = sfgp_normal_parts(basis, block);
    for (int64_t at = first; at < end; at += BLOCK) {
        const int64_t n = end - at < BLOCK ? end - at : BLOCK;
        sfgp_basis_multiply(basis, sum.right_scalar, at, at + n, mean);
        if (variance)
            predict_variance(basis, &sum, at, n, buffer, variance);
    }
}
