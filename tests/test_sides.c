/* Sides: the mirror image of a scan is told, and nothing else is. */
#include "fit/sides.h"
#include "fit/some_points.h"
#include "em/loop.h"
#include "search/tuning.h"
#include "support/corrupt.h"
#include "support/fit.h"
#include "support/shapes.h"

#include <math.h>
#include <string.h>

static sfgp_result *run(sfgp_context *context, const test_fit *fit)
{
    sfgp_result *result = test_run(context, fit->solver, fit->target);
    print_message("gain %.1f nats, doubts %u\n", fit->em->facts.mirror_gain, result->doubts);
    return result;
}

/* Without and with training shapes, in place and turned. The image fits worse where the scan is of the side of the reference. */
static void the_other_side_is_a_doubt(void **state)
{
    for (int k = 0; k < 4; k++) {
        test_fit fit = test_fit_ear(*state, 3, k & 1 ? 70 : 0, 0.004, k & 2);
        const double margin = sfgp_tuning_of(&fit.model->basis)->mirror_margin;
        sfgp_result *own = run(*state, &fit);
        assert_false(own->doubts & SFGP_DOUBT_MIRROR);
        assert_true(fit.em->facts.mirror_gain < 0);
        test_mesh_mirror(fit.target);
        const int64_t warnings = fit.solver->context->warnings;
        sfgp_result *other = run(*state, &fit);
        assert_true(fit.em->facts.mirror_gain > margin && fit.solver->context->warnings > warnings);
        assert_int_equal(other->outcome == SFGP_CONVERGED, false);
        assert_true(other->outcome != SFGP_DOUBTFUL || (other->doubts & SFGP_DOUBT_MIRROR));
        sfgp_result_free(own), sfgp_result_free(other);
        test_fit_free(&fit);
    }
}

/* With the setting mirror it is the fit, and not in doubt. */
static void the_setting_leaves_no_doubt(void **state)
{
    test_fit fit = test_fit_ear(*state, 3, 0, 0.004, false);
    test_mesh_mirror(fit.target);
    fit.solver->settings.mirror = 1;
    sfgp_result *result = run(*state, &fit);
    assert_int_equal(result->outcome, SFGP_CONVERGED);
    assert_true(fit.em->facts.mirror_gain < 0);
    sfgp_result_free(result);
    test_fit_free(&fit);
}

/* Points on a bumpy ellipsoid that is symmetric to the planes x = 0 and y = 0. On a smooth one they would slide, and the gain would be chance. */
static sfgp_mesh *symmetrical_body(sfgp_context *context, int count)
{
    enum { MOST = 2000 };
    double x[3 * MOST];
    for (int k = 0; k < count; k++) {
        const double z = 1 - (2 * k + 1) / (double)count, angle = 2.399963229728653 * k,
                     r = sqrt(1 - z * z) * (1 + 0.2 * cos(5 * z) + 0.15 * cos(4 * angle));
        x[3 * k] = 40 * r * cos(angle), x[3 * k + 1] = 28 * r * sin(angle), x[3 * k + 2] = 60 * z;
    }
    return test_mesh(context, count, 3, x);
}

/* It is its own mirror image. */
static void a_symmetrical_shape_has_no_other_side(void **state)
{
    sfgp_mesh *shape = symmetrical_body(*state, 1500), *scan = symmetrical_body(*state, 1700);
    sfgp_settings settings = test_settings();
    sfgp_model *model = test_model(*state, shape, &settings);
    sfgp_solver *solver = test_solver(*state, model, &settings);
    sfgp_result *result = test_run(*state, solver, scan);
    print_message("gain %.1f nats\n", solver->em->facts.mirror_gain);
    assert_true(isfinite(solver->em->facts.mirror_gain) && solver->em->facts.mirror_gain < 50);
    assert_false(result->doubts & SFGP_DOUBT_MIRROR);
    sfgp_result_free(result);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(shape), sfgp_mesh_free(scan);
}

/* Of many points some are chosen first. */
static void of_many_points_some_are_compared(void **state)
{
    test_fit fit = test_fit_fine_ear(*state, 112);
    const double margin = sfgp_tuning_of(&fit.model->basis)->mirror_margin;
    assert_true(fit.n > SFGP_SOME_CHOSEN);
    for (int other = 0; other < 2; other++) {
        if (other)
            test_mesh_mirror(fit.target);
        sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, fit.target));
        sfgp_assert_ok(*state, sfgp_sides_check(fit.solver, SFGP_CONVERGED));
        print_message("%lld points, gain %.1f nats\n", (long long)fit.n, fit.em->facts.mirror_gain);
        assert_int_equal(fit.em->facts.mirror_gain > margin, other);
    }
    test_fit_free(&fit);
}

/* A small shape has no search for poses: it is compared if its fit is poor. With landmarks, whose pose is known, nothing is. */
static void what_is_not_compared(void **state)
{
    test_fit fit = test_fit_moved_ear(*state, 6, 0);
    sfgp_em_landmarks landmarks = {.weights = NULL};
    const double rotations = sfgp_tuning_of(&fit.model->basis)->rigid_rotations;
    sfgp_outcome outcome;
    assert_true(rotations > 0);
    sfgp_assert_ok(*state, sfgp_em_run(fit.em, &outcome));
    fit.solver->problem.landmarks = &landmarks;
    sfgp_assert_ok(*state, sfgp_sides_check(fit.solver, SFGP_NO_OVERLAP));
    assert_true(isinf(fit.em->facts.mirror_gain) && fit.em->facts.mirror_gain < 0);
    fit.solver->problem.landmarks = NULL;
    fit.solver->problem.comparable = false;
    sfgp_assert_ok(*state, sfgp_sides_check(fit.solver, SFGP_NO_OVERLAP));
    assert_true(isinf(fit.em->facts.mirror_gain));
    fit.solver->problem.comparable = true;
    sfgp_assert_ok(*state, sfgp_sides_check(fit.solver, outcome));
    assert_true(isfinite(fit.em->facts.mirror_gain));
    test_fit_free(&fit);
}

/* Of a target without a score there is no number to tell. */
static void the_gain_is_told_where_it_is_one(void **state)
{
    sfgp_sides_warn(*state, false, 1234);
    sfgp_assert_has(sfgp_test_warning(),
                    "better (by 1234 nats); is it of the other side of the body? set mirror to 1");
    sfgp_sides_warn(*state, true, SFGP_SIDES_MOST);
    assert_non_null(
        strstr(sfgp_test_warning(),
               "fits the reference itself better; is it of the other side of the body? set mirror to 0"));
    assert_null(strstr(sfgp_test_warning(), "000000"));
}

/* A closed curve is searched for by halving. */
static void a_poor_curve_is_compared(void **state)
{
    sfgp_mesh *fish, *scan;
    sfgp_outcome outcome;
    sfgp_settings settings = test_settings();
    sfgp_assert_ok(*state, sfgp_simulate_fish(*state, &fish));
    sfgp_assert_ok(*state, sfgp_simulate_fish(*state, &scan));
    test_mesh_mirror(scan);
    sfgp_model *model = test_model(*state, fish, &settings);
    sfgp_solver *solver = test_solver(*state, model, &settings);
    sfgp_assert_ok(*state, sfgp_solver_load(solver, scan));
    sfgp_assert_ok(*state, sfgp_em_run(solver->em, &outcome));
    sfgp_assert_ok(*state, sfgp_sides_check(solver, SFGP_NO_OVERLAP));
    print_message("gain %.1f nats\n", solver->em->facts.mirror_gain);
    assert_true(solver->em->facts.mirror_gain > sfgp_tuning_of(&model->basis)->mirror_margin);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(fish);
    sfgp_mesh_free(scan);
}

static sfgp_status check(sfgp_context *context, void *user)
{
    (void)context; /* that of the fit */
    return sfgp_sides_check(user, SFGP_CONVERGED);
}

static void failing_allocations_are_survived(void **state)
{
    test_fit fit = test_fit_moved_ear(*state, 6, 0);
    sfgp_outcome outcome;
    test_mesh_mirror(fit.target);
    sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, fit.target));
    sfgp_assert_ok(*state, sfgp_em_run(fit.em, &outcome));
    assert_true(sfgp_sweep_allocations(*state, check, fit.solver) > 50);
    test_fit_free(&fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_long_test(the_other_side_is_a_doubt),
        sfgp_long_test(the_setting_leaves_no_doubt),
        sfgp_unit_test(a_symmetrical_shape_has_no_other_side),
        sfgp_unit_test(of_many_points_some_are_compared),
        sfgp_unit_test(what_is_not_compared),
        sfgp_unit_test(the_gain_is_told_where_it_is_one),
        sfgp_unit_test(a_poor_curve_is_compared),
        sfgp_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
