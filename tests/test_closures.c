/* What closes a scan that is cut off (fit/closures.h, outcome/squeezed.h, ADR 0124). */
#include "base/random.h"
#include "fit/attempt.h"
#include "outcome/squeezed.h"
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

static bool is_squeezed(sfgp_context *context, const sfgp_mesh *reference, const sfgp_mesh *scan,
                        const sfgp_settings *settings)
{
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_outcome outcome;
    sfgp_squeezed squeezed;
    sfgp_assert_ok(context, sfgp_model_new(context, reference, NULL, 0, settings, &model));
    sfgp_assert_ok(context, sfgp_solver_new(context, model, settings, &solver));
    sfgp_assert_ok(context, sfgp_solver_load(solver, scan));
    sfgp_assert_ok(context, sfgp_attempt(solver, true, &outcome));
    sfgp_assert_ok(context, sfgp_squeezed_find(solver->em, &squeezed));
    const bool found = squeezed.found;
    sfgp_squeezed_clear(&squeezed);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    return found;
}

/* A foot of which a part is squeezed: without that part of the scan the fit would lie elsewhere, and the first one is made again. */
static void a_fit_that_moves_elsewhere_is_not_kept(void **state)
{
    const char *folder = sfgp_test_path(sfgp_test_data(), "families/foot");
    sfgp_settings settings;
    sfgp_mesh *reference, *scan;
    sfgp_result *result[2];
    sfgp_assert_ok(*state, sfgp_mesh_read(*state, sfgp_test_path(folder, "reference.ply"), &reference));
    sfgp_assert_ok(*state, sfgp_mesh_read(*state, sfgp_test_path(folder, "scan/000.ply"), &scan));
    sfgp_settings_default(&settings);
    assert_true(is_squeezed(*state, reference, scan, &settings));
    for (int k = 0; k < 2; k++) {
        settings.closures = k;
        result[k] = test_fit_of(*state, reference, scan, &settings);
        assert_false(is_told());
    }
    assert_memory_equal(result[0]->points, result[1]->points,
                        (size_t)(3 * reference->count) * sizeof(double));
    for (int k = 0; k < 2; k++)
        sfgp_result_free(result[k]);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_end_is_not_squeezed_onto_a_dome),
        sfgp_unit_test(open_cuts_and_short_bodies_stay),
        sfgp_long_test(a_fit_that_moves_elsewhere_is_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
