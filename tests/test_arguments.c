/* What public functions refuse before they do anything: NULL, negative counts, other dimensions. */
#include "support/corrupt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_all_refused(const sfgp_status *got, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (got[k] != SFGP_ERROR_PARAMETER)
            fail_msg("call %zu: status %d", k, (int)got[k]);
}
#define ASSERT_REFUSED(got) assert_all_refused(got, sizeof(got) / sizeof *(got))

static void null_is_refused(void **state)
{
    sfgp_context *c = *state;
    sfgp_mesh *m = sfgp_sample_mesh(c, 3), *read = NULL;
    sfgp_attribute attribute = {"a", m->points, 0};
    sfgp_evaluation e;
    sfgp_surface_evaluation s;
    sfgp_similarity map;
    sfgp_array *array = NULL;
    double d[16];
    const sfgp_status got[] = {
        sfgp_distances(NULL, m, m, d),
        sfgp_distances(c, NULL, m, d),
        sfgp_distances(c, m, NULL, d),
        sfgp_distances(c, m, m, NULL),
        sfgp_evaluate(NULL, m, m, NULL, &e),
        sfgp_evaluate(c, NULL, m, NULL, &e),
        sfgp_evaluate(c, m, NULL, NULL, &e),
        sfgp_evaluate(c, m, m, NULL, NULL),
        sfgp_evaluate_surfaces(NULL, m, m, &s),
        sfgp_evaluate_surfaces(c, NULL, m, &s),
        sfgp_evaluate_surfaces(c, m, NULL, &s),
        sfgp_evaluate_surfaces(c, m, m, NULL),
        sfgp_align(NULL, SFGP_ALIGN_RIGID, 4, 3, m->points, m->points, NULL, &map),
        sfgp_align(c, SFGP_ALIGN_RIGID, 4, 3, NULL, m->points, NULL, &map),
        sfgp_align(c, SFGP_ALIGN_RIGID, 4, 3, m->points, NULL, NULL, &map),
        sfgp_align(c, SFGP_ALIGN_RIGID, 4, 3, m->points, m->points, NULL, NULL),
        sfgp_align(c, SFGP_ALIGN_RIGID, -1, 3, m->points, m->points, NULL, &map),
        sfgp_mesh_check_path(NULL, "a.ply"),
        sfgp_mesh_check_path(c, NULL),
        sfgp_mesh_check_write(NULL, "a.ply", m),
        sfgp_mesh_check_write(c, NULL, m),
        sfgp_mesh_check_write(c, "a.ply", NULL),
        sfgp_mesh_read(NULL, "a.ply", &read),
        sfgp_mesh_read(c, NULL, &read),
        sfgp_mesh_read(c, "a.ply", NULL),
        sfgp_mesh_write(NULL, "a.ply", m, NULL, 0),
        sfgp_mesh_write(c, NULL, m, NULL, 0),
        sfgp_mesh_write(c, "a.ply", NULL, NULL, 0),
        sfgp_mesh_write(c, "a.ply", m, NULL, 1),
        sfgp_mesh_write(c, "a.ply", m, &attribute, -1),
        sfgp_array_read(NULL, "a.h5", "x", &array),
        sfgp_array_read(c, NULL, "x", &array),
        sfgp_array_read(c, "a.h5", NULL, &array),
        sfgp_array_read(c, "a.h5", "x", NULL),
        sfgp_context_new(NULL, NULL),
    };
    ASSERT_REFUSED(got);
    assert_string_equal(sfgp_context_error(NULL), "no context");
    assert_int_equal(sfgp_context_warnings(NULL), 0);
    sfgp_mesh_free(m);
}

static void meshes_of_no_size_are_refused(void **state)
{
    sfgp_context *c = *state;
    sfgp_mesh *m = NULL;
    const sfgp_status got[] = {
        sfgp_mesh_new(c, -1, 3, 0, 0, &m), sfgp_mesh_new(c, 4, 3, -1, 0, &m),
        sfgp_mesh_new(c, 4, 3, 0, -1, &m), sfgp_mesh_new(c, 4, 1, 0, 0, &m),
        sfgp_mesh_new(c, 4, 4, 0, 0, &m),
    };
    ASSERT_REFUSED(got);
    sfgp_assert_has(sfgp_context_error(c), "dimension must be 2 or 3");
}

/* The arrays of a mesh are the caller's: what is wrong in them is found when it is written. */
static void meshes_that_are_not_whole_are_not_written(void **state)
{
    const char *path = test_path("a.ply");
    sfgp_mesh *whole = sfgp_sample_mesh(*state, 3);
    const sfgp_mesh bad[] = {
        {.count = 0, .dimension = 3, .points = whole->points},
        {.count = 4, .dimension = 1, .points = whole->points},
        {.count = 4, .dimension = 4, .points = whole->points},
        {.count = 4, .dimension = 3, .points = whole->points, .face_count = 1},
        {.count = 4,
         .dimension = 3,
         .points = whole->points,
         .face_count = 1,
         .face_start = whole->face_start},
        {.count = 2,
         .dimension = 3,
         .points = whole->points,
         .face_count = 1,
         .face_start = whole->face_start,
         .face_points = whole->face_points},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const sfgp_status status = sfgp_mesh_write(*state, path, &bad[k], NULL, 0);
        assert_int_equal(status, SFGP_ERROR_PARAMETER);
    }
    const int64_t below = whole->face_points[0];
    whole->face_points[0] = -1;
    sfgp_assert_status(*state, sfgp_mesh_write(*state, path, whole, NULL, 0), SFGP_ERROR_PARAMETER);
    whole->face_points[0] = below;
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, whole, NULL, 0));
    sfgp_mesh_free(whole);
}

/* Weights of pairs are finite and not negative. */
static void weights_of_pairs_are_checked(void **state)
{
    sfgp_mesh *m = sfgp_sample_mesh(*state, 3);
    sfgp_similarity map;
    for (int k = 0; k < 3; k++) {
        const double weights[] = {1, 1, 1, (double[]){-1, (double)NAN, (double)INFINITY}[k]};
        const sfgp_status status =
            sfgp_align(*state, SFGP_ALIGN_RIGID, 4, 3, m->points, m->points, weights, &map);
        assert_true(status == SFGP_ERROR_PARAMETER || status == SFGP_ERROR_DATA);
    }
    sfgp_mesh_free(m);
}

static void settings_have_a_length(void **state)
{
    char text[SFGP_TEXT_SIZE + 1];
    sfgp_settings settings = test_settings();
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    sfgp_assert_error(*state, sfgp_settings_set(*state, &settings, "kernel", text), SFGP_ERROR_PARAMETER,
                      "kernel: text longer than");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(null_is_refused),
        sfgp_unit_test(meshes_of_no_size_are_refused),
        sfgp_unit_test(meshes_that_are_not_whole_are_not_written),
        sfgp_unit_test(weights_of_pairs_are_checked),
        sfgp_unit_test(settings_have_a_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
