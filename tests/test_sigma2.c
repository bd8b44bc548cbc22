/* Registration variance of a fit that learns: the shared one, within limits. */
#include "em/loop.h"
#include "em/sigma2.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>

enum { N = 60 };

/* That of all responsibilities, but: with training shapes no lower than 0.93 of the last while that is
 * above a tenth of the squared spacing; 0.1 at most after 20 iterations. */
static void sigma2_falls_slowly_with_training_shapes(void **state)
{
    for (int training = 0; training <= 5; training += 5) {
        test_shapes *shapes = test_shapes_new(N, 3, training, 31);
        sfgp_settings settings = test_settings();
        sfgp_model *model = test_shapes_model(*state, shapes, training, &settings);
        sfgp_mesh *target = test_mesh(*state, shapes->m, 3, shapes->target);
        sfgp_solver *solver = test_solver(*state, model, &settings);
        sfgp_assert_ok(*state, sfgp_solver_load(solver, target));
        sfgp_em *em = solver->em;
        sfgp_assert_ok(*state, sfgp_em_step(em));
        sfgp_sigma2_update_shared(em);
        const double shared = em->state.sigma2[0], end = 4 * shared,
                     lasts[] = {0.5, 2 * shared, 1.01 * end, 0.99 * end};
        solver->problem.target.spacing = sqrt(10 * end);
        for (int k = 0; k < 8; k++) {
            const double last = lasts[k / 2], slow = training > 0 && last > end ? 0.93 * last : 0;
            em->state.iteration = k % 2 ? 21 : 20;
            em->state.sigma2[0] = last;
            sfgp_sigma2_update_annealed(em);
            const double all = fmax(shared, slow), expected = k % 2 ? fmin(all, 0.1) : all;
            for (int i = 0; i < N; i++)
                assert_true(fabs(em->state.sigma2[i] - expected) < 1e-12 * expected);
        }
        sfgp_solver_free(solver);
        sfgp_model_free(model);
        sfgp_mesh_free(target);
        test_shapes_free(shapes);
    }
}

/* Without any spread sigma2 is the least one. */
static void sigma2_has_a_least_value(void **state)
{
    test_scene s = test_scene_new(*state, N, 3, 0);
    sfgp_em *em = s.solver->em;
    sfgp_assert_ok(*state, sfgp_em_step(em));
    for (int i = 0; i < N; i++) {
        em->responsibilities.second[i] = em->posterior.variance[i] = 0;
        for (int a = 0; a < 3; a++) {
            em->responsibilities.first[3 * i + a] = 0;
            em->state.points[3 * i + a] = em->posterior.mean[3 * i + a];
        }
    }
    em->state.sigma2[0] = 0; /* it does not fall any more */
    sfgp_sigma2_update_annealed(em);
    for (int i = 0; i < N; i++)
        assert_true(em->state.sigma2[i] == 1e-13);
    test_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(sigma2_falls_slowly_with_training_shapes),
        sfgp_unit_test(sigma2_has_a_least_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
