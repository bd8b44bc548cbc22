#include "support/fit.h"
#include "geom/rotations.h"
#include "search/halving.h"
#include "search/tuning.h"
#include "support/ear.h"
#include "support/shapes.h"

#include <math.h>
#include <stdlib.h>

enum { TRAINING = 20, STEP = 10 }; /* between seeds, as the program has it */

static void finish(sfgp_context *context, int threads, int training, sfgp_mesh *const *shapes, test_fit *fit)
{
    fit->n = fit->reference->count;
    fit->d = fit->reference->dimension;
    sfgp_settings_default(&fit->settings);
    fit->settings.threads = threads;
    sfgp_assert_ok(context, sfgp_model_new(context, fit->reference, (const sfgp_mesh *const *)shapes,
                                           training, &fit->settings, &fit->model));
    sfgp_assert_ok(context, sfgp_solver_new(context, fit->model, &fit->settings, &fit->solver));
    fit->em = fit->solver->em;
}

static test_fit fit_of(const test_ear *ear)
{
    return (test_fit){
        .reference = ear->reference, .truth = ear->truth, .target = ear->target, .missing = ear->missing};
}

test_fit test_fit_ear(sfgp_context *context, uint64_t seed, double degrees, double noise, bool trained)
{
    const int resolution = 38, training = trained ? TRAINING : 0;
    const test_ear ear =
        test_ear_new(context, resolution, seed, (test_ear_damage){seed + STEP, degrees, noise});
    test_fit fit = fit_of(&ear);
    sfgp_mesh *shapes[TRAINING];
    for (int k = 0; k < training; k++)
        sfgp_assert_ok(context, sfgp_simulate_ear(context, resolution, 100 + (uint64_t)k, &shapes[k]));
    finish(context, 2, training, shapes, &fit);
    for (int k = 0; k < training; k++)
        sfgp_mesh_free(shapes[k]);
    return fit;
}

test_fit test_fit_moved_ear(sfgp_context *context, uint64_t seed, double shift)
{
    test_fit fit = {0};
    sfgp_assert_ok(context, sfgp_simulate_ear(context, 16, 0, &fit.reference));
    sfgp_assert_ok(context, sfgp_simulate_ear(context, 16, seed, &fit.target));
    finish(context, 1, 0, NULL, &fit);
    assert_true((double)fit.n > sfgp_tuning_of(&fit.model->basis)->subset_points);
    for (int64_t k = 0; k < 3 * fit.target->count; k++)
        fit.target->points[k] +=
            fit.model->frame.scale * (0.02 * sin(3.0 * (double)(k * k)) + (k % 3 == 0 ? shift : 0));
    sfgp_assert_ok(context, sfgp_solver_load(fit.solver, fit.target));
    return fit;
}

test_fit test_fit_family(sfgp_context *context, const char *family, int number)
{
    char reference[64], scan[64];
    snprintf(reference, sizeof reference, "families/%s/reference.ply", family);
    snprintf(scan, sizeof scan, "families/%s/scan/%%03d.ply", family);
    test_fit fit = {.reference = test_data_mesh(context, reference, 0)};
    fit.target = test_data_mesh(context, scan, number);
    finish(context, 2, 0, NULL, &fit);
    return fit;
}

static test_fit ear_of(sfgp_context *context, int rings, double degrees, int threads)
{
    const test_ear ear = test_ear_new(context, rings, 6, (test_ear_damage){0, degrees, 0.004});
    test_fit fit = fit_of(&ear);
    finish(context, threads, 0, NULL, &fit);
    assert_true(fit.n > fit.em->problem->cold->dense);
    return fit;
}

test_fit test_fit_dense_ear(sfgp_context *context, double degrees, int threads)
{
    return ear_of(context, 60, degrees, threads);
}

test_fit test_fit_fine_ear(sfgp_context *context, int rings)
{
    return ear_of(context, rings, 0, 1);
}

test_fit test_fit_dense_curve(sfgp_context *context, int64_t points, int64_t targets)
{
    test_shapes *shapes = test_shapes_new((int)points, 2, 0, 57);
    test_fit fit = {.reference = test_mesh(context, shapes->n, 2, shapes->reference),
                    .truth = test_mesh(context, shapes->n, 2, shapes->truth),
                    .target =
                        test_mesh(context, targets < shapes->m ? targets : shapes->m, 2, shapes->target)};
    test_shapes_free(shapes);
    finish(context, 1, 0, NULL, &fit);
    assert_true(fit.n > fit.em->problem->cold->dense);
    return fit;
}

void test_fit_free(test_fit *fit)
{
    sfgp_solver_free(fit->solver);
    sfgp_model_free(fit->model);
    sfgp_mesh_free(fit->reference);
    sfgp_mesh_free(fit->truth);
    sfgp_mesh_free(fit->target);
    free(fit->missing);
}

double test_fit_error(const test_fit *fit, const double *points)
{
    return test_mean_distance(fit->n, fit->d, points, fit->truth->points);
}

bool test_fit_is_turned(const test_fit *fit)
{
    return sfgp_rotation_cosine(fit->em->state.pose.rotation, (int)fit->d) < 0.9;
}

void test_fit_assert_found(sfgp_context *context, const test_fit *fit, bool turns)
{
    sfgp_shortlist list;
    bool turned;
    sfgp_assert_ok(context, sfgp_solver_load(fit->solver, fit->target));
    sfgp_assert_ok(context, sfgp_halving_run(fit->em, &list, &turned));
    assert_int_equal(turned, turns);
    sfgp_result *r = test_run(context, fit->solver, fit->target);
    assert_true(test_fit_is_turned(fit));
    if (!(test_fit_error(fit, r->points) < 2))
        fail_msg("%g mm", test_fit_error(fit, r->points));
    assert_int_equal(r->outcome, SFGP_CONVERGED);
    sfgp_result_free(r);
}
