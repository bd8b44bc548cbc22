/* Points of a scan that are there more than once: found, and one measurement for the default method (ADR 0054). */
#include "geom/copies.h"
#include "support/scene.h"
#include "support/corrupt.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding them ------------------------------------------------------------------------------------------ */

static void points_without_copies_stay_as_they_are(void **state)
{
    const double points[] = {0, 0, 1, 0, 0, 1, 1, 1};
    sfgp_mesh *mesh = test_mesh(*state, 4, 2, points);
    sfgp_copies copies;
    sfgp_assert_ok(*state, sfgp_copies_find(*state, mesh, &copies));
    assert_null(copies.rest);
    sfgp_copies_clear(&copies);
    sfgp_mesh_free(mesh);
}

static void the_first_of_equal_points_is_kept(void **state)
{
    const double points[] = {0, 2, 0, 1, 5, 5, -0.0, 2, 0, 1, 5, 5, 1, 5, 4};
    const int32_t first[] = {0, 1, 4};
    sfgp_mesh *mesh = test_mesh(*state, 5, 3, points);
    sfgp_copies copies;
    sfgp_assert_ok(*state, sfgp_copies_find(*state, mesh, &copies));
    assert_int_equal(copies.rest->count, 3);
    assert_memory_equal(copies.first, first, sizeof first);
    for (int j = 0; j < 3; j++)
        assert_memory_equal(copies.rest->points + 3 * j, points + 3 * first[j], 3 * sizeof(double));
    sfgp_copies_clear(&copies);
    sfgp_mesh_free(mesh);
}

static sfgp_status find_and_clear(sfgp_context *context, void *mesh)
{
    sfgp_copies copies;
    const sfgp_status status = sfgp_copies_find(context, mesh, &copies);
    sfgp_copies_clear(&copies);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    static const double points[300];
    sfgp_mesh *mesh = test_mesh(*state, 100, 3, points);
    assert_in_range(sfgp_sweep_allocations(*state, find_and_clear, mesh), 1, 20);
    sfgp_mesh_free(mesh);
}

/* ---- fits with them ---------------------------------------------------------------------------------------- */

enum { POINTS = 60 };

/* The target of the scene and `more` points, which are copies of the first, or of each in turn. */
static sfgp_mesh *with_copies(sfgp_context *context, const test_shapes *s, int64_t more, bool of_all)
{
    double *points = malloc((size_t)(s->m + more) * 3 * sizeof *points);
    assert_non_null(points);
    for (int64_t j = 0; j < s->m + more; j++)
        memcpy(points + 3 * j,
               s->target + 3 * (j < s->m ? j
                                : of_all ? (j - s->m) % s->m
                                         : 0),
               3 * sizeof *points);
    sfgp_mesh *mesh = test_mesh(context, s->m + more, 3, points);
    free(points);
    return mesh;
}

static sfgp_result *fit(sfgp_context *context, const test_scene *scene, const sfgp_mesh *target)
{
    sfgp_result *result = test_run(context, scene->solver, target);
    return result;
}

static void assert_equal_fits(const sfgp_result *a, const sfgp_result *b)
{
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->iterations, b->iterations);
    assert_memory_equal(a->points, b->points, POINTS * 3 * sizeof *a->points);
    assert_memory_equal(a->sd, b->sd, POINTS * sizeof *a->sd);
    assert_memory_equal(a->target, b->target, POINTS * sizeof *a->target);
}

/* At 1e5 copies of one point the fit took more than 90 s of processor time, and at 1e4 it fell into that point. */
static void copies_do_not_change_the_fit(void **state)
{
    test_scene scene = test_scene_new(*state, POINTS, 3, 0);
    const int64_t m = scene.shapes->m;
    const struct {
        int64_t more;
        bool of_all;
    } cases[] = {{1, false}, {2 * m, true}, {100000, false}};
    sfgp_result *plain = fit(*state, &scene, scene.target);
    assert_int_equal(plain->outcome, SFGP_CONVERGED);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sfgp_mesh *target = with_copies(*state, scene.shapes, cases[k].more, cases[k].of_all);
        sfgp_result *result = fit(*state, &scene, target);
        assert_equal_fits(plain, result);
        sfgp_result_free(result);
        sfgp_mesh_free(target);
    }
    sfgp_result_free(plain);
    test_scene_free(&scene);
}

/* The label of a point is the number of a point of the file: copies in front of the others move it. */
static void labels_name_the_points_of_the_file(void **state)
{
    test_scene scene = test_scene_new(*state, POINTS, 3, 0);
    const int64_t m = scene.shapes->m;
    double *points = malloc((size_t)(m + 2) * 3 * sizeof *points);
    assert_non_null(points);
    for (int64_t j = 0; j < m + 2; j++)
        memcpy(points + 3 * j, scene.shapes->target + 3 * (j < 2 ? 0 : j - 2), 3 * sizeof *points);
    sfgp_mesh *target = test_mesh(*state, m + 2, 3, points);
    sfgp_result *plain = fit(*state, &scene, scene.target), *result = fit(*state, &scene, target);
    int64_t labelled = 0;
    for (int i = 0; i < POINTS; i++) {
        const int64_t j = plain->target[i];
        assert_int_equal(result->target[i], j > 0 ? j + 2 : j);
        labelled += j > 0;
    }
    assert_true(labelled > POINTS / 3);
    sfgp_result_free(plain);
    sfgp_result_free(result);
    sfgp_mesh_free(target);
    free(points);
    test_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(points_without_copies_stay_as_they_are),
        sfgp_unit_test(the_first_of_equal_points_is_kept),
        sfgp_unit_test(every_allocation_may_fail),
        sfgp_unit_test(copies_do_not_change_the_fit),
        sfgp_unit_test(labels_name_the_points_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
