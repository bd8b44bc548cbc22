/* The normal equations of quasi-Newton steps in single precision: sums and variance. The limit of the iteration does
 * not depend on them. */
#include "gpr/normal.h"
#include "linalg/single.h"

#include <math.h>
#include <string.h>

#define BLOCK SFGP_NORMAL_BLOCK

static int64_t largest_part(const sfgp_basis *basis)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, widest = s > p ? s : p;
    return widest * widest;
}

int64_t sfgp_normal_single_size(const sfgp_basis *basis)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    return BLOCK * (s + d * p) + largest_part(basis);
}

/* ---- sums -------------------------------------------------------------------------------------------- */

/* Rows of up to BLOCK points, each times the square root of its weight, and memory for their sum. */
typedef struct packed {
    int64_t rows;
    float *scalar; /* rows x m_s */
    float *pca;    /* d times BLOCK x m_p */
    float *sum;
} packed;

static packed packed_in(const sfgp_basis *basis, float *buffer)
{
    float *pca = buffer + BLOCK * basis->scalar.rank;
    return (packed){0, buffer, pca, pca + BLOCK * basis->dimension * basis->pca.modes};
}

static void pack(const sfgp_basis *basis, int64_t i, double weight, packed *rows)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension, r = rows->rows++;
    const double root = sqrt(weight);
    for (int64_t k = 0; k < s; k++)
        rows->scalar[r * s + k] = (float)(root * basis->scalar.values[i * s + k]);
    for (int64_t axis = 0; axis < d; axis++)
        for (int64_t k = 0; k < p; k++)
            rows->pca[(axis * BLOCK + r) * p + k] = (float)(root * basis->pca.factor[(i * d + axis) * p + k]);
}

static void add(int64_t count, const float *x, double *sum)
{
    for (int64_t k = 0; k < count; k++)
        sum[k] += (double)x[k];
}

/* Rows of a lower triangle */
static void add_lower(int64_t m, const float *x, double *sum)
{
    for (int64_t k = 0; k < m; k++)
        add(k + 1, x + k * m, sum + k * m);
}

static void add_rows(const sfgp_basis *basis, packed *rows, const sfgp_normal *sum)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension, n = rows->rows;
    rows->rows = 0;
    if (n == 0)
        return;
    sfgp_single_gram(n, s, rows->scalar, rows->sum);
    add_lower(s, rows->sum, sum->scalar);
    for (int64_t axis = 0; axis < d && p > 0; axis++) {
        const float *modes = rows->pca + axis * BLOCK * p;
        sfgp_single_gram(n, p, modes, rows->sum);
        add_lower(p, rows->sum, sum->pca);
        sfgp_single_cross(n, s, p, rows->scalar, modes, rows->sum);
        add(s * p, rows->sum, sum->cross + axis * s * p);
    }
}

void sfgp_normal_accumulate_single(const sfgp_basis *basis, const double *weights, int64_t first, int64_t end,
                                   double *block, float *buffer)
{
    const sfgp_normal sum = sfgp_normal_parts(basis, block);
    packed rows = packed_in(basis, buffer);
    memset(block, 0, (size_t)sfgp_normal_size(basis) * sizeof *block);
    for (int64_t i = first; i < end; i++) {
        if (weights[i] > 0)
            pack(basis, i, weights[i], &rows);
        if (rows.rows == BLOCK)
            add_rows(basis, &rows, &sum);
    }
    add_rows(basis, &rows, &sum);
}

/* ---- variance ----------------------------------------------------------------------------------------- */

static void narrow(int64_t count, const double *x, float *y)
{
    for (int64_t k = 0; k < count; k++)
        y[k] = (float)x[k];
}

static double squared_norm(int64_t n, const float *x)
{
    float sums[8] = {0};
    double sum = 0;
    int64_t k = 0;
    for (; k + 8 <= n; k += 8)
        for (int lane = 0; lane < 8; lane++)
            sums[lane] += x[k + lane] * x[k + lane];
    for (; k < n; k++)
        sum += (double)(x[k] * x[k]);
    for (int lane = 0; lane < 8; lane++)
        sum += (double)sums[lane];
    return sum;
}

/* As in normal.c */
static void predict_across(const sfgp_basis *basis, const float *factors, int64_t first, int64_t n, float *t,
                           double *variance)
{
    const int64_t s = basis->scalar.rank, d = basis->dimension;
    narrow(n * s, basis->scalar.values + first * s, t);
    sfgp_single_solve_rows(n, s, factors + s * s, t);
    for (int64_t i = 0; i < n; i++)
        variance[first + i] += (squared_norm(s, t + i * s) - variance[first + i]) / (double)d;
}

static void predict_block(const sfgp_basis *basis, const float *factors, int64_t first, int64_t n,
                          float *buffer, double *variance)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    const float *pca = factors + (basis->across ? 2 : 1) * s * s, *cross = pca + p * p;
    float *t = buffer, *rest = buffer + BLOCK * s;
    narrow(n * s, basis->scalar.values + first * s, t);
    sfgp_single_solve_rows(n, s, factors, t);
    for (int64_t i = 0; i < n; i++)
        variance[first + i] = squared_norm(s, t + i * s);
    if (basis->across)
        predict_across(basis, factors, first, n, t, variance);
    for (int64_t axis = 0; axis < d && p > 0; axis++) {
        for (int64_t i = 0; i < n; i++)
            narrow(p, basis->pca.factor + ((first + i) * d + axis) * p, rest + i * p);
        sfgp_single_subtract(n, s, p, t, cross + axis * s * p, rest);
        sfgp_single_solve_rows(n, p, pca, rest);
        for (int64_t i = 0; i < n; i++)
            variance[first + i] += squared_norm(p, rest + i * p) / (double)d;
    }
}

void sfgp_normal_narrow(const sfgp_basis *basis, double *block, float *factors)
{
    narrow(sfgp_normal_parts(basis, block).right_scalar - block, block, factors);
}

void sfgp_normal_predict_single(const sfgp_basis *basis, const float *factors, int64_t first, int64_t end,
                                float *buffer, double *variance)
{
    for (int64_t at = first; at < end; at += BLOCK)
        predict_block(basis, factors, at, end - at < BLOCK ? end - at : BLOCK, buffer, variance);
}
