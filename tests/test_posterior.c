/* The posterior's divergence from its prior, and that it is one, against dense matrices in long double. */
#include "support/shapes.h"
#include "support/support.h"
#include "gpr/normal.h"
#include "gpr/posterior.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

enum { N = 50 };

static sfgp_model *model_of(sfgp_context *context, const test_shapes *shapes, const char *kernel)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, kernel);
    settings.rank = 12;
    settings.accuracy = 0.1; /* the rank is what counts */
    return test_shapes_model(context, shapes, shapes->training_count, &settings);
}

/* Row of B: [B_scalar (x) I_d, B_pca]. */
static real entry(const sfgp_model *model, int64_t row, int64_t column)
{
    const int64_t s = model->basis.scalar.rank, d = model->dimension, p = model->basis.pca.modes;
    if (column >= s * d)
        return model->basis.pca.factor[row * p + column - s * d];
    return column % d == row % d ? model->basis.scalar.values[row / d * s + column / d] : 0;
}

/* a (m x m) to its lower factor. */
static void factorise(int m, real *a)
{
    for (int k = 0; k < m; k++)
        for (int r = k; r < m; r++) {
            for (int l = 0; l < k; l++)
                a[r * m + k] -= a[r * m + l] * a[k * m + l];
            a[r * m + k] = r == k ? sqrtl(a[k * m + k]) : a[r * m + k] / a[k * m + k];
        }
}

static void solve(int m, const real *l, real *x)
{
    for (int r = 0; r < m; r++) {
        for (int k = 0; k < r; k++)
            x[r] -= l[r * m + k] * x[k];
        x[r] /= l[r * m + r];
    }
    for (int r = m - 1; r >= 0; r--) {
        for (int k = r + 1; k < m; k++)
            x[r] -= l[k * m + r] * x[k];
        x[r] /= l[r * m + r];
    }
}

/* Factor of A = I + B'WB (m x m), and c = A \ B'W delta. free() both. */
typedef struct dense {
    int m;
    real *factor, *c;
} dense;

static dense dense_new(const sfgp_model *model, const double *weights, const double *labels)
{
    const int64_t d = model->dimension;
    const int m = (int)(d * model->basis.scalar.rank + model->basis.pca.modes);
    real *a = calloc((size_t)(m * m), sizeof *a), *c = calloc((size_t)m, sizeof *c);
    for (int r = 0; r < m; r++)
        for (int64_t i = 0; i < N * d; i++) {
            const real weighted = weights[i / d] * entry(model, i, r);
            c[r] += weighted * labels[i];
            for (int k = 0; k < m && weighted != 0; k++)
                a[r * m + k] += weighted * entry(model, i, k);
        }
    for (int r = 0; r < m; r++)
        a[r * m + r] += 1;
    factorise(m, a);
    solve(m, a, c);
    return (dense){m, a, c};
}

/* KL(N(c, A^-1), N(0, I)) = (tr A^-1 + |c|^2 - m + ln det A) / 2, A of these weights and c of those. */
static real dense_divergence(const sfgp_model *model, const double *weights_of_a, const double *weights,
                             const double *labels)
{
    dense covariance = dense_new(model, weights_of_a, labels), mean = dense_new(model, weights, labels);
    const int m = mean.m;
    real sum = -m;
    for (int r = 0; r < m; r++) {
        real *unit = calloc((size_t)m, sizeof *unit);
        unit[r] = 1;
        solve(m, covariance.factor, unit);
        sum += unit[r] + mean.c[r] * mean.c[r] + 2 * logl(covariance.factor[r * m + r]);
        free(unit);
    }
    free(covariance.factor), free(covariance.c), free(mean.factor), free(mean.c);
    return sum / 2;
}

static void assert_divergence(const sfgp_posterior *posterior, real exact)
{
    const double ours = sfgp_posterior_divergence(posterior);
    if (!(fabsl(ours - exact) <= 1e-11 * (1 + fabsl(exact))))
        fail_msg("%d axes: %.15g for %.15g", posterior->basis->dimension, ours, (double)exact);
}

/* Weights from 0, a missing point, to 1000 times strength, and labels; others with another seed. */
static void observe(int seed, int d, double strength, double *weights, double *labels)
{
    for (int i = 0; i < N; i++)
        weights[i] = (i + seed) % 3 == 0 ? 0 : strength * pow(10, (i + seed) % 4);
    for (int k = 0; k < N * d; k++)
        labels[k] = 0.3 * sin(k + 1.0 + seed);
}

/* strength 0: nothing is seen. */
static void compare(sfgp_context *context, int d, int training, const char *kernel, double strength)
{
    test_shapes *shapes = test_shapes_new(N, d, training, 9);
    sfgp_model *model = model_of(context, shapes, kernel);
    sfgp_posterior posterior;
    double weights[N], labels[3 * N];
    observe(0, d, strength, weights, labels);
    sfgp_assert_ok(context, sfgp_posterior_new(context, &model->basis, &posterior));
    sfgp_assert_ok(context, sfgp_posterior_update(context, weights, labels, &posterior));
    assert_divergence(&posterior, dense_divergence(model, weights, weights, labels));
    assert_true(strength > 0 ? sfgp_posterior_divergence(&posterior) > 1
                             : sfgp_posterior_divergence(&posterior) == 0);
    sfgp_posterior_clear(&posterior);
    sfgp_model_free(model);
    test_shapes_free(shapes);
}

static void the_divergence_is_that_of_dense_matrices(void **state)
{
    for (int d = 2; d <= 3; d++) {
        compare(*state, d, 0, "se:length=0.7,variance=1", 1);
        compare(*state, d, 6, "se:length=0.7,variance=0.5", 1);
        compare(*state, d, 6, "none", 1);
    }
}

static void nothing_seen_is_the_prior(void **state)
{
    compare(*state, 2, 6, "se:length=0.7,variance=0.5", 0);
}

/* Two observations of one model: the posterior of the first, and that of the second. */
typedef struct setting {
    test_shapes *shapes;
    sfgp_model *model;
    double weights[2][N], labels[2][3 * N];
    sfgp_posterior moved, full;
} setting;

static void setting_new(sfgp_context *context, int d, int training, const char *kernel, setting *s)
{
    s->shapes = test_shapes_new(N, d, training, 9);
    s->model = model_of(context, s->shapes, kernel);
    for (int seed = 0; seed < 2; seed++)
        observe(seed, d, 1, s->weights[seed], s->labels[seed]);
    sfgp_assert_ok(context, sfgp_posterior_new(context, &s->model->basis, &s->moved));
    sfgp_assert_ok(context, sfgp_posterior_new(context, &s->model->basis, &s->full));
    sfgp_assert_ok(context, sfgp_posterior_update(context, s->weights[0], s->labels[0], &s->moved));
    sfgp_assert_ok(context, sfgp_posterior_update(context, s->weights[1], s->labels[1], &s->full));
}

static void setting_free(setting *s)
{
    sfgp_posterior_clear(&s->moved);
    sfgp_posterior_clear(&s->full);
    sfgp_model_free(s->model);
    test_shapes_free(s->shapes);
}

static const struct kind {
    int d, training;
    const char *kernel;
} KINDS[] = {{2, 0, "se:length=0.7,variance=1"},
             {2, 6, "se:length=0.7,variance=0.5"},
             {3, 6, "se:length=0.7,variance=0.5"},
             {3, 6, "none"}};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

/* Bit for bit: the mean that of a full update, the variance that of the update before. */
static void updates_with_a_frozen_variance_move_the_mean_alone(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        setting s;
        double variance[N];
        setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
        const size_t bytes = (size_t)(N * KINDS[k].d) * sizeof(double);
        memcpy(variance, s.moved.variance, sizeof variance);
        assert_memory_not_equal(s.moved.mean, s.full.mean, bytes);
        assert_memory_not_equal(variance, s.full.variance, sizeof variance);
        s.moved.freeze_variance = true;
        sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights[1], s.labels[1], &s.moved));
        assert_memory_equal(s.moved.variance, variance, sizeof variance);
        assert_memory_equal(s.moved.mean, s.full.mean, bytes);
        setting_free(&s);
    }
}

/* That of the new mean and of the covariance of the frozen variance, also after another such update; and of the
 * new covariance once the variance is not frozen. */
static void the_divergence_with_a_frozen_variance_is_that_of_its_covariance(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        setting s;
        setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
        const real exact = dense_divergence(s.model, s.weights[0], s.weights[1], s.labels[1]),
                   full = dense_divergence(s.model, s.weights[1], s.weights[1], s.labels[1]);
        assert_true(fabsl(exact - full) > 0.01);
        for (int update = 0; update < 3; update++) {
            s.moved.freeze_variance = update < 2;
            sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights[1], s.labels[1], &s.moved));
            assert_divergence(&s.moved, update < 2 ? exact : full);
        }
        setting_free(&s);
    }
}

static void predicted_variances_are_those_of_a_full_update(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        setting s;
        setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
        s.moved.freeze_variance = true;
        sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights[1], s.labels[1], &s.moved));
        sfgp_posterior_predict_variance(&s.moved);
        assert_memory_equal(s.moved.variance, s.full.variance, N * sizeof(double));
        assert_memory_equal(s.moved.mean, s.full.mean, (size_t)(N * KINDS[k].d) * sizeof(double));
        setting_free(&s);
    }
}

/* ---- quasi-Newton steps -------------------------------------------------------------------------------------------- */

#define NARROW 2e-5 /* single precision, 6e-8, some hundred times over */

static void coefficients_of(const sfgp_posterior *posterior, double *c)
{
    memcpy(c, sfgp_posterior_coefficients(posterior), (size_t)sfgp_basis_size(posterior->basis) * sizeof *c);
}

/* W (label - prior mean - B c) */
static void weigh_residuals(const setting *s, const double *weights, const double *labels, const double *c,
                            double *residuals)
{
    const int64_t d = s->model->dimension;
    sfgp_basis_multiply(&s->model->basis, c, 0, N, residuals);
    for (int64_t k = 0; k < N * d; k++)
        residuals[k] = weights[k / d] * (labels[k] + s->model->basis.mean[k] - residuals[k]);
}

static void assert_same(const sfgp_posterior *a, const sfgp_posterior *b, double within)
{
    const int64_t d = a->basis->dimension;
    const double da = sfgp_posterior_divergence(a), db = sfgp_posterior_divergence(b);
    for (int64_t k = 0; k < N * d; k++)
        assert_true(fabs(a->mean[k] - b->mean[k]) < within);
    for (int64_t i = 0; i < N; i++)
        assert_true(fabs(a->variance[i] - b->variance[i]) < within * (1e-3 + b->variance[i]));
    assert_true(fabs(da - db) < within * (1 + fabs(db)));
}

/* From any coefficients: here those of other labels. */
static void a_newton_step_with_weights_in_proportion_is_the_update(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        setting s;
        double c[3 * N], residuals[3 * N], weights[N], ratio;
        setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
        coefficients_of(&s.moved, c);
        for (int i = 0; i < N; i++)
            weights[i] = 0.4 * s.weights[1][i];
        sfgp_posterior_accumulate_gram(weights, &s.moved);
        assert_true(sfgp_posterior_gram_drift(&s.moved, s.weights[1], &ratio) < 1e-12);
        assert_true(fabs(ratio - 2.5) < 1e-12);
        weigh_residuals(&s, s.weights[1], s.labels[1], c, residuals);
        sfgp_assert_ok(*state, sfgp_posterior_newton_step(*state, ratio, residuals, c, &s.moved));
        assert_same(&s.moved, &s.full, NARROW);
        setting_free(&s);
    }
}

/* To the last digits of double precision, though B'WB is that of other weights, and not even near. */
static void newton_steps_rest_where_the_update_rests(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        setting s;
        double c[3 * N], residuals[3 * N], ratio, apart = 0;
        setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
        coefficients_of(&s.full, c);
        sfgp_posterior_accumulate_gram(s.weights[0], &s.moved);
        assert_true(sfgp_posterior_gram_drift(&s.moved, s.weights[1], &ratio) > 0.1);
        for (int64_t at = 0; at < N * s.model->dimension; at++)
            apart = fmax(apart, fabs(s.moved.mean[at] - s.full.mean[at]));
        assert_true(apart > 1e-3);
        weigh_residuals(&s, s.weights[1], s.labels[1], c, residuals);
        sfgp_assert_ok(*state, sfgp_posterior_newton_step(*state, ratio, residuals, c, &s.moved));
        for (int64_t at = 0; at < N * s.model->dimension; at++)
            assert_true(fabs(s.moved.mean[at] - s.full.mean[at]) < 1e-12);
        setting_free(&s);
    }
}

/* Its covariance is that of A', whatever the weights of the labels; a frozen one stays. */
static void the_divergence_of_a_newton_step_is_that_of_its_gram(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++)
        for (int frozen = 0; frozen < 2; frozen++) {
            setting s;
            double c[3 * N], residuals[3 * N], variance[N];
            setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
            const real exact =
                dense_divergence(s.model, s.weights[0], s.weights[frozen ? 0 : 1], s.labels[frozen ? 0 : 1]);
            memcpy(variance, s.moved.variance, sizeof variance);
            coefficients_of(frozen ? &s.moved : &s.full, c);
            weigh_residuals(&s, s.weights[frozen ? 0 : 1], s.labels[frozen ? 0 : 1], c, residuals);
            sfgp_posterior_accumulate_gram(s.weights[frozen ? 1 : 0], &s.moved);
            s.moved.freeze_variance = frozen;
            sfgp_assert_ok(*state, sfgp_posterior_newton_step(*state, 1, residuals, c, &s.moved));
            assert_true(fabsl(sfgp_posterior_divergence(&s.moved) - exact) <
                        (real)NARROW * (1 + fabsl(exact)));
            assert_int_equal(memcmp(s.moved.variance, variance, sizeof variance) == 0, frozen);
            setting_free(&s);
        }
}

/* The other observation is a sum of landmarks. Sums of 1e4 (weights of 1000), in double precision. */
static void the_gradient_with_landmarks_is_zero_at_their_update(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        setting s;
        double c[3 * N], residuals[3 * N];
        setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
        sfgp_assert_ok(*state, sfgp_posterior_add_landmarks(*state, &s.full));
        sfgp_normal_accumulate(&s.model->basis, s.weights[0], s.labels[0], 0, N, s.full.landmarks,
                               s.full.buffers);
        sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights[1], s.labels[1], &s.full));
        coefficients_of(&s.full, c);
        weigh_residuals(&s, s.weights[1], s.labels[1], c, residuals);
        const double *gradient = sfgp_posterior_gradient(residuals, c, &s.full);
        for (int64_t l = 0; l < sfgp_basis_size(s.full.basis); l++)
            assert_true(fabs(gradient[l]) < 1e-8);
        setting_free(&s);
    }
}

static void drift_is_what_has_moved(void **state)
{
    setting s;
    double weights[N], ratio = 0, total = 0;
    setting_new(*state, 2, 6, "se:length=0.7,variance=0.5", &s);
    assert_true(isinf(sfgp_posterior_gram_drift(&s.moved, s.weights[0], &ratio))); /* no B'WB yet */
    sfgp_posterior_accumulate_gram(s.weights[0], &s.moved);
    memcpy(weights, s.weights[0], sizeof weights);
    for (int i = 0; i < N; i++)
        total += weights[i];
    weights[0] += 0.25 * total; /* a missing point gets a fifth of all */
    const double drift = sfgp_posterior_gram_drift(&s.moved, weights, &ratio);
    assert_true(fabs(ratio - 1.25) < 1e-12 && fabs(drift - 0.4) < 1e-12);
    memset(weights, 0, sizeof weights);
    assert_true(isinf(sfgp_posterior_gram_drift(&s.moved, weights, &ratio)));
    sfgp_posterior_accumulate_gram(weights, &s.moved); /* of nothing */
    assert_true(isinf(sfgp_posterior_gram_drift(&s.moved, s.weights[0], &ratio)));
    setting_free(&s);
}

/* Two columns of three: the third has a coefficient of 0, with next to no variance. */
static void columns_that_were_left_out_have_no_variance(void **state)
{
    sfgp_basis fewer, whole;
    sfgp_assert_ok(*state, sfgp_basis_new(*state, 4, 2, 2, 0, &fewer));
    sfgp_assert_ok(*state, sfgp_basis_new(*state, 4, 2, 3, 0, &whole));
    double block[32], wide[64];
    assert_true(sfgp_normal_size(&fewer) <= 32 && sfgp_normal_size(&whole) <= 64);
    for (int k = 0; k < 32; k++)
        block[k] = k + 1;
    const sfgp_normal from = sfgp_normal_parts(&fewer, block), to = sfgp_normal_parts(&whole, wide);
    sfgp_normal_widen(&fewer, block, &whole, wide);
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 2; c++)
            assert_true(to.scalar[3 * r + c] == from.scalar[2 * r + c]);
    for (int k = 0; k < 2; k++)
        assert_true(to.scalar[6 + k] == 0 && to.right_scalar[4 + k] == 0);
    assert_true(to.scalar[8] > 1e5);
    assert_memory_equal(to.right_scalar, from.right_scalar, 4 * sizeof(double));
    sfgp_basis_clear(&fewer);
    sfgp_basis_clear(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(columns_that_were_left_out_have_no_variance),
        sfgp_unit_test(the_divergence_is_that_of_dense_matrices),
        sfgp_unit_test(nothing_seen_is_the_prior),
        sfgp_unit_test(updates_with_a_frozen_variance_move_the_mean_alone),
        sfgp_unit_test(the_divergence_with_a_frozen_variance_is_that_of_its_covariance),
        sfgp_unit_test(predicted_variances_are_those_of_a_full_update),
        sfgp_unit_test(a_newton_step_with_weights_in_proportion_is_the_update),
        sfgp_unit_test(newton_steps_rest_where_the_update_rests),
        sfgp_unit_test(the_divergence_of_a_newton_step_is_that_of_its_gram),
        sfgp_unit_test(the_gradient_with_landmarks_is_zero_at_their_update),
        sfgp_unit_test(drift_is_what_has_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
