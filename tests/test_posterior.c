/* The posterior's divergence from its prior, and that it is one, against dense matrices in long double. */
#include "support/shapes.h"
#include "support/support.h"
#include "gpr/posterior.h"

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

/* KL(N(c, A^-1), N(0, I)) = (tr A^-1 + |c|^2 - m + ln det A) / 2, A = I + B'WB, c = A \ B'W delta. */
static real dense_divergence(const sfgp_model *model, const double *weights, const double *labels)
{
    const int64_t d = model->dimension;
    const int m = (int)(d * model->scalar.rank + model->pca.modes);
    real *a = calloc((size_t)(m * m), sizeof *a), *c = calloc((size_t)m, sizeof *c), sum = -m;
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
    for (int r = 0; r < m; r++) {
        real *unit = calloc((size_t)m, sizeof *unit);
        unit[r] = 1;
        solve(m, a, unit);
        sum += unit[r] + c[r] * c[r] + 2 * logl(a[r * m + r]);
        free(unit);
    }
    free(a), free(c);
    return sum / 2;
}

/* Weights from 0, a missing point, to 1000; strength 0: nothing is seen. */
static void compare(sfgp_context *context, int d, int training, const char *kernel, double strength)
{
    test_shapes *shapes = test_shapes_new(N, d, training, 9);
    sfgp_model *model = model_of(context, shapes, kernel);
    sfgp_posterior posterior;
    double weights[N], labels[3 * N];
    for (int i = 0; i < N; i++)
        weights[i] = i % 3 == 0 ? 0 : strength * pow(10, i % 4);
    for (int k = 0; k < N * d; k++)
        labels[k] = 0.3 * sin(k + 1.0);
    sfgp_assert_ok(context, sfgp_posterior_new(context, model, 1, &posterior));
    sfgp_assert_ok(context, sfgp_posterior_update(context, weights, labels, &posterior));
    const double ours = sfgp_posterior_divergence(&posterior, weights),
                 exact = (double)dense_divergence(model, weights, labels);
    if (!(fabs(ours - exact) <= 1e-11 * (1 + fabs(exact))))
        fail_msg("%dD, %d training shapes, %s: %.15g for %.15g", d, training, kernel, ours, exact);
    assert_true(strength > 0 ? ours > 1 : ours == 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_divergence_is_that_of_dense_matrices),
        sfgp_unit_test(nothing_seen_is_the_prior),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
