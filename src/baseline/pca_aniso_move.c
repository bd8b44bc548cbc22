/* M-steps of PCA_ANISO. With C^-1/2 = (I + g n n') / sqrt(k), g = 1/sqrt(a) - 1, the rows of
 *
 *     sqrt(nu_i / v) C_i^-1/2 [B_i, label_i - mean_i]        (d rows a point, m + 1 columns)
 *
 * have the Gram matrix that contains both sums of the normal equations. */
#include "baseline/pca_aniso.h"
#include "base/lanes.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define VARIANCE_LEAST 1e-12 /* 1e-6 RMS radii is below any scanner */

/* B_i (d x m) and label_i - mean_i (d). */
static void plain_rows(const sfgp_aniso *fit, int64_t i, double *rows, double *label)
{
    const sfgp_model *model = fit->model;
    const int64_t s = model->basis.scalar.rank, p = model->basis.pca.modes, d = model->dimension,
                  m = fit->size;
    for (int64_t a = 0; a < d; a++) {
        double *row = rows + a * m;
        memset(row, 0, (size_t)(s * d) * sizeof *row);
        for (int64_t k = 0; k < s; k++)
            row[k * d + a] = model->basis.scalar.values[i * s + k];
        if (p > 0)
            memcpy(row + s * d, model->basis.pca.factor + (i * d + a) * p, (size_t)p * sizeof *row);
        label[a] =
            fit->points[i * d + a] + fit->first[i * d + a] / fit->mass[i] - model->basis.mean[i * d + a];
    }
}

/* One column of the rows: x <- w (x + g n (n'x)). */
static void whiten_column(int64_t d, int64_t stride, const double *n, double w, double g, double *x)
{
    double height = 0;
    for (int64_t a = 0; a < d; a++)
        height += n[a] * x[a * stride];
    for (int64_t a = 0; a < d; a++)
        x[a * stride] = w * (x[a * stride] + g * n[a] * height);
}

static void whiten(const sfgp_aniso *fit, int64_t i, double *rows, double *label)
{
    const int64_t d = fit->model->dimension;
    const double a = fit->settings.anisotropy, k = (double)d / ((double)d - 1 + a);
    const double w = sqrt(fit->mass[i] / (fit->variance * k)), g = 1 / sqrt(a) - 1;
    for (int64_t column = 0; column < fit->size; column++)
        whiten_column(d, fit->size, fit->normals + i * d, w, g, rows + column);
    whiten_column(d, 1, fit->normals + i * d, w, g, label);
}

static void add_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const sfgp_aniso *fit = data;
    const int64_t m = fit->size, d = fit->model->dimension;
    double *gram = fit->lane_normal + lane * (m * m + m), *right = gram + m * m;
    double *rows = fit->lane_rows + lane * SFGP_ANISO_BLOCK * d * (m + 1);
    double *labels = rows + SFGP_ANISO_BLOCK * d * m;
    int64_t filled = 0;
    memset(gram, 0, (size_t)(m * m + m) * sizeof *gram);
    for (int64_t i = first; i < end; i++) {
        if (fit->mass[i] > 0) {
            plain_rows(fit, i, rows + filled * d * m, labels + filled * d);
            whiten(fit, i, rows + filled * d * m, labels + filled * d);
            filled++;
        }
        if (filled == SFGP_ANISO_BLOCK || i == end - 1) {
            sfgp_dense_gram(filled * d, m, 1.0, rows, gram);
            sfgp_dense_cross(filled * d, m, 1, 1.0, rows, labels, right);
            filled = 0;
        }
    }
}

/* (I + gram) c = right by Cholesky; the sums of the lanes end in lane 0. */
static sfgp_status solve(sfgp_context *context, sfgp_aniso *fit)
{
    const int64_t m = fit->size, size = m * m + m;
    double *gram = fit->lane_normal, *right = gram + m * m;
    for (int lane = 1; lane < SFGP_LANES; lane++)
        for (int64_t k = 0; k < size; k++)
            gram[k] += fit->lane_normal[lane * size + k];
    for (int64_t k = 0; k < m; k++)
        gram[k * m + k] += 1;
    sfgp_status status = sfgp_dense_cholesky(context, "pca-aniso: I + B'WB", m, gram);
    if (status != SFGP_OK)
        return status;
    sfgp_dense_solve_lower(m, 1, gram, right);
    sfgp_dense_solve_lower_transposed(m, 1, gram, right);
    memcpy(fit->c, right, (size_t)m * sizeof *right);
    return SFGP_OK;
}

static void move_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const sfgp_aniso *fit = data;
    (void)lane;
    sfgp_basis_multiply(&fit->model->basis, fit->c, first, end, fit->moved);
}

sfgp_status sfgp_aniso_move(sfgp_context *context, sfgp_aniso *fit)
{
    sfgp_lanes_run(fit->model->count, add_lane, fit);
    sfgp_status status = solve(context, fit);
    if (status != SFGP_OK)
        return status;
    sfgp_lanes_run(fit->model->count, move_lane, fit);
    return SFGP_OK;
}

/* sum_j P_ij q_ij about the moved point, from the moments about the old point shifted by t, so that no digits
 * cancel. */
static double moved_spread(const sfgp_aniso *fit, int64_t i)
{
    const int64_t d = fit->model->dimension;
    const double *n = fit->normals + i * d, *first = fit->first + i * d;
    const double a = fit->settings.anisotropy, k = (double)d / ((double)d - 1 + a), h = 1 / a - 1;
    double plain = 0, height_t = 0, height_rest = 0;
    for (int64_t axis = 0; axis < d; axis++) {
        double t = fit->moved[i * d + axis] - fit->points[i * d + axis];
        double rest = fit->mass[i] * t - 2 * first[axis];
        plain += t * rest;
        height_t += n[axis] * t;
        height_rest += n[axis] * rest;
    }
    return fmax(fit->second[i] + (plain + h * height_t * height_rest) / k, 0);
}

double sfgp_aniso_accept(sfgp_aniso *fit, double mass)
{
    const int64_t n = fit->model->count, d = fit->model->dimension;
    double sum = 0, motion = 0;
    for (int64_t i = 0; i < n; i++) {
        double square = 0;
        for (int64_t k = i * d; k < i * d + d; k++)
            square += (fit->moved[k] - fit->points[k]) * (fit->moved[k] - fit->points[k]);
        motion += sqrt(square);
        sum += moved_spread(fit, i);
    }
    fit->variance = fmax(sum / ((double)d * mass), VARIANCE_LEAST);
    memcpy(fit->points, fit->moved, (size_t)(n * d) * sizeof(double));
    sfgp_normals_estimate(&fit->neighbours, fit->points, fit->normals);
    return motion / (double)n;
}
