#include "support/support.h"

#include <math.h>
#include <string.h>

/* Points on a line at the given distances from 0, and the truth at 0. */
static sfgp_mesh *line(sfgp_context *context, int64_t count, int dimension, const double *distances)
{
    sfgp_mesh *mesh;
    sfgp_assert_ok(context, sfgp_mesh_new(context, count, dimension, 0, 0, &mesh));
    for (int64_t k = 0; k < count; k++) /* every axis in turn, so that none is forgotten */
        mesh->points[k * dimension + k % dimension] = k % 2 ? -distances[k] : distances[k];
    return mesh;
}

static void assert_summary(sfgp_error_summary summary, int64_t count, double mean, double median, double p95)
{
    assert_int_equal(summary.count, count);
    assert_true(fabs(summary.mean - mean) < 1e-14);
    assert_true(fabs(summary.median - median) < 1e-14);
    assert_true(fabs(summary.p95 - p95) < 1e-14);
}

static void summaries_are_as_computed_by_hand(void **state)
{
    const double distances[] = {4, 1, 3, 2, 10}, zero[5] = {0};
    const unsigned char mask[] = {0, 1, 0, 0, 1};
    for (int dimension = 2; dimension <= 3; dimension++) {
        sfgp_mesh *fit = line(*state, 5, dimension, distances), *truth = line(*state, 5, dimension, zero);
        sfgp_evaluation evaluation;
        sfgp_assert_ok(*state, sfgp_evaluate(*state, fit, truth, mask, &evaluation));
        assert_summary(evaluation.all, 5, 4, 3, 8.8);          /* 1 2 3 4 10: index 3.8 of 0 .. 4 */
        assert_summary(evaluation.observed, 3, 3, 3, 3.9);     /* 2 3 4: index 1.9 */
        assert_summary(evaluation.missing, 2, 5.5, 5.5, 9.55); /* 1 10: index 0.95 */
        sfgp_mesh_free(fit);
        sfgp_mesh_free(truth);
    }
}

static void distances_are_euclidean(void **state)
{
    const double fitted[] = {1, 2, 3}, true_points[] = {3, 5, 9}; /* 2, 3, 6: distance 7 */
    sfgp_mesh *fit, *truth;
    sfgp_evaluation evaluation;
    sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, 1, 3, fitted, &fit));
    sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, 1, 3, true_points, &truth));
    sfgp_assert_ok(*state, sfgp_evaluate(*state, fit, truth, NULL, &evaluation));
    assert_summary(evaluation.all, 1, 7, 7, 7);
    assert_summary(evaluation.observed, 1, 7, 7, 7);
    sfgp_mesh_free(fit);
    sfgp_mesh_free(truth);
}

static void empty_groups_are_not_a_number(void **state)
{
    const double distances[] = {1, 2};
    const unsigned char mask[] = {1, 1};
    sfgp_mesh *fit = line(*state, 2, 2, distances), *none = line(*state, 0, 2, distances);
    sfgp_evaluation evaluation;
    sfgp_assert_ok(*state, sfgp_evaluate(*state, fit, fit, NULL, &evaluation));
    assert_int_equal(evaluation.missing.count, 0);
    assert_true(isnan(evaluation.missing.mean) && isnan(evaluation.missing.median) &&
                isnan(evaluation.missing.p95));
    assert_summary(evaluation.observed, 2, 0, 0, 0);
    sfgp_assert_ok(*state, sfgp_evaluate(*state, fit, fit, mask, &evaluation));
    assert_true(evaluation.observed.count == 0 && isnan(evaluation.observed.p95));
    sfgp_assert_ok(*state, sfgp_evaluate(*state, none, none, NULL, &evaluation));
    assert_true(evaluation.all.count == 0 && isnan(evaluation.all.mean));
    sfgp_mesh_free(fit);
    sfgp_mesh_free(none);
}

static void shapes_that_do_not_match_are_refused_with_both_numbers(void **state)
{
    const double distances[] = {1, 2, 3};
    sfgp_mesh *flat = line(*state, 3, 2, distances), *space = line(*state, 3, 3, distances);
    sfgp_mesh *small = line(*state, 2, 2, distances);
    sfgp_evaluation evaluation;
    sfgp_assert_error(*state, sfgp_evaluate(*state, flat, space, NULL, &evaluation), SFGP_ERROR_DATA,
                      "dimension 2, the truth 3");
    sfgp_assert_error(*state, sfgp_evaluate(*state, flat, small, NULL, &evaluation), SFGP_ERROR_DATA,
                      "3 points, the truth 2");
    sfgp_assert_has(sfgp_context_error(*state), "--surface compares shapes of different points");
    assert_true(isnan(evaluation.all.mean));
    small->points[3] = NAN;
    sfgp_assert_status(*state, sfgp_evaluate(*state, small, small, NULL, &evaluation), SFGP_ERROR_DATA);
    assert_int_equal(sfgp_evaluate(*state, NULL, flat, NULL, &evaluation), SFGP_ERROR_PARAMETER);
    sfgp_mesh_free(flat);
    sfgp_mesh_free(space);
    sfgp_mesh_free(small);
}

static void running_out_of_memory_is_an_error(void **state)
{
    const double distances[] = {1, 2};
    sfgp_mesh *fit = line(*state, 2, 2, distances);
    sfgp_evaluation evaluation;
    sfgp_memory_counters.fail_at = 0;
    sfgp_assert_status(*state, sfgp_evaluate(*state, fit, fit, NULL, &evaluation), SFGP_ERROR_MEMORY);
    sfgp_assert_ok(*state, sfgp_evaluate(*state, fit, fit, NULL, &evaluation));
    sfgp_mesh_free(fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(summaries_are_as_computed_by_hand),
        sfgp_unit_test(distances_are_euclidean),
        sfgp_unit_test(empty_groups_are_not_a_number),
        sfgp_unit_test(shapes_that_do_not_match_are_refused_with_both_numbers),
        sfgp_unit_test(running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
