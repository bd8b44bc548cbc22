/* Setting mirror: the mirror image of the reference is fitted as the reference is to the mirror image of the target. */
#include "model/model.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { N = 150 };

#define ROUNDING 1e-9 /* of mirroring twice about a centre that is not 0 */
/* mm: 2^-13 RMS radii, to which the points of a scan are rounded. So they are otherwise in the mirror image, and EM goes and ends
 * on another way. */
#define STOPPED 5e-3
#define NATS 0.5 /* what such a step changes of the bound, which is flat at its end */

typedef struct fit {
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_result *result;
} fit;

static void run(sfgp_context *context, const char *method, bool mirror, const sfgp_mesh *reference,
                const sfgp_mesh *target, fit *f)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.method, method);
    settings.mirror = mirror;
    sfgp_assert_ok(context, sfgp_model_new(context, reference, NULL, 0, &settings, &f->model));
    sfgp_assert_ok(context, sfgp_solver_new(context, f->model, &settings, &f->solver));
    sfgp_assert_ok(context, sfgp_solver_run(f->solver, target, &f->result));
}

static void clear(fit *f)
{
    sfgp_result_free(f->result);
    sfgp_solver_free(f->solver);
    sfgp_model_free(f->model);
}

static void assert_mirrored(int64_t count, int d, const double *a, const double *b)
{
    for (int64_t k = 0; k < count * d; k++)
        if (!(fabs(a[k] - (k % d == 0 ? -b[k] : b[k])) < STOPPED))
            fail_msg("coordinate %d: %.17g and %.17g", (int)k, a[k], b[k]);
}

/* The map of space of the fit does the same to any point, and its posterior has the fit as its mean. */
static void check_map(sfgp_context *context, const fit *image, const sfgp_mesh *reference)
{
    sfgp_deformation *map = NULL;
    sfgp_model *posterior = NULL;
    sfgp_mesh *mean = NULL;
    double moved[N * 3];
    sfgp_assert_ok(context, sfgp_solver_deformation(image->solver, image->result, &map));
    assert_int_equal(sfgp_deformation_mirrors(map), 1);
    sfgp_assert_ok(context, sfgp_deformation_apply(context, map, N, reference->points, 1, moved, NULL));
    sfgp_assert_ok(context, sfgp_deformation_posterior(context, map, &posterior));
    sfgp_assert_ok(context, sfgp_model_mean(context, posterior, &mean));
    for (int64_t k = 0; k < N * reference->dimension; k++)
        assert_true(fabs(moved[k] - image->result->points[k]) < ROUNDING &&
                    fabs(mean->points[k] - image->result->points[k]) < ROUNDING);
    sfgp_mesh_free(mean);
    sfgp_model_free(posterior);
    sfgp_deformation_free(map);
}

static void check(const char *method, int d)
{
    sfgp_context *context = NULL;
    sfgp_mesh *reference = NULL, *target = NULL;
    fit plain, image;
    test_shapes *shapes = test_shapes_new(N, d, 0, 1);
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, N, d, shapes->reference, &reference));
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, shapes->m, d, shapes->target, &target));
    run(context, method, false, reference, target, &plain);
    test_mesh_mirror(target);
    run(context, method, true, reference, target, &image);
    assert_mirrored(N, d, image.result->points, plain.result->points);
    assert_memory_equal(image.result->missing, plain.result->missing, N);
    assert_true(image.result->settings->mirror == 1 && image.result->pose[0] < 0 &&
                plain.result->pose[0] > 0);
    if (strcmp(method, "auto") == 0)
        assert_true(fabs(image.result->evidence - plain.result->evidence) < NATS);
    else
        assert_true(isnan(image.result->evidence));
    check_map(context, &image, reference);
    clear(&plain);
    clear(&image);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(target);
    test_shapes_free(shapes);
    sfgp_context_free(context);
}

/* The map of cpd-rigid is all of its fit, and holds the reflection; without a pose that is all of the pose. */
static void a_linear_map_holds_the_reflection(void **state)
{
    sfgp_mesh *reference = NULL, *target = NULL;
    fit image;
    test_shapes *shapes = test_shapes_new(N, 3, 0, 1);
    sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, N, 3, shapes->reference, &reference));
    sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, shapes->m, 3, shapes->target, &target));
    test_mesh_mirror(target);
    run(*state, "cpd-rigid", true, reference, target, &image);
    const sfgp_result *result = image.result;
    for (int k = 0; k < 3 * N; k++) {
        const double *x = reference->points + k / 3 * 3, *row = result->similarity + k % 3 * 4;
        assert_true(fabs(row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3] - result->points[k]) <
                    ROUNDING);
    }
    for (int k = 0; k < 16; k++)
        assert_true(k == 3 || fabs(result->pose[k] - (k == 0 ? -1 : k % 5 == 0)) < ROUNDING);
    assert_true(fabs(result->pose[3] - 2 * image.model->frame.centre[0]) < ROUNDING);
    clear(&image);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(target);
    test_shapes_free(shapes);
}

static void the_mirror_image_is_fitted(void **state)
{
    (void)state;
    check("auto", 3);
    check("auto", 2);
    check("sfgp-scalar", 3);
    check("bcpd", 3);
}

/* The same shape in another unit is as probable: densities are in the unit of the target, whatever the reference's. */
static void evidence_is_in_the_unit_of_the_files(void **state)
{
    sfgp_context *context = NULL;
    sfgp_mesh *reference = NULL, *target = NULL;
    fit small, large;
    test_shapes *shapes = test_shapes_new(N, 3, 0, 1);
    (void)state;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, N, 3, shapes->reference, &reference));
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, shapes->m, 3, shapes->target, &target));
    run(context, "auto", false, reference, target, &small);
    for (int64_t k = 0; k < 3 * N; k++)
        reference->points[k] *= 8;
    for (int64_t k = 0; k < 3 * shapes->m; k++)
        target->points[k] *= 8; /* a power of two: the same fit */
    run(context, "auto", false, reference, target, &large);
    assert_true(fabs(small.result->evidence - large.result->evidence - (double)shapes->m * 3 * log(8)) <
                1e-9 * fabs(large.result->evidence));
    clear(&small);
    clear(&large);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(target);
    test_shapes_free(shapes);
    sfgp_context_free(context);
}

static void count_words(void *user, const char *warning)
{
    *(int *)user += strstr(warning, "set mirror to 1") != NULL;
}

/* Ears, left and right: the right one is fitted poorly, and the warning says why. */
static void the_wrong_side_is_told(void **state)
{
    sfgp_context *context = NULL;
    sfgp_mesh *reference = NULL, *truth = NULL, *scan = NULL;
    sfgp_damage damage;
    fit left, right;
    int told = 0;
    (void)state;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    sfgp_context_set_log(context, count_words, &told);
    sfgp_damage_default(&damage);
    damage.holes = 2;
    damage.hole_radius = 0.6;
    sfgp_assert_ok(context, sfgp_simulate_ear(context, 24, 0, &reference));
    sfgp_assert_ok(context, sfgp_simulate_ear(context, 24, 4, &truth));
    sfgp_assert_ok(context, sfgp_simulate_scan(context, truth, &damage, &scan, NULL));
    run(context, "auto", false, reference, scan, &left);
    assert_int_equal(told, 0);
    test_mesh_mirror(scan);
    run(context, "auto", false, reference, scan, &right);
    assert_int_equal(told, 1);
#ifndef SFGP_SLOW_BUILD /* sanitizers, coverage: a minute, and no other code */
    clear(&right);
    run(context, "auto", true, reference, scan, &right);
    assert_int_equal(told, 1);
#endif
    clear(&left);
    clear(&right);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(truth);
    sfgp_mesh_free(scan);
    sfgp_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mirror_image_is_fitted),
        sfgp_unit_test(a_linear_map_holds_the_reflection),
#ifdef SFGP_COVERAGE /* no other test reaches the warning */
        sfgp_unit_test(the_wrong_side_is_told),
#else
        sfgp_long_test(the_wrong_side_is_told),
#endif
        cmocka_unit_test(evidence_is_in_the_unit_of_the_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
