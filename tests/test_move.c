/* What an M-step makes anew and what it goes on with, and that fits end where plain EM rests. */
#include "fit/squarem.h"
#include "support/scene.h"
#include "support/support.h"
#include "fit/kept.h"
#include "fit/landmarks.h"
#include "fit/solver.h"
#include "fit/thinning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 450, D = 3 };

static void steps(sfgp_context *context, int count, sfgp_solver *solver)
{
    for (int k = 0; k < count; k++)
        sfgp_assert_ok(context, sfgp_solver_step(solver));
}

static bool has_new_sums(const sfgp_solver *solver)
{
    return memcmp(solver->posterior.held, solver->weights, N * sizeof(double)) == 0;
}

/* Runs to rest, then one EM step with P, exact sums and variance: it moves no more than a fit at rest may. */
static void fits_end_where_plain_em_rests(void **state)
{
    for (int training = 0; training <= 5; training += 5) {
        test_scene s = test_scene_new(*state, N, D, training);
        sfgp_result *result;
        sfgp_assert_ok(*state, sfgp_solver_run(s.solver, s.target, &result));
        assert_int_equal(result->outcome, SFGP_CONVERGED);
        sfgp_tiles *tiles = s.solver->tiles;
        assert_non_null(tiles);
        const double noise = s.solver->noise[0];
        memcpy(s.solver->variance, s.solver->posterior.variance, N * sizeof(double)); /* not what is stated */
        s.solver->tiles = NULL;
        sfgp_assert_ok(*state, sfgp_solver_label_whole(s.solver));
        sfgp_assert_ok(*state, sfgp_solver_move(s.solver));
        assert_false(s.solver->posterior.hold);
        double motion = 0;
        for (int k = 0; k < N * D; k++)
            motion = fmax(motion, fabs(s.solver->posterior.mean[k] - s.solver->fitted[k]));
        assert_true(motion < 0.02 * sqrt(noise)); /* at most; on the mean a thousandth */
        s.solver->tiles = tiles;
        sfgp_result_free(result);
        test_scene_free(&s);
    }
}

static void small_shapes_and_landmarks_have_exact_steps(void **state)
{
    test_scene small = test_scene_new(*state, 399, D, 0), s = test_scene_new(*state, N, D, 0);
    const double at[3] = {s.shapes->reference[0], s.shapes->reference[1], s.shapes->reference[2]};
    assert_null(small.solver->tiles);
    steps(*state, 3, small.solver);
    assert_false(small.solver->posterior.summed || small.solver->posterior.hold);
    sfgp_assert_ok(*state, sfgp_solver_set_landmarks(s.solver, 1, at, at, 0.5));
    sfgp_assert_ok(*state, sfgp_solver_start(s.solver, s.target));
    steps(*state, 3, s.solver);
    assert_false(s.solver->posterior.summed);
    test_scene_free(&small);
    test_scene_free(&s);
}

/* Every fall of the bound halves it; a new start, or a heated one, trusts again. */
static void falls_cost_trust_in_old_sums(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    steps(*state, 10, s.solver);
    s.solver->trust = 1;
    for (int k = 1; k <= 3; k++) {
        s.solver->last_evidence = 1e300;
        steps(*state, 1, s.solver);
        assert_true(s.solver->trust == 1.0 / (1 << k));
        assert_true(has_new_sums(s.solver));
    }
    s.solver->trust = 0; /* no drift is too small */
    for (int k = 0; k < 5; k++) {
        steps(*state, 1, s.solver);
        assert_true(has_new_sums(s.solver));
    }
    sfgp_squarem_begin(s.solver);
    assert_true(s.solver->trust == 1);
    test_scene_free(&s);
}

/* While the labels hardly change, the sums stay; they are made anew where the bound has fallen, or the weight
 * has moved. */
static void sums_are_made_anew_when_they_no_longer_do(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    int kept = 0;
    for (int k = 0; k < 40; k++) {
        steps(*state, 1, s.solver);
        kept += !has_new_sums(s.solver);
        if (k == 0)
            assert_true(has_new_sums(s.solver));
    }
    assert_in_range(kept, 20, 39);
    s.solver->last_evidence = HUGE_VAL; /* it falls from there */
    s.solver->squarem.leapt = false;
    sfgp_assert_ok(*state, sfgp_solver_move(s.solver));
    assert_true(has_new_sums(s.solver));
    for (int i = 0; i < N / 2; i++) /* half of the shape is seen no longer */
        s.solver->labels.weight[i] = 0;
    sfgp_assert_ok(*state, sfgp_solver_move(s.solver));
    assert_true(has_new_sums(s.solver) && s.solver->weights[0] == 0);
    sfgp_assert_ok(*state, sfgp_solver_move(s.solver));
    test_scene_free(&s);
}

static void set_noise(double noise, sfgp_solver *solver)
{
    for (int i = 0; i < N; i++)
        solver->noise[i] = noise;
}

/* 3 % of v, 10 % in a carried fit, and there any while the variance is nothing beside it. */
static void the_variance_waits_while_v_hardly_changes(void **state)
{
    const struct {
        bool carried;
        double change;
        bool holds;
    } cases[] = {{false, 1.02, true}, {false, 0.98, true}, {false, 1.05, false}, {false, 0.95, false},
                 {true, 1.08, true},  {true, 0.92, true},  {true, 1.15, false}};
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
        test_scene s = test_scene_new(*state, N, D, 0);
        steps(*state, 2, s.solver);
        set_noise(0.01, s.solver);
        s.solver->held_noise = 0; /* asks for it */
        sfgp_assert_ok(*state, sfgp_solver_move(s.solver));
        assert_true(!s.solver->posterior.hold && s.solver->held_noise == 0.01);
        for (int i = 0; i < N; i++)
            s.solver->variance[i] = 0.01; /* not nothing */
        s.solver->carried = cases[k].carried;
        set_noise(0.01 * cases[k].change, s.solver);
        sfgp_assert_ok(*state, sfgp_solver_move(s.solver));
        assert_int_equal(s.solver->posterior.hold, cases[k].holds);
        assert_int_equal(s.solver->held_noise == 0.01, cases[k].holds);
        test_scene_free(&s);
    }
    test_scene s = test_scene_new(*state, N, D, 0);
    steps(*state, 2, s.solver);
    s.solver->carried = true;
    s.solver->held_noise = 1e3; /* far from v */
    for (int i = 0; i < N; i++)
        s.solver->variance[i] = 1e-3 * s.solver->noise[0];
    sfgp_assert_ok(*state, sfgp_solver_move(s.solver));
    assert_true(s.solver->posterior.hold);
    test_scene_free(&s);
}

/* Within 1 % of v, unless it has just been made. */
static void no_fit_ends_with_the_variance_of_another_v(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    steps(*state, 1, s.solver);
    sfgp_solver *solver = s.solver;
    set_noise(0.01, solver);
    solver->posterior.hold = false, solver->held_noise = 1;
    assert_true(sfgp_solver_is_fresh(solver));
    solver->posterior.hold = true, solver->held_noise = 0.01 / 1.005;
    assert_true(sfgp_solver_is_fresh(solver) && solver->held_noise > 0);
    solver->held_noise = 0.01 / 1.02;
    assert_false(sfgp_solver_is_fresh(solver));
    assert_true(solver->held_noise == 0); /* made in the next step */
    solver->carried = true, solver->held_noise = 1;
    assert_true(sfgp_solver_is_fresh(solver));
    test_scene_free(&s);
}

/* Where labels scatter by less than single precision resolves, they have a P. */
static void labels_that_are_too_fine_for_tiles_have_entries(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    const double least = 0.003 * fmax(s.solver->spacing, 1 / sqrt(N));
    for (int fine = 0; fine < 2; fine++) {
        memcpy(s.solver->fitted, s.model->prior_mean, sizeof(double) * N * D);
        for (int64_t k = 0; k < D * s.solver->labels.targets && k < D * N; k++)
            s.solver->fitted[k] = s.solver->target[k]; /* right at them */
        set_noise(pow((fine ? 0.99 : 1.01) * least, 2), s.solver);
        sfgp_assert_ok(*state, sfgp_solver_label(s.solver));
        assert_in_range(s.solver->labels.pairs, 100, 10 * N);
        assert_int_equal(sfgp_sparse_start(&s.solver->labels.matrix)[N], fine ? s.solver->labels.pairs : 0);
    }
    test_scene_free(&s);
}

/* The truth without noise, every point twice: v falls to its least, which a fit has to come to rest at. */
static void exact_data_come_to_rest(void **state)
{
    test_shapes *shapes = test_shapes_new(N, D, 0, 3);
    sfgp_settings settings;
    sfgp_solver *solver;
    sfgp_result *result;
    double twice[2 * N * D];
    sfgp_settings_default(&settings);
    for (int k = 0; k < 2 * N * D; k++)
        twice[k] = shapes->reference[k / (2 * D) * D + k % D];
    sfgp_model *model = test_shapes_model(*state, shapes, 0, &settings);
    sfgp_mesh *target = test_mesh(*state, 2 * N, D, twice);
    sfgp_assert_ok(*state, sfgp_solver_new(*state, model, &settings, &solver));
    sfgp_assert_ok(*state, sfgp_solver_run(solver, target, &result));
    assert_int_equal(result->outcome, SFGP_CONVERGED);
    assert_true(solver->noise[0] < 1e-12 && solver->spacing == 0);
    sfgp_result_free(result);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(target);
    test_shapes_free(shapes);
}

/* Exact labels and sums of the state as it is. */
static void assert_exact_move(sfgp_context *context, const sfgp_solver *solver)
{
    double weights[N], labels[N * D];
    sfgp_posterior exact;
    for (int i = 0; i < N; i++) {
        const double n = solver->labels.weight[i];
        weights[i] = (double)solver->thinning * n / solver->noise[i];
        for (int a = 0; a < D; a++)
            labels[i * D + a] = n > 0 ? solver->fitted[i * D + a] + solver->labels.shift[i * D + a] / n -
                                            solver->model->prior_mean[i * D + a]
                                      : 0;
    }
    sfgp_assert_ok(context, sfgp_posterior_new(context, solver->model, &exact));
    sfgp_assert_ok(context, sfgp_posterior_update(context, weights, labels, &exact));
    for (int k = 0; k < N * D; k++)
        assert_true(fabs(exact.mean[k] - solver->posterior.mean[k]) < 1e-5);
    for (int i = 0; i < N; i++)
        assert_true(fabs(exact.variance[i] / solver->posterior.variance[i] - 1) < 1e-4);
    sfgp_posterior_clear(&exact);
}

/* With new sums: of half of the points and another v, where the old ones are far off; and thinned. */
static void a_move_with_new_sums_is_exact(void **state)
{
    for (int thinning = 1; thinning <= 4; thinning *= 4) {
        test_scene s = test_scene_new(*state, N, D, 0);
        steps(*state, 3, s.solver);
        for (int i = 0; i < N / 2; i++) {
            s.solver->labels.weight[i] = 0;
            memset(s.solver->labels.shift + i * D, 0, D * sizeof(double));
        }
        set_noise(0.02, s.solver);
        s.solver->thinning = thinning;
        memcpy(s.solver->fitted, s.solver->posterior.mean, sizeof(double) * N * D);
        sfgp_assert_ok(*state, sfgp_solver_move(s.solver));
        assert_true(has_new_sums(s.solver) && !s.solver->posterior.hold);
        assert_exact_move(*state, s.solver);
        test_scene_free(&s);
    }
}

/* Another fit from elsewhere leaves no trace: where the kept one was, at rest, the step back moves no more
 * than a fit at rest may. */
static void a_fit_that_is_kept_comes_back(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_outcome outcome;
    sfgp_kept kept;
    sfgp_start other = s.solver->begun;
    other.pose.shift[0] = 0.3;
    sfgp_assert_ok(*state, sfgp_solver_iterate(s.solver, true, &outcome));
    assert_int_equal(outcome, SFGP_CONVERGED);
    sfgp_assert_ok(*state, sfgp_kept_new(s.solver, &kept));
    sfgp_kept_take(s.solver, &kept);
    const double evidence = s.solver->evidence;
    sfgp_assert_ok(*state, sfgp_solver_begin(s.solver, &other));
    steps(*state, 15, s.solver);
    sfgp_assert_ok(*state, sfgp_solver_begin(s.solver, &kept.begun));
    sfgp_assert_ok(*state, sfgp_thinning_return(s.solver, kept.thinning));
    s.solver->age = kept.age;
    sfgp_assert_ok(*state, sfgp_kept_restore(&kept, s.solver));
    assert_int_equal(s.solver->age, kept.age + 1);
    assert_true(fabs(s.solver->evidence - evidence) < 1);
    for (int k = 0; k < N * D; k++)
        assert_true(fabs(s.solver->fitted[k] - kept.part[0][k]) < 0.02 * sqrt(kept.noise));
    assert_true(s.solver->pose.shift[0] == 0);
    sfgp_kept_clear(&kept);
    test_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(fits_end_where_plain_em_rests),
        sfgp_unit_test(small_shapes_and_landmarks_have_exact_steps),
        sfgp_unit_test(falls_cost_trust_in_old_sums),
        sfgp_unit_test(sums_are_made_anew_when_they_no_longer_do),
        sfgp_unit_test(the_variance_waits_while_v_hardly_changes),
        sfgp_unit_test(no_fit_ends_with_the_variance_of_another_v),
        sfgp_unit_test(labels_that_are_too_fine_for_tiles_have_entries),
        sfgp_unit_test(exact_data_come_to_rest),
        sfgp_unit_test(a_move_with_new_sums_is_exact),
        sfgp_unit_test(a_fit_that_is_kept_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
