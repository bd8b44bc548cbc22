#include "support/corrupt.h"

#include <stdlib.h>
#include <string.h>

#define V3 "v 0 0 0\nv 1 0 0\nv 0 1 0.5\n"

static const struct example {
    const char *fault, *text;
    sfgp_status expected;
    const char *words; /* in the error or the warning */
} EXAMPLES[] = {
    {"good", V3 "f 1 2 3\n", SFGP_OK, NULL},
    {"9 no end", V3 "f 1 2 3", SFGP_OK, NULL},
    {"14 two corners", V3 "f 1 2\nf 1 2 3\n", SFGP_OK, "1 faces with fewer"},
    {"14 no corner", V3 "f\n", SFGP_OK, "1 faces with fewer"},
    {"19 faces first", "f 1 2 3\n" V3, SFGP_OK, NULL},
    {"19 no points", "o thing\n", SFGP_ERROR_DATA, "no points"},
    {"20 index 0", V3 "f 0 1 2\n", SFGP_ERROR_FORMAT, "line 4: expected a corner like"},
    {"20 index N + 1", V3 "\nf 1 2 4\nf 1 2 3\n", SFGP_ERROR_FORMAT, "line 5: the face has the point 4"},
    {"20 index 2^32", V3 "f 1 2 4294967296\n", SFGP_ERROR_FORMAT, "4294967296"},
    {"20 index 2^64", V3 "f 1 2 18446744073709551616\n", SFGP_ERROR_FORMAT, "a corner like"},
    {"24 CRLF", "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0.5\r\nf 1 2 3\r\n", SFGP_OK, NULL},
    {"22 CR", "v 0 0 0\rv 1 0 0\rv 0 1 0.5\rf 1 2 3\r", SFGP_OK, NULL},
    {"25 BOM", "\xEF\xBB\xBF" V3, SFGP_OK, NULL},
    {"28 comma", "v 0,5 1 2\n", SFGP_ERROR_FORMAT, "line 1: expected a number, found '0,5'"},
    {"30 nan", "v 0 1 2\nv 0 nan 1\n", SFGP_ERROR_DATA, "line 2"},
    {"30 hexadecimal", "v 0 1 0x1p3\n", SFGP_ERROR_FORMAT, "0x1p3"},
    {"31 two numbers", "v 0 1\n", SFGP_ERROR_FORMAT, "found 2"},
    {"34 five numbers", "v 0 1 2 3 4\n", SFGP_ERROR_FORMAT, "found 5"},
    {"34 seven numbers", "v 0 1 2 3 4 5 6\n", SFGP_ERROR_FORMAT, "found '6'"},
    {"34 weight", "v 0 0 0 1\nv 1 0 0 1\nv 0 1 0.5 1\nf 1 2 3\n", SFGP_OK, NULL},
    {"34 colours", "v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0.5 .5 .5 .5\nf 1 2 3\n", SFGP_OK, NULL},
    {"34 relative", V3 "f -3 -2 -1\n", SFGP_OK, NULL},
    {"34 relative too far", V3 "f -4 -2 -1\n", SFGP_ERROR_FORMAT, "relative"},
    {"34 1//2", V3 "vn 0 0 1\nf 1//1 2//1 3//1\n", SFGP_OK, NULL},
    {"34 1/2", V3 "vt 0 0\nf 1/1 2/1 3/1\n", SFGP_OK, NULL},
    {"34 1/2/3", V3 "vt 0 0\nvn 0 0 1\nf 1/1/1 2/-1/1 3/1/1\n", SFGP_OK, NULL},
    {"34 1/2/3/4", V3 "f 1/1/1/1 2 3\n", SFGP_ERROR_FORMAT, "a corner like"},
    {"34 1/x", V3 "f 1/x 2 3\n", SFGP_ERROR_FORMAT, "'1/x'"},
    {"34 1.5", V3 "f 1.5 2 3\n", SFGP_ERROR_FORMAT, "'1.5'"},
    {"34 continuation", "v 0 0 \\\n0\nv 1 \\ \n 0 \\\n0\nv 0 1 0.5\nf 1 2 \\\n3\n", SFGP_OK, NULL},
    {"34 continuation at the end", V3 "f 1 2 3\\", SFGP_OK, NULL},
    {"34 only a continuation", V3 "\\\n\\\nf 1 2 3\n", SFGP_OK, NULL},
    {"34 comments are not continued", "# C:\\\n" V3 "f 1 2 3\n", SFGP_OK, NULL},
    {"comments at the end", "v 0 0 0 # C:\\\nv 1 0 0 #2\nv 0 1 0.5\t# v\nusemtl a#b\nf 1 2 \\\n3 # f 1 # 2\n",
     SFGP_OK, NULL},
    {"a comment instead of a number", "v 0 0 # 0\n", SFGP_ERROR_FORMAT, "found 2"},
    {"other keywords", "mtllib a b\no a\ng b\ns off\nusemtl c\n" V3 "l 1 2\np 1\nf 1 2 3\n", SFGP_OK, NULL},
    {"unknown keyword", V3 "triangle 1 2 3\n", SFGP_ERROR_FORMAT, "line 4: expected a keyword"},
    {"27 NUL in a name", NULL, SFGP_ERROR_FORMAT, "NUL"},
};

static void each_example_has_its_answer(void **state)
{
    for (size_t k = 0; k < sizeof EXAMPLES / sizeof *EXAMPLES; k++) {
        const struct example *example = &EXAMPLES[k];
        sfgp_status status = example->text ? sfgp_try_text(*state, "example.obj", example->text)
                                           : sfgp_try_bytes(*state, "example.obj", V3 "o a\0b\n", 32);
        if (status != example->expected)
            print_error("example %s\n", example->fault);
        sfgp_assert_status(*state, status, example->expected);
        const char *said = status == SFGP_OK ? sfgp_test_warning() : sfgp_context_error(*state);
        if (example->words && !strstr(said, example->words))
            fail_msg("example %s: '%s' is not in '%s'", example->fault, example->words, said);
    }
}

/* Every good example that has faces is the same triangle. */
static void every_way_to_write_a_triangle_gives_the_same_mesh(void **state)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0.5};
    int triangles = 0;
    for (size_t k = 0; k < sizeof EXAMPLES / sizeof *EXAMPLES; k++) {
        sfgp_mesh *mesh = NULL;
        if (EXAMPLES[k].expected != SFGP_OK)
            continue;
        sfgp_assert_ok(*state, sfgp_read_text(*state, "triangle.obj", EXAMPLES[k].text, &mesh));
        assert_string_equal(mesh->format, "obj");
        assert_int_equal(mesh->count, 3);
        assert_memory_equal(mesh->points, points, sizeof points);
        for (int64_t c = 0; c < 3 * mesh->face_count; c++)
            assert_int_equal(mesh->face_points[c], c);
        triangles += mesh->face_count == 1;
        sfgp_mesh_free(mesh);
    }
    assert_int_equal(triangles, 18);
}

static void dimension_2_is_a_comment(void **state)
{
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state, sfgp_read_text(*state, "flat.obj", "# dimension 2\nv 1 2 0\nv 3 4 0\n", &mesh));
    assert_int_equal(mesh->dimension, 2);
    assert_true(mesh->points[2] == 3 && mesh->points[3] == 4);
    sfgp_mesh_free(mesh);
    sfgp_assert_ok(*state, sfgp_read_text(*state, "flat.obj", "# dimension 2 or 3\nv 1 2 0\n", &mesh));
    assert_int_equal(mesh->dimension, 3);
    sfgp_mesh_free(mesh);
}

/* Room for some of 60 000 points; the line that is wrong comes after them. */
static void points_without_memory_are_told_before_a_later_fault(void **state)
{
    enum { LINES = 60000 };
    char *text = malloc(8 * LINES + 8);
    (void)state;
    assert_non_null(text);
    for (size_t k = 0; k < LINES; k++)
        memcpy(text + 8 * k, "v 0 0 0\n", 8);
    memcpy(text + (size_t)8 * LINES, "v x y z\n", 8);
    sfgp_context *context = sfgp_bounded_context(1 << 20);
    sfgp_assert_status(context, sfgp_try_bytes(context, "many.obj", text, 8 * LINES + 8), SFGP_ERROR_MEMORY);
    sfgp_context_free(context);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(each_example_has_its_answer),
        sfgp_unit_test(every_way_to_write_a_triangle_gives_the_same_mesh),
        sfgp_unit_test(dimension_2_is_a_comment),
        sfgp_unit_test(points_without_memory_are_told_before_a_later_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
