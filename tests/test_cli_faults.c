/* The faults of ../shared/FAULTS.md as a user of sfgp register meets them; numbers are rows of that list. */
#include "test_cli.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    N = SFGP_TEST_SLOW ? 120 : 300,
    D = 3,
    SAME = SFGP_TEST_SLOW ? 1000 : 10000,
    LARGE = SFGP_TEST_SLOW ? 4000 : 20000
};
#define SIZE 30.0 /* of the shape, mm */

static test_shapes *sheet;
static const char *reference_path, *target_path, *fitted_path;

static int set_up(void **state)
{
    (void)state;
    sheet = test_shapes_new(N, D, 0, 1);
    return sheet ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    test_shapes_free(sheet);
    return 0;
}

/* Fresh files for each test: it may have made others of the same name. */
static int set_up_files(void **state)
{
    (void)state;
    reference_path = cli_points("reference.npy", sheet->n, D, sheet->reference);
    target_path = cli_points("target.npy", sheet->m, D, sheet->target);
    fitted_path = test_path("fitted.npy");
    unlink(fitted_path);
    return 0;
}

static void assert_finite(const char *path)
{
    sfgp_mesh *mesh = cli_read(path); /* refuses what is not finite */
    for (int64_t k = 0; k < mesh->count * mesh->dimension; k++)
        assert_true(isfinite(mesh->points[k]));
    sfgp_mesh_free(mesh);
}

/* Runs reference against target: expects the code and the words; what is written is finite. */
static void expect_fit(const char *reference, const char *target, int code, const char *words)
{
    unlink(fitted_path);
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted_path, NULL), code, words);
    if (code <= 1)
        assert_finite(fitted_path);
    else
        assert_false(cli_exists(fitted_path));
}

/* As above where the data may or may not be enough: 0 or 1, and finite; by a method that does not search
 * long. */
static void expect_finite(const char *reference, const char *target, const char *words)
{
    unlink(fitted_path);
    sfgp_run run =
        sfgp_run_program("register", reference, target, "-o", fitted_path, "--method", "sfgp-scalar", NULL);
    cli_expect(run, run.exit_code == 1 ? 1 : 0, words);
    assert_finite(fitted_path);
}

/* The fitted file has the reference's points, as they were. */
static void assert_unchanged(void)
{
    sfgp_mesh *mesh = cli_read(fitted_path);
    assert_memory_equal(mesh->points, sheet->reference, (size_t)(N * D) * sizeof(double));
    sfgp_mesh_free(mesh);
}

/* scale * (x, y, z) * flip + move of a shape's points, as a file. */
static const char *write_changed(const char *name, const double *points, int64_t n, const double flip[3],
                                 const double move[3])
{
    double *changed = malloc((size_t)(n * D) * sizeof *changed);
    for (int64_t k = 0; k < n * D; k++)
        changed[k] = points[k] * flip[k % D] + move[k % D];
    const char *path = cli_points(name, n, D, changed);
    free(changed);
    return path;
}

static const char *changed_reference(const double flip[3], const double move[3])
{
    return write_changed("changed_r.npy", sheet->reference, sheet->n, flip, move);
}

static const char *changed_target(const double flip[3], const double move[3])
{
    return write_changed("changed_t.npy", sheet->target, sheet->m, flip, move);
}

static const double ONE[3] = {1, 1, 1}, ZERO[3] = {0, 0, 0};

/* Points of a and then of b. */
static const char *write_both(const char *name, const double *a, int64_t n, const double *b, int64_t m)
{
    double *both = malloc((size_t)((n + m) * D) * sizeof *both);
    memcpy(both, a, (size_t)(n * D) * sizeof *both);
    memcpy(both + n * D, b, (size_t)(m * D) * sizeof *both);
    const char *path = cli_points(name, n + m, D, both);
    free(both);
    return path;
}

/* ---- files, 1 to 3 ----------------------------------------------------------------------------------- */

static void unreadable_inputs_leave_no_output(void **state) /* 1, 2, 3 */
{
    const char *bad[] = {test_text("empty.ply", ""), sfgp_test_folder(), test_path("none.ply")};
    const int codes[] = {SFGP_ERROR_FORMAT, SFGP_ERROR_READ, SFGP_ERROR_READ};
    (void)state;
    for (int k = 0; k < 3; k++) {
        expect_fit(bad[k], target_path, codes[k], bad[k]);
        expect_fit(reference_path, bad[k], codes[k], bad[k]);
    }
}

/* ---- geometry, 46 to 59 ------------------------------------------------------------------------------ */

static void too_few_points_are_refused(void **state) /* 46 */
{
    (void)state;
    for (int n = 1; n <= 3; n++) {
        expect_fit(cli_points("few.npy", n, D, sheet->reference), target_path, SFGP_ERROR_DATA,
                   "at least 4 are needed in 3D");
        expect_fit(reference_path, cli_points("few.npy", n, D, sheet->target), SFGP_ERROR_DATA,
                   "at least 4 are needed in 3D");
    }
    expect_finite(reference_path, cli_points("few.npy", 4, D, sheet->target), NULL);
    expect_finite(cli_points("few.npy", 4, D, sheet->reference), target_path, NULL);
}

static void zero_extent_is_refused(void **state) /* 47 */
{
    const double nothing[3] = {0, 0, 0}, move[3] = {7, 7, 7};
    (void)state;
    expect_fit(changed_reference(nothing, move), target_path, SFGP_ERROR_DATA, "zero extent");
    expect_fit(reference_path, changed_target(nothing, move), SFGP_ERROR_DATA, "zero extent");
}

static void duplicates_are_no_trouble(void **state) /* 48 */
{
    (void)state;
    expect_fit(write_both("r2.npy", sheet->reference, N, sheet->reference, N / 2),
               write_both("t2.npy", sheet->target, sheet->m, sheet->target, sheet->m / 2), 0, NULL);
    expect_fit(reference_path, reference_path, 0, "converged");
    sfgp_mesh *mesh = cli_read(fitted_path);
    for (int64_t k = 0; k < N * D; k++) /* identity */
        assert_true(fabs(mesh->points[k] - sheet->reference[k]) < 1e-9 * SIZE);
    sfgp_mesh_free(mesh);
}

static void many_coincident_points_stay_finite(void **state) /* 48 */
{
    double *same = malloc(SAME * D * sizeof *same);
    (void)state;
    for (int k = 0; k < SAME * D; k++)
        same[k] = sheet->target[k % D];
    expect_finite(reference_path, write_both("t.npy", sheet->target, sheet->m, same, SAME), NULL);
    expect_finite(write_both("r.npy", sheet->reference, N, same, SAME / 10), target_path, NULL);
    free(same);
}

static void flat_shapes_are_warned_of(void **state) /* 49, 50 */
{
    const double line[3] = {1, 0, 0}, plane[3] = {1, 1, 0};
    (void)state;
    expect_finite(changed_reference(line, ZERO), target_path,
                  "warning: reference: all points lie on one line");
    expect_finite(reference_path, changed_target(line, ZERO), "warning: target: all points lie on one line");
    expect_finite(changed_reference(plane, ZERO), target_path,
                  "warning: reference: all points lie in one plane");
    expect_finite(reference_path, changed_target(plane, ZERO),
                  "warning: target: all points lie in one plane");
    expect_fit(changed_reference(line, ONE), changed_target(line, ONE), 0, "one line");
}

static void two_clusters_are_one_shape(void **state) /* 51 */
{
    const double away[3] = {500, 0, 0};
    (void)state;
    sfgp_mesh *far = cli_read(changed_reference(ONE, away));
    const char *reference = write_both("r2.npy", sheet->reference, N, far->points, N);
    sfgp_mesh_free(far);
    far = cli_read(changed_target(ONE, away));
    const char *target = write_both("t2.npy", sheet->target, sheet->m, far->points, sheet->m);
    sfgp_mesh_free(far);
    expect_fit(reference, target, 0, NULL);
    expect_finite(reference, target_path, NULL);
}

static void one_outlier_is_warned_of(void **state) /* 52 */
{
    const double outlier[3] = {1e6 * SIZE, 0, 0};
    (void)state;
    expect_fit(reference_path, write_both("t.npy", sheet->target, sheet->m, outlier, 1), 0, "is an outlier");
    expect_finite(write_both("r.npy", sheet->reference, N, outlier, 1), target_path,
                  "points far from the others: 1");
}

/* As a scanner marks what it has not measured. */
static void a_point_that_cannot_be_squared_is_refused(void **state) /* 52 */
{
    const double largest[3] = {1.7976931348623157e308, 0, 0}, single[3] = {0, 0, 3.4e38};
    char words[64];
    (void)state;
    snprintf(words, sizeof words, "reference: point %d is 1.8e+308 from the middle", N);
    expect_fit(reference_path, write_both("t.npy", sheet->target, sheet->m, largest, 1), SFGP_ERROR_DATA,
               "target: point ");
    expect_fit(reference_path, write_both("t.npy", sheet->target, sheet->m, single, 1), SFGP_ERROR_DATA,
               "e+38 from the middle, most points are within");
    expect_fit(write_both("r.npy", sheet->reference, N, largest, 1), target_path, SFGP_ERROR_DATA, words);
}

static void not_a_number_is_refused(void **state) /* 53 */
{
    (void)state;
    expect_fit(reference_path, test_text("nan.csv", "1,2,3\n4,nan,6\n1,1,1\n0,0,0\n"), SFGP_ERROR_DATA,
               "nan.csv: line 2");
    expect_fit(reference_path, test_text("inf.csv", "1,2,3\n4,5,6\n1,1,1e400\n0,0,0\n"), SFGP_ERROR_DATA,
               "inf.csv: line 3");
}

/* The plain fit, scaled and moved, against the fit of the scaled and moved: relative to the size. */
static double deviation(double scale, double move, const char *words)
{
    const double flip[3] = {scale, scale, scale}, moves[3] = {move, move, move};
    double worst = 0;
    expect_fit(reference_path, target_path, 0, NULL);
    sfgp_mesh *plain = cli_read(fitted_path);
    expect_fit(changed_reference(flip, moves), changed_target(flip, moves), 0, words);
    sfgp_mesh *changed = cli_read(fitted_path);
    for (int64_t k = 0; k < N * D; k++)
        worst = fmax(worst, fabs((changed->points[k] - move) / scale - plain->points[k]) / SIZE);
    sfgp_mesh_free(plain);
    sfgp_mesh_free(changed);
    return worst;
}

static void offsets_cost_no_more_than_their_digits(void **state) /* 54 */
{
    (void)state;
    assert_true(deviation(1, 1e6, NULL) < 1e-6);
    assert_true(deviation(1, 1e9, NULL) < 1e-6);
    assert_true(deviation(1, 1e15, "warning: target: coordinates near 1e+15") < 0.1);
}

static void units_from_1e_minus_12_to_1e150_are_the_same(void **state) /* 55 */
{
    const double scales[] = {1e-150, 1e-12, 1e-9, 1e9, 1e150};
    (void)state;
    for (int k = 0; k < 5; k++)
        assert_true(deviation(scales[k], 0, NULL) < 1e-6);
}

static void text_keeps_the_digits_of_small_numbers(void **state) /* 55 */
{
    const double tiny[3] = {1e-12, 1e-12, 1e-12};
    (void)state;
    const char *r = changed_reference(tiny, ZERO), *t = changed_target(tiny, ZERO);
    const char *text = test_path("tiny.txt"), *npy = test_path("tiny.npy");
    cli_expect(sfgp_run_program("register", r, t, "-o", text, NULL), 0, NULL);
    cli_expect(sfgp_run_program("register", r, t, "-o", npy, NULL), 0, NULL);
    sfgp_mesh *a = cli_read(text), *b = cli_read(npy);
    assert_memory_equal(a->points, b->points, (size_t)(N * D) * sizeof(double));
    sfgp_mesh_free(a);
    sfgp_mesh_free(b);
}

static void mixed_units_are_warned_of(void **state) /* 56 */
{
    const double metres[3] = {1e-3, 1e-3, 1e-3};
    (void)state;
    expect_fit(reference_path, changed_target(metres, ZERO), 1, "times smaller than the reference; ");
    assert_unchanged();
    expect_fit(changed_reference(metres, ZERO), target_path, 1, "times as large as the reference; ");
}

/* Of a method that stays in place. The default finds the target. */
static void no_overlap_returns_the_reference(void **state) /* 57 */
{
    const double away[][3] = {{1e3, 0, 0}, {0, -1e6, 0}, {1e15, 1e15, 1e15}};
    (void)state;
    for (int k = 0; k < 3; k++) {
        const char *report = test_path("away.json");
        expect_fit(reference_path, changed_target(ONE, away[k]), 0, "warning: target: its middle lies");
        cli_expect(sfgp_run_program("register", reference_path, changed_target(ONE, away[k]), "-o",
                                    fitted_path, "--quiet", "--report", report, "--method", "sfgp-scalar",
                                    NULL),
                   1, "warning: no_overlap");
        assert_unchanged();
        char *text = sfgp_test_read(report, NULL);
        sfgp_assert_has(text, "\"status\": \"no_overlap\"");
        assert_true(cli_json_number(text, "missing") == N);
        sfgp_assert_has(strstr(text, "\"warnings\": ["), "no_overlap: ");
        free(text);
    }
}

static void little_overlap_stays_finite(void **state) /* 57 */
{
    double outliers[D * N];
    (void)state;
    for (int k = 0; k < D * N; k++) /* all over a box of twice the size */
        outliers[k] = 4 * SIZE * (fmod(k * 0.6180339887, 1) - 0.5);
    expect_finite(reference_path, cli_points("part.npy", N / 20, D, sheet->target), NULL);
    expect_finite(reference_path, write_both("outliers.npy", sheet->target, N / 20, outliers, N), NULL);
    expect_finite(reference_path, cli_points("outliers.npy", N, D, outliers), NULL);
}

static void hidden_points_carry_more_uncertainty(void **state) /* 58 */
{
    const char *table = test_path("sd.csv");
    double sum[2] = {0, 0}, count[2] = {0, 0}, sd;
    int missing;
    (void)state;
    cli_expect(
        sfgp_run_program("register", reference_path, target_path, "-o", fitted_path, "--table", table, NULL),
        0, NULL);
    char *text = sfgp_test_read(table, NULL), *row = strchr(text, '\n');
    for (; row && row[1]; row = strchr(row + 1, '\n')) {
        assert_int_equal(sscanf(row + 1, "%*d,%*f,%*f,%*f,%lf,%d", &sd, &missing), 2);
        assert_true(isfinite(sd) && sd > 0 && (missing == 0 || missing == 1));
        sum[missing] += sd;
        count[missing]++;
    }
    assert_true(count[0] + count[1] == N && count[1] > 0);
    if (!(sum[1] / count[1] > 1.2 * sum[0] / count[0]))
        fail_msg("mean sd: %g missing, %g observed", sum[1] / count[1], sum[0] / count[0]);
    free(text);
}

static void mirrored_and_turned_targets_stay_finite(void **state) /* 59 */
{
    const double flips[][3] = {{-1, 1, 1}, {1, -1, -1}, {1, 1, -1}};
    (void)state;
    for (int k = 0; k < 3; k++)
        expect_finite(reference_path, changed_target(flips[k], ZERO), NULL);
}

static void uneven_sizes_are_no_trouble(void **state) /* 60 */
{
    test_shapes *large = test_shapes_new(LARGE, 3, 0, 1);
    const char *target = cli_points("large.npy", large->m, D, large->target);
    (void)state;
    expect_finite(cli_points("ten.npy", 10, D, sheet->reference), target, NULL);
    expect_finite(cli_points("large_r.npy", large->n, D, large->reference),
                  cli_points("ten.npy", 10, D, sheet->target), NULL);
    test_shapes_free(large);
}

static void odd_faces_come_through(void **state) /* 61 */
{
    const char *obj = test_text("odd.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.5\nv 2 2 2\nv 0 0 1\n"
                                           "f 1 2 3\nf 1 2 3\nf 2 1 4\nf 1 2 6\nf 1 1 2\n");
    const char *out = test_path("odd_out.obj");
    (void)state;
    cli_expect(sfgp_run_program("register", obj, obj, "-o", out, NULL), 0, NULL);
    sfgp_mesh *mesh = cli_read(out);
    assert_true(mesh->count == 6 && mesh->face_count == 5);
    sfgp_mesh_free(mesh);
}

static void dimensions_have_to_agree(void **state)
{
    (void)state;
    expect_fit(reference_path, test_text("flat.csv", "1,2\n3,4\n5,7\n8,9\n"), SFGP_ERROR_DATA,
               "target: 2D, the reference is 3D; both need as many coordinates");
}

/* ---- parameters, 62 to 68 ---------------------------------------------------------------------------- */

static void bad_values_are_code_2_and_named(void **state) /* 62, 63, 64, 66, 67 */
{
    static const char *const BAD[][2] = {
        {"--kernel=se:length=0", "length"},
        {"--kernel=se:length=-1", "length"},
        {"--kernel=se:length=nan", "length"},
        {"--kernel=se:length=inf", "length"},
        {"--kernel=se:length=1e300", "length"},
        {"--kernel=se:length=1e-310", "length"},
        {"--kernel=se:variance=0", "variance"},
        {"--kernel=se:variance=-1", "variance"},
        {"--kernel=se:variance=1e300", "variance"},
        {"--kernel=se:width=1", "width"},
        {"--kernel=matern7", "matern7"},
        {"--kernel=se:length=1,5", "5"},
        {"--kernel=se:", "'' is neither length"},
        {"--kernel=se:length=2,length=3", "'length' is given twice"},
        {"--variance0=0", "variance0"},
        {"--variance0=-1", "variance0"},
        {"--variance0=nan", "variance0"},
        {"--variance0=1e300", "variance0"},
        {"--omega=-0.1", "omega"},
        {"--omega=0", "omega"},
        {"--omega=1", "omega"},
        {"--omega=1.5", "omega"},
        {"--omega=nan", "omega"},
        {"--omega=abc", "omega"},
        {"--omega=0,1", "omega"},
        {"--tolerance=auto", "tolerance"},
        {"--pmin=2", "pmin"},
        {"--rank=0", "rank"},
        {"--rank=-3", "rank"},
        {"--rank=2.5", "rank"},
        {"--max-iterations=-1", "max_iterations"},
        {"--max-iterations=2147483648", "max_iterations"},
        {"--tolerance=0", "tolerance"},
        {"--tolerance=-1e-4", "tolerance"},
        {"--threads=1e9", "threads"},
        {"--threads=1.5", "threads"},
        {"--kernel=se:length=1e-6,variance=1e-12", "below the accuracy"},
        {"--accuracy=0", "accuracy"},
        {"--method=icp", "icp"},
        {"--lowrank=svd", "svd"},
        {"--outlier-density=none", "none"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
        sfgp_run run =
            sfgp_run_program("register", reference_path, target_path, BAD[k][0], "-o", fitted_path, NULL);
        if (run.exit_code != SFGP_ERROR_PARAMETER)
            print_message("%s: %s", BAD[k][0], run.err);
        sfgp_assert_has(run.err, "; see: sfgp help register\n");
        cli_expect(run, SFGP_ERROR_PARAMETER, BAD[k][1]);
        assert_false(cli_exists(fitted_path));
    }
}

static void extreme_values_stay_finite(void **state) /* 62, 63, 66 */
{
    static const char *const ODD[] = {
        "--omega=1e-6",        "--omega=0.999999",
        "--pmin=0.9",          "--pmin=1e-300",
        "--prune=0.01",        "--variance0=1e6",
        "--variance0=1e-10",   "--tolerance=1",
        "--accuracy=1",        "--accuracy=1e-16",
        "--max-iterations=1",  "--kernel=se:length=1e6,variance=1e6",
        "--max-distance=1e-6", "--kernel=se:length=0.001,variance=1e6",
    };
    (void)state;
    for (size_t k = 0; k < sizeof ODD / sizeof *ODD; k++) {
        sfgp_run run =
            sfgp_run_program("register", reference_path, target_path, ODD[k], "-o", fitted_path, NULL);
        if (run.exit_code > 1)
            print_message("%s: %s", ODD[k], run.err);
        cli_expect(run, run.exit_code == 1 ? 1 : 0, NULL);
        assert_finite(fitted_path);
    }
}

static void ranks_are_clamped_or_warned_of(void **state) /* 64, 65 */
{
    char words[128];
    (void)state;
    snprintf(words, sizeof words, "warning: rank: 901 is more than the %d points; %d used", N, N);
    cli_expect(
        sfgp_run_program("register", reference_path, target_path, "-o", fitted_path, "--rank=901", NULL), 0,
        words);
    cli_expect(sfgp_run_program("register", reference_path, target_path, "-o", fitted_path, "--rank=2", NULL),
               0, "warning: rank: 2 columns leave a kernel residual of");
}

static void no_iterations_return_the_reference(void **state) /* 66 */
{
    (void)state;
    cli_expect(sfgp_run_program("register", reference_path, target_path, "-o", fitted_path,
                                "--max-iterations=0", NULL),
               1, "warning: max_iterations");
    sfgp_mesh *mesh = cli_read(fitted_path);
    for (int64_t k = 0; k < N * D; k++)
        assert_true(fabs(mesh->points[k] - sheet->reference[k]) < 1e-12 * SIZE);
    sfgp_mesh_free(mesh);
}

static void too_many_threads_are_clamped(void **state) /* 67 */
{
    (void)state;
    cli_expect(
        sfgp_run_program("register", reference_path, target_path, "-o", fitted_path, "--threads=10000", NULL),
        0, "warning: threads: 10000 asked");
    cli_expect(
        sfgp_run_program("register", reference_path, target_path, "-o", fitted_path, "--threads=-1", NULL), 0,
        "warning: threads: -1 asked, 1 used");
    cli_expect(
        sfgp_run_program("register", reference_path, target_path, "-o", fitted_path, "--threads=0", NULL), 0,
        NULL);
}

static void strange_paths_are_paths(void **state) /* 68 */
{
    static const char *const NAMES[] = {"with space.npy",
                                        "gr\xc3\xb6\xc3\x9f"
                                        "e.npy",
                                        "two\nlines.npy",
                                        "not\xff"
                                        "utf8.npy",
                                        "'quoted\".npy",
                                        "%s%n.npy"};
    const char *report = test_path("strange.json");
    (void)state;
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        const char *path = cli_points(NAMES[k], sheet->n, D, sheet->reference);
        char other[64];
        snprintf(other, sizeof other, "a%s", NAMES[k]);
        sfgp_run run =
            sfgp_run_program("register", path, target_path, "-o", test_path(other), "--report", report, NULL);
        assert_ptr_equal(strchr(run.err, '\n'), run.err + strlen(run.err) - 1); /* still one line */
        cli_expect(run, 0, NULL);
        char *text = sfgp_test_read(report, NULL);
        for (const char *c = text; *c; c++)
            assert_true((unsigned char)*c != 0xff && (unsigned char)*c != '\t');
        sfgp_assert_has(text, "\"reference\": \"");
        free(text);
    }
}

static void paths_of_5000_characters_are_errors(void **state) /* 68 */
{
    char *path = malloc(5001);
    (void)state;
    memset(path, 'a', 5000);
    path[5000] = '\0';
    cli_expect(sfgp_run_program("register", path, target_path, "-o", fitted_path, NULL), SFGP_ERROR_READ,
               "aaa");
    memcpy(path + 4996, ".ply", 4);
    cli_expect(sfgp_run_program("register", reference_path, target_path, "-o", path, NULL), SFGP_ERROR_WRITE,
               "aaa");
    cli_expect(
        sfgp_run_program("register", reference_path, target_path, "-o", fitted_path, "--train", path, NULL),
        SFGP_ERROR_READ, "aaa");
    for (int k = 0; k < 5000; k += 100)
        path[k] = '/';
    cli_expect(sfgp_run_program("info", path, NULL), SFGP_ERROR_READ, "aaa");
    free(path);
}

/* ---- system, 73 to 76 -------------------------------------------------------------------------------- */

static void a_full_device_is_code_7(void **state) /* 73 */
{
    (void)state;
    cli_expect(sfgp_run_program("register", reference_path, target_path, "-o", "/dev/full", NULL), 7,
               "/dev/full: cannot write: No space left");
    cli_expect(sfgp_run_program("register", reference_path, target_path, "-o", fitted_path, "--table",
                                "/dev/full", NULL),
               7, "/dev/full");
    cli_expect(sfgp_run_program("register", reference_path, target_path, "-o", fitted_path, "--report",
                                "/dev/full", NULL),
               7, "/dev/full");
    cli_expect(sfgp_run_program("register", reference_path, target_path, "-o", "/dev/null", "--table",
                                "/dev/null", "--report=/dev/null", NULL),
               0, NULL);
}

static void read_only_places_are_known_before_the_fit(void **state) /* 74 */
{
    const char *folder = test_path("read_only"), *old = test_text("old.npy", "old");
    (void)state;
    assert_int_equal(mkdir(folder, 0555), 0);
    assert_int_equal(chmod(old, 0444), 0);
    sfgp_run run = sfgp_run_unprivileged("register", test_path("none"), test_path("none"), "-o",
                                         test_path("read_only/fitted.npy"), NULL);
    cli_expect(run, 7, "read_only/fitted.npy: cannot write: Permission denied");
    run = sfgp_run_unprivileged("register", test_path("none"), test_path("none"), "-o", old, NULL);
    cli_expect(run, 7, "old.npy: cannot write: Permission denied");
    cli_expect(sfgp_run_program("register", test_path("none"), test_path("none"), "-o", old, NULL), 7,
               "old.npy: cannot write: Permission denied"); /* also as root */
    char *text = sfgp_test_read(old, NULL);
    assert_string_equal(text, "old");
    free(text);
}

/* Only root may give files away: for others the new file is their own. */
static void a_file_of_another_user_is_replaced(void **state)
{
    const char *theirs = test_text("theirs.ply", "old");
    struct stat written;
    (void)state;
    assert_int_equal(chmod(theirs, 0666), 0);
    if (chown(theirs, 65534, 65534) != 0) {
        print_message("skipped: only root can give a file away\n");
        skip();
    }
    cli_expect(
        sfgp_run_unprivileged("evaluate", reference_path, reference_path, "--distance-map", theirs, NULL), 0,
        NULL);
    assert_int_equal(stat(theirs, &written), 0);
    assert_int_equal(written.st_uid, geteuid());
    assert_true(written.st_size > 3);
}

static void missing_folders_are_known_before_the_fit(void **state) /* 75 */
{
    const char *none = test_path("none"), *place = test_path("no/where.txt");
    const char *under_a_file = test_path("reference.npy/x");
    (void)state;
    cli_expect(sfgp_run_program("register", none, none, "-o", place, NULL), 7, "No such file");
    cli_expect(sfgp_run_program("register", none, none, "-o", fitted_path, "--table", place, NULL), 7, place);
    cli_expect(sfgp_run_program("register", none, none, "-o", fitted_path, "--report", place, NULL), 7,
               place);
    cli_expect(sfgp_run_program("register", none, none, "-o", under_a_file, NULL), 7, "Not a directory");
    cli_expect(sfgp_run_program("register", none, none, "-o", sfgp_test_folder(), NULL), 7, "is a folder");
    assert_false(cli_exists(fitted_path));
}

static void a_failed_fit_keeps_the_old_file(void **state)
{
    (void)state;
    sfgp_test_write(fitted_path, "old", 3);
    cli_expect(sfgp_run_program("register", reference_path, cli_points("one.npy", 1, D, sheet->target), "-o",
                                fitted_path, NULL),
               SFGP_ERROR_DATA, NULL);
    char *text = sfgp_test_read(fitted_path, NULL);
    assert_string_equal(text, "old");
    free(text);
}

/* It would replace what the next run needs. test_cli_verbs has all verbs. */
static void an_output_that_is_an_input_is_refused(void **state) /* 76 */
{
    const char *inputs[] = {reference_path, target_path};
    (void)state;
    for (int k = 0; k < 2; k++) {
        size_t sizes[2];
        char *before = sfgp_test_read(inputs[k], &sizes[0]);
        cli_expect(sfgp_run_program("register", reference_path, target_path, "-o", inputs[k], NULL), 2,
                   k ? "--output would write over an input, TARGET "
                     : "--output would write over an input, REFERENCE ");
        char *after = sfgp_test_read(inputs[k], &sizes[1]);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(before, after, sizes[0]);
        free(before);
        free(after);
    }
}

/* The later one would replace the earlier one, and nobody would say so. */
static void two_spellings_of_one_output_are_refused(void **state) /* 76 */
{
    char deep[512], other[512], absolute[512];
    (void)state;
    snprintf(deep, sizeof deep, "%s/./one.npy", sfgp_test_folder());
    snprintf(other, sizeof other, "%s//one.npy", sfgp_test_folder());
    snprintf(absolute, sizeof absolute, "%s/link.npy", sfgp_test_folder());
    const char *one = test_path("one.npy"), *same[] = {deep, other, absolute};
    for (int k = 0; k < 3; k++) {
        if (k == 2) { /* now the file is there, and a link leads to it */
            sfgp_test_write(one, "old", 3);
            assert_int_equal(symlink("one.npy", absolute), 0);
        }
        cli_expect(
            sfgp_run_program("register", reference_path, target_path, "-o", one, "--table", same[k], NULL),
            SFGP_ERROR_PARAMETER, "two outputs are the same file");
        cli_expect(sfgp_run_program("register", reference_path, target_path, "-o", fitted_path, "--report",
                                    one, "--save", same[k], NULL),
                   SFGP_ERROR_PARAMETER, "two outputs are the same file");
    }
    assert_false(cli_exists(fitted_path));
    cli_expect(sfgp_run_program("register", reference_path, target_path, "-o", fitted_path, "--table",
                                test_path("two.npy"), "--report", "/dev/null", "--save", "/dev/../dev/null",
                                NULL),
               0, NULL);
}

/* A name may hold anything; a terminal shall not obey it. */
static void control_characters_of_names_are_not_printed(void **state) /* 68 */
{
    const char *path = cli_points("a\x1b[31m\nb\xc2\x9b\xc3\xa9.npy", sheet->n, D, sheet->reference);
    (void)state;
    sfgp_run run = sfgp_run_program("info", path, NULL);
    assert_int_equal(run.exit_code, 0);
    assert_null(strchr(run.out, '\x1b'));
    assert_null(strstr(run.out, "\xc2\x9b"));
    sfgp_assert_has(run.out, "/a\\x1b[31m\\nb\\xc2\\x9b\xc3\xa9.npy\n  format");
    sfgp_run_free(&run);
}

#define fault_test(function) cmocka_unit_test_setup(function, set_up_files)
/* Of numbers that other tests have under sanitizers, too. */
#define long_fault_test(function)                                                                            \
    cmocka_unit_test_setup(SFGP_TEST_SLOW ? sfgp_test_skip : function, set_up_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        fault_test(unreadable_inputs_leave_no_output),
        fault_test(too_few_points_are_refused),
        fault_test(zero_extent_is_refused),
        fault_test(duplicates_are_no_trouble),
        fault_test(many_coincident_points_stay_finite),
        fault_test(flat_shapes_are_warned_of),
        fault_test(two_clusters_are_one_shape),
        fault_test(one_outlier_is_warned_of),
        fault_test(a_point_that_cannot_be_squared_is_refused),
        fault_test(not_a_number_is_refused),
        long_fault_test(offsets_cost_no_more_than_their_digits),
        long_fault_test(units_from_1e_minus_12_to_1e150_are_the_same),
        fault_test(text_keeps_the_digits_of_small_numbers),
        fault_test(mixed_units_are_warned_of),
        fault_test(no_overlap_returns_the_reference),
        fault_test(little_overlap_stays_finite),
        fault_test(hidden_points_carry_more_uncertainty),
        fault_test(mirrored_and_turned_targets_stay_finite),
        fault_test(uneven_sizes_are_no_trouble),
        fault_test(odd_faces_come_through),
        fault_test(dimensions_have_to_agree),
        fault_test(bad_values_are_code_2_and_named),
        fault_test(extreme_values_stay_finite),
        fault_test(ranks_are_clamped_or_warned_of),
        fault_test(no_iterations_return_the_reference),
        fault_test(too_many_threads_are_clamped),
        fault_test(strange_paths_are_paths),
        fault_test(paths_of_5000_characters_are_errors),
        fault_test(a_full_device_is_code_7),
        fault_test(read_only_places_are_known_before_the_fit),
        fault_test(a_file_of_another_user_is_replaced),
        fault_test(missing_folders_are_known_before_the_fit),
        fault_test(a_failed_fit_keeps_the_old_file),
        fault_test(an_output_that_is_an_input_is_refused),
        fault_test(two_spellings_of_one_output_are_refused),
        fault_test(control_characters_of_names_are_not_printed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
