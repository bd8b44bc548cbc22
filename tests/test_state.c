/* The state of a fit: it begins at the prior mean, copies are whole, a path there and back, and a fit that goes on
 * from a snapshot. */
#include "em/state.h"
#include "em/loop.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { N = 90, D = 2 };

static const sfgp_em_start START = {.pose = {.rotation = {0, -1, 1, 0}, .shift = {0.2, -0.3}},
                                    .sigma2 = 0.07,
                                    .omega = 0.2,
                                    .regional = true,
                                    .late_mixing = true};

/* Every number of the block another one. */
static void fill_state(double seed, sfgp_em_state *state)
{
    for (int64_t k = 0; k < state->size; k++)
        state->values[k] = 1 + seed + 0.5 * sin((double)k + seed);
    state->omega = 0.1 * seed, state->divergence = 2 * seed, state->bound = -3 * seed;
    state->pose = state->start.pose = START.pose;
    state->pose.shift[1] = seed;
    state->start.sigma2 = 5 * seed, state->start.regional = true;
    state->thinning = (int64_t)seed, state->iteration = (int64_t)(10 * seed);
}

/* The arrays fill the block in their order, without a gap. */
static void the_arrays_are_one_block(void **state)
{
    for (int mixing = 0; mixing < 2; mixing++) {
        test_scene s = test_scene_new(*state, N, D, 5);
        const int64_t m = sfgp_basis_size(&s.model->basis);
        sfgp_em_state fit;
        sfgp_assert_ok(*state, sfgp_em_state_new(*state, &s.model->basis, mixing, &fit));
        assert_ptr_equal(fit.points, fit.values);
        assert_ptr_equal(fit.coefficients, fit.points + N * D);
        assert_ptr_equal(fit.variance, fit.coefficients + m);
        assert_ptr_equal(fit.sigma2, fit.variance + N);
        assert_ptr_equal(fit.mixing, mixing ? fit.sigma2 + N : NULL);
        assert_int_equal(fit.size, N * D + m + (mixing ? 3 : 2) * N);
        sfgp_em_state_clear(&fit);
        assert_null(fit.values);
        test_scene_free(&s);
    }
}

static void it_begins_at_the_prior_mean(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 5);
    const sfgp_basis *basis = &s.model->basis;
    sfgp_em_state fit;
    sfgp_assert_ok(*state, sfgp_em_state_new(*state, basis, true, &fit));
    fill_state(3, &fit); /* of another fit */
    sfgp_em_state_begin(basis, &START, &fit);
    assert_memory_equal(fit.points, basis->mean, N * D * sizeof(double));
    for (int64_t k = 0; k < sfgp_basis_size(basis); k++)
        assert_true(fit.coefficients[k] == 0);
    for (int i = 0; i < N; i++)
        assert_true(fit.variance[i] == 0 && fit.sigma2[i] == START.sigma2 && fit.mixing[i] == 1);
    assert_true(fit.omega == START.omega && fit.divergence == 0 && fit.bound == 0);
    assert_memory_equal(&fit.pose, &START.pose, sizeof fit.pose);
    assert_memory_equal(&fit.start.pose, &START.pose, sizeof fit.pose);
    assert_true(fit.start.sigma2 == START.sigma2 && fit.start.omega == START.omega);
    assert_true(fit.start.regional && fit.start.late_mixing);
    assert_true(fit.thinning == 1 && fit.iteration == 0);
    sfgp_em_state_clear(&fit);
    test_scene_free(&s);
}

/* All numbers and all fields, in arrays of its own. */
static void a_copy_is_whole(void **state)
{
    for (int mixing = 0; mixing < 2; mixing++) {
        test_scene s = test_scene_new(*state, N, D, 5);
        sfgp_em_state from, to;
        sfgp_assert_ok(*state, sfgp_em_state_new(*state, &s.model->basis, mixing, &from));
        sfgp_assert_ok(*state, sfgp_em_state_new(*state, &s.model->basis, mixing, &to));
        fill_state(2, &from);
        fill_state(5, &to);
        const sfgp_em_state before = to;
        sfgp_em_state_copy(&from, &to);
        assert_memory_equal(to.values, from.values, (size_t)from.size * sizeof(double));
        sfgp_em_state fields = to; /* with the arrays of `from` it is `from` */
        assert_ptr_equal(to.values, before.values);
        assert_ptr_equal(to.points, before.points);
        assert_ptr_equal(to.coefficients, before.coefficients);
        assert_ptr_equal(to.variance, before.variance);
        assert_ptr_equal(to.sigma2, before.sigma2);
        assert_ptr_equal(to.mixing, before.mixing);
        fields.values = from.values, fields.points = from.points;
        fields.coefficients = from.coefficients, fields.variance = from.variance;
        fields.sigma2 = from.sigma2, fields.mixing = from.mixing;
        assert_memory_equal(&fields, &from, sizeof from);
        to.points[3] = 42; /* and has its own */
        assert_true(from.points[3] != 42);
        sfgp_em_state_clear(&from);
        sfgp_em_state_clear(&to);
        test_scene_free(&s);
    }
}

/* Points, coefficients and sigma2 (through its logarithm: to rounding); nothing else moves. */
static void a_path_goes_there_and_back(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 5);
    const sfgp_basis *basis = &s.model->basis;
    const int64_t m = sfgp_basis_size(basis), size = sfgp_em_state_path_size(basis);
    sfgp_em_state from, to;
    double x[N * D + 5 * N];
    assert_int_equal(size, N * D + m + 1);
    assert_in_range(size, 1, sizeof x / sizeof *x);
    sfgp_assert_ok(*state, sfgp_em_state_new(*state, basis, true, &from));
    sfgp_assert_ok(*state, sfgp_em_state_new(*state, basis, true, &to));
    fill_state(2, &from);
    fill_state(5, &to);
    sfgp_em_state_to_path(basis, &from, x);
    assert_memory_equal(x, from.points, N * D * sizeof *x);
    assert_memory_equal(x + N * D, from.coefficients, (size_t)m * sizeof *x);
    assert_true(x[size - 1] == log(from.sigma2[0]));
    const double variance = to.variance[N - 1], mixing = to.mixing[0];
    sfgp_em_state_from_path(basis, x, &to);
    assert_memory_equal(to.points, from.points, N * D * sizeof *x);
    assert_memory_equal(to.coefficients, from.coefficients, (size_t)m * sizeof *x);
    for (int i = 0; i < N; i++)
        assert_true(fabs(to.sigma2[i] / from.sigma2[0] - 1) < 1e-15);
    assert_true(to.variance[N - 1] == variance && to.mixing[0] == mixing && to.omega == 0.5);
    sfgp_em_state_clear(&from);
    sfgp_em_state_clear(&to);
    test_scene_free(&s);
}

/* Another fit from elsewhere leaves no trace: at a snapshot of a fit at rest, the step back moves no more than a
 * fit at rest may. The landmarks are seen from its pose again. */
static void come_back(void **state, int64_t landmarks)
{
    enum { MANY = 450, AXES = 3 };
    test_scene s = test_scene_new(*state, MANY, AXES, 0);
    sfgp_em *em = s.solver->em;
    sfgp_outcome outcome;
    sfgp_em_state snapshot;
    sfgp_em_start other = em->state.start;
    other.pose.shift[0] = 0.3;
    sfgp_assert_ok(
        *state, sfgp_solver_set_landmarks(s.solver, landmarks, s.shapes->reference, s.shapes->truth, 0.01));
    const sfgp_em_start start = em->state.start;
    sfgp_assert_ok(*state, sfgp_em_begin(em, &start));
    sfgp_assert_ok(*state, sfgp_em_run(em, &outcome));
    assert_int_equal(outcome, SFGP_CONVERGED);
    sfgp_assert_ok(*state, sfgp_em_state_new(*state, &s.model->basis, true, &snapshot));
    sfgp_em_state_copy(&em->state, &snapshot);
    sfgp_assert_ok(*state, sfgp_em_begin(em, &other));
    assert_false(em->posterior.freeze_variance || (landmarks == 0 && em->posterior.solved));
    for (int k = 0; k < 15; k++)
        sfgp_assert_ok(*state, sfgp_em_step(em));
    assert_true(em->state.pose.shift[0] == 0.3);
    sfgp_assert_ok(*state, sfgp_em_restore(em, &snapshot));
    assert_int_equal(em->state.iteration, snapshot.iteration);
    assert_true(fabs(em->state.bound - snapshot.bound) < 1);
    for (int k = 0; k < MANY * AXES; k++)
        assert_true(fabs(em->state.points[k] - snapshot.points[k]) < 0.02 * sqrt(snapshot.sigma2[0]));
    assert_true(em->state.pose.shift[0] == 0);
    sfgp_em_state_clear(&snapshot);
    test_scene_free(&s);
}

static void a_fit_comes_back_to_its_snapshot(void **state)
{
    come_back(state, 0);
    come_back(state, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_arrays_are_one_block),
        sfgp_unit_test(it_begins_at_the_prior_mean),
        sfgp_unit_test(a_copy_is_whole),
        sfgp_unit_test(a_path_goes_there_and_back),
        sfgp_unit_test(a_fit_comes_back_to_its_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
