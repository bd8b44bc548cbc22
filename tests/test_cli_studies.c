/* The small forms of the studies in data/studies, run as they are shipped: on the evaluation data where they
 * are, on the stand-ins elsewhere. */
#include "test_cli_compare.h"

#include <math.h>

static const char *run_shipped(const char *name)
{
    static char study[512];
    const char *folder = cli_path(name);
    snprintf(study, sizeof study, "%s/data/studies/%s.json", SFGP_SOURCE_DIR, name);
    compare_run(study, folder, "2");
    compare_assert_words(compare_in(folder, "report.html"), "</html>");
    return folder;
}

/* Mean error of a method over all rows; every run has to have succeeded. */
static double mean_error(const compare_table *rows, const char *method)
{
    double sum = 0;
    int count = 0;
    for (int k = 0; k < rows->rows; k++)
        if (strcmp(compare_cell(rows, k, "method"), method) == 0) {
            if (compare_number(rows, k, "success") != 1)
                fail_msg("%s, row %d: %s %s", method, k, compare_cell(rows, k, "status"),
                         compare_cell(rows, k, "words"));
            sum += compare_number(rows, k, "error");
            count++;
        }
    assert_true(count > 0);
    return sum / count;
}

static bool on_real_data(const char *folder)
{
    char *text = sfgp_test_read(compare_in(folder, "report.html"), NULL);
    const bool real = text && !strstr(text, "stand in for");
    free(text);
    return real;
}

/* Three sets of two levels with three samples, eight methods; the paper's order of the extremes. */
static void the_fish(void **state)
{
    const char *folder = run_shipped("fish-small");
    compare_table *rows = compare_rows(folder);
    (void)state;
    assert_int_equal(rows->rows, 3 * 2 * 3 * 8);
    const double bcpd = mean_error(rows, "BCPD_Standard"), closest = mean_error(rows, "GPClosestPnt");
    const double scalar = mean_error(rows, "SFGP_bcpdReg");
    if (!(bcpd < scalar && scalar < closest))
        fail_msg("BCPD %g, SFGP %g, closest point %g", bcpd, scalar, closest);
    assert_true(cli_exists(compare_in(folder, "figures/box-missing.svg")));
    assert_true(cli_exists(compare_in(folder, "figures/box-recall.svg")));
    compare_free(rows);
}

static void the_ears(void **state)
{
    const char *folder = run_shipped("ears-small");
    compare_table *rows = compare_rows(folder);
    (void)state;
    assert_int_equal(rows->rows, 6);
    const double pca = mean_error(rows, "SFGP scalar (PCA + SE)"), se = mean_error(rows, "SFGP scalar (SE)");
    const double aniso = mean_error(rows, "PCA_ANISO"),
                 closest = mean_error(rows, "Closest point (PCA + SE)");
    if (on_real_data(folder) && !(pca < se && se < aniso && pca < closest))
        fail_msg("PCA + SE %g, SE %g, PCA_ANISO %g, closest point %g", pca, se, aniso, closest);
    assert_true(cli_exists(compare_in(folder, "figures/ears-box-missing.svg")));
    compare_free(rows);
}

/* Time and memory have figures where the levels are sizes. The original BCPD is not on every machine. */
static void the_runtime(void **state)
{
    const char *folder = run_shipped("runtime-small");
    compare_table *rows = compare_rows(folder);
    (void)state;
    assert_true(rows->rows == 4 || rows->rows == 6);
    assert_true(isfinite(mean_error(rows, "SFGP scalar")));
    assert_true(compare_number(rows, 0, "peak_mib") > 1);
    assert_true(cli_exists(compare_in(folder, "figures/ears-seconds.svg")));
    assert_true(cli_exists(compare_in(folder, "figures/ears-memory.svg")));
    compare_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_fish),
#ifndef SFGP_SLOW_BUILD /* a minute there */
        sfgp_unit_test(the_ears),
#endif
        sfgp_unit_test(the_runtime),
    };
    cli_wait_politely();
#ifdef SFGP_SLOW_BUILD
    (void)the_ears;
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
