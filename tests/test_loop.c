/* The loop of a fit: when it ends. */
#include "em/loop.h"
#include "support/scene.h"
#include "support/support.h"

#include <string.h>

enum { N = 450, D = 2 };

/* A curve without noise, and every point again a last bit away, for copies are left out and points of surfaces are rounded: sigma2 falls to its least, which a fit has
 * to come to rest at. */
static void exact_data_come_to_rest(void **state)
{
    test_shapes *shapes = test_shapes_new(N, D, 0, 3);
    double twice[2 * N * D];
    sfgp_settings settings = test_settings();
    for (int k = 0; k < 2 * N * D; k++)
        twice[k] = shapes->reference[k / (2 * D) * D + k % D] * (k / D % 2 ? 1 + 0x1p-52 : 1);
    sfgp_model *model = test_shapes_model(*state, shapes, 0, &settings);
    sfgp_mesh *target = test_mesh(*state, 2 * N, D, twice);
    sfgp_solver *solver = test_solver(*state, model, &settings);
    sfgp_result *result = test_run(*state, solver, target);
    assert_int_equal(result->outcome, SFGP_CONVERGED);
    assert_true(solver->em->state.sigma2[0] < 1e-12 && solver->problem.target.spacing < 1e-15);
    sfgp_result_free(result);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(target);
    test_shapes_free(shapes);
}

/* In two goes it is the run in one, bit for bit. */
static void a_run_stops_at_an_iteration_and_goes_on(void **state)
{
    test_scene once = test_scene_new(*state, 90, 2, 0), twice = test_scene_new(*state, 90, 2, 0);
    sfgp_em *em = twice.solver->em;
    sfgp_outcome outcomes[2];
    sfgp_assert_ok(*state, sfgp_em_run(once.solver->em, &outcomes[0]));
    sfgp_assert_ok(*state, sfgp_em_run_to(em, 7, &outcomes[1]));
    assert_true(outcomes[1] == SFGP_MAX_ITERATIONS && em->state.iteration == 7 && em->iterations == 7);
    sfgp_assert_ok(*state, sfgp_em_run_to(em, 7, &outcomes[1])); /* there already */
    assert_int_equal(em->state.iteration, 7);
    sfgp_assert_ok(*state, sfgp_em_run(em, &outcomes[1]));
    assert_true(outcomes[0] == SFGP_CONVERGED && outcomes[1] == SFGP_CONVERGED);
    assert_int_equal(em->state.iteration, once.solver->em->state.iteration);
    assert_memory_equal(em->state.points, once.solver->em->state.points, 180 * sizeof(double));
    test_scene_free(&once);
    test_scene_free(&twice);
}

static void a_step_without_labels_moves_nothing(void **state)
{
    test_scene s = test_scene_new(*state, 90, 2, 0);
    sfgp_em *em = s.solver->em;
    double before[180];
    for (int k = 0; k < 180; k++)
        before[k] = em->state.points[k] += 1e6;
    sfgp_em_state_set_sigma2(90, 1e-6, &em->state);
    sfgp_assert_ok(*state, sfgp_em_step(em));
    assert_int_equal(em->state.iteration, 0);
    assert_memory_equal(em->state.points, before, sizeof before);
    test_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_long_test(exact_data_come_to_rest),
        sfgp_unit_test(a_run_stops_at_an_iteration_and_goes_on),
        sfgp_unit_test(a_step_without_labels_moves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
