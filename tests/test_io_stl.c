#include "support/corrupt.h"
#include "support/endian.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FACET                                                                                                \
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\nendfacet\n"
#define FACET2                                                                                               \
    "facet normal 0 0 1\n outer loop\n  vertex 1 0 0\n  vertex 1 1 0\n  vertex -0 1 0\n endloop\nendfacet\n"

/* A binary file of count triangles with the given corners (9 floats each). */
static char *make_binary(const char *header, uint32_t count, const float *corners, size_t *size)
{
    *size = 84 + 50 * (size_t)count;
    char *bytes = calloc(1, *size);
    assert_non_null(bytes);
    memcpy(bytes, header, strlen(header));
    for (int k = 0; k < 4; k++)
        bytes[80 + k] = (char)(count >> 8 * k);
    for (uint32_t t = 0; t < count; t++)
        sfgp_test_copy_little(bytes + 84 + 50 * (size_t)t + 12, corners + 9 * (size_t)t, 9, 4);
    return bytes;
}

static void assert_normal(const char *bytes, const float expected[3])
{
    float normal[3];
    sfgp_test_copy_little(normal, bytes, 3, sizeof *normal);
    assert_memory_equal(normal, expected, sizeof normal);
}

static const float SQUARE[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, -0.0F, 1, 0};

static void assert_is_the_square(const sfgp_mesh *mesh)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    const int64_t corners[] = {0, 1, 2, 1, 3, 2};
    assert_int_equal(mesh->count, 4);
    assert_int_equal(mesh->face_count, 2);
    assert_memory_equal(mesh->points, points, sizeof points);
    assert_memory_equal(mesh->face_points, corners, sizeof corners);
    assert_string_equal(mesh->format, "stl");
}

static void equal_corners_are_welded_in_the_order_of_first_appearance(void **state)
{
    const char *headers[] = {"any", "solid but binary", ""};
    for (int k = 0; k < 3; k++) {
        sfgp_mesh *mesh = NULL;
        size_t size;
        char *bytes = make_binary(headers[k], 2, SQUARE, &size);
        sfgp_assert_ok(*state, sfgp_read_bytes(*state, k ? "square.stl" : "square.bin", bytes, size, &mesh));
        assert_is_the_square(mesh);
        sfgp_mesh_free(mesh);
        free(bytes);
    }
}

static void text_files_give_the_same_mesh(void **state)
{
    const char *texts[] = {"solid a\n" FACET FACET2 "endsolid a\n", "SOLID\n\n" FACET FACET2 "ENDSOLID",
                           "\n solid a\n" FACET "endsolid\nsolid b\n" FACET2 "endsolid b\n",
                           "\xEF\xBB\xBFsolid\n" FACET FACET2 "endsolid\n"};
    for (int k = 0; k < 4; k++) {
        sfgp_mesh *mesh = NULL;
        sfgp_assert_ok(*state, sfgp_read_text(*state, "square.stl", texts[k], &mesh));
        assert_is_the_square(mesh);
        sfgp_mesh_free(mesh);
    }
}

static void row_33_a_binary_file_of_the_wrong_size_is_refused(void **state)
{
    const int wrong[] = {-50, -1, 1, 50};
    const char *headers[] = {"any", "solid"};
    for (int k = 0; k < 8; k++) {
        size_t size;
        char *bytes = make_binary(headers[k / 4], 2, SQUARE, &size);
        bytes = realloc(bytes, size + 50);
        memset(bytes + size, 0, 50);
        sfgp_assert_error(*state,
                          sfgp_try_bytes(*state, "wrong.stl", bytes, (size_t)((long)size + wrong[k % 4])),
                          SFGP_ERROR_FORMAT, "184 bytes by its count");
        free(bytes);
    }
    sfgp_assert_status(*state, sfgp_try_text(*state, "short.stl", "hello"), SFGP_ERROR_FORMAT);
}

static void faults_of_text_files_name_the_line(void **state)
{
    const struct example {
        const char *text;
        sfgp_status expected;
        const char *words;
    } examples[] = {
        {"solid", SFGP_ERROR_FORMAT, "line 1: the file ends here"},
        {"solid\n" FACET, SFGP_ERROR_FORMAT, "or 'endsolid'"},
        {"solid\nfacet\nouter loop\nvertex 0 0 0\n", SFGP_ERROR_FORMAT, "expected 'vertex'"},
        {"solid\nendsolid\n", SFGP_ERROR_DATA, "no points"},
        {"solid\nouter loop\n", SFGP_ERROR_FORMAT, "line 2: expected 'facet' or 'endsolid', found 'outer'"},
        {"solid\n" FACET "endsolid\nfacet\n", SFGP_ERROR_FORMAT, "line 10: expected 'solid'"},
        {"solid\nfacet\nouter loop\nvertex 0 0\n", SFGP_ERROR_FORMAT, "three numbers, found 2"},
        {"solid\nfacet\nouter loop\nvertex 0 0 0 0\n", SFGP_ERROR_FORMAT, "found more"},
        {"solid\nfacet\nouter loop\nvertex 0 0 inf\n", SFGP_ERROR_DATA, "line 4"},
        {"solid\nfacet\nouter loop\nvertex 0 0,5 0\n", SFGP_ERROR_FORMAT, "0,5"},
        {"solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 1\nvertex 1 1 1\n",
         SFGP_ERROR_FORMAT, "line 7: expected 'endloop'"},
    };
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        sfgp_assert_error(*state, sfgp_try_text(*state, "example.stl", examples[k].text),
                          examples[k].expected, examples[k].words);
    }
}

static void rows_19_30_no_triangles_and_nan_are_refused(void **state)
{
    float nan[18];
    size_t size;
    char *bytes = make_binary("", 0, SQUARE, &size);
    sfgp_assert_status(*state, sfgp_try_bytes(*state, "none.stl", bytes, size), SFGP_ERROR_DATA);
    free(bytes);
    memcpy(nan, SQUARE, sizeof nan);
    nan[13] = (float)strtod("nan", NULL);
    bytes = make_binary("", 2, nan, &size);
    sfgp_assert_error(*state, sfgp_try_bytes(*state, "nan.stl", bytes, size), SFGP_ERROR_DATA,
                      "byte 134: coordinate y");
    free(bytes);
}

static void many_corners_are_welded_in_linear_time(void **state)
{
    const uint32_t side = 300, count = side * side;
    float *corners = malloc(sizeof(float) * 9 * count);
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t c = 0; c < 3; c++) {
            float *corner = corners + 9 * t + 3 * c;
            corner[0] = (float)(t % side + c % 2), corner[1] = (float)(t / side + c / 2), corner[2] = 0;
        }
    size_t size;
    char *bytes = make_binary("", count, corners, &size);
    sfgp_mesh *mesh = NULL;
    clock_t start = clock();
    sfgp_assert_ok(*state, sfgp_read_bytes(*state, "many.stl", bytes, size, &mesh));
    assert_true((double)(clock() - start) < 5.0 * CLOCKS_PER_SEC);
    assert_int_equal(mesh->count, (side + 1) * (side + 1) - 1); /* nobody touches the last corner */
    assert_int_equal(mesh->face_count, count);
    sfgp_mesh_free(mesh);
    free(bytes);
    free(corners);
}

/* ---- writer ---- */

static void polygons_become_fans_with_normals(void **state)
{
    const char *path = test_path("fan.stl");
    const double points[] = {0, 0, 1, 0, 1, 1, 0, 1};
    const float up[] = {0, 0, 1};
    for (int dimension = 2; dimension <= 3; dimension++) {
        sfgp_mesh *mesh = NULL, *back = NULL;
        sfgp_assert_ok(*state, sfgp_mesh_new(*state, 4, dimension, 1, 4, &mesh));
        for (int k = 0; k < 8; k++)
            mesh->points[k / 2 * dimension + k % 2] = points[k];
        for (int k = 0; k < 4; k++)
            mesh->face_points[k] = k;
        mesh->face_start[1] = 4;
        sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0));
        sfgp_assert_ok(*state, sfgp_mesh_read(*state, path, &back));
        const int64_t corners[] = {0, 1, 2, 0, 2, 3};
        assert_int_equal(back->dimension, dimension);
        assert_memory_equal(back->points, mesh->points, sizeof(double) * 4 * (size_t)dimension);
        assert_memory_equal(back->face_points, corners, sizeof corners);
        char *bytes = sfgp_test_read(path, NULL);
        assert_normal(bytes + 84, up);
        free(bytes);
        sfgp_mesh_free(back);
        sfgp_mesh_free(mesh);
    }
}

/* The second triangle has no area; of the third (-3, 2, 0) x (-3, 0, 1) = (2, 3, 6). */
static void normals_have_length_one_or_zero(void **state)
{
    const char *path = test_path("normal.stl");
    const double points[] = {0, 0, 0, 0, 5, 0, 0, 0, 5, 3, 0, 0, 0, 2, 0, 0, 0, 1};
    const int64_t corners[] = {0, 1, 2, 0, 1, 1, 3, 4, 5};
    const float normals[3][3] = {
        {1, 0, 0}, {0, 0, 0}, {(float)(2.0 / 7), (float)(3.0 / 7), (float)(6.0 / 7)}};
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state, sfgp_mesh_new(*state, 6, 3, 3, 9, &mesh));
    memcpy(mesh->points, points, sizeof points);
    memcpy(mesh->face_points, corners, sizeof corners);
    for (int f = 1; f <= 3; f++)
        mesh->face_start[f] = 3 * f;
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0));
    char *bytes = sfgp_test_read(path, NULL);
    for (int f = 0; f < 3; f++)
        assert_normal(bytes + 84 + 50 * f, normals[f]);
    free(bytes);
    sfgp_mesh_free(mesh);
}

static void what_stl_cannot_hold_is_refused(void **state)
{
    const char *path = test_path("refused.stl");
    const double points[] = {1, 2, 3};
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, 1, 3, points, &mesh));
    sfgp_assert_error(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0), SFGP_ERROR_PARAMETER, ".ply");
    sfgp_mesh_free(mesh);
    mesh = sfgp_sample_mesh(*state, 3); /* has a coordinate 1e300 */
    sfgp_assert_error(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0), SFGP_ERROR_PARAMETER,
                      "point 3 has 1e+300");
    sfgp_mesh_free(mesh);
    assert_null(sfgp_test_read(path, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(equal_corners_are_welded_in_the_order_of_first_appearance),
        sfgp_unit_test(text_files_give_the_same_mesh),
        sfgp_unit_test(row_33_a_binary_file_of_the_wrong_size_is_refused),
        sfgp_unit_test(faults_of_text_files_name_the_line),
        sfgp_unit_test(rows_19_30_no_triangles_and_nan_are_refused),
        sfgp_unit_test(many_corners_are_welded_in_linear_time),
        sfgp_unit_test(polygons_become_fans_with_normals),
        sfgp_unit_test(normals_have_length_one_or_zero),
        sfgp_unit_test(what_stl_cannot_hold_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
