/* MAP registration and the minimiser behind it: the gradient against differences, the minimum against a dense
 * solve for the correspondences it found, and the contract of a baseline. */
#include "support/oracle_map.h"
#include "test_baseline_prior.h"
#include "base/random.h"
#include "baseline/map_objective.h"
#include "linalg/minimise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- minimiser --------------------------------------------------------------------------------------- */

/* Rosenbrock's valley, (1 - x)^2 + 100 (y - x^2)^2 for every pair: the minimum is at 1. */
static double valley(void *user, const double *x, double *gradient)
{
    const int64_t n = *(const int64_t *)user;
    double sum = 0;
    for (int64_t k = 0; k < n; k += 2) {
        double a = 1 - x[k], b = x[k + 1] - x[k] * x[k];
        sum += a * a + 100 * b * b;
        gradient[k] = -2 * a - 400 * x[k] * b;
        gradient[k + 1] = 200 * b;
    }
    return sum;
}

static void the_valley_is_walked_to_its_end(void **state)
{
    double x[20] = {0};
    sfgp_minimum minimum;
    for (int64_t n = 2; n <= 20; n += 6) { /* 2, 8, 14, 20: padded and not */
        memset(x, 0, sizeof x);
        const sfgp_problem problem = {n, valley, NULL, &n, 1000, 1e-9};
        sfgp_assert_ok(*state, sfgp_minimise(*state, &problem, x, &minimum));
        assert_true(minimum.converged && minimum.iterations > 5 && minimum.value < 1e-16);
        for (int64_t k = 0; k < n; k++)
            assert_true(fabs(x[k] - 1) < 1e-7); /* curvature 0.4 at least: |x - 1| < 1e-9 |x| / 0.4 */
    }
}

static void iterations_are_limited_and_zero_leave_the_start(void **state)
{
    int64_t n = 4;
    double last = 1e300;
    for (int most = 0; most < 8; most++) {
        double x[] = {-1.2, 1, 0.5, -2}, start[4];
        memcpy(start, x, sizeof x);
        sfgp_minimum minimum;
        const sfgp_problem problem = {n, valley, NULL, &n, most, 1e-9};
        sfgp_assert_ok(*state, sfgp_minimise(*state, &problem, x, &minimum));
        assert_true(!minimum.converged && minimum.iterations == most && minimum.value < last);
        assert_true(most > 0 || memcmp(x, start, sizeof x) == 0);
        last = minimum.value;
    }
}

static bool stop_at_three(void *user, int64_t iteration, const double *x)
{
    (void)user, (void)x;
    return iteration == 3;
}

static double not_a_number(void *user, const double *x, double *gradient)
{
    (void)user, (void)x;
    gradient[0] = gradient[1] = 0;
    return (double)NAN;
}

static void the_observer_stops_and_a_bad_start_is_an_error(void **state)
{
    int64_t n = 2;
    double x[] = {-1.2, 1};
    sfgp_minimum minimum;
    const sfgp_problem problem = {n, valley, stop_at_three, &n, 100, 1e-9},
                       bad = {n, not_a_number, NULL, &n, 100, 1e-9};
    sfgp_assert_ok(*state, sfgp_minimise(*state, &problem, x, &minimum));
    assert_true(minimum.converged && minimum.iterations == 3);
    sfgp_assert_status(*state, sfgp_minimise(*state, &bad, x, &minimum), SFGP_ERROR_NUMERIC);
}

/* ---- MAP --------------------------------------------------------------------------------------------- */

static prior_fixture fixture_new(sfgp_context *context, int n, int d, int training, const char *kernel,
                                 uint64_t seed)
{
    return prior_fixture_new(context, "map", 1e-4, n, d, training, kernel, seed);
}

static const struct {
    int d, training;
    const char *kernel;
} ROWS[] = {{3, 0, "se:length=1,variance=0.1"},
            {3, 6, "none"},
            {3, 5, "se:length=2,variance=0.05"},
            {2, 0, "se:length=1,variance=0.1"},
            {2, 5, "se:length=2,variance=0.05"}};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

/* f is quadratic while no closest point changes: central differences with step h are exact up to rounding,
 * 1e-16 f / h, and the step of 1e-6 changes a closest point only where two are equally far within 1e-6. */
static void the_gradient_is_that_of_the_oracles_objective(void **state)
{
    const long double h = 1e-6L;
    for (int row = 0; row < ROW_COUNT; row++) {
        prior_fixture f = fixture_new(*state, 60, ROWS[row].d, ROWS[row].training, ROWS[row].kernel, 50);
        oracle_map *o = oracle_map_new(f.model, f.shapes->m, f.shapes->target, 0.01);
        sfgp_map_estimate map;
        sfgp_random random = sfgp_random_of(9);
        sfgp_assert_ok(*state, sfgp_map_estimate_new(*state, f.model, f.target, 0.01, &map));
        assert_int_equal(map.size, o->size);
        double *c = calloc((size_t)o->size, sizeof *c), *gradient = calloc((size_t)o->size, sizeof *gradient);
        long double *x = calloc((size_t)o->size, sizeof *x);
        for (int k = 0; k < o->size; k++)
            x[k] = c[k] = 0.3 * sfgp_random_normal(&random);
        double value = sfgp_map_estimate_objective(&map, c, gradient);
        assert_true(fabsl(value - oracle_map_objective(o, x)) < 1e-13L * (1 + value));
        for (int k = 0; k < o->size; k += 7) {
            x[k] = (long double)c[k] + h;
            long double up = oracle_map_objective(o, x);
            x[k] = (long double)c[k] - h;
            long double slope = (up - oracle_map_objective(o, x)) / (2 * h);
            x[k] = c[k];
            if (!(fabsl(gradient[k] - slope) < 1e-9L))
                fail_msg("row %d, coefficient %d: %.12g for %.12Lg", row, k, gradient[k], slope);
        }
        free(c), free(gradient), free(x);
        sfgp_map_estimate_clear(&map);
        oracle_map_free(o);
        prior_fixture_free(&f);
    }
}

/* The fitted points in the frame of the model. */
static long double *in_frame(const prior_fixture *f, const sfgp_result *r)
{
    const int64_t size = r->count * f->shapes->d;
    const sfgp_frame *frame = &f->model->frame;
    double *inside = calloc((size_t)size, sizeof *inside);
    long double *x = calloc((size_t)size, sizeof *x);
    sfgp_frame_enter_exactly(frame, r->count, r->points, inside);
    for (int64_t k = 0; k < size; k++)
        x[k] = inside[k];
    free(inside);
    return x;
}

/* A minimum among functions that are the least of quadratics lies inside one of them: with the closest points
 * of the fit held fixed, the dense quadratic has its minimum where the fit ended. The search can tell values
 * of f apart to 1e-16, so c to about 1e-8 / sqrt(lambda) = 1e-7, and points to the same. */
static void the_fit_is_the_minimum_for_its_own_correspondences(void **state)
{
    for (int row = 0; row < ROW_COUNT; row++) {
        prior_fixture f = fixture_new(*state, 120, ROWS[row].d, ROWS[row].training, ROWS[row].kernel, 51);
        f.settings.lambda = 0.01;
        f.settings.tolerance = 1e-14;
        f.settings.max_iterations = 5000;
        sfgp_result *r;
        sfgp_assert_ok(*state, prior_fit(*state, &f, &r));
        assert_int_equal(r->outcome, SFGP_CONVERGED);
        oracle_map *o = oracle_map_new(f.model, f.shapes->m, f.shapes->target, 0.01);
        long double *x = in_frame(&f, r), *c = calloc((size_t)o->size, sizeof *c),
                    *zero = calloc((size_t)o->size, sizeof *c),
                    *exact = calloc((size_t)(o->n * o->d), sizeof *exact), worst = 0;
        int *closest = calloc((size_t)o->n, sizeof *closest);
        for (int i = 0; i < o->n; i++)
            closest[i] = oracle_map_closest(o, x + i * o->d);
        oracle_map_solve(o, closest, c);
        oracle_map_place(o, c, exact, NULL);
        for (int k = 0; k < o->n * o->d; k++)
            worst = fmaxl(worst, fabsl(x[k] - exact[k]));
        if (!(worst < 1e-6L))
            fail_msg("row %d: %Lg RMS radii from the minimum", row, worst);
        assert_true(oracle_map_objective(o, c) < oracle_map_objective(o, zero));
        free(x), free(c), free(zero), free(exact), free(closest);
        oracle_map_free(o);
        sfgp_result_free(r);
        prior_fixture_free(&f);
    }
}

/* f falls with every further step, also on damaged targets with outliers. */
static void every_step_goes_down(void **state)
{
    for (uint64_t seed = 52; seed < 55; seed++) {
        prior_fixture f = fixture_new(*state, 150, 3, 6, "none", seed);
        oracle_map *o = oracle_map_new(f.model, f.shapes->m, f.shapes->target, 3e-4);
        long double last = INFINITY, *c = calloc((size_t)o->size, sizeof *c);
        double *x = calloc((size_t)o->size, sizeof *x);
        sfgp_map_estimate map;
        sfgp_assert_ok(*state, sfgp_map_estimate_new(*state, f.model, f.target, 3e-4, &map));
        for (int most = 0; most < 12; most++) {
            const sfgp_problem problem = {map.size, sfgp_map_estimate_objective, NULL, &map, most, 1e-12};
            sfgp_minimum minimum;
            memset(x, 0, (size_t)o->size * sizeof *x);
            sfgp_assert_ok(*state, sfgp_minimise(*state, &problem, x, &minimum));
            for (int k = 0; k < o->size; k++)
                c[k] = x[k];
            long double value = oracle_map_objective(o, c);
            assert_true(value < last && fabsl(value - minimum.value) < 1e-12L);
            last = value;
        }
        free(c), free(x);
        sfgp_map_estimate_clear(&map);
        oracle_map_free(o);
        prior_fixture_free(&f);
    }
}

static void the_result_keeps_the_contract(void **state)
{
    prior_fixture f = fixture_new(*state, 200, 3, 0, "auto", 56);
    sfgp_result *r;
    f.settings.max_distance = 0.03125; /* its square is exact */
    sfgp_assert_ok(*state, prior_fit(*state, &f, &r));
    assert_true(r->settings->lambda == 3e-4 && r->settings->rank == f.model->basis.scalar.rank);
    assert_true(r->outcome == SFGP_CONVERGED && r->change < r->settings->tolerance && r->sigma > 0);
    oracle_map *o = oracle_map_new(f.model, f.shapes->m, f.shapes->target, 3e-4);
    long double *x = in_frame(&f, r);
    int missing = 0;
    for (int i = 0; i < 200; i++) {
        int j = oracle_map_closest(o, x + 3 * i);
        long double square = 0;
        for (int a = 0; a < 3; a++)
            square += (x[3 * i + a] - o->target[3 * j + a]) * (x[3 * i + a] - o->target[3 * j + a]);
        bool found = square <= 0.03125L * 0.03125L;
        assert_true(r->missing[i] == !found && r->target[i] == (found ? j : -1));
        assert_true(r->probability[i] == found && r->sd[i] == 0);
        missing += !found;
    }
    assert_true(missing > 0 && missing < 200 && r->missing_count == missing);
    assert_true(r->explained > 0 && r->explained < 1);
    free(x);
    oracle_map_free(o);
    sfgp_result_free(r);
    prior_fixture_free(&f);
}

/* It stops at the first step that moves the points less than the tolerance, as a run cut short there shows.
 */
static void the_mean_motion_decides_when_to_stop(void **state)
{
    prior_fixture f = fixture_new(*state, 150, 3, 0, "auto", 61);
    sfgp_result *r, *before;
    f.settings.tolerance = 0.01;
    sfgp_assert_ok(*state, prior_fit(*state, &f, &r));
    assert_true(r->outcome == SFGP_CONVERGED && r->change < 0.01 && r->iterations > 2);
    f.settings.tolerance = 1e-12;
    for (int64_t most = 1; most < r->iterations; most++) {
        f.settings.max_iterations = most;
        sfgp_assert_ok(*state, prior_fit(*state, &f, &before));
        assert_true(before->outcome == SFGP_MAX_ITERATIONS && before->change >= 0.01);
        sfgp_result_free(before);
    }
    f.settings.max_iterations = r->iterations;
    sfgp_assert_ok(*state, prior_fit(*state, &f, &before));
    assert_memory_equal(r->points, before->points, 450 * sizeof(double));
    sfgp_result_free(before);
    sfgp_result_free(r);
    prior_fixture_free(&f);
}

/* A small deformation, nothing missing: every point ends at its own counterpart. */
static void a_complete_target_is_reached(void **state)
{
    for (int d = 2; d <= 3; d++) {
        prior_fixture f = fixture_new(*state, 150, d, 0, "se:length=1,variance=0.1", 57);
        double *y = f.shapes->truth, worst = 0;
        sfgp_result *r;
        for (int k = 0; k < 150 * d; k++)
            y[k] = f.shapes->reference[k] + 0.1 * (y[k] - f.shapes->reference[k]);
        sfgp_mesh_free(f.target);
        sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, 150, d, y, &f.target));
        f.settings.lambda = 1e-6;
        f.settings.tolerance = 1e-6;
        sfgp_assert_ok(*state, prior_fit(*state, &f, &r));
        for (int k = 0; k < 150 * d; k++)
            worst = fmax(worst, fabs(r->points[k] - y[k]));
        assert_true(worst < 0.05); /* mm; the points moved up to 0.5 mm and more */
        for (int i = 0; i < 150; i++)
            assert_int_equal(r->target[i], i);
        sfgp_result_free(r);
        prior_fixture_free(&f);
    }
}

static void threads_do_not_change_a_bit(void **state)
{
    prior_fixture f = fixture_new(*state, 2500, 3, 4, "auto", 58);
    f.settings.max_iterations = 20;
    prior_assert_same_bits(*state, &f);
    prior_fixture_free(&f);
}

static void zero_iterations_return_the_prior_mean_and_far_targets_nothing(void **state)
{
    prior_fixture f = fixture_new(*state, 100, 2, 0, "auto", 59);
    sfgp_result *r;
    f.settings.max_iterations = 0;
    sfgp_assert_ok(*state, prior_fit(*state, &f, &r));
    assert_true(r->outcome == SFGP_MAX_ITERATIONS && r->iterations == 0);
    for (int k = 0; k < 200; k++)
        assert_true(fabs(r->points[k] - f.shapes->reference[k]) < 1e-12);
    sfgp_result_free(r);
    prior_assert_no_overlap(*state, &f);
    prior_fixture_free(&f);
}

static void every_failing_allocation_is_reported(void **state)
{
    prior_fixture f = fixture_new(*state, 60, 3, 3, "auto", 60);
    prior_assert_failures(*state, &f, 3, 15);
    prior_fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_valley_is_walked_to_its_end),
        sfgp_unit_test(iterations_are_limited_and_zero_leave_the_start),
        sfgp_unit_test(the_observer_stops_and_a_bad_start_is_an_error),
        sfgp_unit_test(the_gradient_is_that_of_the_oracles_objective),
        sfgp_unit_test(the_fit_is_the_minimum_for_its_own_correspondences),
        sfgp_unit_test(every_step_goes_down),
        sfgp_unit_test(the_result_keeps_the_contract),
        sfgp_unit_test(the_mean_motion_decides_when_to_stop),
        sfgp_unit_test(a_complete_target_is_reached),
        sfgp_unit_test(threads_do_not_change_a_bit),
        sfgp_unit_test(zero_iterations_return_the_prior_mean_and_far_targets_nothing),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
