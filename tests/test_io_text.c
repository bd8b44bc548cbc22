#include "support/corrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct example {
    const char *fault, *text;
    sfgp_status expected;
    const char *words; /* in the error */
} EXAMPLES[] = {
    {"1 empty", "", SFGP_ERROR_FORMAT, "empty"},
    {"19 only comments", "# a\n\n  # b\n", SFGP_ERROR_DATA, "no points"},
    {"blanks", "1 2 3\n4 5 6\n", SFGP_OK, NULL},
    {"9 no end", "1 2 3\n4 5 6", SFGP_OK, NULL},
    {"9 cut row", "1 2 3\n4 5", SFGP_ERROR_FORMAT, "line 2: expected 3 columns"},
    {"32 tabs", "1\t2\t3\n4\t5\t6\n", SFGP_OK, NULL},
    {"32 many blanks", "  1   2 \t 3  \n4 5 6 \n", SFGP_OK, NULL},
    {"32 commas", "1,2,3\n4,5,6\n", SFGP_OK, NULL},
    {"32 commas and blanks", "1, 2, 3\n 4 ,5,\t6 \n", SFGP_OK, NULL},
    {"32 semicolons", "1;2;3\n4; 5;6\n", SFGP_OK, NULL},
    {"32 comments", "# x y z\n\n1 2 3\n\n  # middle\n4 5 6\n# end", SFGP_OK, NULL},
    {"32 header", "x y z\n1 2 3\n4 5 6\n", SFGP_OK, NULL},
    {"32 header, quoted", "\"x\",\"y\"\n1,2\n", SFGP_OK, NULL},
    {"32 words among numbers", "tip 2 3\n4 5 6\n", SFGP_ERROR_FORMAT,
     "line 1: column 1: expected a number, found 'tip' (say which"},
    {"32 a name with capitals", "A1 2 3\n4 5 6\n", SFGP_ERROR_FORMAT, "found 'A1' (say which"},
    {"32 words later", "1 2 3\n4 5 six\n", SFGP_ERROR_FORMAT, "line 2: column 3"},
    {"32 sep=;", "sep=;\r\nx;y;z\r\n1;2;3\r\n4;5;6\r\n", SFGP_OK, NULL},
    {"32 \"sep=,\"", "\"sep=,\"\n1,2,3\n4,5,6\n", SFGP_OK, NULL},
    {"32 sep=; later", "1;2;3\nsep=;\n", SFGP_ERROR_FORMAT, "line 2"},
    {"22 CR", "1 2 3\r4 5 6\r", SFGP_OK, NULL},
    {"24 CRLF", "1 2 3\r\n4 5 6\r\n", SFGP_OK, NULL},
    {"23 LF CR", "1 2 3\n\r4 5 6\n\r", SFGP_ERROR_FORMAT, "line 2"},
    {"25 BOM",
     "\xEF\xBB\xBF"
     "1 2 3\n4 5 6\n",
     SFGP_OK, NULL},
    {"28 1,5;2,5", "1,5;2,5\n", SFGP_ERROR_FORMAT,
     "line 1: column 1: expected a number, found '1,5' (is this a dec"},
    {"28 1,5 2,5", "1,5 2,5\n", SFGP_ERROR_FORMAT,
     "column 2: expected a number, found '5 2' (is this a decimal"},
    {"28 1,5<tab>2,5", "1,5\t2,5\n", SFGP_ERROR_FORMAT, "decimal comma"},
    {"28 1,5 2,5 3,5", "1,5 2,5 3,5\n", SFGP_ERROR_FORMAT,
     "line 1: '1,5 2,5 3,5': is this a decimal comma? write a point"},
    {"28 1,5<tab>-2,5<tab>3", "1,5\t-2,5\t3\n4,5\t5,5\t6\n", SFGP_ERROR_FORMAT, "found '5\?-2' (is this a"},
    {"28 1,5 2 3,5 and a normal", "1,5 2,5 3,5 0,5 0,5 0,7\n", SFGP_ERROR_FORMAT, "is this a decimal comma?"},
    {"words before the points", "Scan of subject 12\nX Y Z\n1 2 3\n", SFGP_ERROR_FORMAT,
     "line 1: 'Scan of subject 12' begins with no number; put a # before lines of words"},
    {"a list of Python", "[1.5, 2.5, 3.5],\n", SFGP_ERROR_FORMAT,
     "line 1: '[1.5, 2.5, 3.5],' begins with no number"},
    {"28 later", "1 2 3\n4 5,5 6\n", SFGP_ERROR_FORMAT,
     "line 2: column 2: expected a number, found '5,5' (is"},
    {"28 1,5, 2,5", "1,5, 2,5\n", SFGP_ERROR_FORMAT, "expected 2 or 3 columns"},
    {"30 nan", "1 2 3\nnan 5 6\n", SFGP_ERROR_DATA, "line 2: column 1"},
    {"30 inf", "1 2 inf\n", SFGP_ERROR_DATA, "column 3"},
    {"30 -nan(0x1)", "1 -nan(0x1) 3\n", SFGP_ERROR_DATA, "column 2"},
    {"30 1e400", "1 2 1e400\n", SFGP_ERROR_DATA, "column 3"},
    {"30 1e-400", "1 2 1e-400\n", SFGP_OK, NULL},
    {"30 0x1p3", "1 2 0x1p3\n", SFGP_ERROR_FORMAT, "column 3"},
    {"30 1.5.2", "1 2 1.5.2\n", SFGP_ERROR_FORMAT, "column 3"},
    {"30 --1", "--1 2 3\n", SFGP_ERROR_FORMAT, "column 1"},
    {"30 1,2,3;4", "1,2,3;4\n", SFGP_ERROR_FORMAT, "line 1: column 1"},
    {"30 mixed later", "1,2,3\n4;5;6\n", SFGP_ERROR_FORMAT, "one separator"},
    {"30 mixed later, blanks", "1;2;3\n4 5 6\n", SFGP_ERROR_FORMAT, "one separator"},
    {"31 short row", "1 2 3\n4 5 6\n7 8\n", SFGP_ERROR_FORMAT,
     "line 3: expected 3 columns as in the rows before, found 2"},
    {"31 long row", "1 2\n4 5 6\n", SFGP_ERROR_FORMAT,
     "line 2: expected 2 columns as in the rows before, found 3"},
    {"31 one column", "1\n2\n", SFGP_ERROR_FORMAT, "line 2: expected 2 or 3 columns, found 1"},
    {"31 four columns", "1 2 3 4\n", SFGP_ERROR_FORMAT, "found 4 and no header"},
    {"31 four columns later", "1 2 3\n1 2 3 4\n", SFGP_ERROR_FORMAT, "line 2: expected 3 columns"},
    {"31 empty field", "1,,3\n", SFGP_ERROR_FORMAT, "nothing stands between"},
    {"31 last field empty", "1,2,\n", SFGP_ERROR_FORMAT, "nothing stands between"},
    {"35 a word like a signature", "plywood 2 3\n", SFGP_ERROR_FORMAT, "line 1: column 1"},
    {"26 binary", "1 2 \x01\n", SFGP_ERROR_FORMAT, "found '?'"},
};

static void each_example_has_its_answer(void **state)
{
    const char *names[] = {"a.txt", "a.csv", "a.xyz", "a.pts", "a", "a.unknown", ".tsv"};
    for (size_t k = 0; k < sizeof EXAMPLES / sizeof *EXAMPLES; k++) {
        sfgp_status status = sfgp_try_text(*state, names[k % 7], EXAMPLES[k].text);
        if (status != EXAMPLES[k].expected)
            print_error("example %s\n", EXAMPLES[k].fault);
        sfgp_assert_status(*state, status, EXAMPLES[k].expected);
        if (EXAMPLES[k].words && !strstr(sfgp_context_error(*state), EXAMPLES[k].words))
            fail_msg("example %s: '%s' is not in '%s'", EXAMPLES[k].fault, EXAMPLES[k].words,
                     sfgp_context_error(*state));
    }
}

static void every_separator_gives_the_same_points(void **state)
{
    const double expected[] = {1, 2, 3, 4, 5, 6};
    int same = 0;
    for (size_t k = 0; k < sizeof EXAMPLES / sizeof *EXAMPLES; k++) {
        sfgp_mesh *mesh = NULL;
        if (EXAMPLES[k].expected != SFGP_OK)
            continue;
        sfgp_assert_ok(*state, sfgp_read_text(*state, "a.txt", EXAMPLES[k].text, &mesh));
        assert_string_equal(mesh->format, "text");
        if (mesh->count == 2) {
            assert_memory_equal(mesh->points, expected, sizeof expected);
            same++;
        }
        sfgp_mesh_free(mesh);
    }
    assert_int_equal(same, 14);
}

static void two_columns_are_two_dimensions(void **state)
{
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state, sfgp_read_text(*state, "flat.txt", "1 2\n3 4\n5 6\n", &mesh));
    assert_true(mesh->dimension == 2 && mesh->count == 3 && mesh->points[5] == 6);
    assert_null(mesh->face_start);
    sfgp_mesh_free(mesh);
}

/* Time that a pass over the text for each field of it would exceed by far. With sanitizers it takes 1.5 s, in an emulator
 * more than 5. */
static double most_seconds(void)
{
    return getenv("SFGP_EMULATED") ? 100 : 5;
}

static void row_27_nul_long_lines_and_many_comments_are_bounded(void **state)
{
    const size_t size = 2 << 20;
    char *text = malloc(size);
    clock_t start = clock();
    sfgp_assert_error(*state, sfgp_try_bytes(*state, "nul.txt", "1 2 3\n4 \0 6\n", 12), SFGP_ERROR_FORMAT,
                      "line 2: has a NUL byte");
    memset(text, '7', 1 << 20);
    sfgp_assert_status(*state, sfgp_try_bytes(*state, "long.txt", text, 1 << 20), SFGP_ERROR_FORMAT);
    for (size_t k = 1; k < size; k += 2)
        text[k] = ' ', text[k - 1] = '1';
    sfgp_assert_status(*state, sfgp_try_bytes(*state, "long.txt", text, size), SFGP_ERROR_FORMAT);
    memset(text, '#', size);
    memcpy(text + size - 9, "\n1 2 3\n4 ", 9);
    sfgp_assert_error(*state, sfgp_try_bytes(*state, "long.txt", text, size), SFGP_ERROR_FORMAT,
                      "line 3: expected 3 columns");
    for (size_t k = 0; k < 1200000; k += 12)
        memcpy(text + k, "# comment..\n", 12);
    memcpy(text + 1200000, "1 2 3", 6);
    sfgp_assert_ok(*state, sfgp_try_text(*state, "comments.txt", text));
    assert_true((double)(clock() - start) < most_seconds() * CLOCKS_PER_SEC);
    free(text);
}

static void lines_longer_than_64_mib_are_refused(void **state)
{
    const size_t size = ((size_t)1 << 26) + ((size_t)1 << 20);
    char *text = malloc(size);
    memset(text, ' ', size);
    sfgp_assert_error(*state, sfgp_try_bytes(*state, "endless.txt", text, size), SFGP_ERROR_FORMAT,
                      "line 1: is longer than 64 MiB");
    free(text);
}

static void the_writer_separates_by_extension(void **state)
{
    const struct {
        const char *name, *expected;
    } files[] = {{"w.csv", "1,2.5\n-3,0.1\n"},
                 {"w.CSV", "1,2.5\n-3,0.1\n"},
                 {"w.tsv", "1\t2.5\n-3\t0.1\n"},
                 {"w.txt", "1 2.5\n-3 0.1\n"},
                 {"w.xyz", "1 2.5\n-3 0.1\n"}};
    const double points[] = {1, 2.5, -3, 0.1};
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, 2, 2, points, &mesh));
    for (int k = 0; k < 5; k++) {
        const char *path = test_path(files[k].name);
        sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0));
        char *text = sfgp_test_read(path, NULL);
        assert_string_equal(text, files[k].expected);
        free(text);
    }
    sfgp_mesh_free(mesh);
}

static void a_million_points_are_read_in_time(void **state)
{
    char *text = malloc((size_t)64 << 20), *end = text;
    for (int k = 0; k < 1000000; k++)
        end += sprintf(end, "%.17g %.17g %d\n", k / 7.0, k / 3.0, k);
    sfgp_test_write(test_path("million.txt"), text, (size_t)(end - text));
    free(text);
    sfgp_mesh *mesh = NULL;
    clock_t start = clock();
    sfgp_assert_ok(*state, sfgp_mesh_read(*state, test_path("million.txt"), &mesh));
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("a million points: %.3f s\n", seconds);
    assert_true(seconds < 20); /* about 1 s without sanitizers */
    assert_true(mesh->count == 1000000 && mesh->points[2999997] == 999999 / 7.0);
    sfgp_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(each_example_has_its_answer),
        sfgp_unit_test(every_separator_gives_the_same_points),
        sfgp_unit_test(two_columns_are_two_dimensions),
        sfgp_unit_test(row_27_nul_long_lines_and_many_comments_are_bounded),
        sfgp_unit_test(lines_longer_than_64_mib_are_refused),
        sfgp_unit_test(the_writer_separates_by_extension),
        sfgp_unit_test(a_million_points_are_read_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
