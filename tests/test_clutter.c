/* Scans of more than the shape: area and density of a sampled surface, clutter in the E-step, and a fit (ADR 0035). */
#include "em/estep.h"
#include "em/thinning.h"
#include "base/memory.h"
#include "base/random.h"
#include "fit/follow_ups.h"
#include "fit/one_search.h"
#include "geom/area.h"
#include "geom/measure.h"
#include "support/ear.h"
#include "support/scene.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- area and density ------------------------------------------------------------------------------------ */

enum { SPHERE = 5000, STRAYS = 1000, SHEET = 40 };

/* A sphere of radius 2, even (a spiral) or at random, and then strays in the cube around it. */
static void make_sphere(bool even, double points[(SPHERE + STRAYS) * 3])
{
    sfgp_random random = sfgp_random_of(5);
    for (int i = 0; i < SPHERE; i++) {
        const double z = even ? 2 * (i + 0.5) / SPHERE - 1 : 2 * sfgp_random_uniform(&random) - 1,
                     turn = even ? 2.399963 * i : 2 * PI * sfgp_random_uniform(&random);
        points[3 * i] = 2 * sqrt(1 - z * z) * cos(turn);
        points[3 * i + 1] = 2 * sqrt(1 - z * z) * sin(turn);
        points[3 * i + 2] = 2 * z;
    }
    for (int k = 3 * SPHERE; k < 3 * (SPHERE + STRAYS); k++)
        points[k] = 4 * sfgp_random_uniform(&random) - 2;
}

/* 16 pi, to 10 % without strays; they add to it less than twice their share. */
static void the_area_of_a_sphere_is_found_from_its_points(void **state)
{
    static double points[(SPHERE + STRAYS) * 3];
    for (int even = 0; even < 2; even++) {
        double area, with_strays;
        make_sphere(even, points);
        sfgp_assert_ok(*state, sfgp_points_area(*state, SPHERE, points, 1, &area));
        sfgp_assert_ok(*state, sfgp_points_area(*state, SPHERE + STRAYS, points, 1, &with_strays));
        assert_true(fabs(area / (16 * PI) - 1) < 0.1);
        assert_true(with_strays > area && with_strays < area * (1 + 2.0 * STRAYS / SPHERE));
    }
    memset(points, 0, sizeof points);
    double none;
    sfgp_assert_ok(*state, sfgp_points_area(*state, SPHERE, points, 1, &none));
    assert_true(none == 0);
    sfgp_assert_ok(*state, sfgp_points_area(*state, 8, points, 1, &none));
    assert_true(none == 0);
}

/* On a sheet with one point a unit of area: the points in a ball of 4.5 units, over its volume and their number. */
static void the_density_counts_the_points_in_a_ball(void **state)
{
    static double points[SHEET * SHEET * 3], density[SHEET * SHEET];
    const double count = SHEET * SHEET, volume = 4 * PI / 3 * pow(4.5, 3);
    for (int i = 0; i < SHEET * SHEET; i++) {
        points[3 * i] = i % SHEET;
        points[3 * i + 1] = i / SHEET;
        points[3 * i + 2] = 7;
    }
    sfgp_assert_ok(*state, sfgp_points_density(*state, SHEET * SHEET, points, count, 1, density));
    assert_true(fabs(density[20 * SHEET + 20] * volume * count / 69 - 1) <
                1e-12);                                              /* 69 within 4.5 of the middle */
    assert_true(fabs(density[0] * volume * count / 22 - 1) < 1e-12); /* a corner: a quarter and two sides */
}

/* A side of the box counts at least a tenth of the longest one. */
static void the_density_of_strays_around_a_flat_scan_has_a_bound(void **state)
{
    const double sheet[] = {1, 2, 7, 5, 2, 7, 1, 4, 7, 5, 4, 7}, line[] = {0, 3, 8, 3};
    (void)state;
    assert_true(fabs(sfgp_points_box_density(4, 3, sheet) * 4 * 2 * 0.4 - 1) < 1e-12);
    assert_true(fabs(sfgp_points_box_density(2, 2, line) * 8 * 0.8 - 1) < 1e-12);
}

/* ---- E-step ---------------------------------------------------------------------------------------------- */

enum { N = 450, D = 3 };

/* c is c g_j, so that the odds of a target to belong to the shape are those without clutter over g_j. */
static void clutter_divides_the_odds_of_a_target(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em *em = s.solver->em;
    sfgp_target *target = &s.solver->problem.target;
    double plain[2 * N];
    s.solver->problem.prune = 1e-12;    /* nothing is pruned that counts */
    for (int run = 0; run < 4; run++) { /* by tiles and by P, with all targets and with half of them */
        const bool whole = run & 1;
        sfgp_assert_ok(*state, sfgp_thinning_use(em, 1 + run / 2));
        const int64_t count = em->responsibilities.targets;
        assert_in_range(count, 1, 2 * N);
        sfgp_assert_ok(*state, whole ? sfgp_em_estep_whole(em) : sfgp_em_estep(em));
        memcpy(plain, em->responsibilities.explained, (size_t)count * sizeof(double));
        sfgp_assert_ok(*state, sfgp_allocate(*state, target->count, &target->clutter));
        for (int64_t j = 0; j < target->count; j++)
            target->clutter[j] = SFGP_TARGET_STRAYS + 0.01 * (double)(j % 500);
        sfgp_assert_ok(*state, whole ? sfgp_em_estep_whole(em) : sfgp_em_estep(em));
        for (int64_t j = 0; j < count; j++) {
            const double odds = plain[j] / (1 - plain[j]) / target->clutter[j * (1 + run / 2)],
                         share = em->responsibilities.explained[j];
            assert_true(fabs(share - odds / (1 + odds)) < 1e-5); /* of single precision */
        }
        sfgp_free(target->clutter);
        target->clutter = NULL;
    }
    test_scene_free(&s);
}

/* ---- a fit ----------------------------------------------------------------------------------------------- */

/* Mean distance of the default fit, which keeps planes, to the truth. */
static double fit_error(sfgp_context *context, const test_ear *ear, const sfgp_mesh *scan)
{
    sfgp_settings settings = test_settings();
    settings.planes = 0;
    sfgp_result *result = test_fit_of(context, ear->reference, scan, &settings);
    const double error = sfgp_points_apart(ear->truth->count, 3, result->points, ear->truth->points);
    sfgp_result_free(result);
    return error;
}

/* 0.08 mm. With uniform outliers the ear is stretched over the plate: 41 mm. */
static void an_ear_on_a_plate_is_found(void **state)
{
    test_ear ear = test_ear_new(*state, 18, 3, (test_ear_damage){7, 5, 0.005});
    sfgp_mesh *scan = test_ear_on_plate(*state, ear.target);
    assert_true(fit_error(*state, &ear, scan) < 0.5);
    sfgp_assert_has(sfgp_test_warning(), "beside: the scan has ");
    sfgp_mesh_free(scan);
    test_ear_free(&ear);
}

/* Its area is five times that of the reference, but nothing is around the shape (ADR 0047): 0.46 mm. With clutter a part of it is
 * taken for the shape: 22 mm. */
static void an_ear_of_two_and_a_half_times_the_size_is_no_clutter(void **state)
{
    test_ear ear = test_ear_new(*state, 30, 1, (test_ear_damage){7, 5, 0.005});
    for (int64_t k = 0; k < 3 * ear.target->count; k++)
        ear.target->points[k] *= 2.5;
    for (int64_t k = 0; k < 3 * ear.truth->count; k++)
        ear.truth->points[k] *= 2.5;
    assert_true(fit_error(*state, &ear, ear.target) < 1.25);
    test_ear_free(&ear);
}

/* 85 points: a part of the scan is taken for the shape in its own size, and neither this nor twice the size explains it well
 * (ADR 0047). The fit says that it could be either; for the scan in its size there is nothing to say. */
static void a_small_reference_cannot_tell_size_from_clutter(void **state)
{
    test_ear ear = test_ear_new(*state, 6, 1, (test_ear_damage){7, 5, 0.005});
    fit_error(*state, &ear, ear.target);
    assert_null(strstr(sfgp_test_warning(), "times the area of the reference"));
    assert_null(strstr(sfgp_test_warning(), "beside: the scan has "));
    for (int64_t k = 0; k < 3 * ear.target->count; k++)
        ear.target->points[k] *= 2;
    fit_error(*state, &ear, ear.target);
    sfgp_assert_has(sfgp_test_warning(), "times the area of the reference");
    test_ear_free(&ear);
}

/* A try without clutter is refused, and the first one stays; the iterations and starts of both are counted. */
static void a_try_that_is_refused_leaves_the_first(void **state)
{
    int64_t iterations[2], starts[2], last[2];
    sfgp_outcome outcome;
    test_ear ear = test_ear_new(*state, 6, 1, (test_ear_damage){7, 5, 0.005});
    for (int64_t k = 0; k < 3 * ear.target->count; k++)
        ear.target->points[k] *= 2;
    for (int all = 0; all < 2; all++) {
        sfgp_settings settings = test_settings();
        sfgp_model *model = test_model(*state, ear.reference, &settings);
        sfgp_solver *solver = test_solver(*state, model, &settings);
        sfgp_assert_ok(*state, sfgp_solver_load(solver, ear.target));
        sfgp_assert_ok(*state, sfgp_one_search(solver, true, &outcome));
        if (all)
            sfgp_assert_ok(*state, sfgp_follow_up_ask(SFGP_FOLLOW_UP_CLUTTER, solver, &outcome));
        iterations[all] = solver->em->iterations;
        starts[all] = solver->em->starts;
        last[all] = solver->em->state.iteration;
        sfgp_solver_free(solver);
        sfgp_model_free(model);
    }
    sfgp_assert_has(sfgp_test_warning(), "times the area of the reference");
    assert_int_equal(last[0], last[1]);
    assert_true(iterations[1] > iterations[0] && starts[1] > starts[0]);
    test_ear_free(&ear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_area_of_a_sphere_is_found_from_its_points),
        sfgp_unit_test(the_density_counts_the_points_in_a_ball),
        sfgp_unit_test(the_density_of_strays_around_a_flat_scan_has_a_bound),
        sfgp_unit_test(clutter_divides_the_odds_of_a_target),
        sfgp_long_test(an_ear_on_a_plate_is_found),
        sfgp_long_test(an_ear_of_two_and_a_half_times_the_size_is_no_clutter),
        sfgp_unit_test(a_small_reference_cannot_tell_size_from_clutter),
        sfgp_unit_test(a_try_that_is_refused_leaves_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
