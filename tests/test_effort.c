/* Efforts: what each of them tries, and that the quick one finds its shape (ADR 0042). */
#include "search/effort.h"
#include "search/score.h"
#include "support/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Mean distance of a simulated ear before the fit is some 2.5 mm; one that is lost is 8 mm or more away. */
#define FOUND 1.5

static const char *const NAMES[] = {"quick", "normal", "thorough"};

static sfgp_solver *solver_of(sfgp_context *context, const test_fit *fit, const char *effort, int threads)
{
    sfgp_settings settings = fit->settings;
    strcpy(settings.effort, effort);
    settings.threads = threads;
    sfgp_solver *solver = test_solver(context, fit->model, &settings);
    return solver;
}

static void an_unknown_effort_is_refused(void **state)
{
    const sfgp_effort *effort = NULL;
    sfgp_settings settings = test_settings();
    assert_string_equal(settings.effort, "normal");
    for (int k = 0; k < 3; k++)
        sfgp_assert_ok(*state, sfgp_effort_find(*state, NAMES[k], &effort));
    strcpy(settings.effort, "quik");
    sfgp_assert_error(*state, sfgp_settings_check(*state, &settings), SFGP_ERROR_PARAMETER, "effort");
    sfgp_assert_has(sfgp_context_error(*state), "quick, normal, thorough");
}

static void quick_ends_as_a_warm_fit_of_few_starts(void **state)
{
    test_fit s = test_fit_ear(*state, 3, 0, 0.004, false);
    sfgp_result *r[2];
    for (int k = 0; k < 2; k++) {
        sfgp_solver *solver = solver_of(*state, &s, "quick", k + 1);
        sfgp_assert_ok(*state, sfgp_solver_run(solver, s.target, &r[k]));
        assert_int_equal(r[k]->outcome, SFGP_CONVERGED);
        assert_true(sfgp_em_is_warm(solver->em));
        /* the rigid search is sure; one or two of the level at one or two poses; the whole */
        assert_in_range(solver->em->starts, 3, 6);
        sfgp_solver_free(solver);
    }
    assert_true(test_fit_error(&s, r[0]->points) < FOUND);
    assert_memory_equal(r[0]->points, r[1]->points, (size_t)s.n * 3 * sizeof(double));
    assert_memory_equal(r[0]->sd, r[1]->sd, (size_t)s.n * sizeof(double));
    sfgp_result_free(r[0]);
    sfgp_result_free(r[1]);
    test_fit_free(&s);
}

/* A scan that hardly turns has no rung STARTS at quick: a workspace of 400 points would count its starts. */
static void quick_starts_a_scan_that_hardly_turns_where_the_rigid_search_has_found_it(void **state)
{
    test_fit s = test_fit_ear(*state, 3, 24, 0.004, false);
    const sfgp_effort *quick;
    sfgp_solver *solver = solver_of(*state, &s, "quick", 1);
    sfgp_result *r;
    int64_t starts[2];
    sfgp_assert_ok(*state, sfgp_effort_find(*state, "quick", &quick));
    sfgp_effort with = *quick;
    with.starts = true;
    for (int k = 0; k < 2; k++) {
        solver->problem.effort = k ? &with : quick;
        sfgp_assert_ok(*state, sfgp_solver_run(solver, s.target, &r));
        assert_true(test_fit_error(&s, r->points) < FOUND);
        starts[k] = solver->em->starts;
        sfgp_result_free(r);
    }
    assert_true(starts[0] < starts[1]);
    sfgp_solver_free(solver);
    test_fit_free(&s);
}

static void assert_quick_finds(sfgp_context *context, test_fit *s, double shift)
{
    sfgp_solver *solver = solver_of(context, s, "quick", 2);
    for (int64_t k = 0; k < 3 * s->target->count; k++)
        s->target->points[k] += shift;
    sfgp_result *r = test_run(context, solver, s->target);
    for (int64_t k = 0; k < 3 * s->n; k++)
        r->points[k] -= shift;
    const double error = test_fit_error(s, r->points);
    if (!(error < FOUND))
        fail_msg("shifted by %g: %g mm from the truth", shift, error);
    sfgp_result_free(r);
    sfgp_solver_free(solver);
}

static void quick_finds_what_is_turned_or_far_away(void **state)
{
    test_fit turned = test_fit_ear(*state, 3, 140, 0.004, false),
             far = test_fit_ear(*state, 3, 0, 0.004, false);
    assert_quick_finds(*state, &turned, 0);
    assert_quick_finds(*state, &far, 500);
    test_fit_free(&turned);
    test_fit_free(&far);
}

static void quick_learns_from_training_shapes(void **state)
{
    test_fit s = test_fit_ear(*state, 4, 0, 0.004, true);
    assert_quick_finds(*state, &s, 0);
    test_fit_free(&s);
}

/* The many points of a dense shape rest where those of the level below have brought them (ADR 0065). */
static void a_dense_shape_rests_as_with_normal(void **state)
{
    test_fit small = test_fit_ear(*state, 5, 0, 0.01, false), dense = test_fit_dense_ear(*state, 0, 1);
    const sfgp_effort *quick;
    sfgp_assert_ok(*state, sfgp_effort_find(*state, "quick", &quick));
    for (int k = 0; k < 2; k++) {
        sfgp_solver *solver = solver_of(*state, k ? &dense : &small, "quick", 1);
        assert_true(solver->warm.rest_step == (k ? HUGE_VAL : quick->warm_rest));
        sfgp_solver_free(solver);
    }
    test_fit_free(&small);
    test_fit_free(&dense);
}

/* More effort is more fits; what thorough ends with scores no less than what normal does. */
static void more_effort_is_more_fits(void **state)
{
    test_fit s = test_fit_moved_ear(*state, 6, -0.2);
    int64_t starts = 0;
    double scores[3];
    for (int k = 0; k < 3; k++) {
        sfgp_solver *solver = solver_of(*state, &s, NAMES[k], 1);
        sfgp_result *r = test_run(*state, solver, s.target);
        assert_true(solver->em->starts > starts);
        starts = solver->em->starts;
        sfgp_assert_ok(*state, sfgp_search_tempered_score(solver->em, &scores[k]));
        sfgp_result_free(r);
        sfgp_solver_free(solver);
    }
    assert_true(scores[2] >= scores[1] - 1);
    test_fit_free(&s);
}

static void assert_same(const sfgp_result *a, const sfgp_result *b)
{
    assert_int_equal(a->outcome, b->outcome);
    assert_memory_equal(a->points, b->points, (size_t)a->count * 3 * sizeof(double));
    assert_memory_equal(a->sd, b->sd, (size_t)a->count * sizeof(double));
    assert_memory_equal(a->missing, b->missing, (size_t)a->count);
}

/* The solver keeps its level: another target between two fits of one changes no bit of the second. */
static void what_quick_keeps_changes_no_bit(void **state)
{
    test_fit s = test_fit_ear(*state, 3, 0, 0.004, false);
    sfgp_solver *solver = solver_of(*state, &s, "quick", 1);
    sfgp_mesh part = *s.target;
    sfgp_result *r[3];
    part.count = part.count * 2 / 3, part.face_count = 0;
    sfgp_assert_ok(*state, sfgp_solver_run(solver, s.target, &r[0]));
    assert_non_null(solver->level.em);
    sfgp_assert_ok(*state, sfgp_solver_run(solver, &part, &r[1]));
    sfgp_assert_ok(*state, sfgp_solver_run(solver, s.target, &r[2]));
    assert_same(r[0], r[2]);
    assert_true(memcmp(r[0]->points, r[1]->points, (size_t)s.n * 3 * sizeof(double)) != 0);
    for (int k = 0; k < 3; k++)
        sfgp_result_free(r[k]);
    sfgp_solver_free(solver);
    test_fit_free(&s);
}

/* The map of a fit has all columns of the model: it takes the reference to the points of the fit. */
static void the_map_of_a_quick_fit_is_that_of_its_points(void **state)
{
    for (int trained = 0; trained < 2; trained++) {
        test_fit s = test_fit_ear(*state, 4, 0, 0.004, trained);
        sfgp_solver *solver = solver_of(*state, &s, "quick", 1);
        sfgp_deformation *map;
        double *moved = calloc((size_t)s.n * 3, sizeof *moved), *sd = calloc((size_t)s.n, sizeof *sd);
        sfgp_result *r = test_run(*state, solver, s.target);
        assert_true(solver->problem.basis->scalar.rank < s.model->basis.scalar.rank);
        sfgp_assert_ok(*state, sfgp_solver_deformation(solver, r, &map));
        sfgp_assert_ok(*state, sfgp_deformation_apply(*state, map, s.n, s.reference->points, 1, moved, sd));
        for (int64_t k = 0; k < 3 * s.n; k++)
            assert_true(fabs(moved[k] - r->points[k]) < 1e-6);
        for (int64_t i = 0; i < s.n; i++)
            assert_true(sd[i] > (1 - 1e-6) * r->sd[i]); /* the larger of that and the posterior's own */
        free(moved), free(sd);
        sfgp_deformation_free(map);
        sfgp_result_free(r);
        sfgp_solver_free(solver);
        test_fit_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(an_unknown_effort_is_refused),
        sfgp_unit_test(a_dense_shape_rests_as_with_normal),
        sfgp_long_test(quick_ends_as_a_warm_fit_of_few_starts),
        sfgp_long_test(quick_starts_a_scan_that_hardly_turns_where_the_rigid_search_has_found_it),
        sfgp_long_test(quick_finds_what_is_turned_or_far_away),
        sfgp_long_test(quick_learns_from_training_shapes),
        sfgp_long_test(more_effort_is_more_fits),
        sfgp_long_test(what_quick_keeps_changes_no_bit),
        sfgp_long_test(the_map_of_a_quick_fit_is_that_of_its_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
