/* Scans of a shape that is larger than the reference (fit/size.h, ADR 0132). */
#include "deformation/deformation.h"
#include "geom/measure.h"
#include "support/fit.h"
#include "support/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 2.3 /* of the scan, ... */
#define LESS 1.6 /* and of some */

/* About its middle; the truth as well. */
static void scale_scan(test_fit *fit, double size)
{
    double middle[3];
    sfgp_points_extent(fit->target->count, 3, fit->target->points, middle);
    test_mesh_scale(fit->target, middle, size);
    test_mesh_scale(fit->truth, middle, size);
}

/* What lies on one side of the middle. */
static void cut_scan(sfgp_mesh *scan)
{
    double middle[3];
    int64_t kept = 0;
    sfgp_points_extent(scan->count, 3, scan->points, middle);
    for (int64_t j = 0; j < scan->count; j++)
        if (scan->points[3 * j + 1] > middle[1])
            memmove(scan->points + 3 * kept++, scan->points + 3 * j, 3 * sizeof(double));
    scan->count = kept;
}

/* Half of an ear that is turned by 110 degrees: it is not found in the size of the reference. */
static test_fit large_ear(sfgp_context *context, int resize)
{
    test_fit fit = test_fit_ear(context, 3, 110, 0.01, false);
    scale_scan(&fit, SIZE);
    cut_scan(fit.target);
    fit.solver->settings.resize = resize;
    return fit;
}

static sfgp_result *run(sfgp_context *context, const test_fit *fit)
{
    sfgp_result *result = test_run(context, fit->solver, fit->target);
    return result;
}

static int count_told(const char *words)
{
    return sfgp_test_count(sfgp_test_warning(), words);
}

/* ---- the fit ------------------------------------------------------------------------------------------------ */

static void a_larger_shape_is_fitted_in_its_size(void **state)
{
    double error[2];
    for (int resize = 0; resize <= 1; resize++) {
        const int taken = count_told("times as large before the fit"), hinted = count_told("if it is about");
        test_fit fit = large_ear(*state, resize);
        sfgp_result *result = run(*state, &fit);
        error[resize] = test_fit_error(&fit, result->points) / SIZE;
        print_message("size %g: error %g mm, expected %g\n", result->size, error[resize],
                      result->expected_error / SIZE);
        assert_int_equal(count_told("times as large before the fit"), taken + resize);
        assert_int_equal(count_told("if it is about"), hinted + !resize);
        assert_true(resize ? fabs(log(result->size / SIZE)) < 0.14 : result->size == 1);
        assert_int_equal(result->outcome, resize ? SFGP_CONVERGED : SFGP_DOUBTFUL);
        sfgp_result_free(result);
        test_fit_free(&fit);
    }
    assert_true(error[1] < 1 && error[0] > 20); /* mm of an ear that is 60 mm long */
}

/* The middle of the reference goes to the same place by both; what is around it is larger in one. */
static void assert_similarity(const double *centre, const sfgp_result *result)
{
    for (int a = 0; a < 3; a++) {
        double at[2] = {result->pose[4 * a + 3], result->similarity[4 * a + 3]};
        for (int b = 0; b < 3; b++) {
            at[0] += result->pose[4 * a + b] * centre[b];
            at[1] += result->similarity[4 * a + b] * centre[b];
            assert_true(fabs(result->similarity[4 * a + b] - result->size * result->pose[4 * a + b]) < 1e-12);
        }
        assert_true(fabs(at[0] - at[1]) < 1e-9);
    }
}

/* Points, deviations and poses are those of a fit to the scan in the size of the reference. Its points were rounded in another one, to 2^-13 radii: both fits
 * end at the same place, to half of a hundredth of a radius. */
static void it_is_the_fit_to_the_smaller_scan(void **state)
{
    test_fit fit = large_ear(*state, 1);
    const double *centre = fit.model->frame.centre;
    sfgp_result *large = run(*state, &fit);
    test_mesh_scale(fit.target, centre, 1 / large->size);
    sfgp_result *small = run(*state, &fit);
    const double within = 0.005 * fit.model->frame.scale * large->size;
    assert_true(small->size == 1);
    assert_similarity(centre, large);
    for (int64_t i = 0; i < fit.n; i++)
        assert_true(fabs(large->sd[i] / small->sd[i] / large->size - 1) < 0.05);
    for (int64_t k = 0; k < 3 * fit.n; k++) {
        const double x = centre[k % 3] + large->size * (small->points[k] - centre[k % 3]);
        assert_true(fabs(large->points[k] - x) < within);
    }
    for (int k = 0; k < 11; k++)
        assert_true(k % 4 == 3 || fabs(large->pose[k] - small->pose[k]) < 0.005);
    assert_true(fabs(large->sigma / small->sigma / large->size - 1) < 0.05);
    sfgp_result_free(large);
    sfgp_result_free(small);
    test_fit_free(&fit);
}

/* The next scan is one of the size of the reference. */
static void the_next_scan_begins_at_the_size_of_the_reference(void **state)
{
    test_fit fit = large_ear(*state, 1), other = test_fit_ear(*state, 5, 110, 0.01, false);
    sfgp_result *large = run(*state, &fit), *plain = run(*state, &other), *after;
    sfgp_assert_ok(*state, sfgp_solver_run(fit.solver, other.target, &after));
    assert_true(large->size > 1 && after->size == 1);
    assert_memory_equal(after->points, plain->points, (size_t)(3 * fit.n) * sizeof(double));
    sfgp_result_free(large);
    sfgp_result_free(plain);
    sfgp_result_free(after);
    test_fit_free(&fit);
    test_fit_free(&other);
}

/* ---- other fits ----------------------------------------------------------------------------------------------- */

/* The ear is of the other side: in its size, the mirror image is better. The fit is the first one, and has that doubt, too. */
static void the_other_side_is_told(void **state)
{
    sfgp_result *result[2];
    for (int resize = 0; resize <= 1; resize++) {
        test_fit fit = large_ear(*state, resize);
        test_mesh_mirror(fit.target);
        result[resize] = run(*state, &fit);
        print_message("size %g, doubts %u\n", result[resize]->size, result[resize]->doubts);
        assert_true(result[resize]->size == 1);
        assert_int_equal(result[resize]->outcome, SFGP_DOUBTFUL);
        test_fit_free(&fit);
    }
    assert_int_equal(result[1]->doubts, result[0]->doubts | SFGP_DOUBT_MIRROR);
    assert_false(result[0]->doubts & SFGP_DOUBT_MIRROR);
    assert_memory_equal(result[0]->points, result[1]->points,
                        (size_t)(3 * result[0]->count) * sizeof(double));
    sfgp_result_free(result[0]);
    sfgp_result_free(result[1]);
}

/* Most of the scan is taken for other things, and nothing else speaks against the fit: it is as good as it was, and a warning names the size. */
static void a_fit_beside_clutter_keeps_its_size(void **state)
{
    const int hinted = count_told("if it is about");
    test_fit fit = test_fit_ear(*state, 12, 110, 0.01, false);
    scale_scan(&fit, LESS);
    sfgp_result *result = run(*state, &fit);
    assert_true(fit.solver->problem.clutter > 0 && result->size == 1);
    assert_int_equal(result->outcome, SFGP_CONVERGED);
    assert_int_equal(count_told("if it is about"), hinted + 1);
    assert_true(test_fit_error(&fit, result->points) < 0.5);
    sfgp_result_free(result);
    test_fit_free(&fit);
}

/* Of the size of the reference, or smaller and found. */
static void a_good_fit_does_not_ask(void **state)
{
    const int hinted = count_told("if it is about"), taken = count_told("times as large before the fit");
    for (int smaller = 0; smaller <= 1; smaller++) {
        test_fit fit = test_fit_ear(*state, smaller ? 5 : 12, 110, 0.01, false);
        scale_scan(&fit, smaller ? 0.62 : 1);
        sfgp_result *result = run(*state, &fit);
        assert_int_equal(result->outcome, SFGP_CONVERGED);
        assert_true(result->size == 1);
        assert_int_equal(count_told("if it is about"), hinted);
        assert_int_equal(count_told("times as large before the fit"), taken);
        sfgp_result_free(result);
        test_fit_free(&fit);
    }
}

/* An ear that is 1.5 times as large, of another kind: the fit in a larger size has no doubts, as that size allows a larger error, but expects
 * nearly as large a one. Neither is a fit to its mirror image taken: there the mirror image is told, and no size. */
static void a_fit_that_expects_as_large_an_error_is_not_taken(void **state)
{
    for (int mirrored = 0; mirrored <= 1; mirrored++) {
        const int hinted = count_told("if it is about");
        test_fit fit = test_fit_family(*state, "ear", 7);
        fit.solver->settings.adapt = mirrored; /* with a smoother reference it has no doubts as it is */
        if (mirrored)
            test_mesh_mirror(fit.target);
        sfgp_result *result = run(*state, &fit);
        assert_true(result->size == 1);
        assert_int_equal(result->outcome, SFGP_DOUBTFUL);
        assert_int_equal(count_told("if it is about"), hinted + !mirrored);
        sfgp_result_free(result);
        test_fit_free(&fit);
    }
}

/* With the setting mirror the same scan is found. */
static void with_the_mirror_image_of_the_reference_it_is_found(void **state)
{
    test_fit fit = large_ear(*state, 1);
    fit.solver->settings.mirror = 1;
    test_mesh_mirror(fit.target);
    test_mesh_mirror(fit.truth);
    sfgp_result *result = run(*state, &fit);
    assert_int_equal(result->outcome, SFGP_CONVERGED);
    assert_true(result->size > 1 && test_fit_error(&fit, result->points) < SIZE);
    sfgp_result_free(result);
    test_fit_free(&fit);
}

/* It is fitted by levels. In the size of the reference it is doubtful, and 6 mm off. */
static void a_dense_shape_is_fitted_in_its_size(void **state)
{
    test_fit fit = test_fit_dense_ear(*state, 70, 2);
    scale_scan(&fit, LESS);
    cut_scan(fit.target);
    sfgp_result *result = run(*state, &fit);
    const double error = test_fit_error(&fit, result->points) / LESS;
    print_message("size %g: error %g mm\n", result->size, error);
    assert_int_equal(result->outcome, SFGP_CONVERGED);
    assert_true(result->size > 1 && error < 2);
    sfgp_result_free(result);
    test_fit_free(&fit);
}

/* ---- saved ---------------------------------------------------------------------------------------------------- */

/* What a map does to the reference. */
static void assert_lands(sfgp_context *context, const sfgp_deformation *map, const test_fit *fit,
                         const sfgp_result *result)
{
    double *out = malloc((size_t)(3 * fit->n) * sizeof *out), *sd = malloc((size_t)fit->n * sizeof *sd);
    sfgp_assert_ok(context, sfgp_deformation_apply(context, map, fit->n, fit->reference->points, 1, out, sd));
    for (int64_t k = 0; k < 3 * fit->n; k++)
        assert_true(fabs(out[k] - result->points[k]) < 1e-10);
    for (int64_t i = 0; i < fit->n; i++) /* and what the factor leaves out */
        assert_true(sd[i] > (1 - 1e-4) * result->sd[i] && sd[i] < 1.1 * result->sd[i]);
    free(out);
    free(sd);
}

static void assert_posterior(sfgp_context *context, const sfgp_deformation *map, const sfgp_result *result)
{
    sfgp_model *model;
    sfgp_mesh *mean;
    sfgp_assert_ok(context, sfgp_deformation_posterior(context, map, &model));
    sfgp_assert_ok(context, sfgp_model_mean(context, model, &mean));
    for (int64_t k = 0; k < 3 * result->count; k++)
        assert_true(fabs(mean->points[k] - result->points[k]) < 1e-10);
    for (int64_t i = 0; i < result->count; i++) {
        const double sd = model->frame.scale * sqrt(sfgp_basis_variance(&model->basis, i));
        assert_true(fabs(sd / result->sd[i] - 1) < 1e-5);
    }
    sfgp_mesh_free(mean);
    sfgp_model_free(model);
}

/* Nothing else would put points between those of the reference where they belong: the middle of two goes to the middle of theirs, to a thousandth of the shape. */
static void assert_between(sfgp_context *context, const sfgp_deformation *map, const test_fit *fit,
                           const sfgp_result *result)
{
    const double *in = fit->reference->points, *to = result->points;
    for (int64_t i = 0; i + 1 < fit->n; i += 97) {
        double middle[3], out[3], sd;
        for (int a = 0; a < 3; a++)
            middle[a] = (in[3 * i + a] + in[3 * i + 3 + a]) / 2;
        if (sfgp_points_distance(3, in + 3 * i, in + 3 * i + 3) > 3) /* mm: not neighbours */
            continue;
        sfgp_assert_ok(context, sfgp_deformation_apply(context, map, 1, middle, 1, out, &sd));
        for (int a = 0; a < 3; a++)
            middle[a] = (to[3 * i + a] + to[3 * i + 3 + a]) / 2;
        assert_true(sfgp_points_distance(3, middle, out) < 0.1);
    }
}

static void saved_it_has_its_size(void **state)
{
    const char *path = test_path("large.h5");
    test_fit fit = large_ear(*state, 1);
    sfgp_result *result = run(*state, &fit);
    sfgp_deformation *map, *read;
    sfgp_assert_ok(*state, sfgp_solver_deformation(fit.solver, result, &map));
    sfgp_assert_ok(*state, sfgp_deformation_write(*state, map, path));
    sfgp_assert_ok(*state, sfgp_deformation_read(*state, path, &read));
    assert_true(map->size == result->size && read->size == result->size);
    assert_lands(*state, map, &fit, result);
    assert_lands(*state, read, &fit, result);
    assert_between(*state, read, &fit, result);
    assert_posterior(*state, read, result);
    sfgp_deformation_free(read);
    sfgp_deformation_set_size(map, 0);
    sfgp_assert_ok(*state, sfgp_deformation_write(*state, map, path));
    sfgp_assert_error(*state, sfgp_deformation_read(*state, path, &read), SFGP_ERROR_FORMAT,
                      "0 is not a size");
    sfgp_deformation_free(map);
    sfgp_result_free(result);
    test_fit_free(&fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_larger_shape_is_fitted_in_its_size),
        sfgp_long_test(it_is_the_fit_to_the_smaller_scan),
        sfgp_long_test(the_next_scan_begins_at_the_size_of_the_reference),
        sfgp_long_test(the_other_side_is_told),
        sfgp_unit_test(a_fit_beside_clutter_keeps_its_size),
        sfgp_long_test(a_good_fit_does_not_ask),
        sfgp_long_test(a_fit_that_expects_as_large_an_error_is_not_taken),
        sfgp_long_test(with_the_mirror_image_of_the_reference_it_is_found),
        sfgp_long_test(a_dense_shape_is_fitted_in_its_size),
        sfgp_unit_test(saved_it_has_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
