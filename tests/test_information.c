/* Variance from the observed information against dense sums in long double, and against second differences of
 * the log posterior of the mixture itself. */
#include "support/corrupt.h"
#include "support/shapes.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "gpr/information.h"
#include "gpr/normal.h"
#include "gpr/score.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

#define OMEGA 0.1

/* A spacing of the small shapes, squared RMS radii, so that labels are soft. */
static double spacing2(int d)
{
    return d == 2 ? 0.03 : 0.12;
}

typedef struct scene {
    int n, m, d, size; /* reference points, target points, axes, coefficients */
    sfgp_model *model;
    sfgp_posterior posterior;
    sfgp_kdtree *tree;
    sfgp_responsibilities responsibilities;
    sfgp_estep_rule rule;
    double *target, *fitted, *sigma2, *none, *weights, *deltas;
    double *landmark_weights, *landmark_labels; /* N, N x d; NULL without landmarks */
    real *b;                                    /* n d x size */
} scene;

/* ---- the scene ---------------------------------------------------------------------------------------- */

static sfgp_model *model_of(sfgp_context *context, const test_shapes *shapes, const char *kernel, int rank)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, kernel);
    settings.rank = rank;
    settings.accuracy = 1e-2; /* the rank is what counts */
    return test_shapes_model(context, shapes, shapes->training_count, &settings);
}

/* B as ALGORITHM has it: [B_pca, B_scalar (x) I_d], a row for every coordinate. */
static real *factor_of(const sfgp_model *model, int size)
{
    const int64_t s = model->basis.scalar.rank, p = model->basis.pca.modes, d = model->dimension;
    real *b = calloc((size_t)(model->count * d * size), sizeof *b);
    for (int64_t row = 0; row < model->count * d; row++) {
        for (int64_t k = 0; k < p; k++)
            b[row * size + k] = model->basis.pca.factor[row * p + k];
        for (int64_t k = 0; k < s; k++)
            b[row * size + p + k * d + row % d] = model->basis.scalar.values[row / d * s + k];
    }
    return b;
}

static scene scene_new(sfgp_context *context, int n, int d, int training, const char *kernel, int rank,
                       double sigma2)
{
    test_shapes *shapes = test_shapes_new(n, d, training, 4);
    scene s = {.n = n, .m = shapes->m, .d = d, .model = model_of(context, shapes, kernel, rank)};
    const size_t row = (size_t)d * sizeof(double);
    s.size = (int)sfgp_basis_size(&s.model->basis);
    s.b = factor_of(s.model, s.size);
    s.target = calloc((size_t)s.m, row), s.fitted = calloc((size_t)n, row);
    s.deltas = calloc((size_t)n, row), s.sigma2 = calloc((size_t)n, sizeof *s.sigma2);
    s.none = calloc((size_t)n, sizeof *s.none), s.weights = calloc((size_t)n, sizeof *s.weights);
    sfgp_frame_enter(&s.model->frame, s.m, shapes->target, s.target);
    memcpy(s.fitted, s.model->basis.mean, (size_t)n * row);
    for (int i = 0; i < n; i++)
        s.sigma2[i] = sigma2 * (1 + 0.2 * (i % 3));
    s.rule = (sfgp_estep_rule){.omega = OMEGA, .density = 1.0 / s.m, .prune = 1e-300};
    sfgp_assert_ok(context, sfgp_posterior_new(context, &s.model->basis, &s.posterior));
    sfgp_assert_ok(context, sfgp_responsibilities_new(context, n, d, true, &s.responsibilities));
    sfgp_assert_ok(context,
                   sfgp_responsibilities_reserve(context, s.m, (int64_t)n * s.m, &s.responsibilities));
    sfgp_assert_ok(context, sfgp_kdtree_new(context, s.m, d, s.target, &s.tree));
    test_shapes_free(shapes);
    return s;
}

static void scene_free(scene *s)
{
    sfgp_posterior_clear(&s->posterior);
    sfgp_responsibilities_clear(&s->responsibilities);
    sfgp_kdtree_free(s->tree);
    sfgp_model_free(s->model);
    free(s->target), free(s->fitted), free(s->deltas), free(s->sigma2), free(s->none), free(s->weights);
    free(s->landmark_weights), free(s->landmark_labels), free(s->b);
}

/* Two points of the reference are seen where they were, twice as exactly as a label would have it. */
static void add_landmarks(sfgp_context *context, scene *s)
{
    s->landmark_weights = calloc((size_t)s->n, sizeof(double));
    s->landmark_labels = calloc((size_t)s->n, (size_t)s->d * sizeof(double));
    s->landmark_weights[1] = s->landmark_weights[s->n / 2] = 2 / spacing2(s->d);
    for (int a = 0; a < s->d; a++)
        s->landmark_labels[s->d + a] = 0.1 * (a + 1);
    sfgp_assert_ok(context, sfgp_allocate(context, s->posterior.normal_size, &s->posterior.landmarks));
    sfgp_normal_accumulate(&s->model->basis, s->landmark_weights, s->landmark_labels, 0, s->n,
                           s->posterior.landmarks, s->posterior.buffers);
}

static void label(sfgp_context *context, scene *s)
{
    const sfgp_estep_state state = {s->fitted, s->none, s->sigma2};
    sfgp_assert_ok(context,
                   sfgp_estep_soft(context, &s->rule, s->tree, s->target, state, &s->responsibilities));
}

/* One EM step without variance terms; returns the largest motion. */
static double step(sfgp_context *context, scene *s)
{
    double motion = 0;
    label(context, s);
    for (int i = 0; i < s->n; i++) {
        const double n = s->responsibilities.weight[i];
        s->weights[i] = n / s->sigma2[i];
        for (int k = i * s->d; k < (i + 1) * s->d; k++)
            s->deltas[k] =
                n > 0 ? s->fitted[k] + s->responsibilities.shift[k] / n - s->model->basis.mean[k] : 0;
    }
    sfgp_assert_ok(context, sfgp_posterior_update(context, s->weights, s->deltas, &s->posterior));
    for (int k = 0; k < s->n * s->d; k++) {
        motion = fmax(motion, fabs(s->posterior.mean[k] - s->fitted[k]));
        s->fitted[k] = s->posterior.mean[k];
    }
    return motion;
}

/* To the maximum, and labels there. */
static void converge(sfgp_context *context, scene *s)
{
    int left = 20000;
    while (step(context, s) > 1e-14 && left > 0)
        left--;
    assert_true(left > 0);
    label(context, s);
}

static sfgp_status set_variance(sfgp_context *context, const scene *s, double weight, double *variance)
{
    const sfgp_observed observed = {s->posterior.basis, &s->responsibilities, s->target, s->fitted,
                                    s->sigma2};
    return sfgp_information_variance(context, &s->posterior, &observed, weight, variance);
}

static double *variance_of(sfgp_context *context, const scene *s, int threads)
{
    sfgp_test_threads(threads);
    double *variance = calloc((size_t)s->n, sizeof *variance);
    sfgp_assert_ok(context, set_variance(context, s, 1, variance));
    return variance;
}

/* ---- dense -------------------------------------------------------------------------------------------- */

static real phi(const scene *s, int i, int j, const real *points)
{
    const real v = s->sigma2[i];
    real square = 0;
    for (int a = 0; a < s->d; a++)
        square += (s->target[j * s->d + a] - points[i * s->d + a]) *
                  (s->target[j * s->d + a] - points[i * s->d + a]);
    return powl(2 * acosl(-1) * v, -0.5L * s->d) * expl(-square / (2 * v));
}

static real density_of(const scene *s, int j, const real *points)
{
    real sum = OMEGA / (1 - (real)OMEGA) * s->n * s->rule.density;
    for (int i = 0; i < s->n; i++)
        sum += phi(s, i, j, points);
    return sum;
}

/* h += factor x x' */
static void add_square(int size, real factor, const real *x, real *h)
{
    for (int k = 0; k < size && factor != 0; k++)
        for (int l = 0; l < size; l++)
            h[k * size + l] += factor * x[k] * x[l];
}

/* y = B_i'x */
static void pull(const scene *s, int i, const real *x, real *y)
{
    memset(y, 0, (size_t)s->size * sizeof *y);
    for (int a = 0; a < s->d; a++)
        for (int k = 0; k < s->size; k++)
            y[k] += x[a] * s->b[(i * s->d + a) * s->size + k];
}

/* Target point j: sum_i P_ij (B_i'B_i / v_i - (B_i'u)(B_i'u)' / v_i^2) + g g'. */
static void add_target(const scene *s, int j, const real *points, real *h)
{
    real *g = calloc((size_t)s->size, sizeof *g), *one = calloc((size_t)s->size, sizeof *one), u[3];
    const real all = density_of(s, j, points);
    for (int i = 0; i < s->n; i++) {
        const real p = phi(s, i, j, points) / all, v = s->sigma2[i];
        for (int a = 0; a < s->d; a++) {
            u[a] = (s->target[j * s->d + a] - points[i * s->d + a]) / v;
            add_square(s->size, p > 1e-25L ? p / v : 0, s->b + (i * s->d + a) * s->size, h);
        }
        pull(s, i, u, one);
        add_square(s->size, p > 1e-25L ? -p : 0, one, h);
        for (int k = 0; k < s->size; k++)
            g[k] += p * one[k];
    }
    add_square(s->size, 1, g, h);
    free(g), free(one);
}

static real *dense_information(const scene *s)
{
    real *h = calloc((size_t)(s->size * s->size), sizeof *h),
         *points = calloc((size_t)(s->n * s->d), sizeof *points);
    for (int k = 0; k < s->n * s->d; k++)
        points[k] = s->fitted[k];
    for (int k = 0; k < s->size; k++)
        h[k * s->size + k] = 1;
    for (int j = 0; j < s->m; j++)
        add_target(s, j, points, h);
    for (int row = 0; s->landmark_weights && row < s->n * s->d; row++)
        add_square(s->size, s->landmark_weights[row / s->d], s->b + row * s->size, h);
    free(points);
    return h;
}

/* One rotation of Jacobi's method: entry (k, l) of a goes to 0. */
static void rotate(int n, real *a, real *v, int k, int l)
{
    const real angle = atan2l(2 * a[k * n + l], a[l * n + l] - a[k * n + k]) / 2, c = cosl(angle),
               s = sinl(angle);
    for (int pass = 0; pass < 2; pass++) /* columns of a and v, then rows of a */
        for (int r = 0; r < n; r++) {
            real *x = pass == 0 ? a + r * n + k : a + k * n + r,
                 *y = pass == 0 ? a + r * n + l : a + l * n + r;
            const real old = *x;
            *x = c * old - s * *y;
            *y = s * old + c * *y;
        }
    for (int r = 0; r < n; r++) {
        const real old = v[r * n + k];
        v[r * n + k] = c * old - s * v[r * n + l];
        v[r * n + l] = s * old + c * v[r * n + l];
    }
}

/* Eigenvectors to the columns of v, eigenvalues to the diagonal of a. */
static void jacobi(int n, real *a, real *v)
{
    for (int k = 0; k < n * n; k++)
        v[k] = k % (n + 1) == 0;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int k = 0; k < n; k++)
            for (int l = k + 1; l < n; l++)
                rotate(n, a, v, k, l);
}

/* p_i = trace(B_i H^-1 B_i') / d with no eigenvalue of H (destroyed) below 1; the least one to *least. */
static real *dense_variance(const scene *s, real *h, real *least)
{
    const int size = s->size;
    real *v = calloc((size_t)(size * size), sizeof *v), *variance = calloc((size_t)s->n, sizeof *variance);
    jacobi(size, h, v);
    *least = INFINITY;
    for (int k = 0; k < size; k++) {
        *least = fminl(*least, h[k * size + k]);
        for (int row = 0; row < s->n * s->d; row++) {
            real along = 0;
            for (int r = 0; r < size; r++)
                along += s->b[row * size + r] * v[r * size + k];
            variance[row / s->d] += along * along / fmaxl(h[k * size + k], 1) / s->d;
        }
    }
    free(v);
    return variance;
}

static void assert_close(const scene *s, const double *ours, const real *exact, double relative)
{
    for (int i = 0; i < s->n; i++)
        if (!(fabsl(ours[i] - exact[i]) <= relative * exact[i]))
            fail_msg("point %d: %g, dense %g", i, ours[i], (double)exact[i]);
}

/* Against the dense sums; the least eigenvalue. 1e-11: 1e-16 times the condition of H, below 1e5 here. */
static real compare(sfgp_context *context, const scene *s)
{
    real *h = dense_information(s), least, *exact = dense_variance(s, h, &least);
    double *ours = variance_of(context, s, 1);
    assert_close(s, ours, exact, 1e-11);
    for (int i = 0; i < s->n; i++)
        assert_true(ours[i] > 0 && ours[i] <= sfgp_basis_variance(&s->model->basis, i) * (1 + 1e-12));
    free(ours), free(exact), free(h);
    return least;
}

/* ---- second differences ------------------------------------------------------------------------------- */

/* Log posterior of the mixture, at fitted + B c: the prior's mean is where the coefficients are -origin. */
static real log_posterior(const scene *s, const real *origin, const real *c)
{
    real *points = calloc((size_t)(s->n * s->d), sizeof *points), sum = 0;
    for (int row = 0; row < s->n * s->d; row++) {
        points[row] = s->fitted[row];
        for (int k = 0; k < s->size; k++)
            points[row] += s->b[row * s->size + k] * c[k];
        if (s->landmark_weights) {
            const real off = s->model->basis.mean[row] + s->landmark_labels[row] - points[row];
            sum -= s->landmark_weights[row / s->d] * off * off / 2;
        }
    }
    for (int j = 0; j < s->m; j++)
        sum += logl(density_of(s, j, points));
    for (int k = 0; k < s->size; k++)
        sum -= (origin[k] + c[k]) * (origin[k] + c[k]) / 2;
    free(points);
    return sum;
}

/* Coefficients of the last M-step, in the order of factor_of. */
static real *coefficients(const scene *s)
{
    const int64_t rank = s->model->basis.scalar.rank, p = s->model->basis.pca.modes;
    const sfgp_normal solved = sfgp_normal_parts(&s->model->basis, s->posterior.lane_normals);
    real *c = calloc((size_t)s->size, sizeof *c);
    for (int64_t k = 0; k < p; k++)
        c[k] = solved.right_pca[k];
    for (int64_t k = 0; k < rank * s->d; k++)
        c[p + k] = solved.right_scalar[k];
    return c;
}

static real at(const scene *s, const real *origin, int k, real x, int l, real y)
{
    real *c = calloc((size_t)s->size, sizeof *c);
    c[k] += x, c[l] += y;
    const real value = log_posterior(s, origin, c);
    free(c);
    return value;
}

/* Slope in coefficient k, error h^4. */
static real slope(const scene *s, const real *origin, int k, real h)
{
    return (8 * (at(s, origin, k, h, k, 0) - at(s, origin, k, -h, k, 0)) -
            (at(s, origin, k, 2 * h, k, 0) - at(s, origin, k, -2 * h, k, 0))) /
           (12 * h);
}

static real curvature(const scene *s, const real *origin, int k, int l, real h)
{
    return (at(s, origin, k, h, l, h) - at(s, origin, k, h, l, -h) - at(s, origin, k, -h, l, h) +
            at(s, origin, k, -h, l, -h)) /
           (4 * h * h);
}

/* Minus the second derivative; Richardson's step makes the error of order h^4 = 2e-11, rounding is 1e-19 of
 * the log posterior over h^2. */
static real *differences(const scene *s, const real *origin)
{
    const real h = 2e-3L;
    real *matrix = calloc((size_t)(s->size * s->size), sizeof *matrix);
    for (int k = 0; k < s->size; k++)
        for (int l = 0; l < s->size; l++)
            matrix[k * s->size + l] =
                -(4 * curvature(s, origin, k, l, h / 2) - curvature(s, origin, k, l, h)) / 3;
    return matrix;
}

/* The maximum is one, and the information there is the curvature of what was maximised. */
static void assert_information_is_curvature(sfgp_context *context, const scene *s)
{
    real *origin = coefficients(s), *dense = dense_information(s), *h = differences(s, origin), least,
         size = 0;
    for (int k = 0; k < s->size * s->size; k++)
        size = fmaxl(size, fabsl(dense[k]));
    for (int k = 0; k < s->size; k++)
        if (!(fabsl(slope(s, origin, k, 2e-3L)) < 1e-9L * size))
            fail_msg("not a maximum: slope %g", (double)slope(s, origin, k, 2e-3L));
    for (int k = 0; k < s->size * s->size; k++)
        if (!(fabsl(dense[k] - h[k]) < 1e-9L * size))
            fail_msg("entry %d: %g, differences %g", k, (double)dense[k], (double)h[k]);
    real *exact = dense_variance(s, h, &least);
    double *ours = variance_of(context, s, 1);
    assert_true(least > 0);
    assert_close(s, ours, exact, 1e-9);
    for (int i = 0; i < s->n; i++) /* it is more than what complete data would leave */
        assert_true(ours[i] > s->posterior.variance[i]);
    free(ours), free(exact), free(h), free(dense), free(origin);
}

static void at_a_maximum(sfgp_context *context, int n, int d, int training, const char *kernel,
                         bool landmarks)
{
    scene s = scene_new(context, n, d, training, kernel, 4, spacing2(d));
    if (landmarks)
        add_landmarks(context, &s);
    converge(context, &s);
    compare(context, &s);
    assert_information_is_curvature(context, &s);
    scene_free(&s);
}

/* ---- tests -------------------------------------------------------------------------------------------- */

static const char *const KERNEL = "se:length=1,variance=0.1";

static void pca_and_scalar_is_the_curvature_in_2d(void **state)
{
    at_a_maximum(*state, 12, 2, 4, KERNEL, false);
}

static void pca_and_scalar_is_the_curvature_in_3d(void **state)
{
    at_a_maximum(*state, 10, 3, 4, KERNEL, false);
}

static void one_part_of_the_prior_is_the_curvature(void **state)
{
    at_a_maximum(*state, 12, 2, 0, KERNEL, false);
    at_a_maximum(*state, 10, 3, 4, "none", false);
}

static void landmarks_are_complete_information(void **state)
{
    at_a_maximum(*state, 12, 2, 4, KERNEL, true);
    at_a_maximum(*state, 10, 3, 4, KERNEL, true);
}

/* Far from a maximum the curvature can be that of a valley: the prior is what is known then. */
static void no_variance_exceeds_the_prior(void **state)
{
    for (int d = 2; d <= 3; d++) {
        scene s = scene_new(*state, 12, d, 4, KERNEL, 4, 0.03);
        for (int k = 0; k < s.n * d; k++)
            s.fitted[k] += 0.25 * (k % d == 0);
        label(*state, &s);
        const real least = compare(*state, &s);
        if (!(least < 0))
            fail_msg("least eigenvalue %g: nothing was clamped", (double)least);
        scene_free(&s);
    }
}

/* Several blocks in every lane. */
static void many_points_agree_with_dense_sums(void **state)
{
    scene s = scene_new(*state, 1300, 2, 3, KERNEL, 5, 1e-3);
    s.rule.pmin = 1e-2; /* of the M-step: what it leaves out is information all the same */
    for (int iteration = 0; iteration < 30; iteration++)
        step(*state, &s);
    label(*state, &s);
    compare(*state, &s);
    scene_free(&s);
}

/* sum_j g_j g_j' of lanes, from P in slices of so many entries. */
static double *scores(sfgp_context *context, const scene *s, int64_t most_entries, int threads)
{
    const sfgp_observed observed = {&s->model->basis, &s->responsibilities, s->target, s->fitted, s->sigma2};
    const int m = s->size;
    double *sums = calloc((size_t)(SFGP_LANES * m * m), sizeof *sums),
           *buffers = calloc((size_t)(SFGP_LANES * SFGP_SCORE_BLOCK * m), sizeof *buffers);
    sfgp_test_threads(threads);
    sfgp_assert_ok(context, sfgp_score_gram(context, &observed, most_entries, buffers, sums));
    for (int k = m * m; k < SFGP_LANES * m * m; k++)
        sums[k % (m * m)] += sums[k];
    free(buffers);
    return sums;
}

/* However few rows of P fit at a time, down to one. */
static void slices_of_labels_give_the_same_sum(void **state)
{
    const int64_t most[] = {0, 1, 1000, 54321};
    scene s = scene_new(*state, 300, 3, 3, KERNEL, 5, 1e-2);
    label(*state, &s);
    double *whole = scores(*state, &s, INT64_MAX, 1), largest = 0;
    for (int k = 0; k < s.size; k++)
        largest = fmax(largest, whole[k * s.size + k]);
    assert_true(largest > 1);
    for (int t = 0; t < 4; t++) {
        double *cut = scores(*state, &s, most[t], 2);
        for (int k = 0; k < s.size * s.size; k++) /* 1e-16 times the terms, a few hundred */
            assert_true(fabs(cut[k] - whole[k]) <= 1e-13 * largest);
        free(cut);
    }
    free(whole);
    scene_free(&s);
}

static void threads_do_not_change_a_bit(void **state)
{
    scene s = scene_new(*state, 700, 3, 3, KERNEL, 7, 5e-3);
    for (int iteration = 0; iteration < 5; iteration++)
        step(*state, &s);
    label(*state, &s);
    double *one = variance_of(*state, &s, 1);
    for (int threads = 2; threads <= 5; threads++) {
        double *more = variance_of(*state, &s, threads);
        assert_memory_equal(more, one, (size_t)s.n * sizeof *one);
        free(more);
    }
    free(one);
    scene_free(&s);
}

/* No labels: the prior. No columns: nothing to say. */
static void limits_of_the_information(void **state)
{
    scene s = scene_new(*state, 12, 2, 4, KERNEL, 4, spacing2(2));
    for (int k = 0; k < s.n * s.d; k++)
        s.fitted[k] += 1e3;
    label(*state, &s);
    assert_int_equal(s.responsibilities.missing, s.n);
    double *variance = variance_of(*state, &s, 1);
    for (int i = 0; i < s.n; i++)
        assert_true(fabs(variance[i] / sfgp_basis_variance(&s.model->basis, i) - 1) < 1e-12);
    variance[3] = 42;
    const int64_t rank = s.model->basis.scalar.rank, modes = s.model->basis.pca.modes;
    s.model->basis.scalar.rank = s.model->basis.pca.modes = 0;
    sfgp_assert_ok(*state, set_variance(*state, &s, 1, variance));
    assert_true(variance[3] == 42);
    s.model->basis.scalar.rank = rank, s.model->basis.pca.modes = modes;
    free(variance);
    scene_free(&s);
}

/* Target points that count for nothing leave the prior, those that count for less more of it. */
static void points_count_by_their_weight(void **state)
{
    scene s = scene_new(*state, 12, 2, 4, KERNEL, 4, spacing2(2));
    double variance[3][12];
    const double weight[3] = {1, 0.25, 0};
    label(*state, &s);
    for (int k = 0; k < 3; k++)
        sfgp_assert_ok(*state, set_variance(*state, &s, weight[k], variance[k]));
    for (int i = 0; i < 12; i++) {
        const double prior = sfgp_basis_variance(&s.model->basis, i);
        assert_true(variance[0][i] < variance[1][i] && variance[1][i] < prior);
        assert_true(fabs(variance[2][i] - prior) < 1e-9 * prior);
    }
    scene_free(&s);
}

static void what_is_not_finite_is_an_error(void **state)
{
    scene s = scene_new(*state, 12, 2, 4, KERNEL, 4, spacing2(2));
    double variance[12];
    label(*state, &s);
    s.sigma2[5] = NAN;
    sfgp_assert_status(*state, set_variance(*state, &s, 1, variance), SFGP_ERROR_NUMERIC);
    scene_free(&s);
}

static sfgp_status work(sfgp_context *context, void *user)
{
    const scene *s = user;
    double variance[12];
    return set_variance(context, s, 1, variance);
}

static void memory_runs_out_cleanly(void **state)
{
    scene s = scene_new(*state, 12, 2, 4, KERNEL, 4, spacing2(2));
    label(*state, &s);
    assert_true(sfgp_sweep_allocations(*state, work, &s) >= 8);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(pca_and_scalar_is_the_curvature_in_2d),
        sfgp_unit_test(pca_and_scalar_is_the_curvature_in_3d),
        sfgp_unit_test(one_part_of_the_prior_is_the_curvature),
        sfgp_unit_test(landmarks_are_complete_information),
        sfgp_unit_test(no_variance_exceeds_the_prior),
        sfgp_unit_test(many_points_agree_with_dense_sums),
        sfgp_unit_test(slices_of_labels_give_the_same_sum),
        sfgp_unit_test(threads_do_not_change_a_bit),
        sfgp_unit_test(limits_of_the_information),
        sfgp_unit_test(points_count_by_their_weight),
        sfgp_unit_test(what_is_not_finite_is_an_error),
        sfgp_unit_test(memory_runs_out_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
