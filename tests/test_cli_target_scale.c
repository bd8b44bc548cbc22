/* --target-scale: a scan in another unit than its reference, of sfgp register and sfgp batch. */
#include "test_cli_compare.h"

#include <sys/stat.h>

enum { POINTS = 300, LANDMARKS = 5 };

/* A power of two, so that the fits have the same bits. */
#define METRES 1024.0

static const char *reference, *near, *far, *table, *own_marks, *near_marks, *far_marks;

/* name,x,y,z of some points, divided by `unit`. */
static const char *write_marks(const char *name, const double *points, double unit)
{
    static char text[2000];
    int length = snprintf(text, sizeof text, "name,x,y,z\n");
    for (int k = 0; k < LANDMARKS; k++) {
        const double *p = points + 3 * (POINTS / LANDMARKS) * k;
        length += snprintf(text + length, sizeof text - (size_t)length, "p%d,%.17g,%.17g,%.17g\n", k,
                           p[0] / unit, p[1] / unit, p[2] / unit);
    }
    return strdup(test_text(name, text));
}

static int set_up(void **state)
{
    test_shapes *shapes = test_shapes_new(POINTS, 3, 0, 1);
    (void)state;
    reference = strdup(cli_mesh("reference.ply", POINTS, 3, shapes->reference, true));
    near = strdup(cli_points("near.npy", shapes->m, 3, shapes->target));
    own_marks = write_marks("own.csv", shapes->reference, 1);
    near_marks = write_marks("near.csv", shapes->truth, 1);
    far_marks = write_marks("far.csv", shapes->truth, METRES);
    for (int64_t k = 0; k < 3 * shapes->m; k++)
        shapes->target[k] /= METRES;
    far = strdup(cli_points("far.npy", shapes->m, 3, shapes->target));
    table = strdup(test_text("cases.csv", "id,target,landmarks\na,far.npy,far.csv\n"));
    test_shapes_free(shapes);
    return 0;
}

static void a_scan_in_another_unit_has_the_same_fit(void **state)
{
    const char *a = test_path("a.ply"), *b = test_path("b.ply"), *report = test_path("b.json");
    (void)state;
    cli_expect(sfgp_run_program("register", reference, far, "-o", b, NULL), 1, "then --target-scale 1000");
    cli_expect(
        sfgp_run_program("register", reference, near, "-o", a, "--landmarks", own_marks, near_marks, NULL), 0,
        NULL);
    cli_expect(sfgp_run_program("register", reference, far, "-o", b, "--landmarks", own_marks, far_marks,
                                "--target-scale", "1024", "--report", report, NULL),
               0, NULL);
    cli_assert_same_files(a, b);
    compare_assert_words(report, "\"target_scale\": 1024");
}

static void a_batch_scales_every_target(void **state)
{
    const char *a = test_path("a.ply"), *folder = test_path("out");
    (void)state;
    cli_expect(sfgp_run_program("batch", table, "-o", folder, "--reference", reference, "--landmarks",
                                own_marks, "--target-scale", "1024", NULL),
               0, NULL);
    cli_assert_same_files(a, compare_in(folder, "a/fit.ply"));
    compare_assert_words(compare_in(folder, "a/case.json"), "\"target_scale\": 1024");
    cli_expect(sfgp_run_program("batch", table, "-o", folder, "--reference", reference, "--landmarks",
                                own_marks, "--target-scale", "1024", "--resume", NULL),
               0, "1 were done before");
    cli_expect(sfgp_run_program("batch", table, "-o", folder, "--reference", reference, "--landmarks",
                                own_marks, "--target-scale", "1023", "--resume", NULL),
               0, "0 were done before");
}

/* A case with a factor of its own has the same fit; with another one it is done again, and no other case. */
static void a_row_has_a_scale_of_its_own(void **state)
{
    const char *folder = test_path("rows");
    (void)state;
    const char *cases = test_text("rows.csv", "id,target,landmarks,target_scale\na,far.npy,far.csv,1024\n"
                                              "b,near.npy,near.csv,\n");
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--reference", reference, "--landmarks",
                                own_marks, NULL),
               0, NULL);
    cli_assert_same_files(test_path("a.ply"), compare_in(folder, "a/fit.ply"));
    cli_assert_same_files(test_path("a.ply"), compare_in(folder, "b/fit.ply"));
    compare_assert_words(compare_in(folder, "a/case.json"), "\"target_scale\": 1024");
    compare_assert_words(compare_in(folder, "b/case.json"), "\"target_scale\": 1.0,");
    test_text("rows.csv",
              "id,target,landmarks,target_scale\na,far.npy,far.csv,1023\nb,near.npy,near.csv,1\n");
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--reference", reference, "--landmarks",
                                own_marks, "--resume", NULL),
               0, "1 were done before");
    compare_assert_words(compare_in(folder, "a/case.json"), "\"target_scale\": 1023");
}

/* The first pictures of two tables. */
static void assert_same_scan(const char *folder, const char *other)
{
    const char *const folders[] = {folder, other};
    char *pages[2], *pictures[2];
    for (int k = 0; k < 2; k++) {
        cli_expect(sfgp_run_program("collect", folders[k], NULL), 0, NULL);
        pages[k] = sfgp_test_read(compare_in(folders[k], "overview.html"), NULL);
        pictures[k] = pages[k] ? strstr(pages[k], "alt=\"Scan of") : NULL;
        assert_non_null(pictures[k]);
        pictures[k][strcspn(pictures[k], ">")] = '\0';
    }
    assert_string_equal(pictures[0], pictures[1]);
    free(pages[0]);
    free(pages[1]);
}

static void the_overview_shows_the_scan_in_the_unit_of_its_fit(void **state)
{
    const char *cases = test_text("near-cases.csv", "id,target,landmarks\na,near.npy,near.csv\n"),
               *folder = test_path("near-out");
    (void)state;
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--reference", reference, "--landmarks",
                                own_marks, NULL),
               0, NULL);
    assert_same_scan(folder, test_path("out"));
}

static void what_is_no_factor_is_refused(void **state)
{
    static const struct {
        const char *factor, *told;
    } ROWS[] = {{"0", "--target-scale: 0 is no factor; give a number above 0"},
                {"-1", "--target-scale: -1 is no factor; give a number above 0"},
                {"nan", "--target-scale: 'nan' is not a number"},
                {"inf", "--target-scale: 'inf' is not a number"},
                {"mm", "--target-scale: 'mm' is not a number"}};
    const char *out = test_path("none");
    (void)state;
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
        cli_expect(
            sfgp_run_program("register", reference, far, "-o", out, "--target-scale", ROWS[k].factor, NULL),
            SFGP_ERROR_PARAMETER, ROWS[k].told);
        cli_expect(sfgp_run_program("batch", table, "-o", out, "--reference", reference, "--target-scale",
                                    ROWS[k].factor, NULL),
                   SFGP_ERROR_PARAMETER, ROWS[k].told);
    }
    static const char *const CELLS[] = {"0", "-1", "nan", "inf", "0x10", "1000mm"};
    for (size_t k = 0; k < sizeof CELLS / sizeof *CELLS; k++) {
        char rows[64];
        snprintf(rows, sizeof rows, "target,target_scale\nfar.npy,%s\n", CELLS[k]);
        cli_expect(
            sfgp_run_program("batch", test_text("bad.csv", rows), "-o", out, "--reference", reference, NULL),
            SFGP_ERROR_FORMAT, "line 2, column 'target_scale': is no factor; give a number above 0");
    }
    assert_false(cli_exists(out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scan_in_another_unit_has_the_same_fit),
        cmocka_unit_test(a_batch_scales_every_target),
        cmocka_unit_test(a_row_has_a_scale_of_its_own),
        cmocka_unit_test(the_overview_shows_the_scan_in_the_unit_of_its_fit),
        cmocka_unit_test(what_is_no_factor_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
