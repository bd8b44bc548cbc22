/* The M-step with a field along the surface in its sparse form. Equations in markov.h. */
#include "gpr/markov.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "gpr/normal.h"
#include "linalg/dense.h"
#include "linalg/symmetric.h"

#include <string.h>

#define BLOCK SFGP_NORMAL_BLOCK

/* ---- memory ------------------------------------------------------------------------------------------ */

/* P with the pattern of Q. */
static sfgp_status copy_pattern(sfgp_context *context, const sfgp_sparse *q, sfgp_sparse *p)
{
    const int64_t n = (int64_t)q->form.ncol, entries = sfgp_sparse_start(q)[n];
    sfgp_status status = sfgp_sparse_new(context, n, n, p);
    if (status == SFGP_OK)
        status = sfgp_sparse_reserve(context, entries, p);
    if (status != SFGP_OK)
        return status;
    memcpy(sfgp_sparse_start(p), sfgp_sparse_start(q), (size_t)(n + 1) * sizeof(int32_t));
    memcpy(sfgp_sparse_index(p), sfgp_sparse_index(q), (size_t)entries * sizeof(int32_t));
    return SFGP_OK;
}

sfgp_status sfgp_markov_posterior_new(sfgp_context *context, const sfgp_basis *basis,
                                      sfgp_markov_posterior *made)
{
    const int64_t n = basis->count, d = basis->dimension;
    sfgp_status status = SFGP_OK;
    *made = (sfgp_markov_posterior){.basis = basis};
    if ((status = copy_pattern(context, &basis->field->precision, &made->matrix)) == SFGP_OK &&
        (status = sfgp_ldl_new_ordered(context, &made->matrix, basis->field->order, &made->ldl)) == SFGP_OK &&
        (status = sfgp_basis_new(context, n, (int)d, basis->scalar.rank, basis->pca.modes, &made->left)) ==
            SFGP_OK &&
        (status = sfgp_allocate(context, n, &made->weights)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &made->inverse)) == SFGP_OK &&
        (status = sfgp_allocate(context, n * d, &made->field)) == SFGP_OK)
        status = sfgp_allocate(context, SFGP_LDL_COLUMNS * n, &made->columns);
    return status;
}

void sfgp_markov_posterior_clear(sfgp_markov_posterior *made)
{
    sfgp_sparse_clear(&made->matrix);
    sfgp_ldl_free(made->ldl);
    sfgp_basis_clear(&made->left);
    sfgp_free(made->weights);
    sfgp_free(made->inverse);
    sfgp_free(made->field);
    sfgp_free(made->columns);
    *made = (sfgp_markov_posterior){0};
}

/* ---- elimination of w -------------------------------------------------------------------------------- */

/* A column of B at every point: values[i * stride + offset]. */
typedef struct part {
    const double *from; /* B */
    double *to;         /* Z */
    int64_t stride, count;
} part;

/* Columns first .. first + columns - 1 of Z = B - P^-1 W B. */
static void eliminate_columns(sfgp_markov_posterior *s, const part *all, int64_t first, int columns)
{
    const int64_t n = s->basis->count;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < columns; k++)
            s->columns[k * n + i] = s->weights[i] * all->from[i * all->stride + first + k];
    sfgp_ldl_solve(s->ldl, columns, s->columns);
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < columns; k++)
            all->to[i * all->stride + first + k] =
                all->from[i * all->stride + first + k] - s->columns[k * n + i];
}

static void eliminate_all(sfgp_markov_posterior *s, const part *all)
{
    for (int64_t first = 0; first < all->count; first += SFGP_LDL_COLUMNS) {
        const int64_t left = all->count - first;
        eliminate_columns(s, all, first, left < SFGP_LDL_COLUMNS ? (int)left : SFGP_LDL_COLUMNS);
    }
}

/* The d rows of a point are one of d m_p numbers. */
static void eliminate(sfgp_markov_posterior *s)
{
    const int64_t rank = s->basis->scalar.rank, modes = s->basis->dimension * s->basis->pca.modes;
    const part scalar = {s->basis->scalar.values, s->left.scalar.values, rank, rank},
               pca = {s->basis->pca.factor, s->left.pca.factor, modes, modes};
    eliminate_all(s, &scalar);
    eliminate_all(s, &pca);
}

static void set_matrix(const double *weights, sfgp_markov_posterior *s)
{
    const sfgp_sparse *q = &s->basis->field->precision;
    const int32_t *start = sfgp_sparse_start(q);
    const int64_t n = s->basis->count;
    memcpy(sfgp_sparse_value(&s->matrix), sfgp_sparse_value(q), (size_t)start[n] * sizeof(double));
    memcpy(s->weights, weights, (size_t)n * sizeof *weights);
    for (int64_t i = 0; i < n; i++)
        sfgp_sparse_value(&s->matrix)[start[i]] += weights[i];
}

sfgp_status sfgp_markov_posterior_factorise(sfgp_context *context, const double *weights,
                                            sfgp_markov_posterior *s)
{
    const sfgp_variances_request request = sfgp_markov_variances(s->basis->count);
    s->factored = false;
    set_matrix(weights, s);
    sfgp_status status = sfgp_ldl_factorise(context, &s->matrix, s->ldl);
    if (status == SFGP_OK && sfgp_ldl_negative(s->ldl) > 0)
        status = sfgp_fail(context, SFGP_ERROR_NUMERIC,
                           "field along the surface: Q + W is not positive definite after rounding");
    if (status == SFGP_OK)
        status = sfgp_variances(context, &request, &s->matrix, s->ldl, s->inverse, &s->error);
    if (status != SFGP_OK)
        return status;
    eliminate(s);
    s->factored = true;
    return SFGP_OK;
}

static bool has_changed(const double *weights, const sfgp_markov_posterior *s)
{
    return !s->factored || memcmp(weights, s->weights, (size_t)s->basis->count * sizeof *weights) != 0;
}

/* left.mean = that of the prior + P^-1 W delta. Labels of weight 0 may be anything. */
static void solve_labels(const double *labels, sfgp_markov_posterior *s)
{
    const int64_t n = s->basis->count;
    const int d = s->basis->dimension;
    for (int64_t i = 0; i < n; i++)
        for (int a = 0; a < d; a++)
            s->columns[a * n + i] = s->weights[i] > 0 ? s->weights[i] * labels[i * d + a] : 0;
    sfgp_ldl_solve(s->ldl, d, s->columns);
    for (int64_t i = 0; i < n; i++)
        for (int a = 0; a < d; a++)
            s->left.mean[i * d + a] = s->basis->mean[i * d + a] + s->columns[a * n + i];
}

/* ---- sums -------------------------------------------------------------------------------------------- */

typedef struct task {
    const sfgp_markov_update *update;
    const sfgp_markov_posterior *posterior;
    int64_t normal_size, buffer_size;
} task;

/* The rows of a block in a lane's buffer. */
typedef struct packed {
    double *scalar; /* rows x m_s: W Z */
    double *labels; /* rows x d; 0 for points of weight 0 */
    double *left;   /* rows x m_p: W Z of an axis */
    double *pca;    /* rows x m_p: B of that axis */
    double *label;  /* rows: of that axis */
} packed;

/* The buffer has 2 d + m_s + d m_p numbers for each row, and d is 2 or 3. */
static packed pack_scalar(const task *t, int64_t first, int64_t count, double *buffer)
{
    const sfgp_markov_posterior *s = t->posterior;
    const int64_t m = s->basis->scalar.rank, p = s->basis->pca.modes, d = s->basis->dimension;
    const packed rows = {buffer, buffer + BLOCK * m, buffer + BLOCK * (m + d), buffer + BLOCK * (m + d + p),
                         buffer + BLOCK * (m + d + 2 * p)};
    for (int64_t r = 0; r < count; r++) {
        const double weight = s->weights[first + r], *z = s->left.scalar.values + (first + r) * m;
        for (int64_t k = 0; k < m; k++)
            rows.scalar[r * m + k] = weight * z[k];
        for (int64_t a = 0; a < d; a++)
            rows.labels[r * d + a] = weight > 0 ? t->update->labels[(first + r) * d + a] : 0;
    }
    return rows;
}

static void pack_axis(const task *t, int64_t first, int64_t count, int64_t axis, const packed *rows)
{
    const sfgp_markov_posterior *s = t->posterior;
    const int64_t p = s->basis->pca.modes, d = s->basis->dimension;
    for (int64_t r = 0; r < count; r++) {
        const int64_t at = ((first + r) * d + axis) * p;
        for (int64_t k = 0; k < p; k++) {
            rows->pca[r * p + k] = s->basis->pca.factor[at + k];
            rows->left[r * p + k] = s->weights[first + r] * s->left.pca.factor[at + k];
        }
        rows->label[r] = rows->labels[r * d + axis];
    }
}

/* S - I and Z'W delta of the rows of a block: B_k'W Z_l for all pairs of parts. */
static void add_block(const task *t, int64_t first, int64_t count, double *buffer, const sfgp_normal *sum)
{
    const sfgp_basis *basis = t->posterior->basis;
    const int64_t m = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    const packed rows = pack_scalar(t, first, count, buffer);
    sfgp_dense_cross(count, m, m, 1.0, basis->scalar.values + first * m, rows.scalar, sum->scalar);
    sfgp_dense_cross(count, m, d, 1.0, rows.scalar, rows.labels, sum->right_scalar);
    for (int64_t axis = 0; axis < d && p > 0; axis++) {
        pack_axis(t, first, count, axis, &rows);
        sfgp_dense_cross(count, p, p, 1.0, rows.left, rows.pca, sum->pca);
        sfgp_dense_cross(count, m, p, 1.0, rows.scalar, rows.pca, sum->cross + axis * m * p);
        sfgp_dense_cross(count, p, 1, 1.0, rows.left, rows.label, sum->right_pca);
    }
}

static void add_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const task *t = data;
    double *block = t->update->lane_normals + lane * t->normal_size,
           *buffer = t->update->buffers + lane * t->buffer_size;
    const sfgp_normal sum = sfgp_normal_parts(t->posterior->basis, block);
    memset(block, 0, (size_t)t->normal_size * sizeof *block);
    for (int64_t i = first; i < end; i += BLOCK)
        add_block(t, i, end - i < BLOCK ? end - i : BLOCK, buffer, &sum);
}

static void add_up(const task *t)
{
    double *total = t->update->lane_normals;
    sfgp_lanes_run(t->posterior->basis->count, add_lane, t);
    for (int lane = 1; lane < SFGP_LANES; lane++)
        for (int64_t k = 0; k < t->normal_size; k++)
            total[k] += total[lane * t->normal_size + k];
}

/* ---- mean, variance, divergence ---------------------------------------------------------------------- */

static void predict_lane(const void *data, int lane, int64_t first, int64_t end)
{
    const task *t = data;
    const sfgp_markov_update *update = t->update;
    sfgp_normal_predict(&t->posterior->left, update->lane_normals, first, end,
                        update->buffers + lane * t->buffer_size, update->mean, update->variance);
    for (int64_t i = first; i < end; i++)
        update->variance[i] += t->posterior->inverse[i];
}

/* w = mean - (that of the prior + B c), and its square. */
static void set_field(const sfgp_markov_update *update, sfgp_markov_posterior *s)
{
    const int64_t n = s->basis->count, d = s->basis->dimension;
    const double *c = sfgp_normal_parts(s->basis, update->lane_normals).right_scalar;
    sfgp_basis_multiply(s->basis, c, 0, n, s->field);
    for (int64_t k = 0; k < n * d; k++)
        s->field[k] = update->mean[k] - s->field[k];
    s->square = sfgp_symmetric_square(&s->basis->field->precision, (int)d, s->field);
}

static void predict(const task *t, sfgp_markov_posterior *s)
{
    const sfgp_markov_update *update = t->update;
    const int64_t n = s->basis->count, d = s->basis->dimension;
    sfgp_lanes_run(n, predict_lane, t);
    set_field(update, s);
    *update->covariance = sfgp_normal_log_determinant(s->basis, update->lane_normals) +
                          (double)d * (sfgp_ldl_log_determinant(s->ldl) - s->basis->field->log_determinant -
                                       sfgp_dense_dot(n, update->weights, update->variance));
}

sfgp_status sfgp_markov_posterior_update(sfgp_context *context, const sfgp_markov_update *update,
                                         sfgp_markov_posterior *s)
{
    const task t = {update, s, sfgp_normal_size(s->basis), sfgp_normal_buffer_size(s->basis)};
    sfgp_status status = SFGP_OK;
    if (has_changed(update->weights, s) &&
        (status = sfgp_markov_posterior_factorise(context, update->weights, s)) != SFGP_OK)
        return status;
    solve_labels(update->labels, s);
    add_up(&t);
    status = sfgp_normal_solve(context, s->basis, update->prior, update->lane_normals);
    if (status == SFGP_OK)
        predict(&t, s);
    return status;
}
