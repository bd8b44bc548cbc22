/* The posterior's divergence from its prior, and that it is one, against dense matrices in long double. */
#include "support/shapes.h"
#include "support/support.h"
#include "gpr/posterior.h"
#include "model/coefficients.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

enum { N = 50 };

static sfgp_model *model_of(sfgp_context *context, const test_shapes *shapes, const char *kernel)
{
    sfgp_settings settings;
    sfgp_settings_default(&settings);
    strcpy(settings.kernel, kernel);
    settings.rank = 12;
    settings.accuracy = 0.1; /* the rank is what counts */
    return test_shapes_model(context, shapes, shapes->training_count, &settings);
}

/* Row of B: [B_scalar (x) I_d, B_pca]. */
static real entry(const sfgp_model *model, int64_t row, int64_t column)
{
    const int64_t s = model->scalar.rank, d = model->dimension, p = model->pca.modes;
    if (column >= s * d)
        return model->pca.factor[row * p + column - s * d];
    return column % d == row % d ? model->scalar.values[row / d * s + column / d] : 0;
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
    const int m = (int)(d * model->scalar.rank + model->pca.modes);
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
        fail_msg("%d axes: %.15g for %.15g", posterior->model->dimension, ours, (double)exact);
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
    sfgp_assert_ok(context, sfgp_posterior_new(context, model, &posterior));
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
    sfgp_posterior held, full;
} setting;

static void setting_new(sfgp_context *context, int d, int training, const char *kernel, setting *s)
{
    s->shapes = test_shapes_new(N, d, training, 9);
    s->model = model_of(context, s->shapes, kernel);
    for (int seed = 0; seed < 2; seed++)
        observe(seed, d, 1, s->weights[seed], s->labels[seed]);
    sfgp_assert_ok(context, sfgp_posterior_new(context, s->model, &s->held));
    sfgp_assert_ok(context, sfgp_posterior_new(context, s->model, &s->full));
    sfgp_assert_ok(context, sfgp_posterior_update(context, s->weights[0], s->labels[0], &s->held));
    sfgp_assert_ok(context, sfgp_posterior_update(context, s->weights[1], s->labels[1], &s->full));
}

static void setting_free(setting *s)
{
    sfgp_posterior_clear(&s->held);
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
static void updates_on_hold_move_the_mean_alone(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        setting s;
        double variance[N];
        setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
        const size_t bytes = (size_t)(N * KINDS[k].d) * sizeof(double);
        memcpy(variance, s.held.variance, sizeof variance);
        assert_memory_not_equal(s.held.mean, s.full.mean, bytes);
        assert_memory_not_equal(variance, s.full.variance, sizeof variance);
        s.held.hold = true;
        sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights[1], s.labels[1], &s.held));
        assert_memory_equal(s.held.variance, variance, sizeof variance);
        assert_memory_equal(s.held.mean, s.full.mean, bytes);
        setting_free(&s);
    }
}

/* That of the new mean and of the covariance that the variance still belongs to, also after another update on
 * hold; and of the new covariance once an update is not on hold. */
static void the_divergence_on_hold_is_that_of_the_covariance_held(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        setting s;
        setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
        const real exact = dense_divergence(s.model, s.weights[0], s.weights[1], s.labels[1]),
                   full = dense_divergence(s.model, s.weights[1], s.weights[1], s.labels[1]);
        assert_true(fabsl(exact - full) > 0.01);
        for (int update = 0; update < 3; update++) {
            s.held.hold = update < 2;
            sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights[1], s.labels[1], &s.held));
            assert_divergence(&s.held, update < 2 ? exact : full);
        }
        setting_free(&s);
    }
}

static void refreshed_variances_are_those_of_a_full_update(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        setting s;
        setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
        s.held.hold = true;
        sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights[1], s.labels[1], &s.held));
        sfgp_posterior_refresh(&s.held);
        assert_memory_equal(s.held.variance, s.full.variance, N * sizeof(double));
        assert_memory_equal(s.held.mean, s.full.mean, (size_t)(N * KINDS[k].d) * sizeof(double));
        setting_free(&s);
    }
}

/* ---- steps -------------------------------------------------------------------------------------------- */

#define NARROW 2e-5 /* single precision, 6e-8, some hundred times over */

static void coefficients_of(const sfgp_posterior *posterior, double *c)
{
    memcpy(c, sfgp_posterior_coefficients(posterior),
           (size_t)sfgp_coefficients_size(posterior->model) * sizeof *c);
}

/* W (label - prior mean - B c) */
static void pull(const setting *s, const double *weights, const double *labels, const double *c,
                 double *pulls)
{
    const int64_t d = s->model->dimension;
    sfgp_coefficients_place(s->model, c, 0, N, pulls);
    for (int64_t k = 0; k < N * d; k++)
        pulls[k] = weights[k / d] * (labels[k] + s->model->prior_mean[k] - pulls[k]);
}

static void assert_same(const sfgp_posterior *a, const sfgp_posterior *b, double within)
{
    const int64_t d = a->model->dimension;
    const double da = sfgp_posterior_divergence(a), db = sfgp_posterior_divergence(b);
    for (int64_t k = 0; k < N * d; k++)
        assert_true(fabs(a->mean[k] - b->mean[k]) < within);
    for (int64_t i = 0; i < N; i++)
        assert_true(fabs(a->variance[i] - b->variance[i]) < within * (1e-3 + b->variance[i]));
    assert_true(fabs(da - db) < within * (1 + fabs(db)));
}

/* From any coefficients: here those of other labels. */
static void a_step_with_weights_in_proportion_is_the_update(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        setting s;
        double c[3 * N], pulls[3 * N], weights[N], ratio;
        setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
        coefficients_of(&s.held, c);
        for (int i = 0; i < N; i++)
            weights[i] = 0.4 * s.weights[1][i];
        sfgp_posterior_sum(weights, &s.held);
        assert_true(sfgp_posterior_drift(&s.held, s.weights[1], &ratio) < 1e-12);
        assert_true(fabs(ratio - 2.5) < 1e-12);
        pull(&s, s.weights[1], s.labels[1], c, pulls);
        sfgp_assert_ok(*state, sfgp_posterior_step(*state, ratio, pulls, c, &s.held));
        assert_same(&s.held, &s.full, NARROW);
        setting_free(&s);
    }
}

/* To the last digits of double precision, though the sums are those of other weights, and not even near. */
static void steps_rest_where_the_update_rests(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++) {
        setting s;
        double c[3 * N], pulls[3 * N], ratio, apart = 0;
        setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
        coefficients_of(&s.full, c);
        sfgp_posterior_sum(s.weights[0], &s.held);
        assert_true(sfgp_posterior_drift(&s.held, s.weights[1], &ratio) > 0.1);
        for (int64_t at = 0; at < N * s.model->dimension; at++)
            apart = fmax(apart, fabs(s.held.mean[at] - s.full.mean[at]));
        assert_true(apart > 1e-3);
        pull(&s, s.weights[1], s.labels[1], c, pulls);
        sfgp_assert_ok(*state, sfgp_posterior_step(*state, ratio, pulls, c, &s.held));
        for (int64_t at = 0; at < N * s.model->dimension; at++)
            assert_true(fabs(s.held.mean[at] - s.full.mean[at]) < 1e-12);
        setting_free(&s);
    }
}

/* Its covariance is that of A', whatever the weights of the labels; on hold it stays. */
static void the_divergence_of_a_step_is_that_of_its_sums(void **state)
{
    for (int k = 0; k < KIND_COUNT; k++)
        for (int hold = 0; hold < 2; hold++) {
            setting s;
            double c[3 * N], pulls[3 * N], variance[N];
            setting_new(*state, KINDS[k].d, KINDS[k].training, KINDS[k].kernel, &s);
            const real exact =
                dense_divergence(s.model, s.weights[0], s.weights[hold ? 0 : 1], s.labels[hold ? 0 : 1]);
            memcpy(variance, s.held.variance, sizeof variance);
            coefficients_of(hold ? &s.held : &s.full, c);
            pull(&s, s.weights[hold ? 0 : 1], s.labels[hold ? 0 : 1], c, pulls);
            sfgp_posterior_sum(s.weights[hold ? 1 : 0], &s.held);
            s.held.hold = hold;
            sfgp_assert_ok(*state, sfgp_posterior_step(*state, 1, pulls, c, &s.held));
            assert_true(fabsl(sfgp_posterior_divergence(&s.held) - exact) <
                        (real)NARROW * (1 + fabsl(exact)));
            assert_int_equal(memcmp(s.held.variance, variance, sizeof variance) == 0, hold);
            setting_free(&s);
        }
}

static void drift_is_what_has_moved(void **state)
{
    setting s;
    double weights[N], ratio = 0, total = 0;
    setting_new(*state, 2, 6, "se:length=0.7,variance=0.5", &s);
    assert_true(isinf(sfgp_posterior_drift(&s.held, s.weights[0], &ratio))); /* no sums yet */
    sfgp_posterior_sum(s.weights[0], &s.held);
    memcpy(weights, s.weights[0], sizeof weights);
    for (int i = 0; i < N; i++)
        total += weights[i];
    weights[0] += 0.25 * total; /* a missing point gets a fifth of all */
    const double drift = sfgp_posterior_drift(&s.held, weights, &ratio);
    assert_true(fabs(ratio - 1.25) < 1e-12 && fabs(drift - 0.4) < 1e-12);
    memset(weights, 0, sizeof weights);
    assert_true(isinf(sfgp_posterior_drift(&s.held, weights, &ratio)));
    setting_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_divergence_is_that_of_dense_matrices),
        sfgp_unit_test(nothing_seen_is_the_prior),
        sfgp_unit_test(updates_on_hold_move_the_mean_alone),
        sfgp_unit_test(the_divergence_on_hold_is_that_of_the_covariance_held),
        sfgp_unit_test(refreshed_variances_are_those_of_a_full_update),
        sfgp_unit_test(a_step_with_weights_in_proportion_is_the_update),
        sfgp_unit_test(steps_rest_where_the_update_rests),
        sfgp_unit_test(the_divergence_of_a_step_is_that_of_its_sums),
        sfgp_unit_test(drift_is_what_has_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
