/* Extrapolation: where a leap goes, what it is worth, how it is taken back, and that fits end where those of
 * plain EM end, sooner. */
#include "fit/squarem.h"
#include "model/coefficients.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 90, D = 2 };

typedef struct point {
    double points[N * D], noise, divergence, evidence, change;
    bool leapt;
} point;

static point step(sfgp_context *context, sfgp_solver *solver)
{
    point x;
    sfgp_assert_ok(context, sfgp_solver_step(solver));
    memcpy(x.points, solver->fitted, sizeof x.points);
    x.noise = solver->noise[0];
    x.divergence = solver->divergence;
    x.evidence = solver->evidence;
    x.change = solver->change;
    x.leapt = solver->squarem.leapt;
    return x;
}

/* Steps to the first leap that is longer than so much; the steps before it are seen in x0, x1, and x2 is
 * where the posterior is. */
static point leap_after(sfgp_context *context, test_scene *s, double longest, point *x0, point *x1)
{
    point x = {0};
    for (int k = 0; k < 300; k++) {
        const double allowed = s->solver->squarem.longest;
        *x0 = *x1;
        *x1 = x;
        x = step(context, s->solver);
        if (x.leapt && allowed >= longest)
            return x;
        assert_false(s->solver->settled);
    }
    fail_msg("no leap in 300 steps");
    return x;
}

/* x = x0 + 2 a r + a^2 w with one a > 1 for all coordinates and, within its limit, ln v. */
static void leaps_go_on_along_the_steps(void **state)
{
    for (int training = 0; training <= 5; training += 5) {
        test_scene s = test_scene_new(*state, N, D, training);
        point x0 = {0}, x1 = {0};
        const point x = leap_after(*state, &s, 4, &x0, &x1);
        const double *x2 = s.solver->posterior.mean;
        double rr = 0, ww = 0;
        for (int k = 0; k < N * D; k++) {
            const double r = x1.points[k] - x0.points[k], w = x2[k] - x1.points[k] - r;
            rr += r * r;
            ww += w * w;
        }
        const double a = fmin(fmax(sqrt(rr / ww), 1), 4);
        assert_true(a > 1);
        for (int k = 0; k < N * D; k++) {
            const double r = x1.points[k] - x0.points[k], w = x2[k] - x1.points[k] - r;
            assert_true(fabs(x.points[k] - (x0.points[k] + 2 * a * r + a * a * w)) < 1e-12);
        }
        for (int i = 0; i < N; i++)
            assert_true(s.solver->noise[i] == x.noise);
        assert_false(s.solver->settled);
        test_scene_free(&s);
    }
}

/* The points of a leap have coefficients, and with the covariance of x2 a divergence from the prior. */
static void a_leap_has_a_bound(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 5);
    point x0 = {0}, x1 = {0};
    const point x = leap_after(*state, &s, 4, &x0, &x1);
    const int64_t m = sfgp_coefficients_size(s.model);
    const double *c = s.solver->squarem.path[0] + N * D, *c2 = s.solver->squarem.path[2] + N * D;
    double points[N * D], more = 0;
    sfgp_coefficients_place(s.model, c, 0, N, points);
    for (int k = 0; k < N * D; k++)
        assert_true(fabs(points[k] - x.points[k]) < 1e-12);
    for (int64_t k = 0; k < m; k++)
        more += 0.5 * (c[k] * c[k] - c2[k] * c2[k]);
    assert_true(fabs(more) > 1e-6);
    assert_true(fabs(x.divergence - sfgp_posterior_divergence(&s.solver->posterior) - more) <
                1e-9 * fabs(x.divergence));
    test_scene_free(&s);
}

static void a_leap_that_costs_too_much_is_taken_back(void **state)
{
    for (int gone = 0; gone < 2; gone++) {
        test_scene s = test_scene_new(*state, N, D, 0);
        point x0 = {0}, x1 = {0};
        const point x = leap_after(*state, &s, 1, &x0, &x1);
        const double longest = s.solver->squarem.longest, before = s.solver->squarem.divergence;
        assert_true(fabs(x.divergence - before) > 1e-9 && s.solver->squarem.bound == x.evidence);
        sfgp_assert_ok(*state, sfgp_solver_label(s.solver));
        s.solver->evidence = s.solver->labels.evidence - s.solver->divergence;
        assert_true(s.solver->evidence > x.evidence - 0.1 * s.shapes->m);
        if (gone)
            s.solver->labels.missing = N;
        else
            s.solver->evidence = x.evidence - 0.11 * s.shapes->m;
        assert_true(sfgp_squarem_retreat(s.solver));
        assert_false(sfgp_squarem_retreat(s.solver));
        assert_memory_equal(s.solver->fitted, s.solver->posterior.mean, N * D * sizeof(double));
        assert_true(s.solver->divergence == before);
        assert_true(fabs(s.solver->noise[0] /
                             exp(s.solver->squarem.path[2][N * D + sfgp_coefficients_size(s.model)]) -
                         1) < 1e-14);
        assert_true(s.solver->squarem.longest == fmax(longest / 4, 1));
        test_scene_free(&s);
    }
}

static void a_leap_that_costs_little_stays(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    point x0 = {0}, x1 = {0};
    const point x = leap_after(*state, &s, 1, &x0, &x1);
    sfgp_assert_ok(*state, sfgp_solver_label(s.solver));
    s.solver->evidence = x.evidence - 0.09 * s.shapes->m;
    assert_false(sfgp_squarem_retreat(s.solver));
    assert_memory_equal(s.solver->fitted, x.points, sizeof x.points);
    test_scene_free(&s);
}

/* Plain EM: the steps are forgotten before each. Returns how many there were. */
static int fit(sfgp_context *context, test_scene *s, bool plain)
{
    int steps = 0;
    for (s->solver->settled = false; !s->solver->settled && steps < 3000; steps++) {
        if (plain)
            sfgp_squarem_begin(s->solver);
        sfgp_assert_ok(context, sfgp_solver_step(s->solver));
    }
    return steps;
}

/* Steps of a fit that rests are a thousandth of the labels' deviation: many of them add up. */
static void fits_end_where_plain_ones_do(void **state)
{
    int sum[2] = {0};
    for (int training = 0; training <= 5; training += 5) {
        test_scene plain = test_scene_new(*state, N, D, training),
                   quick = test_scene_new(*state, N, D, training);
        sum[0] += fit(*state, &plain, true);
        sum[1] += fit(*state, &quick, false);
        assert_true(plain.solver->settled && quick.solver->settled);
        double most = 0;
        for (int k = 0; k < N * D; k++)
            most = fmax(most, fabs(plain.solver->fitted[k] - quick.solver->fitted[k]));
        if (!(most < 0.05 * sqrt(quick.solver->noise[0])))
            fail_msg("%d shapes: %g deviations of a label apart", training,
                     most / sqrt(quick.solver->noise[0]));
        assert_true(quick.solver->evidence > plain.solver->evidence - 0.1);
        test_scene_free(&plain);
        test_scene_free(&quick);
    }
    if (!(sum[1] < 0.8 * sum[0]))
        fail_msg("%d steps, %d without leaps", sum[1], sum[0]);
}

/* The last step that is allowed ends at a posterior. */
static void a_fit_never_ends_with_a_leap(void **state)
{
    for (int most = 21; most < 40; most++) {
        test_scene s = test_scene_new(*state, N, D, 0);
        sfgp_outcome outcome;
        s.solver->settings.max_iterations = most;
        sfgp_assert_ok(*state, sfgp_solver_iterate(s.solver, true, &outcome));
        assert_memory_equal(s.solver->fitted, s.solver->posterior.mean, N * D * sizeof(double));
        test_scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(leaps_go_on_along_the_steps),
        sfgp_unit_test(a_leap_has_a_bound),
        sfgp_unit_test(a_leap_that_costs_too_much_is_taken_back),
        sfgp_unit_test(a_leap_that_costs_little_stays),
        sfgp_unit_test(fits_end_where_plain_ones_do),
        sfgp_unit_test(a_fit_never_ends_with_a_leap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
