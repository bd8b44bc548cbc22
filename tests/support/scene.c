#include "support/scene.h"
#include "em/estep.h"
#include "support/support.h"

#include <string.h>

test_scene test_scene_new(sfgp_context *context, int n, int d, int training)
{
    test_scene s = {.shapes = test_shapes_new(n, d, training, 3)};
    sfgp_settings settings = test_settings();
    s.model = test_shapes_model(context, s.shapes, training, &settings);
    s.target = test_mesh(context, s.shapes->m, d, s.shapes->target);
    sfgp_assert_ok(context, sfgp_solver_new(context, s.model, &settings, &s.solver));
    sfgp_assert_ok(context, sfgp_solver_load(s.solver, s.target));
    return s;
}

void test_scene_free(test_scene *scene)
{
    sfgp_solver_free(scene->solver);
    sfgp_model_free(scene->model);
    sfgp_mesh_free(scene->target);
    test_shapes_free(scene->shapes);
}

test_scene test_scene_settled(sfgp_context *context, int n, int d)
{
    test_scene s = test_scene_new(context, n, d, 0);
    sfgp_em *em = s.solver->em;
    sfgp_assert_ok(context, sfgp_em_estep(em));
    s.solver->problem.area = 0.01 * (double)em->responsibilities.targets;
    s.solver->problem.shape_area = 0.01 * n;
    for (int64_t j = 0; j < em->responsibilities.targets; j++) {
        memcpy(em->view.points + d * j, em->state.points + d * (j % n), (size_t)d * sizeof(double));
        em->responsibilities.explained[j] = 1;
    }
    return s;
}
