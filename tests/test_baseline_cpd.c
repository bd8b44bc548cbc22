/* Coherent point drift against its paper, iteration by iteration, and what its four methods recover. */
#include "test_baseline_mixture.h"

/* As for BCPD: rounding is near 1e-14 an iteration; the affine map adds a ridge of 1e-13 of the extent. */
#define RELATIVE 1e-9

static const sfgp_mixture_method SMOOTH = {.name = "cpd", .smooth = true, .exact = true};
static const sfgp_mixture_method RIGID = {.name = "cpd-rigid", .map = SFGP_MIXTURE_SIMILARITY};
static const sfgp_mixture_method AFFINE = {.name = "cpd-affine", .map = SFGP_MIXTURE_AFFINE};
static const char *const METHODS[] = {"cpd", "cpd-lowrank", "cpd-rigid", "cpd-affine"};
enum { METHOD_COUNT = 4 };

static void agrees(sfgp_context *context, const sfgp_mixture_method *method, oracle_mixture_map map, int d,
                   const char *normalise)
{
    sfgp_settings settings = mixture_settings(method->name);
    mixture_pair pair;
    strcpy(settings.normalise, normalise);
    settings.beta = 1.5;
    settings.omega = 0.2;
    settings.gamma = 0.1; /* BCPD's: not heard here */
    mixture_pair_new(context, method, map, &settings, d == 2 ? 40 : 48, d, 80, &pair);
    for (int iteration = 0; iteration < (SFGP_TEST_SLOW ? 10 : 40); iteration++)
        mixture_pair_step(context, method->name, RELATIVE, &pair);
    mixture_pair_clear(&pair);
}

static void every_iteration_is_the_papers(void **state)
{
    static const char *const NORMALISE[] = {"each", "target", "reference"};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 3; k++) {
            agrees(*state, &SMOOTH, ORACLE_NO_MAP, d, NORMALISE[k]);
            agrees(*state, &RIGID, ORACLE_SIMILARITY, d, NORMALISE[k]);
            agrees(*state, &AFFINE, ORACLE_AFFINE, d, NORMALISE[k]);
        }
}

/* Target: the reference under A (rows of three) and b, without noise, without every tenth point. */
static test_shapes *moved_shapes(int d, const double a[9], const double b[3])
{
    test_shapes *s = test_shapes_new(150, d, 0, 81);
    s->m = 0;
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < d; k++) {
            s->truth[i * d + k] = b[k];
            for (int l = 0; l < d; l++)
                s->truth[i * d + k] += a[k * 3 + l] * s->reference[i * d + l];
        }
        for (int k = 0; k < d && i % 10 != 0; k++)
            s->target[s->m * d + k] = s->truth[i * d + k];
        s->m += i % 10 != 0;
    }
    return s;
}

static void recovers(sfgp_context *context, const char *method, int d, const double a[9])
{
    const double b[3] = {70, -20, 5};
    test_shapes *s = moved_shapes(d, a, b);
    sfgp_settings settings = mixture_defaults(method);
    settings.tolerance = 1e-9;
    settings.omega = 1e-3;
    sfgp_result *r = mixture_fit(context, s, &settings);
    const double left = mixture_error(s, r->points);
    if (!(left < 1e-6))
        fail_msg("%s %dD: %g of the motion is left", method, d, left);
    for (int i = 0; i < s->n; i++)
        assert_true(r->sd[i] == 0);
    sfgp_result_free(r);
    test_shapes_free(s);
}

static void similarities_and_affine_maps_are_recovered(void **state)
{
    const double c = cos(0.3), t = sin(0.3);
    const double growth[] = {1.7, 0, 0, 0, 1.7, 0, 0, 0, 1.7};
    const double similarity[] = {1.7 * c, -1.7 * t, 0, 1.7 * t, 1.7 * c, 0, 0, 0, 1.7};
    const double affine[] = {1.05, 0.1, -0.05, 0.05, 0.9, 0.05, 0.05, -0.05, 1.1};
    for (int d = 2; d <= 3; d++) {
        recovers(*state, "cpd-rigid", d, similarity);
        recovers(*state, "cpd-affine", d, growth);
        recovers(*state, "cpd-affine", d, affine);
    }
}

/* A rigid fit may not mirror: the distances within the fitted shape are those of the reference times s. */
static void rigid_fits_keep_the_shape(void **state)
{
    const double mirror[] = {-1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {1, 2, 3};
    test_shapes *s = moved_shapes(3, mirror, b);
    sfgp_settings settings = mixture_defaults("cpd-rigid");
    sfgp_result *r = mixture_fit(*state, s, &settings);
    double before[9], after[9];
    for (int k = 0; k < 9; k++) {
        const int i = 3 * (20 + 37 * (k / 3)) + k % 3;
        before[k] = s->reference[i] - s->reference[k % 3];
        after[k] = r->points[i] - r->points[k % 3];
    }
    const double *const sides[] = {before, after};
    double volumes[2];
    for (int k = 0; k < 2; k++) {
        const double *x = sides[k];
        volumes[k] = x[0] * (x[4] * x[8] - x[5] * x[7]) - x[1] * (x[3] * x[8] - x[5] * x[6]) +
                     x[2] * (x[3] * x[7] - x[4] * x[6]);
    }
    assert_true(volumes[1] / volumes[0] > 0);
    sfgp_result_free(r);
    test_shapes_free(s);
}

/* A flat reference says nothing about the third column of A: its points stay in the plane of the target. */
static void flat_references_have_an_affine_fit(void **state)
{
    const double affine[] = {1.1, 0.2, 0, 0.05, 0.8, 0, 0, 0, 1}, b[3] = {0, 0, 12};
    test_shapes *s = moved_shapes(3, affine, b);
    mixture_assert_flat(*state, "cpd-affine", s, 12);
    test_shapes_free(s);
}

/* A smooth warp without noise, outliers or holes; the start is as wide as the shape. */
static void smooth_fits_recover_a_warp(void **state)
{
    double left[2];
    for (int method = 0; method < 2; method++) {
        test_shapes *s = test_shapes_new(400, 3, 0, 88);
        sfgp_settings settings = mixture_defaults(METHODS[method]);
        settings.omega = 1e-3;
        settings.tolerance = 1e-7;
        memcpy(s->target, s->truth, 1200 * sizeof(double));
        s->m = 400;
        sfgp_result *r = mixture_fit(*state, s, &settings);
        left[method] = mixture_error(s, r->points);
        if (!(left[method] < 0.1 && r->outcome == SFGP_CONVERGED))
            fail_msg("%s: %g of the warp is left", METHODS[method], left[method]);
        assert_string_equal(r->settings->outlier_density, "count");
        sfgp_result_free(r);
        test_shapes_free(s);
    }
    assert_true(fabs(left[0] - left[1]) < 0.02);
}

static void runs_and_threads_give_the_same_bits(void **state)
{
    for (int method = 0; method < METHOD_COUNT; method++) {
        sfgp_settings settings = mixture_defaults(METHODS[method]);
        settings.max_iterations = 6;
        mixture_assert_same_bits(*state, settings, 1100, 82, 4);
    }
}

static void shapes_that_agree_stay(void **state)
{
    for (int method = 0; method < METHOD_COUNT; method++)
        mixture_assert_stays(*state, METHODS[method], 83, 1e-6);
}

static void zero_iterations_return_the_reference(void **state)
{
    for (int method = 0; method < METHOD_COUNT; method++) {
        sfgp_settings settings = mixture_defaults(METHODS[method]);
        strcpy(settings.normalise, "reference");
        settings.max_iterations = 0;
        settings.pmin = 1e-9; /* at the start every label is as faint as 1/N */
        test_shapes *s = test_shapes_new(50, 3, 0, 84);
        sfgp_result *r = mixture_fit(*state, s, &settings);
        assert_true(r->outcome == SFGP_MAX_ITERATIONS && r->iterations == 0);
        assert_true(mixture_distance(150, r->points, s->reference, 30) < 1e-14);
        sfgp_result_free(r);
        test_shapes_free(s);
    }
}

static int progress_counts_the_iterations(void *user, const sfgp_progress *progress)
{
    int64_t *last = user;
    assert_int_equal(progress->iteration, *last + 1);
    assert_true(progress->change > 0 && progress->max_iterations == 7);
    *last = progress->iteration;
    return 0;
}

static void progress_is_reported(void **state)
{
    test_shapes *s = test_shapes_new(60, 2, 0, 85);
    sfgp_settings settings = mixture_settings("cpd");
    int64_t last = 0;
    settings.max_iterations = 7;
    sfgp_context_set_progress(*state, progress_counts_the_iterations, &last);
    sfgp_result *r = mixture_fit(*state, s, &settings);
    assert_true(last == 7 && r->iterations == 7);
    sfgp_result_free(r);
    test_shapes_free(s);
}

static void too_many_pairs_are_refused(void **state)
{
    mixture_assert_too_many(*state, "cpd", 86, "cpd-lowrank");
}

static void every_failing_allocation_is_reported(void **state)
{
    mixture_assert_failures(*state, METHODS, METHOD_COUNT, 87);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_iteration_is_the_papers),
        sfgp_unit_test(similarities_and_affine_maps_are_recovered),
        sfgp_unit_test(rigid_fits_keep_the_shape),
        sfgp_unit_test(flat_references_have_an_affine_fit),
        sfgp_unit_test(smooth_fits_recover_a_warp),
        sfgp_long_test(runs_and_threads_give_the_same_bits),
        sfgp_unit_test(shapes_that_agree_stay),
        sfgp_unit_test(zero_iterations_return_the_reference),
        sfgp_unit_test(progress_is_reported),
        sfgp_unit_test(too_many_pairs_are_refused),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
