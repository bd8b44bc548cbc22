/* The M-step: what it makes again and what it reuses, that it is exact with a new B'WB, and that fits rest where
 * those with exact M-steps rest. */
#include "em/mstep.h"
#include "em/estep.h"
#include "em/guard.h"
#include "em/loop.h"
#include "search/tuning.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 450, D = 3 };

static void run_steps(sfgp_context *context, int count, sfgp_em *em)
{
    for (int k = 0; k < count; k++)
        sfgp_assert_ok(context, sfgp_em_step(em));
}

/* Whether B'WB is that of the weights of the last M-step. */
static bool has_new_gram(const sfgp_em *em)
{
    return memcmp(em->posterior.gram_weights, em->weights, N * sizeof(double)) == 0;
}

/* Runs to rest, then one EM step with P, exact sums and variance: it moves no more than a fit at rest may. */
static void fits_end_where_plain_em_rests(void **state)
{
    for (int training = 0; training <= 5; training += 5) {
        test_scene s = test_scene_new(*state, N, D, training);
        sfgp_em *em = s.solver->em;
        sfgp_outcome outcome;
        sfgp_assert_ok(*state, sfgp_em_run(em, &outcome));
        assert_int_equal(outcome, SFGP_CONVERGED);
        sfgp_tiles *tiles = em->view.tiles;
        assert_non_null(tiles);
        const double sigma2 = em->state.sigma2[0];
        em->view.tiles = NULL;
        sfgp_assert_ok(*state, sfgp_em_estep_whole(em));
        sfgp_assert_ok(*state, sfgp_em_mstep(em));
        assert_false(em->posterior.freeze_variance);
        double motion = 0;
        for (int k = 0; k < N * D; k++)
            motion = fmax(motion, fabs(em->posterior.mean[k] - em->state.points[k]));
        assert_true(motion < 0.02 * sqrt(sigma2)); /* at most; on the mean a thousandth */
        em->view.tiles = tiles;
        test_scene_free(&s);
    }
}

static void small_shapes_and_landmarks_have_exact_steps(void **state)
{
    test_scene small = test_scene_new(*state, 399, D, 0), s = test_scene_new(*state, N, D, 0);
    const double at[3] = {s.shapes->reference[0], s.shapes->reference[1], s.shapes->reference[2]};
    assert_null(small.solver->em->view.tiles);
    run_steps(*state, 3, small.solver->em);
    assert_false(small.solver->em->posterior.has_gram || small.solver->em->posterior.freeze_variance);
    sfgp_assert_ok(*state, sfgp_solver_set_landmarks(s.solver, 1, at, at, 0.5));
    sfgp_assert_ok(*state, sfgp_solver_load(s.solver, s.target));
    run_steps(*state, 3, s.solver->em);
    assert_false(s.solver->em->posterior.has_gram);
    test_scene_free(&small);
    test_scene_free(&s);
}

/* While the responsibilities hardly change, B'WB is reused; it is made again where the bound has fallen, or the
 * weight has moved. */
static void the_gram_is_made_again_when_the_weight_has_moved(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em *em = s.solver->em;
    int reused = 0;
    for (int k = 0; k < 40; k++) {
        run_steps(*state, 1, em);
        reused += !has_new_gram(em);
        assert_true(em->guard.reused == !has_new_gram(em));
        if (k == 0)
            assert_true(has_new_gram(em));
    }
    assert_in_range(reused, 20, 39);
    em->guard.bound = HUGE_VAL; /* it falls from there */
    em->guard.reused = true;
    em->extrapolation.pending = false;
    sfgp_guard_record(em);
    sfgp_assert_ok(*state, sfgp_em_mstep(em));
    assert_true(has_new_gram(em));
    for (int i = 0; i < N / 2; i++) /* half of the shape has no label any more */
        em->responsibilities.weight[i] = 0;
    sfgp_guard_record(em);
    assert_false(em->guard.fell);
    sfgp_assert_ok(*state, sfgp_em_mstep(em));
    assert_true(has_new_gram(em) && em->weights[0] == 0);
    test_scene_free(&s);
}

static void set_sigma2(double sigma2, sfgp_em *em)
{
    sfgp_em_state_set_sigma2(N, sigma2, &em->state);
}

static void set_variance(double variance, sfgp_em *em)
{
    for (int i = 0; i < N; i++)
        em->state.variance[i] = variance;
}

/* It is made again when sigma2 has changed by 3 %; in a warm fit by 10 %. */
static void the_variance_is_frozen_while_sigma2_hardly_changes(void **state)
{
    const struct {
        bool warm;
        double change;
        bool frozen;
    } cases[] = {{false, 1.02, true}, {false, 0.98, true}, {false, 1.05, false}, {false, 0.95, false},
                 {true, 1.08, true},  {true, 0.92, true},  {true, 1.15, false}};
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
        test_scene s = test_scene_new(*state, N, D, 0);
        sfgp_em *em = s.solver->em;
        run_steps(*state, 2, em);
        set_sigma2(0.01, em);
        em->variance_sigma2 = 0; /* asks for it */
        sfgp_assert_ok(*state, sfgp_em_mstep(em));
        assert_true(!em->posterior.freeze_variance && em->variance_sigma2 == 0.01);
        set_variance(0.01, em); /* not small beside sigma2 */
        em->schedule = cases[k].warm ? &sfgp_schedule_warm : &sfgp_schedule_surface;
        set_sigma2(0.01 * cases[k].change, em);
        sfgp_assert_ok(*state, sfgp_em_mstep(em));
        assert_int_equal(em->posterior.freeze_variance, cases[k].frozen);
        assert_int_equal(em->variance_sigma2 == 0.01, cases[k].frozen);
        test_scene_free(&s);
    }
}

static void a_warm_fit_freezes_a_variance_that_is_small_beside_sigma2(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em *em = s.solver->em;
    run_steps(*state, 2, em);
    em->schedule = &sfgp_schedule_warm;
    em->variance_sigma2 = 1e3; /* far from sigma2 */
    set_variance(1e-3 * em->state.sigma2[0], em);
    sfgp_assert_ok(*state, sfgp_em_mstep(em));
    assert_true(em->posterior.freeze_variance);
    test_scene_free(&s);
}

/* Within 1 % of sigma2, unless it has just been made. */
static void no_fit_ends_with_the_variance_of_another_sigma2(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em *em = s.solver->em;
    run_steps(*state, 1, em);
    set_sigma2(0.01, em);
    em->posterior.freeze_variance = false, em->variance_sigma2 = 1;
    assert_true(sfgp_em_variance_is_current(em));
    em->posterior.freeze_variance = true, em->variance_sigma2 = 0.01 / 1.005;
    assert_true(sfgp_em_variance_is_current(em) && em->variance_sigma2 > 0);
    em->variance_sigma2 = 0.01 / 1.02;
    assert_false(sfgp_em_variance_is_current(em));
    assert_true(em->variance_sigma2 == 0); /* made in the next step */
    em->schedule = &sfgp_schedule_warm, em->variance_sigma2 = 1;
    assert_true(sfgp_em_variance_is_current(em));
    test_scene_free(&s);
}

/* Against the exact update of the state as it is. */
static void assert_exact_step(sfgp_context *context, const sfgp_em *em)
{
    double weights[N], labels[N * D];
    sfgp_posterior exact;
    for (int i = 0; i < N; i++) {
        const double n = em->responsibilities.weight[i];
        weights[i] = (double)em->state.thinning * n / em->state.sigma2[i];
        for (int k = i * D; k < (i + 1) * D; k++)
            labels[k] =
                n > 0 ? em->state.points[k] + em->responsibilities.shift[k] / n - em->problem->basis->mean[k]
                      : 0;
    }
    sfgp_assert_ok(context, sfgp_posterior_new(context, em->problem->basis, &exact));
    exact.prior = em->posterior.prior;
    sfgp_assert_ok(context, sfgp_posterior_update(context, weights, labels, &exact));
    for (int k = 0; k < N * D; k++)
        assert_true(fabs(exact.mean[k] - em->posterior.mean[k]) < 1e-5);
    for (int i = 0; i < N; i++)
        assert_true(fabs(exact.variance[i] / em->posterior.variance[i] - 1) < 1e-4);
    sfgp_posterior_clear(&exact);
}

/* Of half of the points and another sigma2, where the old B'WB is far off; and thinned. */
static void a_step_with_a_new_gram_is_exact(void **state)
{
    for (int thinning = 1; thinning <= 4; thinning *= 4) {
        test_scene s = test_scene_new(*state, N, D, 0);
        sfgp_em *em = s.solver->em;
        run_steps(*state, 3, em);
        for (int i = 0; i < N / 2; i++) {
            em->responsibilities.weight[i] = 0;
            memset(em->responsibilities.shift + i * D, 0, D * sizeof(double));
        }
        set_sigma2(0.02, em);
        em->state.thinning = thinning;
        memcpy(em->state.points, em->posterior.mean, sizeof(double) * N * D);
        sfgp_assert_ok(*state, sfgp_em_mstep(em));
        assert_true(has_new_gram(em) && !em->posterior.freeze_variance);
        assert_exact_step(*state, em);
        test_scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(fits_end_where_plain_em_rests),
        sfgp_unit_test(small_shapes_and_landmarks_have_exact_steps),
        sfgp_unit_test(the_gram_is_made_again_when_the_weight_has_moved),
        sfgp_unit_test(the_variance_is_frozen_while_sigma2_hardly_changes),
        sfgp_unit_test(a_warm_fit_freezes_a_variance_that_is_small_beside_sigma2),
        sfgp_unit_test(no_fit_ends_with_the_variance_of_another_sigma2),
        sfgp_unit_test(a_step_with_a_new_gram_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
