/* A small shape, its scan, and a solver that is about to fit the one to the other. */
#ifndef SFGP_TESTS_SCENE_H
#define SFGP_TESTS_SCENE_H

#include "fit/solver.h"
#include "support/shapes.h"

typedef struct test_scene {
    test_shapes *shapes;
    sfgp_mesh *target;
    sfgp_model *model;
    sfgp_solver *solver;
} test_scene;

/* n points in d axes and the first `training` training shapes, defaults; the target is loaded. */
test_scene test_scene_new(sfgp_context *context, int n, int d, int training);
void test_scene_free(test_scene *scene);
/* The same without training shapes, after an E-step, whose target points all lie on the fit and are explained. The spacing of the points is
 * 0.1 (sfgp_em_spacing). */
test_scene test_scene_settled(sfgp_context *context, int n, int d);

#endif
