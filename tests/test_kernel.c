/* The kernels of the table against their formulas in long double, and what every kernel has to be. */
#include "support/support.h"
#include "base/random.h"
#include "linalg/dense.h"
#include "lowrank/lowrank.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT 150
#define MANY 1100 /* more than two chunks, and no multiple of one */

/* ---- formulas, r = distance over length -------------------------------------------------------------- */

static long double se(long double r)
{
    return expl(-r * r / 2);
}

static long double matern32(long double r)
{
    return (1 + sqrtl(3) * r) * expl(-sqrtl(3) * r);
}

static long double matern52(long double r)
{
    return (1 + sqrtl(5) * r + 5 * r * r / 3) * expl(-sqrtl(5) * r);
}

static long double rq(long double r)
{
    return 1 / (1 + r * r / 2);
}

static long double imq(long double r)
{
    return 1 / sqrtl(1 + r * r);
}

static long double laplace(long double r)
{
    return expl(-r);
}

static const struct {
    const char *name;
    long double (*profile)(long double r);
} KERNELS[] = {{"se", se}, {"matern32", matern32}, {"matern52", matern52},
               {"rq", rq}, {"imq", imq},           {"laplace", laplace}};
enum { KERNEL_COUNT = sizeof KERNELS / sizeof *KERNELS };

static sfgp_kernel kernel_of(sfgp_context *context, int k, const char *parameters)
{
    char text[100];
    sfgp_kernel kernel;
    snprintf(text, sizeof text, "%s:%s", KERNELS[k].name, parameters);
    sfgp_assert_ok(context, sfgp_kernel_parse(context, text, &kernel));
    return kernel;
}

/* Axis by axis, normal. */
static void draw_points(int64_t n, int d, double *axes)
{
    sfgp_random random = sfgp_random_of(3);
    for (int64_t k = 0; k < n * d; k++)
        axes[k] = sfgp_random_normal(&random);
}

static long double distance(const double *axes, int64_t n, int d, int64_t i, int64_t j)
{
    long double square = 0;
    for (int a = 0; a < d; a++)
        square += ((long double)axes[a * n + i] - axes[a * n + j]) *
                  ((long double)axes[a * n + i] - axes[a * n + j]);
    return sqrtl(square);
}

/* ---- tests ------------------------------------------------------------------------------------------- */

/* The squared distance is off by 4 roundings, t by half of that and 3 more, and t times the slope of a
 * profile is below 1.1; the exponential has 2 ulp, the polynomial a few: 16 roundings of the variance are
 * enough. */
static void rows_are_the_formulas(void **state)
{
    static double axes[3 * MANY], row[MANY];
    const double lengths[] = {0.05, 0.7, 30};
    draw_points(MANY, 3, axes);
    for (int k = 0; k < KERNEL_COUNT; k++)
        for (int l = 0; l < 3; l++) {
            char parameters[60];
            snprintf(parameters, sizeof parameters, "length=%g,variance=2.5", lengths[l]);
            const sfgp_kernel kernel = kernel_of(*state, k, parameters);
            const sfgp_covariance covariance = {&kernel, MANY, 3, axes};
            sfgp_covariance_row(&covariance, 7, 1, MANY - 1, row);
            for (int j = 1; j < MANY; j++) {
                long double exact = 2.5L * KERNELS[k].profile(distance(axes, MANY, 3, 7, j) / lengths[l]);
                if (!(fabsl(row[j - 1] - exact) <= 16 * DBL_EPSILON * 2.5))
                    fail_msg("%s, length %g: %.17g is not %.17Lg", KERNELS[k].name, lengths[l], row[j - 1],
                             exact);
            }
        }
}

static void the_diagonal_is_the_variance_and_pairs_commute(void **state)
{
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < KERNEL_COUNT; k++) {
            double axes[3 * COUNT], forth, back;
            const sfgp_kernel kernel = kernel_of(*state, k, "length=0.3,variance=0.7");
            const sfgp_covariance covariance = {&kernel, COUNT, d, axes};
            draw_points(COUNT, d, axes);
            for (int i = 0; i < COUNT; i++) {
                sfgp_covariance_row(&covariance, i, i, 1, &back);
                assert_true(fabs(back - 0.7) <= DBL_EPSILON * 0.7);
                sfgp_covariance_row(&covariance, i, (i + 5) % COUNT, 1, &forth);
                sfgp_covariance_row(&covariance, (i + 5) % COUNT, i, 1, &back);
                assert_true(forth == back);
            }
        }
}

/* Far away and at lengths at the ends of their range: numbers, never nan, none above the variance. */
static void extremes_stay_between_0_and_the_variance(void **state)
{
    const double axes[2 * 4] = {0, 1e-7, 1, 1e6, 0, 0, 0, -1e6};
    const char *const lengths[] = {"length=1e-6", "length=1e6"};
    for (int k = 0; k < KERNEL_COUNT; k++)
        for (int l = 0; l < 2; l++) {
            double row[4];
            const sfgp_kernel kernel = kernel_of(*state, k, lengths[l]);
            const sfgp_covariance covariance = {&kernel, 4, 2, axes};
            sfgp_covariance_row(&covariance, 0, 0, 4, row);
            for (int j = 0; j < 4; j++)
                assert_true(row[j] >= 0 && row[j] <= 1 && row[j] <= (j ? row[j - 1] : 1));
        }
}

/* A matrix with unit diagonal of size n that is positive semi-definite has no eigenvalue below the rounding
 * of its largest, which is at most n. */
static void gram_matrices_are_positive_definite(void **state)
{
    static double gram[COUNT * COUNT], vectors[COUNT * COUNT];
    sfgp_assert_ok(*state, sfgp_dense_prepare(*state));
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < KERNEL_COUNT; k++) {
            double axes[3 * COUNT], values[COUNT];
            const sfgp_kernel kernel = kernel_of(*state, k, "length=0.8");
            const sfgp_covariance covariance = {&kernel, COUNT, d, axes};
            draw_points(COUNT, d, axes);
            for (int i = 0; i < COUNT; i++)
                sfgp_covariance_row(&covariance, i, 0, COUNT, gram + i * COUNT);
            sfgp_assert_ok(*state, sfgp_dense_eigen(*state, COUNT, gram, values, vectors));
            assert_true(values[0] > 1 && values[0] <= COUNT);
            assert_true(values[COUNT - 1] > -COUNT * COUNT * DBL_EPSILON);
        }
}

static double largest_residual(const double *axes, int d, int k, double length, const sfgp_factor *factor)
{
    double worst = 0;
    for (int64_t i = 0; i < COUNT; i++)
        for (int64_t j = 0; j <= i; j++) {
            double entry = (double)KERNELS[k].profile(distance(axes, COUNT, d, i, j) / length);
            for (int64_t c = 0; c < factor->rank; c++)
                entry -= factor->values[i * factor->rank + c] * factor->values[j * factor->rank + c];
            worst = fmax(worst, fabs(entry));
        }
    return worst;
}

static void every_factor_reaches_the_accuracy_and_certifies_it(void **state)
{
    const sfgp_lowrank_method *const methods[] = {&sfgp_lowrank_eigen, &sfgp_lowrank_nystrom,
                                                  &sfgp_lowrank_cholesky};
    const sfgp_factor_request request = {1e-3, COUNT, 1, false};
    const double length = 1.5;
    sfgp_assert_ok(*state, sfgp_dense_prepare(*state));
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < KERNEL_COUNT; k++)
            for (int m = 0; m < 3; m++) {
                double axes[3 * COUNT];
                sfgp_factor factor;
                const sfgp_kernel kernel = kernel_of(*state, k, "length=1.5");
                const sfgp_covariance covariance = {&kernel, COUNT, d, axes};
                draw_points(COUNT, d, axes);
                sfgp_assert_ok(*state, methods[m]->factorise(*state, &covariance, &request, &factor));
                double worst = largest_residual(axes, d, k, length, &factor);
                if (!(worst <= factor.residual + 1e-13 && factor.residual <= 1.01e-3))
                    fail_msg("%s of %s in %dD: residual %g, certified %g", methods[m]->name, KERNELS[k].name,
                             d, worst, factor.residual);
                sfgp_factor_clear(&factor);
            }
}

static void sums_add_up(void **state)
{
    double axes[2 * COUNT], row[COUNT];
    sfgp_kernel kernel;
    draw_points(COUNT, 2, axes);
    sfgp_assert_ok(
        *state,
        sfgp_kernel_parse(*state, "matern52:length=2+imq:variance=3+se:length=0.5,variance=0.1", &kernel));
    const sfgp_covariance covariance = {&kernel, COUNT, 2, axes};
    assert_int_equal(kernel.count, 3);
    sfgp_covariance_row(&covariance, 0, 0, COUNT, row);
    for (int j = 0; j < COUNT; j++) {
        long double r = distance(axes, COUNT, 2, 0, j),
                    exact = matern52(r / 2) + 3 * imq(r) + 0.1L * se(2 * r);
        assert_true(fabsl(row[j] - exact) <= 16 * DBL_EPSILON * 4.1);
    }
}

static void an_unknown_kernel_is_told_what_there_is(void **state)
{
    sfgp_kernel kernel;
    const char *const bad[] = {"gauss", "matern", "matern3", "matern321", "Se", "rq2:length=1", "se+lap"};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        sfgp_assert_status(*state, sfgp_kernel_parse(*state, bad[b], &kernel), SFGP_ERROR_PARAMETER);
        for (int k = 0; k < KERNEL_COUNT; k++)
            sfgp_assert_has(sfgp_context_error(*state), KERNELS[k].name);
        sfgp_assert_has(sfgp_context_error(*state), "or none");
    }
    sfgp_assert_error(*state, sfgp_kernel_parse(*state, "rq:shape=2", &kernel), SFGP_ERROR_PARAMETER,
                      "shape=2");
}

static void models_take_every_kernel(void **state)
{
    double points[3 * COUNT];
    sfgp_mesh *mesh;
    draw_points(3 * COUNT, 1, points);
    sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, COUNT, 3, points, &mesh));
    for (int k = 0; k < KERNEL_COUNT; k++) {
        sfgp_model_info info;
        sfgp_settings settings = test_settings();
        settings.accuracy = 1e-6;
        snprintf(settings.kernel, sizeof settings.kernel, "%s:length=3,variance=2", KERNELS[k].name);
        sfgp_model *model = test_model(*state, mesh, &settings);
        sfgp_model_describe(model, &info);
        assert_true(info.rank > 3 && info.rank <= COUNT && info.kernel_residual <= settings.accuracy);
        sfgp_assert_has(info.kernel, KERNELS[k].name);
        sfgp_model_free(model);
    }
    sfgp_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(rows_are_the_formulas),
        sfgp_unit_test(the_diagonal_is_the_variance_and_pairs_commute),
        sfgp_unit_test(extremes_stay_between_0_and_the_variance),
        sfgp_unit_test(gram_matrices_are_positive_definite),
        sfgp_unit_test(every_factor_reaches_the_accuracy_and_certifies_it),
        sfgp_unit_test(sums_add_up),
        sfgp_unit_test(an_unknown_kernel_is_told_what_there_is),
        sfgp_unit_test(models_take_every_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
