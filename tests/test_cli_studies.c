/* The small forms of the studies in data/studies, run as they are shipped: on the evaluation data where they
 * are, on the stand-ins elsewhere. */
#include "test_cli_compare.h"

#include <errno.h>
#include <math.h>

static const char *run_shipped(const char *name)
{
    static char study[512];
    const char *folder = test_path(name);
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

/* ---- the default method ------------------------------------------------------------------------------ */

/* It learns how many outliers there are. It is told nothing, so that it runs beside one of the two shares that its
 * peers are told. */
static void the_default_on_the_fish(void **state)
{
    const char *folder = run_shipped("default-fish-small");
    compare_table *rows = compare_rows(folder);
    (void)state;
    assert_int_equal(rows->rows, (2 + 1 + 1 + 2) * 2 * 4 - 2);
    for (int sample = 0; sample < 2; sample++) {
        const int untold = compare_find(rows, "outliers, omega 0.1", "2", sample, "SFGP"),
                  peer = compare_find(rows, "outliers, omega 0.3", "2", sample, "BCPD_Standard");
        assert_true(untold >= 0 && peer >= 0);
        assert_int_equal(compare_find(rows, "outliers, omega 0.3", "2", sample, "SFGP"), -1);
        assert_true(compare_number(rows, untold, "error") < compare_number(rows, peer, "error"));
    }
    assert_true(cli_exists(compare_in(folder, "figures/deformation-relative.svg")));
    assert_true(cli_exists(compare_in(folder, "figures/deformation-spread.svg")));
    assert_false(cli_exists(compare_in(folder, "figures/box-relative.svg"))); /* once is enough */
    compare_assert_words(compare_in(folder, "report.html"),
                         "<li><a href=\"#s1\">All sets</a></li>\n<li><a href=\"#s2\">deformation");
    compare_free(rows);
}

static void the_default_on_ears(void **state)
{
    const char *folder = run_shipped("default-ears-small");
    compare_table *rows = compare_rows(folder);
    (void)state;
    assert_int_equal(rows->rows, 2 * 4);
    const double learned = mean_error(rows, "SFGP (training)"),
                 plain = mean_error(rows, "SFGP (no training)");
    if (on_real_data(folder) &&
        !(learned < plain)) /* the stand-ins have eight shapes to learn from: too few */
        fail_msg("with training shapes %g, without %g", learned, plain);
    for (int k = 0; k < rows->rows; k++)
        for (const char *const *column = (const char *[]){"recall", "precision", "inside_observed", NULL};
             *column; column++)
            assert_true(compare_number(rows, k, *column) >= 0 && compare_number(rows, k, *column) <= 1);
    assert_true(cli_exists(compare_in(folder, "figures/ears-mask.svg")));
    assert_true(cli_exists(compare_in(folder, "figures/ears-coverage.svg")));
    compare_free(rows);
}

static void the_default_on_other_data(void **state)
{
    const char *folder = run_shipped("default-other-small");
    compare_table *rows = compare_rows(folder);
    (void)state;
    assert_int_equal(rows->rows, 3 * 2 * 2 * 2);
    assert_true(isfinite(mean_error(rows, "SFGP")) && isfinite(mean_error(rows, "BCPD")));
    assert_true(cli_exists(compare_in(folder, "figures/femur-relative.svg")));
    compare_free(rows);
}

/* A quarter of a head: the rigid search finds it, and under two priors the fit is nearer than under one (0.69 of the error at ae047ca). */
static void the_default_on_families(void **state)
{
    const char *folder = run_shipped("families-small");
    compare_table *rows = compare_rows(folder);
    (void)state;
    assert_int_equal(rows->rows, 2);
    const double two = mean_error(rows, "SFGP"), one = mean_error(rows, "SFGP, one prior");
    if (on_real_data(folder) && !(two < 0.8 * one))
        fail_msg("under two priors %g, under one %g", two, one);
    compare_free(rows);
}

/* ---- figures: what is drawn is what is in the tables ------------------------------------------------- */

enum { LEVELS = 3 };

/* Heights of the first line of a style that is drawn, one a level. */
static void read_line(const char *svg, const char *colour, double y[LEVELS])
{
    char stroke[64];
    snprintf(stroke, sizeof stroke, "\" fill=\"none\" stroke=\"%s\"", colour);
    for (const char *at = svg; (at = strstr(at, "<path d=\"M")); at++) {
        const char *end = strchr(at + 9, '"');
        if (strncmp(end, stroke, strlen(stroke)) != 0)
            continue;
        if (sscanf(at + 9, "M%*g %lgL%*g %lgL%*g %lg\"", &y[0], &y[1], &y[2]) != LEVELS)
            fail_msg("a line is not of %d points: %.80s", LEVELS, at);
        return;
    }
    fail_msg("no line is %s", colour);
}

/* Heights on a page are a linear map of the values: of the two that are farthest apart, and so of the third.
 * Coordinates have two decimals, so that three of them are off by half a hundredth each. */
static void assert_drawn(const double value[LEVELS], const double y[LEVELS])
{
    int low = 0, high = 0;
    for (int k = 0; k < LEVELS; k++) {
        low = value[k] < value[low] ? k : low;
        high = value[k] > value[high] ? k : high;
    }
    assert_true(y[low] - y[high] > 1); /* larger is higher, and they differ enough to tell */
    for (int k = 0; k < LEVELS; k++) {
        const double share = (value[k] - value[low]) / (value[high] - value[low]);
        const double expected = y[low] + share * (y[high] - y[low]);
        if (!(fabs(y[k] - expected) <= 3 * 0.005 + 1e-9))
            fail_msg("%g is drawn at %g, not at %g", value[k], y[k], expected);
    }
}

static const char *run_for_figures(void)
{
    const char *folder = test_path("figures");
    compare_run(compare_study("figures.json",
                              "{'sets':[{'name':'s','simulate':'fish','samples':2,'levels':[0.1,0.2,0.3],"
                              "'damage':{'file_unit':1,'deformation':0.03,'noise':0.02,'box_width':'level'}},"
                              "{'name':'t','simulate':'fish','samples':1}],'methods':["
                              "{'name':'a','method':'sfgp-scalar'},{'name':'b','method':'cpd'},"
                              "{'name':'c','method':'closest-point','settings':{'reject':0}}]}"),
                folder, "2");
    return folder;
}

static double mean_at(const compare_table *lines, int level, const char *method, const char *column)
{
    static const char *const NAMES[] = {"0.1", "0.2", "0.3"};
    for (int k = 0; k < lines->rows; k++)
        if (strcmp(compare_cell(lines, k, "set"), "s") == 0 &&
            strcmp(compare_cell(lines, k, "level"), NAMES[level]) == 0 &&
            strcmp(compare_cell(lines, k, "method"), method) == 0)
            return compare_number(lines, k, column);
    fail_msg("no line for %s at %s", method, NAMES[level]);
    return NAN;
}

static void the_relative_error_is_that_of_the_summary(void **state)
{
    const char *folder = run_for_figures();
    compare_table *lines = compare_read(compare_in(folder, "summary.csv"));
    char *svg = sfgp_test_read(compare_in(folder, "figures/s-relative.svg"), NULL);
    double value[LEVELS], y[LEVELS];
    (void)state;
    assert_non_null(svg);
    for (int k = 0; k < LEVELS; k++)
        value[k] = log(mean_at(lines, k, "a", "error_mean") /
                       fmin(mean_at(lines, k, "b", "error_mean"), mean_at(lines, k, "c", "error_mean")));
    read_line(svg, "#0072b2", y);
    assert_drawn(value, y);
    free(svg);
    compare_free(lines);
}

/* The band of 0.90 to 0.99 is on the same scale as the lines. */
static void the_coverage_is_that_of_the_summary(void **state)
{
    const char *folder = run_for_figures();
    compare_table *lines = compare_read(compare_in(folder, "summary.csv"));
    char *svg = sfgp_test_read(compare_in(folder, "figures/s-coverage.svg"), NULL), *band;
    double value[LEVELS], y[LEVELS], high, low;
    (void)state;
    assert_non_null(svg);
    for (int k = 0; k < LEVELS; k++)
        value[k] = mean_at(lines, k, "a", "inside_observed_mean");
    read_line(svg, "#0072b2", y);
    assert_drawn(value, y);
    for (band = svg; (band = strstr(band, "<path d=\"M")) && !strstr(band, "fill-opacity");)
        band++;
    assert_non_null(band);
    assert_int_equal(sscanf(band, "<path d=\"M%*g %lgL%*g %*gL%*g %lg", &high, &low), 2);
    assert_drawn((double[]){0.90, 0.99, value[0]}, (double[]){low, high, y[0]});
    assert_null(strstr(svg, "0.90 to 0.99")); /* no method: the caption names it */
    free(svg);
    compare_free(lines);
}

/* ---- a folder whose scans are damaged ---------------------------------------------------------------- */

/* ref.ply and whole.ply in the folder "pair", a fish and its warp. */
static void make_pair(void)
{
    const char *made = test_path("pair-made");
    assert_true(mkdir(test_path("pair"), 0777) == 0 || errno == EEXIST);
    cli_expect(sfgp_run_program("simulate", "fish", "-o", made, "--deformation", "0.05", NULL), 0, NULL);
    assert_int_equal(rename(compare_in(made, "reference.ply"), test_path("pair/ref.ply")), 0);
    assert_int_equal(rename(compare_in(made, "truth.ply"), test_path("pair/whole.ply")), 0);
}

/* A program that gives the reference back has the distances between two files, plainly summed. */
#define COPY                                                                                                 \
    "{'name':'copy','method':'external','command':'cp {reference} {output}y.txt','points':'{output}y.txt'}"

static double plain_distance(void)
{
    sfgp_mesh *from = cli_read(test_path("pair/ref.ply")), *to = cli_read(test_path("pair/whole.ply"));
    double sum = 0;
    assert_int_equal(from->count, to->count);
    for (int64_t i = 0; i < from->count; i++)
        sum +=
            hypot(from->points[2 * i] - to->points[2 * i], from->points[2 * i + 1] - to->points[2 * i + 1]);
    const double mean = sum / (double)from->count;
    sfgp_mesh_free(from);
    sfgp_mesh_free(to);
    return mean;
}

static void a_damaged_scan_is_its_own_truth(void **state)
{
    const double digits = 1e-12; /* files and tables have all digits of a double; the sums differ in order */
    const char *folder = test_path("pair-run");
    (void)state;
    make_pair();
    compare_run(compare_study("pair.json",
                              "{'sets':[{'name':'s','folder':'%s','reference':'ref.ply',"
                              "'scans':'whole.ply','first':4,'samples':3,'damage':{'missing_share':0.25}}],"
                              "'methods':[" COPY "]}",
                              test_path("pair")),
                folder, "1");
    compare_table *rows = compare_rows(folder);
    const double whole = plain_distance();
    assert_int_equal(rows->rows, 3);
    for (int k = 0; k < 3; k++) {
        const double points = compare_number(rows, k, "points_reference");
        const double left = compare_number(rows, k, "points_target");
        const double sum =
            left * compare_number(rows, k, "observed") + (points - left) * compare_number(rows, k, "missing");
        assert_true(fabs(compare_number(rows, k, "error") - whole) <= digits * whole);
        assert_true(fabs(sum / points - whole) <= digits * whole);
        assert_true(left == points - round(0.25 * points));
    }
    assert_string_equal(compare_cell(rows, 0, "sample"), "4");
    assert_string_not_equal(compare_cell(rows, 0, "missing"), compare_cell(rows, 1, "missing"));
    compare_free(rows);
}

/* What moves the scan moves its truth: by 30 % larger here. */
static void a_damaged_scan_takes_its_truth_along(void **state)
{
    const char *folder = test_path("pair-moved");
    (void)state;
    make_pair();
    compare_run(compare_study("moved.json",
                              "{'sets':[{'name':'s','folder':'%s','reference':'whole.ply',"
                              "'scans':'whole.ply','damage':{'scale':0.3}}],'methods':[" COPY "]}",
                              test_path("pair")),
                folder, "1");
    compare_table *rows = compare_rows(folder);
    sfgp_mesh *mesh = cli_read(test_path("pair/whole.ply"));
    double centre[2] = {0, 0}, radius = 0;
    for (int64_t i = 0; i < mesh->count; i++)
        for (int a = 0; a < 2; a++)
            centre[a] += mesh->points[2 * i + a] / (double)mesh->count;
    for (int64_t i = 0; i < mesh->count; i++)
        radius += hypot(mesh->points[2 * i] - centre[0], mesh->points[2 * i + 1] - centre[1]);
    const double expected = 0.3 * radius / (double)mesh->count;
    assert_int_equal(rows->rows, 1); /* without "samples", one */
    assert_true(fabs(compare_number(rows, 0, "error") - expected) <= 1e-12 * expected);
    sfgp_mesh_free(mesh);
    compare_free(rows);
}

static void expect_refused(const char *members, int code, const char *words)
{
    const char *study = compare_study("refused.json",
                                      "{'sets':[{'name':'s','folder':'%s','reference':'ref.ply'%s}],"
                                      "'methods':[" COPY "]}",
                                      test_path("pair"), members);
    cli_expect(sfgp_run_program("compare", study, "-o", test_path("refused"), NULL), code, words);
}

/* A scan shows one sheet as a whole and raises it; the other one, of which it shows the rim, stays where it is only along the surface,
 * and only with all of the field. */
static void a_scan_that_raises_one_sheet_leaves_the_other(void **state)
{
    const char *folder = run_shipped("surface-small");
    compare_table *rows = compare_rows(folder);
    (void)state;
    assert_int_equal(rows->rows, 3);
    const double space = compare_number(rows, 0, "missing"), eigen = compare_number(rows, 1, "missing"),
                 sparse = compare_number(rows, 2, "missing");
    assert_true(mean_error(rows, "along the surface, sparse, length 2") > 0);
    if (on_real_data(folder) && !(sparse < 0.7 * space && sparse < 0.7 * eigen))
        fail_msg("through space %g, eigen %g, sparse %g", space, eigen, sparse);
    compare_free(rows);
}

static void damage_of_a_folder_is_checked(void **state)
{
    (void)state;
    make_pair();
    cli_points("pair/few.ply", 3, 2, (double[]){0, 0, 1, 0, 0, 1});
    expect_refused(",'scans':'whole.ply','truth':'{id}.ply','damage':{}", 4, "the scan itself is the truth");
    expect_refused(",'scans':'whole.ply','damage':{'hole':1}", 2, "hole");
    expect_refused(",'scans':'whole.ply','samples':2", 3, "fewer scans than first + samples");
    expect_refused(",'scans':'none.ply','damage':{}", 3, "cannot read the folder");
    expect_refused(",'scans':'few.ply','damage':{}", 5, "a scan has 3 points and the reference 98");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_long_test(the_fish),
#ifndef SFGP_SLOW_BUILD /* a minute there */
        sfgp_unit_test(the_ears),
        sfgp_unit_test(the_default_on_ears),
        sfgp_unit_test(the_default_on_other_data),
        sfgp_unit_test(the_default_on_families),
#endif
        sfgp_unit_test(the_runtime),
#ifndef __SANITIZE_ADDRESS__ /* nor this one; coverage needs it */
        sfgp_unit_test(the_default_on_the_fish),
#endif
        sfgp_unit_test(the_relative_error_is_that_of_the_summary),
        sfgp_unit_test(the_coverage_is_that_of_the_summary),
        sfgp_unit_test(a_scan_that_raises_one_sheet_leaves_the_other),
        sfgp_unit_test(a_damaged_scan_is_its_own_truth),
        sfgp_unit_test(a_damaged_scan_takes_its_truth_along),
        sfgp_unit_test(damage_of_a_folder_is_checked),
    };
#ifdef SFGP_SLOW_BUILD
    (void)the_ears;
    (void)the_default_on_ears;
    (void)the_default_on_other_data;
    (void)the_default_on_families;
    (void)the_default_on_the_fish;
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
