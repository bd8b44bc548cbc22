/* Settings tell the truth: which methods read them, what is said of one that is not read, what the default does with
 * one that it reads. */
#include "fit/solver.h"
#include "support/shapes.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { N = 60, D = 2 };

static const sfgp_setting *row_of(const char *name)
{
    const sfgp_setting *row;
    for (int k = 0; (row = sfgp_settings_row(k)); k++)
        if (strcmp(row->name, name) == 0)
            return row;
    fail_msg("no setting %s", name);
    return NULL;
}

static void patterns_name_the_methods_that_read(void **state)
{
    const struct {
        const char *method, *setting;
        int reads;
    } cases[] = {{"auto", "omega", 1},       {"auto", "beta", 0},      {"auto", "pmin", 0},
                 {"auto", "tolerance", 1},   {"sfgp-full", "pmin", 1}, {"bcpd", "beta", 1},
                 {"cpd-rigid", "beta", 0},   {"cpd", "beta", 1},       {"closest-point", "omega", 0},
                 {"map", "max_distance", 1}, {"bcpd++", "subset", 1},  {"bcpd", "subset", 0}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (sfgp_method_reads(cases[k].method, row_of(cases[k].setting)) != cases[k].reads)
            fail_msg("%s and %s: not %d", cases[k].method, cases[k].setting, cases[k].reads);
}

/* Every setting has a reader, and every reader is a method. */
static void every_setting_is_read_by_a_method(void **state)
{
    const sfgp_setting *row;
    (void)state;
    for (int k = 0; (row = sfgp_settings_row(k)); k++) {
        const sfgp_method_info *method;
        int readers = 0;
        for (int m = 0; (method = sfgp_method_row(m)); m++)
            readers += sfgp_method_reads(method->name, row);
        assert_true(readers > 0);
    }
}

static sfgp_result *run_with(sfgp_context *context, const char *name, const char *value)
{
    test_shapes *shapes = test_shapes_new(N, D, 0, 3);
    sfgp_settings settings = test_settings();
    if (name)
        sfgp_assert_ok(context, sfgp_settings_set(context, &settings, name, value));
    sfgp_result *result = test_shapes_fit(context, shapes, &settings);
    test_shapes_free(shapes);
    return result;
}

static void a_setting_that_is_not_read_is_warned_of_by_both_names(void **state)
{
    sfgp_result *plain = run_with(*state, NULL, NULL);
    assert_null(strstr(sfgp_test_warning(), "does not read"));
    sfgp_result *given = run_with(*state, "pmin", "0.2");
    sfgp_assert_has(sfgp_test_warning(), "pmin: method auto does not read it");
    assert_memory_equal(plain->points, given->points, N * D * sizeof(double)); /* as the warning says */
    sfgp_result_free(plain);
    sfgp_result_free(given);
}

static void a_method_without_a_search_makes_one_fit(void **state)
{
    static const char *const METHODS[] = {"sfgp-full", "sfgp-scalar", "sfgp-nothreshold", "closest-point",
                                          "map"};
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++) {
        sfgp_result *result = run_with(*state, "method", METHODS[k]);
        assert_int_equal(result->fits, 1);
        assert_int_equal(result->total_iterations, result->iterations);
        sfgp_result_free(result);
    }
}

/* omega and variance0 are where the default starts, and the result says what it has learned and tried. */
static void the_default_starts_from_what_is_given(void **state)
{
    sfgp_result *plain = run_with(*state, NULL, NULL), *omega = run_with(*state, "omega", "0.4"),
                *variance = run_with(*state, "variance0", "0.02");
    assert_true(memcmp(plain->points, omega->points, N * D * sizeof(double)) != 0);
    assert_true(memcmp(plain->points, variance->points, N * D * sizeof(double)) != 0);
    assert_null(strstr(sfgp_test_warning(), "does not read"));
    assert_true(omega->settings->omega == 0.4 && omega->omega != 0.4 && omega->omega > 0);
    assert_true(plain->fits > 8 && plain->total_iterations > plain->iterations);
    assert_true(plain->rank > 0 && plain->settings->accuracy > 0);
    assert_string_equal(plain->settings->outlier_density, "volume");
    sfgp_result_free(plain);
    sfgp_result_free(omega);
    sfgp_result_free(variance);
}

static void a_method_that_is_none_is_told_the_others(void **state)
{
    const sfgp_method *method;
    char words[64];
    snprintf(words, sizeof words, "is none of: %s, %s, ", sfgp_method_row(0)->name, sfgp_method_row(1)->name);
    sfgp_assert_error(*state, sfgp_method_find(*state, "best", &method), SFGP_ERROR_PARAMETER, words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(patterns_name_the_methods_that_read),
        sfgp_unit_test(a_method_that_is_none_is_told_the_others),
        sfgp_unit_test(every_setting_is_read_by_a_method),
        sfgp_unit_test(a_setting_that_is_not_read_is_warned_of_by_both_names),
        sfgp_unit_test(the_default_starts_from_what_is_given),
        sfgp_unit_test(a_method_without_a_search_makes_one_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
