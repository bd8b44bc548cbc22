/* What the tests of MAP and PCA_ANISO share: shapes with a model of their training shapes, and properties of
 * every baseline that fits such a model. */
#ifndef SFGP_TEST_BASELINE_PRIOR_H
#define SFGP_TEST_BASELINE_PRIOR_H

#include "support/corrupt.h"
#include "support/shapes.h"
#include "support/support.h"

#include <string.h>

typedef struct prior_fixture {
    test_shapes *shapes;
    sfgp_mesh *reference, *target, *training[8];
    sfgp_settings settings;
    sfgp_model *model;
} prior_fixture;

/* n points in d axes and as many training shapes as said (8 at most). An oracle is slow: accuracy of the
 * model's factor such that it has few columns. */
static inline prior_fixture prior_fixture_new(sfgp_context *context, const char *method, double accuracy,
                                              int n, int d, int training, const char *kernel, uint64_t seed)
{
    prior_fixture f = {.shapes = test_shapes_new(n, d, training, seed)};
    sfgp_settings_default(&f.settings);
    strcpy(f.settings.method, method);
    strcpy(f.settings.kernel, kernel);
    f.settings.accuracy = accuracy;
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, n, d, f.shapes->reference, &f.reference));
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, f.shapes->m, d, f.shapes->target, &f.target));
    for (int t = 0; t < training; t++)
        sfgp_assert_ok(context, sfgp_mesh_from_points(context, n, d, f.shapes->training[t], &f.training[t]));
    sfgp_assert_ok(context, sfgp_model_new(context, f.reference, (const sfgp_mesh *const *)f.training,
                                           training, &f.settings, &f.model));
    return f;
}

static inline void prior_fixture_free(prior_fixture *f)
{
    sfgp_model_free(f->model);
    sfgp_mesh_free(f->reference);
    sfgp_mesh_free(f->target);
    for (int t = 0; t < f->shapes->training_count; t++)
        sfgp_mesh_free(f->training[t]);
    test_shapes_free(f->shapes);
}

static inline sfgp_status prior_fit(sfgp_context *context, const prior_fixture *f, sfgp_result **result)
{
    sfgp_solver *solver = NULL;
    *result = NULL;
    sfgp_status status = sfgp_solver_new(context, f->model, &f->settings, &solver);
    if (status == SFGP_OK)
        status = sfgp_solver_run(solver, f->target, result);
    sfgp_solver_free(solver);
    return status;
}

/* ---- properties of every method ------------------------------------------------------------------------ */

static inline void prior_assert_same_bits(sfgp_context *context, prior_fixture *f)
{
    const size_t size = (size_t)f->shapes->n * sizeof(double);
    sfgp_result *one, *two;
    f->settings.threads = 1;
    sfgp_assert_ok(context, prior_fit(context, f, &one));
    f->settings.threads = 0;
    sfgp_assert_ok(context, prior_fit(context, f, &two));
    assert_memory_equal(one->points, two->points, (size_t)f->shapes->d * size);
    assert_memory_equal(one->probability, two->probability, size);
    assert_true(one->sigma == two->sigma && one->change == two->change);
    sfgp_result_free(one), sfgp_result_free(two);
}

/* Moves the target out of reach: no fit, and the reference comes back. */
static inline void prior_assert_no_overlap(sfgp_context *context, prior_fixture *f)
{
    const size_t size = (size_t)(f->shapes->n * f->shapes->d) * sizeof(double);
    sfgp_result *r;
    for (int k = 0; k < f->shapes->d * f->shapes->m; k++)
        f->target->points[k] += 1e5;
    sfgp_assert_ok(context, prior_fit(context, f, &r));
    assert_int_equal(r->outcome, SFGP_NO_OVERLAP);
    assert_memory_equal(r->points, f->shapes->reference, size);
    sfgp_result_free(r);
}

static inline sfgp_status prior_fit_and_free(sfgp_context *context, void *user)
{
    sfgp_result *r;
    sfgp_status status = prior_fit(context, user, &r);
    sfgp_result_free(r);
    return status;
}

/* least: allocations that a fit of so many iterations makes at least. */
static inline void prior_assert_failures(sfgp_context *context, prior_fixture *f, int64_t iterations,
                                         int least)
{
    f->settings.max_iterations = iterations;
    f->settings.threads = 1;
    assert_true(sfgp_sweep_allocations(context, prior_fit_and_free, f) >= least);
}

#endif
