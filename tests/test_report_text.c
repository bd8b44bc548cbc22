/* Texts of reports: fields of CSV, texts in JSON, words of errors. */
#include "support/support.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/json_text.h"
#include "page/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the program writes into a text in memory. */
static void assert_field(const char *text, double value, const char *expected)
{
    char *written = NULL;
    size_t size;
    FILE *out = open_memstream(&written, &size);
    if (text)
        report_csv_text(out, text);
    else
        report_csv_number(out, value);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(written, expected);
    free(written);
}

/* A spreadsheet runs =cmd|... of a name; with an apostrophe it is the text that it is. Numbers stay numbers. */
static void formulas_become_text(void **state)
{
    (void)state;
    assert_field("=cmd|' /C calc'!A0", 0, "\"'=cmd|' /C calc'!A0\"");
    assert_field("+1+1", 0, "\"'+1+1\"");
    assert_field("-x, \"y\"", 0, "\"'-x, \"\"y\"\"\"");
    assert_field("@SUM(A1)", 0, "\"'@SUM(A1)\"");
    assert_field("\t=1", 0, "\"'\t=1\"");
    assert_field("-", 0, "\"'-\"");
    assert_field("-1.5e-3", 0, "-1.5e-3");
    assert_field("+7", 0, "+7");
    assert_field("a=1", 0, "a=1");
    assert_field(NULL, -1.5, "-1.5");
}

static void fields_are_quoted_where_they_have_to_be(void **state)
{
    (void)state;
    assert_field("", 0, "");
    assert_field("plain; text'", 0, "plain; text'");
    assert_field("a,b", 0, "\"a,b\"");
    assert_field("say \"so\"", 0, "\"say \"\"so\"\"\"");
    assert_field("\"", 0, "\"\"\"\"");
    assert_field("line\r\nend", 0, "\"line\r\nend\"");
    assert_field(NULL, 0.1, "0.1");
    assert_field(NULL, -3, "-3");
    assert_field(NULL, (double)NAN, "");
    assert_field(NULL, (double)-INFINITY, "");
}

/* A flagged fit has a warning that begins with its outcome and ends within its place; a converged one has none. */
static void every_flag_has_a_warning(void **state)
{
    static const sfgp_outcome FLAGS[] = {SFGP_MAX_ITERATIONS, SFGP_MAX_TIME, SFGP_DOUBTFUL, SFGP_NO_OVERLAP};
    char text[SFGP_WARNING_SIZE], head[64];
    sfgp_settings settings;
    sfgp_result result = {.settings = &settings, .outcome = SFGP_CONVERGED, .sigma = -1.234567e-300};
    (void)state;
    sfgp_settings_default(&settings);
    assert_string_equal(sfgp_result_warning(&result, text), "");
    for (size_t k = 0; k < sizeof FLAGS / sizeof *FLAGS; k++) {
        result.outcome = FLAGS[k];
        snprintf(head, sizeof head, "%s: ", sfgp_outcome_name(FLAGS[k]));
        assert_int_equal(strncmp(sfgp_result_warning(&result, text), head, strlen(head)), 0);
        assert_true(strlen(text) < SFGP_WARNING_SIZE - 1);
    }
}

/* A change below the tolerance seems to contradict the flag, so the warning explains it; one above it needs no more words. */
static void a_small_change_that_is_not_converged_is_explained(void **state)
{
    char text[SFGP_WARNING_SIZE];
    sfgp_settings settings;
    sfgp_result result = {
        .settings = &settings, .outcome = SFGP_MAX_ITERATIONS, .iterations = 1000, .change = 6e-8};
    (void)state;
    sfgp_settings_default(&settings);
    assert_non_null(
        strstr(sfgp_result_warning(&result, text), "tolerance 0.0001; the points move less than that, but "));
    assert_true(strlen(text) < SFGP_WARNING_SIZE - 1);
    result.iterations = 0, result.change = 0;
    assert_null(strstr(sfgp_result_warning(&result, text), "the points move less"));
    result.iterations = 1000, result.change = 0.02;
    assert_string_equal(sfgp_result_warning(&result, text),
                        "max_iterations: not converged after 1000 iterations, change 0.02, tolerance 0.0001");
}

/* The report names every doubt, in the order of the table. */
static void doubts_have_names(void **state)
{
    sfgp_settings settings = test_settings();
    const sfgp_model_info info = {.count = 1};
    const sfgp_profile profile = {.wall = 0};
    const sfgp_memory memory = {.peak = 0};
    sfgp_result result = {.outcome = SFGP_DOUBTFUL, .settings = &settings};
    const report_run run = {.reference = "r",
                            .target = "t",
                            .model = &info,
                            .result = &result,
                            .given = &settings,
                            .profile = &profile,
                            .memory = &memory};
    static const char *const NAMES[] = {"distance", "pose", "error", "mirror", "beside", "length"};
    (void)state;
    for (result.doubts = 0; result.doubts < 64; result.doubts++) {
        char told[64] = "", expected[64] = "";
        json_t *report = report_fit_make(&run), *name;
        size_t at;
        for (int k = 0; k < 6; k++)
            if (result.doubts >> k & 1)
                strcat(strcat(expected, NAMES[k]), " ");
        json_array_foreach(json_object_get(report, "doubts"), at, name)
            strcat(strcat(told, json_string_value(name)), " ");
        assert_string_equal(told, expected);
        json_decref(report);
    }
    assert_null(sfgp_doubt_name((sfgp_doubt)0));
    assert_null(sfgp_doubt_name((sfgp_doubt)64));
}

/* What is doubtful is said once: of the other side of the body the library has warned, else the distance of the scan, else another
 * pose, else other surfaces, else the length, else the expected error. */
static void a_doubt_is_named(void **state)
{
    sfgp_settings settings;
    sfgp_result result = {.settings = &settings,
                          .outcome = SFGP_DOUBTFUL,
                          .sigma = 1.25,
                          .pose_margin = 0.125,
                          .expected_error = 3.5,
                          .omega = 0.375};
    char text[SFGP_WARNING_SIZE];
    (void)state;
    sfgp_settings_default(&settings);
    for (unsigned doubts = SFGP_DOUBT_DISTANCE; doubts < 2 * SFGP_DOUBT_LENGTH; doubts++) {
        const bool side = doubts & SFGP_DOUBT_MIRROR, distance = !side && (doubts & SFGP_DOUBT_DISTANCE),
                   pose = !side && !distance && (doubts & SFGP_DOUBT_POSE),
                   beside = !side && !distance && !pose && (doubts & SFGP_DOUBT_BESIDE),
                   length = !side && !distance && !pose && !beside && (doubts & SFGP_DOUBT_LENGTH),
                   error = doubts == SFGP_DOUBT_ERROR;
        result.doubts = doubts;
        assert_ptr_equal(sfgp_result_warning(&result, text), text);
        assert_int_equal(strstr(text, "another pose") != NULL, pose);
        assert_int_equal(strstr(text, "1.25") != NULL, distance);
        assert_int_equal(strstr(text, "0.12") != NULL, pose);
        assert_int_equal(strstr(text, "3.5 from the true ones") != NULL, error);
        assert_int_equal(strstr(text, "takes 38 % of the scan") != NULL, beside);
        assert_int_equal(strstr(text, "the length is a guess") != NULL, length);
        assert_int_equal(strstr(text, "--landmarks") != NULL, !side && !beside);
        assert_int_equal(text[0] == '\0', side);
    }
}

static void any_bytes_are_a_text_of_json(void **state)
{
    static const char *const TEXTS[][2] = {
        {"", ""}, {"a/b c", "a/b c"}, {"\xc3\xa9", "\xc3\xa9"}, {"\xc3\xa9\xff.ply", "???.ply"}};
    (void)state;
    for (size_t k = 0; k < sizeof TEXTS / sizeof *TEXTS; k++) {
        json_t *made = report_json_text(TEXTS[k][0]);
        assert_string_equal(json_string_value(made), TEXTS[k][1]);
        json_decref(made);
    }
}

static void a_dump_reads_back_and_ends_its_line(void **state)
{
    json_t *object = json_pack("{s:f, s:s}", "third", 1 / 3.0, "name", "x");
    char *text = report_json_dump(object, 17);
    (void)state;
    assert_string_equal(text + strlen(text) - 3, "\n}\n");
    json_t *read = json_loads(text, 0, NULL);
    assert_true(json_equal(object, read));
    json_decref(read);
    free(text);
    text = report_json_dump(object, 3);
    assert_non_null(strstr(text, "0.333,") ? strstr(text, "0.333,") : strstr(text, "0.333\n"));
    free(text);
    json_decref(object);
}

static void words_are_cut_to_their_place(void **state)
{
    char error[8], *text = report_format("%0300d", 7);
    (void)state;
    assert_int_equal(strlen(text), 300);
    free(text);
    assert_int_equal(report_fail(error, sizeof error, SFGP_ERROR_DATA, "%d of %s", 12, "many"),
                     SFGP_ERROR_DATA);
    assert_string_equal(error, "12 of m");
}

/* Code 6 comes with words that name memory, also where the call that failed could write none. */
static void words_of_no_memory_name_it(void **state)
{
    char error[40];
    (void)state;
    assert_int_equal(report_fail(error, sizeof error, SFGP_ERROR_MEMORY, "work: "), SFGP_ERROR_MEMORY);
    assert_string_equal(error, "out of memory");
    report_fail(error, sizeof error, SFGP_ERROR_MEMORY, "%s", "a: --max-memory");
    assert_string_equal(error, "a: --max-memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_flag_has_a_warning),
        sfgp_unit_test(a_small_change_that_is_not_converged_is_explained),
        sfgp_unit_test(doubts_have_names),
        sfgp_unit_test(fields_are_quoted_where_they_have_to_be),
        sfgp_unit_test(formulas_become_text),
        sfgp_unit_test(a_doubt_is_named),
        sfgp_unit_test(any_bytes_are_a_text_of_json),
        sfgp_unit_test(a_dump_reads_back_and_ends_its_line),
        sfgp_unit_test(words_are_cut_to_their_place),
        sfgp_unit_test(words_of_no_memory_name_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
