/* Outlines that are sampled between their vertices, as real ones are: under which prior the default fits them, and what it misses. */
#include "base/context.h"
#include "base/random.h"
#include "support/shapes.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 150, TARGETS = 200 };
#define TURN (2 * 3.14159265358979)
#define FIRST 0.55 /* the arc that the scan does not show, of the whole */
#define LAST 0.75
#define RADIUS 50.

/* A closed curve without symmetry; `bent`: as another one of its kind is, turned by 20 degrees and moved. */
static void point_of(double t, bool bent, double x[2])
{
    const double angle = TURN * t, r = RADIUS * (1 + 0.25 * cos(3 * angle) + 0.12 * sin(5 * angle)),
                 u = r * cos(angle), v = r * sin(angle), turn = bent ? 0.35 + 0.15 * tanh(u / RADIUS) : 0,
                 wide = bent ? 1.08 : 1;
    x[0] = cos(turn) * wide * u - sin(turn) * v + (bent ? 8 : 0);
    x[1] = sin(turn) * wide * u + cos(turn) * v;
}

static bool is_shown(double t)
{
    return t < FIRST || t > LAST;
}

static sfgp_mesh *reference_new(sfgp_context *context)
{
    double x[2 * N];
    for (int i = 0; i < N; i++)
        point_of((double)i / N, false, x + (ptrdiff_t)2 * i);
    return test_mesh(context, N, 2, x);
}

/* Points at random along the bent curve. */
static sfgp_mesh *sample(sfgp_context *context)
{
    double x[2 * TARGETS];
    sfgp_random random = sfgp_random_of(5);
    for (int j = 0; j < TARGETS; j++) {
        double t = FIRST;
        while (!is_shown(t))
            t = sfgp_random_uniform(&random);
        point_of(t, true, x + (ptrdiff_t)2 * j);
        for (int a = 0; a < 2; a++)
            x[2 * j + a] += 0.002 * RADIUS * sfgp_random_normal(&random);
    }
    return test_mesh(context, TARGETS, 2, x);
}

static sfgp_result *fit(sfgp_context *context)
{
    sfgp_settings settings = test_settings();
    return test_fit_meshes(context, reference_new(context), sample(context), &settings);
}

/* How far point i is from the truth. */
static double distance_of(const sfgp_result *r, int i)
{
    double truth[2];
    point_of((double)i / N, true, truth);
    return hypot(r->points[2 * i] - truth[0], r->points[2 * i + 1] - truth[1]);
}

static double error_of(const sfgp_result *r)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += distance_of(r, i) / N;
    return sum;
}

/* Points slide along the curve by 0.03 to 0.05 radii in the mean, under the prior as it is by 0.12. */
static void a_sampled_outline_is_fitted_under_the_stiff_prior(void **state)
{
    sfgp_result *r = fit(*state);
    assert_int_equal(r->outcome, SFGP_CONVERGED);
    sfgp_assert_has(r->settings->kernel, "variance=0.003");
    assert_true(error_of(r) < 0.05 * RADIUS);
    sfgp_result_free(r);
}

/* Where three spacings of the scan are empty. */
static void its_hole_is_what_is_missing(void **state)
{
    sfgp_result *r = fit(*state);
    int both = 0, hidden = 0;
    for (int i = 0; i < N; i++) {
        const bool is_hidden = !is_shown((double)i / N);
        hidden += is_hidden;
        both += is_hidden && r->missing[i];
    }
    assert_true(both > 0.85 * hidden);
    assert_true(both > 0.85 * (double)r->missing_count);
    sfgp_result_free(r);
}

/* The region of 95 % holds at least this share of the truth. */
static void its_regions_hold_most_of_the_truth(void **state)
{
    sfgp_result *r = fit(*state);
    int inside = 0;
    for (int i = 0; i < N; i++)
        inside += distance_of(r, i) < 2.4477 * r->sd[i];
    assert_true(inside > 0.85 * N);
    sfgp_result_free(r);
}

/* Where the time of a run ends. */
typedef struct limit {
    sfgp_context *context;
    double fraction;
} limit;

static int end_time(void *user, const sfgp_progress *progress)
{
    const limit *l = user;
    if (progress->fraction > l->fraction)
        l->context->deadline = DBL_MIN;
    return 0;
}

static sfgp_result *fit_until(sfgp_context *context, double fraction)
{
    limit l = {context, fraction};
    context->progress = end_time;
    context->progress_user = &l;
    sfgp_result *r = fit(context);
    context->progress = NULL;
    assert_int_equal(r->outcome, SFGP_MAX_TIME);
    sfgp_assert_has(r->settings->kernel, "variance=0.003");
    return r;
}

/* The search under the stiff prior comes first. What it has found is kept, and nothing is tried after the end. */
static void time_ends_in_either_search(void **state)
{
    sfgp_result *r = fit_until(*state, 0.55);
    assert_true(error_of(r) < 0.05 * RADIUS);
    sfgp_result_free(r);
    sfgp_result_free(fit_until(*state, 0.1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_sampled_outline_is_fitted_under_the_stiff_prior),
        sfgp_long_test(its_hole_is_what_is_missing),
        sfgp_long_test(its_regions_hold_most_of_the_truth),
        sfgp_unit_test(time_ends_in_either_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
