/* The guard: which extrapolations it rejects, and what a fall of the bound costs a quasi-Newton M-step. */
#include "em/guard.h"
#include "em/estep.h"
#include "em/loop.h"
#include "geom/measure.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { N = 450 };

static bool has_new_gram(const sfgp_em *em)
{
    return memcmp(em->posterior.gram_weights, em->weights, N * sizeof(double)) == 0;
}

/* Every fall of the bound after a step with an older B'WB halves the allowed drift; a new start, or a heated fit, has all of it again. */
static void a_fall_of_the_bound_halves_the_drift_allowed_to_the_gram(void **state)
{
    test_scene s = test_scene_new(*state, N, 3, 0);
    sfgp_em *em = s.solver->em;
    for (int k = 0; k < 10; k++)
        sfgp_assert_ok(*state, sfgp_em_step(em));
    em->guard.gram_scale = 1;
    for (int k = 1; k <= 3; k++) {
        em->guard.bound = 1e300;
        em->guard.reused = true;
        sfgp_assert_ok(*state, sfgp_em_step(em));
        assert_true(em->guard.fell && em->guard.gram_scale == 1.0 / (1 << k));
        assert_true(has_new_gram(em));
    }
    em->guard.gram_scale = 0; /* no drift is too small */
    for (int k = 0; k < 5; k++) {
        sfgp_assert_ok(*state, sfgp_em_step(em));
        assert_true(has_new_gram(em));
    }
    sfgp_extrapolation_reset(em);
    assert_true(em->guard.gram_scale == 1);
    test_scene_free(&s);
}

/* The bound before an extrapolation tells nothing of the M-step, and after a reset there is none. */
static void only_the_bound_of_an_em_step_counts(void **state)
{
    test_scene s = test_scene_new(*state, 90, 2, 0);
    sfgp_em *em = s.solver->em;
    sfgp_assert_ok(*state, sfgp_em_step(em));
    assert_true(em->guard.bound == em->state.bound && !em->guard.fell); /* the first of a fit */
    const double bound = em->guard.bound = em->state.bound;
    em->state.bound = bound - 1;
    em->extrapolation.pending = em->guard.reused = true;
    sfgp_guard_record(em);
    assert_true(!em->guard.fell && em->guard.gram_scale == 1 && em->guard.bound == bound - 1);
    em->extrapolation.pending = false;
    sfgp_guard_record(em);
    assert_true(!em->guard.fell && em->guard.gram_scale == 1); /* as large as before */
    em->state.bound = bound - 2;
    sfgp_guard_record(em);
    assert_true(em->guard.fell && em->guard.gram_scale == 0.5);
    em->guard.reused = false;
    em->state.bound = bound - 3;
    sfgp_guard_record(em);
    assert_true(!em->guard.fell && em->guard.gram_scale == 0.5); /* that step had its own B'WB */
    sfgp_guard_reset(&em->guard);
    em->guard.reused = true;
    em->state.bound = -1e300;
    sfgp_guard_record(em);
    assert_false(em->guard.fell);
    test_scene_free(&s);
}

/* Steps to the first extrapolation. */
static void run_to_extrapolation(sfgp_context *context, sfgp_em *em)
{
    for (int k = 0; k < 300 && !em->extrapolation.pending; k++) {
        sfgp_assert_ok(context, sfgp_em_step(em));
        assert_false(em->settled);
    }
    assert_true(em->extrapolation.pending);
}

/* A tenth of a nat a target point is allowed. */
static void an_extrapolation_that_loses_too_much_is_rejected(void **state)
{
    test_scene s = test_scene_new(*state, 90, 2, 0);
    sfgp_em *em = s.solver->em;
    run_to_extrapolation(*state, em);
    const double bound = em->state.bound;
    assert_true(em->extrapolation.bound == bound);
    sfgp_assert_ok(*state, sfgp_em_estep(em));
    assert_true(em->state.bound > bound - 0.1 * s.shapes->m);
    assert_false(sfgp_guard_rejects(em));
    em->state.bound = bound - 0.09 * s.shapes->m;
    assert_false(sfgp_guard_rejects(em));
    em->state.bound = bound - 0.11 * s.shapes->m;
    assert_true(sfgp_guard_rejects(em));
    em->extrapolation.pending = false; /* an EM step is not rejected, whatever it loses */
    assert_false(sfgp_guard_rejects(em));
    test_scene_free(&s);
}

static void an_extrapolation_without_labels_is_rejected(void **state)
{
    test_scene s = test_scene_new(*state, 90, 2, 0);
    sfgp_em *em = s.solver->em;
    run_to_extrapolation(*state, em);
    sfgp_assert_ok(*state, sfgp_em_estep(em));
    assert_false(sfgp_guard_rejects(em));
    em->responsibilities.missing = em->responsibilities.count;
    assert_true(sfgp_guard_rejects(em));
    test_scene_free(&s);
}

/* The next iteration goes on from x2. */
static void an_iteration_retracts_what_the_guard_rejects(void **state)
{
    test_scene s = test_scene_new(*state, 90, 2, 0);
    sfgp_em *em = s.solver->em;
    run_to_extrapolation(*state, em);
    em->extrapolation.bound = HUGE_VAL; /* any bound is a loss */
    sfgp_assert_ok(*state, sfgp_em_step(em));
    assert_false(em->extrapolation.pending);
    assert_true(em->change == sfgp_points_apart(90, 2, em->state.points, em->extrapolation.path[2]));
    test_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_fall_of_the_bound_halves_the_drift_allowed_to_the_gram),
        sfgp_unit_test(only_the_bound_of_an_em_step_counts),
        sfgp_unit_test(an_extrapolation_that_loses_too_much_is_rejected),
        sfgp_unit_test(an_extrapolation_without_labels_is_rejected),
        sfgp_unit_test(an_iteration_retracts_what_the_guard_rejects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
