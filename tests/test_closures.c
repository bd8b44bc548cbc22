/* What closes a scan that is cut off (fit/closures.h, outcome/squeezed.h, ADR 0124). */
#include "base/random.h"
#include "fit/attempt.h"
#include "fit/closures.h"
#include "support/ear.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { POINTS = 1200, SCAN = 1500 };

#define CUT 0.68 /* of the length is seen */

/* A long body without symmetry. t: from one end to the other, 0 to 1; u: from its axis to its surface. */
static void place(double t, double angle, double u, double x[3])
{
    const double round = 0.5 * sqrt(sin(M_PI * t)) * (1 + 0.35 * cos(9 * t) + 0.2 * cos(angle) * sin(5 * t));
    x[0] = 3 * t;
    x[1] = u * round * cos(angle) + 0.5 * t * t;
    x[2] = 0.7 * u * round * sin(angle) + 0.15 * sin(4 * t);
}

/* The scanned body is longer and bent. */
static void deform(double x[3])
{
    x[0] *= 1.06;
    x[1] += 0.04 * x[0] * x[0];
}

static double length_of(int i)
{
    return (i + 0.5) / POINTS;
}

static void make_body(bool scanned, double points[3 * POINTS])
{
    for (int i = 0; i < POINTS; i++) {
        place(length_of(i), 2.399963 * i, 1, points + 3 * i);
        if (scanned)
            deform(points + 3 * i);
    }
}

typedef enum ending { OPEN, CLOSED, SHORT } ending;

/* OPEN: cut off; CLOSED: and closed by a dome; SHORT: the whole body, half of which is half as long. */
static void make_scan(ending end, double points[3 * SCAN])
{
    sfgp_random random;
    sfgp_random_seed(&random, 3);
    for (int j = 0; j < SCAN; j++) {
        const bool dome = end == CLOSED && j < SCAN / 12;
        const double angle = 2 * M_PI * sfgp_random_uniform(&random), s = sfgp_random_uniform(&random),
                     u = dome ? sqrt(s) : 1;
        double *x = points + 3 * j;
        place(dome ? CUT : end == SHORT ? s : CUT * s, angle, u, x);
        if (dome)
            x[0] += 0.08 * (1 - u * u);
        deform(x);
        if (end == SHORT && x[0] > 1.6)
            x[0] = 1.6 + 0.5 * (x[0] - 1.6);
    }
}

static sfgp_result *fit(sfgp_context *context, ending end, int closures)
{
    static double reference[3 * POINTS], scan[3 * SCAN];
    sfgp_settings settings;
    sfgp_settings_default(&settings);
    settings.closures = closures;
    make_body(false, reference);
    make_scan(end, scan);
    sfgp_mesh *body = test_mesh(context, POINTS, 3, reference), *target = test_mesh(context, SCAN, 3, scan);
    sfgp_result *result = test_fit_of(context, body, target, &settings);
    sfgp_mesh_free(body);
    sfgp_mesh_free(target);
    return result;
}

/* Mean error of what is cut off. */
static double error_of(const sfgp_result *result)
{
    static double truth[3 * POINTS];
    double sum = 0;
    int count = 0;
    make_body(true, truth);
    for (int i = 0; i < POINTS; i++)
        if (length_of(i) > CUT) {
            const double *x = result->points + 3 * i, *y = truth + 3 * i;
            sum += sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
            count++;
        }
    return sum / count;
}

static bool is_told(void)
{
    return strstr(sfgp_test_warning(), "an end of the shape was squeezed onto") != NULL;
}

static void the_end_is_not_squeezed_onto_a_dome(void **state)
{
    sfgp_result *kept = fit(*state, CLOSED, 0);
    assert_false(is_told());
    sfgp_result *without = fit(*state, CLOSED, 1);
    assert_true(is_told());
    assert_true(error_of(without) < 0.4 * error_of(kept));
    assert_true(without->missing_count > kept->missing_count);
    for (int64_t i = 0; i < without->count; i++)
        assert_true(without->target[i] < SCAN);
    sfgp_result_free(kept);
    sfgp_result_free(without);
}

static void assert_same(sfgp_context *context, ending end)
{
    sfgp_result *kept = fit(context, end, 0), *same = fit(context, end, 1);
    assert_false(is_told());
    assert_memory_equal(kept->points, same->points, (size_t)(3 * POINTS) * sizeof(double));
    sfgp_result_free(kept);
    sfgp_result_free(same);
}

/* An open cut squeezes nothing; and where the body itself is shorter, its surface has the normals of the scan. */
static void open_cuts_and_short_bodies_stay(void **state)
{
    assert_same(*state, OPEN);
    assert_same(*state, SHORT);
}

/* How many points of the scan are left out, when the first fit lies beside the second one by `shift` radii. */
static int64_t left_out(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *scan, double shift)
{
    sfgp_settings settings;
    sfgp_solver *solver;
    sfgp_outcome outcome;
    sfgp_settings_default(&settings);
    sfgp_assert_ok(context, sfgp_solver_new(context, model, &settings, &solver));
    sfgp_assert_ok(context, sfgp_solver_load(solver, scan));
    sfgp_assert_ok(context, sfgp_attempt(solver, true, &outcome));
    const int64_t before = solver->scan.points->count;
    for (int i = 0; i < POINTS; i++)
        solver->em->state.points[3 * i + 1] += shift;
    sfgp_assert_ok(context, sfgp_closures_leave_out(solver, &outcome));
    assert_int_equal(outcome, SFGP_CONVERGED);
    assert_true(solver->problem.mesh == solver->scan.points);
    const int64_t left = solver->scan.points->count;
    sfgp_solver_free(solver);
    return before - left;
}

/* Without a part of its scan a fit may lie elsewhere. Then all of the scan is fitted again. */
static void a_fit_that_moves_elsewhere_is_not_kept(void **state)
{
    static double reference[3 * POINTS], points[3 * SCAN];
    sfgp_settings settings;
    sfgp_model *model;
    sfgp_settings_default(&settings);
    make_body(false, reference);
    make_scan(CLOSED, points);
    sfgp_mesh *body = test_mesh(*state, POINTS, 3, reference), *scan = test_mesh(*state, SCAN, 3, points);
    sfgp_assert_ok(*state, sfgp_model_new(*state, body, NULL, 0, &settings, &model));
    assert_int_equal(left_out(*state, model, scan, 0.1), 0);
    assert_false(is_told());
    assert_true(left_out(*state, model, scan, 0.05) > SCAN / 10);
    assert_true(is_told());
    sfgp_model_free(model);
    sfgp_mesh_free(body);
    sfgp_mesh_free(scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_end_is_not_squeezed_onto_a_dome),
        sfgp_unit_test(open_cuts_and_short_bodies_stay),
        sfgp_unit_test(a_fit_that_moves_elsewhere_is_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
