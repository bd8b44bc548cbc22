/* A second search of a doubtful scan, with other surfaces beside the shape (fit/beside.h, ADR 0101). */
#include "base/memory.h"
#include "base/quantile.h"
#include "em/loop.h"
#include "fit/follow_ups.h"
#include "geom/measure.h"
#include "linalg/dense.h"
#include "outcome/expected.h"
#include "outcome/overlap.h"
#include "outcome/uncertainty.h"
#include "search/effort.h"
#include "support/fit.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* ---- which fits are searched again ---------------------------------------------------------------------- */

/* A small ear that has been fitted in place, and is in doubt: another pose is as good. */
static test_fit doubtful(sfgp_context *context)
{
    test_fit fit = test_fit_moved_ear(context, 6, 0);
    sfgp_outcome outcome;
    sfgp_assert_ok(context, sfgp_em_run(fit.em, &outcome));
    assert_int_equal(outcome, SFGP_CONVERGED);
    sfgp_assert_ok(context, sfgp_outcome_finish(fit.em));
    assert_int_equal(sfgp_overlap_doubts(fit.em, sfgp_expected_error(fit.em)), 0);
    fit.em->facts.pose_margin = 0;
    assert_true(fit.solver->problem.area > 0 && fit.solver->problem.clutter == 0);
    return fit;
}

static bool searches(sfgp_context *context, test_fit *fit, sfgp_outcome outcome)
{
    const int64_t before = fit->em->iterations;
    sfgp_assert_ok(context, sfgp_follow_up_ask(SFGP_FOLLOW_UP_BESIDE, fit->solver, &outcome));
    fit->em = fit->solver->em;
    return fit->em->iterations > before;
}

static void stretch(double factor, test_fit *fit)
{
    for (int64_t i = 0; i < 3 * fit->n; i++)
        fit->em->state.points[i] *= factor;
}

/* Nothing speaks against the second fit. It is taken if the squared distances within the first are 1.25 times as large. */
static void a_stretched_fit_that_is_in_doubt_is_searched_again(void **state)
{
    static const double FACTOR[] = {1.1, 1.13};
    for (int k = 0; k < 2; k++) {
        test_fit fit = doubtful(*state);
        sfgp_outcome outcome = SFGP_CONVERGED;
        assert_null(fit.solver->problem.target.clutter);
        stretch(FACTOR[k], &fit);
        sfgp_assert_ok(*state, sfgp_follow_up_ask(SFGP_FOLLOW_UP_BESIDE, fit.solver, &outcome));
        assert_int_equal(fit.solver->problem.beside, k == 1);
        assert_int_equal(fit.solver->problem.target.clutter != NULL, k == 1);
        assert_int_equal(outcome, SFGP_CONVERGED);
        test_fit_free(&fit);
    }
}

/* The first is stretched, but no fit expects as little as is asked here: the first stays as it is, and what its mirror image gave is kept. */
static void a_second_fit_in_doubt_is_refused(void **state)
{
    test_fit fit = doubtful(*state);
    sfgp_em_problem *problem = &fit.solver->problem;
    sfgp_effort strict = *problem->effort;
    sfgp_outcome outcome = SFGP_CONVERGED;
    const int64_t before = fit.em->iterations;
    stretch(1.13, &fit);
    const double first = fit.em->state.points[0];
    strict.expected_error_most = 1e-9;
    problem->effort = &strict;
    fit.em->facts.mirror_gain = -5;
    sfgp_assert_ok(*state, sfgp_follow_up_ask(SFGP_FOLLOW_UP_BESIDE, fit.solver, &outcome));
    assert_true(!problem->beside && !problem->target.clutter);
    assert_ptr_equal(fit.solver->em, fit.em);
    assert_true(fit.em->facts.mirror_gain == -5 && fit.em->iterations > before);
    assert_true(fit.em->state.points[0] == first);
    assert_int_equal(outcome, SFGP_CONVERGED);
    test_fit_free(&fit);
}

static void what_is_not_searched_again(void **state)
{
    test_fit fit = doubtful(*state);
    sfgp_em_problem *problem = &fit.solver->problem;
    sfgp_settings *settings = &fit.solver->settings;
    const double area = problem->area, margin = fit.em->facts.pose_margin;
    const sfgp_effort *effort = problem->effort, *quick;
    sfgp_assert_ok(*state, sfgp_effort_find(*state, "quick", &quick));
    assert_false(searches(*state, &fit, SFGP_MAX_ITERATIONS));
    assert_false(searches(*state, &fit, SFGP_NO_OVERLAP));
    settings->max_time = 1e6;
    assert_false(searches(*state, &fit, SFGP_CONVERGED));
    settings->max_time = 0, settings->reject = 0;
    assert_false(searches(*state, &fit, SFGP_CONVERGED));
    settings->reject = 1, problem->effort = quick;
    assert_false(searches(*state, &fit, SFGP_CONVERGED));
    problem->effort = effort, problem->area = 0;
    assert_false(searches(*state, &fit, SFGP_CONVERGED));
    problem->area = area, problem->clutter = 0.6;
    assert_false(searches(*state, &fit, SFGP_CONVERGED));
    problem->clutter = 0, fit.em->facts.mirror_gain = 1000;
    assert_false(searches(*state, &fit, SFGP_CONVERGED));
    fit.em->facts.mirror_gain = 0, fit.em->facts.pose_margin = HUGE_VAL; /* no doubt */
    assert_false(searches(*state, &fit, SFGP_CONVERGED));
    assert_string_equal(sfgp_test_warning(), "");
    fit.em->facts.pose_margin = margin;
    assert_true(searches(*state, &fit, SFGP_CONVERGED));
    test_fit_free(&fit);
}

/* ---- what is asked of it --------------------------------------------------------------------------------- */

static void a_fit_beside_other_surfaces_has_to_expect_less_and_leave_less(void **state)
{
    test_fit fit = doubtful(*state);
    fit.em->facts.pose_margin = HUGE_VAL;
    for (int beside = 0; beside < 2; beside++) {
        fit.solver->problem.beside = beside;
        assert_int_equal(sfgp_overlap_doubts(fit.em, 0.12), 0);
        assert_int_equal(sfgp_overlap_doubts(fit.em, 0.13), beside ? SFGP_DOUBT_BESIDE : 0);
    }
    fit.em->facts.inside = 0.33;
    assert_int_equal(sfgp_overlap_doubts(fit.em, 0.12), 0);
    fit.em->facts.inside = 0.34;
    assert_int_equal(sfgp_overlap_doubts(fit.em, 0.12), SFGP_DOUBT_BESIDE);
    fit.solver->problem.beside = false;
    assert_int_equal(sfgp_overlap_doubts(fit.em, 0.12), 0);
    test_fit_free(&fit);
}

/* Its mean distance by the variances of all points, as in the result. */
static void the_expected_error_is_that_of_the_result(void **state)
{
    test_fit fit = doubtful(*state);
    double sum = 0;
    for (int64_t i = 0; i < fit.n; i++)
        sum += sqrt(8 / 3.14159265358979323846 * fit.em->state.variance[i]);
    assert_true(fabs(sfgp_expected_error(fit.em) / (sum / (double)fit.n) - 1) < 1e-12);
    fit.solver->settings.detail = 0;
    sfgp_result *result = test_run(*state, fit.solver, fit.target);
    assert_true(fabs(sfgp_expected_error(fit.em) * fit.model->frame.scale / result->expected_error - 1) <
                1e-9);
    sfgp_result_free(result);
    test_fit_free(&fit);
}

/* ---- real scans ------------------------------------------------------------------------------------------ */

/* A reference of which this share is left, cut off by a plane, and the whole scan (bench/told.py, kind `part`, has 0.7). */
typedef struct part_fit {
    sfgp_mesh *reference, *scan;
    double *truth;
} part_fit;

static part_fit part_fit_new(sfgp_context *context, const char *family, int number, double share,
                             const double normal[3])
{
    char name[3][64];
    static const char *const PARTS[] = {"reference", "truth/%03d", "scan/%03d"};
    for (int k = 0; k < 3; k++)
        snprintf(name[k], sizeof name[k], "families/%s/%s.ply", family, PARTS[k]);
    sfgp_mesh *whole = test_data_mesh(context, name[0], 0),
              *true_shape = test_data_mesh(context, name[1], number);
    part_fit fit = {.scan = test_data_mesh(context, name[2], number)};
    double *heights, *points;
    int64_t count = 0;
    sfgp_assert_ok(context, sfgp_allocate(context, whole->count, &heights));
    sfgp_assert_ok(context, sfgp_allocate(context, 3 * whole->count, &points));
    sfgp_assert_ok(context, sfgp_allocate(context, 3 * whole->count, &fit.truth));
    for (int64_t i = 0; i < whole->count; i++)
        heights[i] = sfgp_dense_dot(3, normal, whole->points + 3 * i);
    sfgp_sort(whole->count, heights);
    const double cut = sfgp_quantile(whole->count, heights, share);
    for (int64_t i = 0; i < whole->count; i++)
        if (sfgp_dense_dot(3, normal, whole->points + 3 * i) <= cut) {
            memcpy(points + 3 * count, whole->points + 3 * i, 3 * sizeof(double));
            memcpy(fit.truth + 3 * count++, true_shape->points + 3 * i, 3 * sizeof(double));
        }
    fit.reference = test_mesh(context, count, 3, points);
    sfgp_free(heights), sfgp_free(points);
    sfgp_mesh_free(whole), sfgp_mesh_free(true_shape);
    return fit;
}

static void part_fit_free(part_fit *fit)
{
    sfgp_mesh_free(fit->reference);
    sfgp_mesh_free(fit->scan);
    sfgp_free(fit->truth);
}

/* again: a limit of time would keep it from a second search. */
static sfgp_result *run(sfgp_context *context, const part_fit *fit, bool again)
{
    sfgp_settings settings = test_settings();
    if (!again)
        settings.max_time = 1e6;
    sfgp_model *model = test_model(context, fit->reference, &settings);
    sfgp_solver *solver = test_solver(context, model, &settings);
    sfgp_result *result = test_run(context, solver, fit->scan);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    return result;
}

static double error_of(const part_fit *fit, const sfgp_result *result)
{
    return sfgp_points_apart(result->count, 3, result->points, fit->truth);
}

/* A hand, mm: stretched over the whole scan 16.5, beside the rest 3.0. */
static void a_part_of_what_the_scan_shows_is_found(void **state)
{
    part_fit fit = part_fit_new(*state, "hand", 9, 0.7, (double[]){0.71304582, -2.20709809, 0.80198405});
    sfgp_result *once = run(*state, &fit, false), *again = run(*state, &fit, true);
    print_message("%.3g, %.3g mm\n", error_of(&fit, once), error_of(&fit, again));
    assert_int_equal(once->outcome, SFGP_DOUBTFUL);
    assert_false(once->doubts & SFGP_DOUBT_BESIDE);
    assert_int_equal(again->outcome, SFGP_CONVERGED);
    assert_int_equal(again->doubts, 0);
    sfgp_assert_has(sfgp_test_warning(), "beside: the fit takes");
    assert_true(error_of(&fit, again) < 0.3 * error_of(&fit, once));
    assert_true(again->total_iterations > once->total_iterations && again->fits > once->fits);
    sfgp_result_free(once), sfgp_result_free(again);
    part_fit_free(&fit);
}

/* A foot whose second fit is doubtful, too: the bits of the first. */
static void a_fit_that_is_refused_leaves_the_first(void **state)
{
    part_fit fit = part_fit_new(*state, "foot", 3, 0.7, (double[]){0.13271688, -0.05243463, 0.23269753});
    sfgp_result *once = run(*state, &fit, false), *again = run(*state, &fit, true);
    assert_int_equal(once->outcome, SFGP_DOUBTFUL);
    assert_int_equal(again->outcome, SFGP_DOUBTFUL);
    assert_true(again->total_iterations > once->total_iterations && again->fits > once->fits);
    assert_int_equal(again->doubts, once->doubts);
    assert_memory_equal(again->points, once->points, (size_t)(3 * once->count) * sizeof(double));
    assert_memory_equal(again->sd, once->sd, (size_t)once->count * sizeof(double));
    sfgp_result_free(once), sfgp_result_free(again);
    part_fit_free(&fit);
}

/* A whole ear whose second fit misses the top of it. By its own deviations it is sure of itself. */
static void a_fit_that_leaves_what_lies_over_the_shape_is_doubtful(void **state)
{
    part_fit fit = part_fit_new(*state, "ear", 6, 1, (double[]){0, 0, 1});
    sfgp_result *again = run(*state, &fit, true);
    assert_int_equal(again->outcome, SFGP_DOUBTFUL);
    assert_int_equal(again->doubts, SFGP_DOUBT_BESIDE);
    sfgp_result_free(again);
    part_fit_free(&fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_stretched_fit_that_is_in_doubt_is_searched_again),
        sfgp_unit_test(a_second_fit_in_doubt_is_refused),
        sfgp_unit_test(what_is_not_searched_again),
        sfgp_unit_test(a_fit_beside_other_surfaces_has_to_expect_less_and_leave_less),
        sfgp_unit_test(the_expected_error_is_that_of_the_result),
        sfgp_long_test(a_part_of_what_the_scan_shows_is_found),
        sfgp_long_test(a_fit_that_is_refused_leaves_the_first),
        sfgp_long_test(a_fit_that_leaves_what_lies_over_the_shape_is_doubtful),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
