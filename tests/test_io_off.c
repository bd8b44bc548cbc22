/* OFF: its headers, what stands behind points and faces, and its faults. */
#include "support/corrupt.h"

#include <stdlib.h>
#include <string.h>

static void every_header_gives_the_same_mesh(void **state)
{
    const char *texts[] = {
        "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0.5\n3 0 1 2\n",
        "OFF 3 1 3\n0 0 0\n1 0 0\n0 1 0.5\n3 0 1 2",
        "# made by hand\n\nOFF # comment\n# more\n3 1 # counts\n\n0 0 0 # 0\n# middle\n1 0 0\n0 1 0.5#2\n3 0 1 2 # a\n",
        "COFF\r\n3 1 0\r\n0 0 0 255 0 0 255\r\n1 0 0 0 0.5 1 1\r\n0 1 0.5 1 2 3 4\r\n3 0 1 2 0.1 0.2 0.3\r\n",
        "NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0.5 0 0 1\n3 0 1 2 7\n",
        "STCNOFF\n3 1 0\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 0 0 0 1 1 1 1 1 0 0\n0 1 0.5 0 0 1 1 1 1 1 0 0\n3 0 1 2\n",
        "\xEF\xBB\xBFOFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0.5\n3 0 1 2\n",
    };
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0.5};
    const int64_t corners[] = {0, 1, 2};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        sfgp_mesh *mesh = NULL;
        sfgp_assert_ok(*state, sfgp_read_text(*state, k % 2 ? "a.off" : "a", texts[k], &mesh));
        assert_string_equal(mesh->format, "off");
        assert_true(mesh->count == 3 && mesh->face_count == 1 && mesh->dimension == 3);
        assert_memory_equal(mesh->points, points, sizeof points);
        assert_memory_equal(mesh->face_points, corners, sizeof corners);
        sfgp_mesh_free(mesh);
    }
    assert_string_equal(sfgp_test_warning(), "");
}

static void points_alone_and_faces_of_any_size(void **state)
{
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state, sfgp_read_text(*state, "a.off", "OFF\n1 0 0\n1 2 3\n", &mesh));
    assert_true(mesh->count == 1 && mesh->face_count == 0);
    sfgp_mesh_free(mesh);
    sfgp_assert_ok(*state,
                   sfgp_read_text(*state, "a.off",
                                  "OFF\n4 3 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 3 2 1 0\n2 0 1\n0\n", &mesh));
    assert_true(mesh->face_count == 1 && mesh->face_start[1] == 4 && mesh->face_points[0] == 3);
    sfgp_assert_has(sfgp_test_warning(), "2 faces with fewer than three corners");
    sfgp_mesh_free(mesh);
}

static void faults_name_the_line(void **state)
{
    const struct {
        const char *text;
        sfgp_status expected;
        const char *words;
    } examples[] = {
        {"OFF", SFGP_ERROR_FORMAT, "the file ends here"},
        {"OFF\n", SFGP_ERROR_FORMAT, "the file ends here"},
        {"OFF\n3 1 0\n0 0 0\n", SFGP_ERROR_FORMAT, "3 points and 1 faces do not fit"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1.123456 0\n", SFGP_ERROR_FORMAT, "promises 3 points and 1 faces"},
        {"OFF\n1 0 0\n1 2\n# 1 2 3 4\n", SFGP_ERROR_FORMAT,
         "line 3: OFF: expected three coordinates, found '1 2'"},
        {"OFF\n1 0 0\n1 2 x\n", SFGP_ERROR_FORMAT, "line 3: expected a number, found 'x'"},
        {"OFF\n1 0 0\n1 2 nan\n", SFGP_ERROR_DATA, "line 3: 'nan' is not a finite number"},
        {"OFF\n0 0 0\n", SFGP_ERROR_DATA, "no points"},
        {"OFF\n1 1 0\n1 2 3\n3 0 0 1\n", SFGP_ERROR_FORMAT,
         "line 4: OFF: expected a point of 0 to 0, found '1'"},
        {"OFF\n1 1 0\n1 2 3\n3 0 0 -1\n", SFGP_ERROR_FORMAT, "found '-1'"},
        {"OFF\n1 1 0\n1 2 3\n3 0 0\n", SFGP_ERROR_FORMAT, "as many corners as the face says"},
        {"OFF\n1 1 0\n1 2 3\nx 0 0\n", SFGP_ERROR_FORMAT, "the number of corners"},
        {"OFF\n-1 1 0\n", SFGP_ERROR_FORMAT, "the numbers of points, faces and edges"},
        {"OFF\n1 1 0 0\n", SFGP_ERROR_FORMAT, "the numbers of points, faces and edges"},
        {"OFF\n18446744073709551617 1 0\n", SFGP_ERROR_FORMAT, "the numbers of points, faces and edges"},
        {"OFF\n9223372036854775807 1 0\n", SFGP_ERROR_FORMAT, "do not fit into the file"},
        {"OFF\n1 4000000000 0\n", SFGP_ERROR_FORMAT, "do not fit into the file"},
        {"OFF BINARY\n", SFGP_ERROR_FORMAT, "save binary files as text or PLY"},
        {"4OFF\n1 0 0\n1 2 3 1\n", SFGP_ERROR_FORMAT, "in three dimensions"},
        {"nOFF\n3\n1 0 0\n1 2 3\n", SFGP_ERROR_FORMAT, "in three dimensions"},
    };
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        sfgp_assert_error(*state, sfgp_try_text(*state, "a.off", examples[k].text), examples[k].expected,
                          examples[k].words);
    }
    sfgp_assert_ok(*state, sfgp_try_text(*state, "a.off", "OFF\n1 0 0\n1 2 3\n4 5 6\n"));
    sfgp_assert_has(sfgp_test_warning(), "6 bytes after the last element");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_header_gives_the_same_mesh),
        sfgp_unit_test(points_alone_and_faces_of_any_size),
        sfgp_unit_test(faults_name_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
