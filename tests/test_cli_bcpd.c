/* sfgp bcpd: command lines of BCPD as its users have them, the files that they ask for, and what is refused. */
#include "test_cli.h"

#include <math.h>
#include <unistd.h>

enum { POINTS = 300, CURVE = 100, MOST_COLUMNS = 4 };

static test_shapes *sheet, *curve;
static char before[4096];

/* BCPD reads and writes in the current folder. */
static int set_up(void **state)
{
    (void)state;
    sheet = test_shapes_new(POINTS, 3, 0, 1);
    curve = test_shapes_new(CURVE, 2, 0, 2);
    if (!sheet || !curve || !getcwd(before, sizeof before) || chdir(sfgp_test_folder()) != 0)
        return -1;
    cli_points("target.txt", sheet->m, 3, sheet->target);
    cli_points("source.txt", sheet->n, 3, sheet->reference);
    cli_points("X.txt", curve->m, 2, curve->target);
    cli_points("Y.txt", curve->n, 2, curve->reference);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_shapes_free(sheet);
    test_shapes_free(curve);
    return chdir(before);
}

/* A text file of numbers, below a header line if it has one. */
typedef struct table {
    char *text;
    bool header;
    int columns;
    int64_t rows;
    double *values; /* rows x columns */
} table;

static table read_table(const char *name)
{
    table read = {.text = sfgp_test_read(test_path(name), NULL)};
    if (!read.text)
        fail_msg("%s is not there", name);
    char *at = read.text;
    read.header = *at == '[';
    at += read.header ? strcspn(at, "\n") + 1 : 0;
    read.columns = 1;
    for (const char *c = at; *c && *c != '\n'; c++)
        read.columns += *c == '\t';
    read.values = malloc((strlen(at) + 1) * sizeof(double));
    for (int64_t k = 0; *at; k++) {
        char *end;
        read.values[k] = strtod(at, &end);
        assert_true(end > at && *end == ((k + 1) % read.columns ? '\t' : '\n'));
        read.rows = (k + 1) / read.columns;
        at = end + 1;
    }
    return read;
}

static void free_table(table *read)
{
    free(read->text);
    free(read->values);
}

static void assert_table(const char *name, int64_t rows, int columns)
{
    table read = read_table(name);
    if (read.rows != rows || read.columns != columns)
        fail_msg("%s has %lld x %d numbers", name, (long long)read.rows, read.columns);
    free_table(&read);
}

static double mean_error(const test_shapes *shapes, const char *name)
{
    table read = read_table(name);
    double sum = 0;
    assert_int_equal(read.rows, shapes->n);
    assert_int_equal(read.columns, shapes->d);
    for (int64_t i = 0; i < shapes->n; i++) {
        double square = 0;
        for (int a = 0; a < shapes->d; a++)
            square += pow(read.values[i * shapes->d + a] - shapes->truth[i * shapes->d + a], 2);
        sum += sqrt(square) / shapes->n;
    }
    free_table(&read);
    return sum;
}

static double start_error(const test_shapes *shapes)
{
    double sum = 0;
    for (int64_t i = 0; i < shapes->n; i++) {
        double square = 0;
        for (int a = 0; a < shapes->d; a++)
            square += pow(shapes->reference[i * shapes->d + a] - shapes->truth[i * shapes->d + a], 2);
        sum += sqrt(square) / shapes->n;
    }
    return sum;
}

/* ---- command lines of others ------------------------------------------------------------------------- */

/* SlicerMorph's ALPACA: its files are separated by commas. It needs exit code 0 and output_y.txt. */
static void the_call_of_alpaca(void **state)
{
    (void)state;
    cli_points("t.csv", sheet->m, 3, sheet->target);
    cli_points("s.csv", sheet->n, 3, sheet->reference);
    cli_expect(sfgp_run_program("bcpd", "-x", "t.csv", "-y", "s.csv", "-l2.0", "-b2.0", "-g0.1", "-K140",
                                "-J500", "-c1e-6", "-p", "-d7", "-e0.3", "-f0.3", "-ux", "-N1", NULL),
               0, "warning: -J -p -d -e -f: not used");
    assert_true(mean_error(sheet, "output_y.txt") < 0.5 * start_error(sheet));
    assert_true(cli_exists(test_path("output_info.txt")) && cli_exists(test_path("output_comptime.txt")));
    assert_false(cli_exists(test_path("output_x.txt")));
}

/* The demo of the fish: X.txt and Y.txt are the default names, -sA saves everything. */
static void the_demo_of_the_fish_saves_all(void **state)
{
    (void)state;
    cli_expect(sfgp_run_program("bcpd", "-w0.0", "-b2.0", "-l2.0", "-g3.0", "-c1e-6", "-n500", "-h", "-sA",
                                "-o", "fish_", NULL),
               0, "warning: -s: the trajectory");
    assert_table("fish_y.txt", curve->n, 2);
    assert_table("fish_x.txt", curve->n, 2);
    assert_table("fish_v.txt", curve->n, 2);
    assert_table("fish_a.txt", curve->n, 1);
    assert_table("fish_c.txt", curve->m, 2);
    assert_table("fish_e.txt", curve->m, 3);
    assert_table("fish_R.txt", 2, 2);
    assert_table("fish_t.txt", 2, 1);
    assert_table("fish_s.txt", 1, 1);
    table labels = read_table("fish_c.txt");
    assert_true(labels.header);
    for (int64_t n = 0; n < labels.rows; n++) /* without outliers every point has a label */
        assert_true(labels.values[2 * n] == (double)(n + 1) && labels.values[2 * n + 1] == 1);
    free_table(&labels);
    char *info = sfgp_test_read(test_path("fish_info.txt"), NULL);
    assert_true(strncmp(info, "loops\t", 6) == 0 && strstr(info, "\nsigma\t") && strstr(info, "\nN_hat\t"));
    free(info);
}

/* The demo of the bunny, accelerated. P has rows of probabilities that sum up to at most 1. */
static void the_demo_of_the_bunny(void **state)
{
    (void)state;
    cli_expect(sfgp_run_program("bcpd", "-xtarget.txt", "-ysource.txt", "-w0.1", "-b2.0", "-l200", "-g3",
                                "-J300", "-K70", "-p", "-c1e-6", "-n500", "-h", "-r1", "-sPec", "-obunny_",
                                NULL),
               0, NULL);
    assert_true(mean_error(sheet, "bunny_y.txt") < start_error(sheet));
    table all = read_table("bunny_P.txt"), best = read_table("bunny_e.txt"),
          labels = read_table("bunny_c.txt");
    double *sums = calloc((size_t)sheet->m + 1, sizeof *sums),
           *most = calloc((size_t)sheet->m + 1, sizeof *most);
    for (int64_t k = 0; k < all.rows; k++) {
        const double *row = all.values + 3 * k;
        assert_true(row[0] >= 1 && row[0] <= sheet->m && row[1] >= 1 && row[1] <= sheet->n);
        sums[(int)row[0]] += row[2];
        most[(int)row[0]] = fmax(most[(int)row[0]], row[2]);
    }
    assert_int_equal(best.rows, sheet->m);
    for (int64_t n = 0; n < sheet->m; n++) {
        const double *row = best.values + 3 * n;
        assert_true(sums[n + 1] <= 1 + 1e-9); /* rounding of 300 terms */
        assert_true(most[n + 1] == row[2] || row[2] <= 1.0 / sheet->n);
        assert_true(labels.values[2 * n + 1] == 1 || row[2] <= 0.5);
    }
    free(sums);
    free(most);
    free_table(&all);
    free_table(&best);
    free_table(&labels);
}

/* The demo of BCPD++, and the second step of the shape transfer, which fits again from where the first one ended. */
static void the_demos_with_downsampling(void **state)
{
    (void)state;
    cli_expect(sfgp_run_program("bcpd", "-xtarget.txt", "-ysource.txt", "-w0.0", "-b2.0", "-l50", "-g10",
                                "-J300", "-K70", "-p", "-f0.3", "-ue", "-DB,200,0.02", "-c1e-6", "-n500",
                                "-h", "-r1", "-otransferV1_", NULL),
               0, "-D: both shapes are thinned");
    cli_expect(sfgp_run_program("bcpd", "-x", "target.txt", "-y", "transferV1_y.txt", "-J300", "-K70", "-p",
                                "-r1", "-c1e-6", "-g.10", "-n1000", "-b1.2", "-l50", "-otransferV2_",
                                "-DB,200,0.08", "-ux", NULL),
               0, NULL);
    assert_true(mean_error(sheet, "transferV2_y.txt") < start_error(sheet));
}

/* ---- meaning ----------------------------------------------------------------------------------------- */

/* y = s R (source + v) + t, and the defaults of BCPD are those of the method bcpd. */
static void the_map_and_the_motion_are_the_fit(void **state)
{
    (void)state;
    cli_expect(
        sfgp_run_program("bcpd", "-xtarget.txt", "-ysource.txt", "-w0.1", "-sTv", "-omap_", "-q", NULL), 0,
        NULL);
    table y = read_table("map_y.txt"), v = read_table("map_v.txt"), r = read_table("map_R.txt"),
          t = read_table("map_t.txt"), s = read_table("map_s.txt");
    for (int64_t i = 0; i < sheet->n; i++)
        for (int a = 0; a < 3; a++) {
            double sum = t.values[a];
            for (int b = 0; b < 3; b++)
                sum +=
                    s.values[0] * r.values[3 * a + b] * (sheet->reference[3 * i + b] + v.values[3 * i + b]);
            assert_true(fabs(sum - y.values[3 * i + a]) < 1e-10); /* rounding at coordinates below 100 */
        }
    free_table(&v), free_table(&r), free_table(&t), free_table(&s);
    cli_expect(sfgp_run_program("register", "source.txt", "target.txt", "--method", "bcpd", "--omega", "0.1",
                                "--max-iterations", "500", "-o", "same.txt", NULL),
               0, NULL);
    sfgp_mesh *same = cli_read("same.txt");
    assert_memory_equal(same->points, y.values, (size_t)(3 * sheet->n) * sizeof(double));
    sfgp_mesh_free(same);
    free_table(&y);
}

/* -Tsr: without smooth motion the triangles keep their angles. */
static void a_similarity_is_one(void **state)
{
    (void)state;
    cli_expect(
        sfgp_run_program("bcpd", "-xtarget.txt", "-ysource.txt", "-w0.1", "-Tsr", "-svT", "-osr_", NULL), 0,
        NULL);
    table v = read_table("sr_v.txt");
    for (int64_t k = 0; k < 3 * sheet->n; k++)
        assert_true(fabs(v.values[k]) < 1e-6); /* a prior of variance 1e-12 moves 100 mm by less */
    free_table(&v);
}

static void auto_is_the_default_method(void **state)
{
    (void)state;
    cli_expect(sfgp_run_program("bcpd", "-xtarget.txt", "-ysource.txt", "-l50", "-b2", "--auto", "-oauto_",
                                "-sTP", NULL),
               0, "warning: -l -b: not used: --auto");
    cli_expect(sfgp_run_program("register", "source.txt", "target.txt", "-o", "default.txt", NULL), 0, NULL);
    sfgp_mesh *fit = cli_read("auto_y.txt"), *same = cli_read("default.txt");
    assert_memory_equal(fit->points, same->points, (size_t)(3 * sheet->n) * sizeof(double));
    sfgp_mesh_free(fit);
    sfgp_mesh_free(same);
    table s = read_table("auto_s.txt");
    assert_true(fabs(s.values[0] - 1) < 1e-12); /* the pose is rigid */
    free_table(&s);
}

/* Equal mixing weights without -k; with it they are a distribution that is not equal. */
static void mixing_weights_sum_to_one(void **state)
{
    (void)state;
    cli_expect(sfgp_run_program("bcpd", "-w0.1", "-k", "1", "-sa", "-okappa_", NULL), 0, NULL);
    table a = read_table("kappa_a.txt");
    double sum = 0, least = 1, most = 0;
    for (int64_t k = 0; k < a.rows; k++) {
        sum += a.values[k];
        least = fmin(least, a.values[k]);
        most = fmax(most, a.values[k]);
    }
    assert_true(fabs(sum - 1) < 1e-6); /* the passes end at changes of 1e-9 a point */
    assert_true(most > 1.1 * least);
    free_table(&a);
}

/* ---- refused ----------------------------------------------------------------------------------------- */

static void what_would_change_the_answer_is_refused(void **state)
{
    static const struct {
        const char *arguments[2], *words;
    } CASES[] = {
        {{"-Tr", NULL}, "-T: 'r' is not srn or sr"},
        {{"-Gw", NULL}, "-G: 'w' is not 1 or 2"},
        {{"-G3", NULL}, "adds the distances along the axes"},
        {{"-Ggeodesic,0.2,8,0.15", NULL}, "a geodesic kernel is not offered; --auto"},
        {{"-C", "x.txt"}, "-C: is not read; put training shapes or a shape model"},
        {{"-X", "x.txt"}, "-X: functions on points (DET) are not offered"},
        {{"-uq", NULL}, "-u: 'q' is not e, x, y or n"},
        {{"-DB,0,0.1", NULL}, "-D: 'B,0,0.1' is not X, Y or B, a number"},
        {{"-D", ""}, "-D: '' is not X, Y or B"},
        {{"-l0", NULL}, "-l: lambda: "},
        {{"-lx", NULL}, "-l: lambda: 'x'"},
        {{"-J-3", NULL}, "-J: '-3' is not a number of 0 or more"},
        {{"-sQ", NULL}, "-s: 'Q' is not made of the letters"},
        {{"-F", NULL}, "-F: BCPD has no such option"},
        {{"-l", NULL}, "-l: the value is missing"},
        {{"--lambda", NULL}, "there are the options of BCPD, one letter each, and --auto and --quiet"},
        {{"file.txt", NULL}, "'file.txt': BCPD takes options only"}};
    (void)state;
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++)
        cli_expect(sfgp_run_program("bcpd", CASES[k].arguments[0], CASES[k].arguments[1], NULL), 2,
                   CASES[k].words);
    static char prefix[4200];
    memset(prefix, 'x', sizeof prefix - 1);
    cli_expect(
        sfgp_run_program("bcpd", "-x", "target.txt", "-y", "source.txt", "-n", "2", "-o", prefix, NULL), 2,
        "-o: longer than 4000 characters");
}

static void help_and_quiet(void **state)
{
    (void)state;
    sfgp_run run = sfgp_run_program("bcpd", "-v", NULL);
    sfgp_assert_has(run.out, "usage: sfgp bcpd -x TARGET -y SOURCE");
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("bcpd", "--quiet", "-p", "-r7", "-oquiet_", NULL);
    assert_string_equal(run.err, "");
    cli_expect(run, 0, NULL);
    cli_expect(sfgp_run_program("bcpd", "-x", "no-such.txt", NULL), 3, "no-such.txt");
}

/* A kernel with long tails moves what a Gaussian one does not: another answer, but a fit. */
static void other_kernels_fit(void **state)
{
    (void)state;
    cli_expect(sfgp_run_program("bcpd", "-w0.1", "-G1", "-oimq_", NULL), 0, NULL);
    cli_expect(sfgp_run_program("bcpd", "-w0.1", "-G2", "-orq_", NULL), 0, NULL);
    assert_true(mean_error(curve, "imq_y.txt") < start_error(curve));
    assert_true(mean_error(curve, "rq_y.txt") < start_error(curve));
}

/* Points above each other have the same first coordinate, by which they are sorted: each is told once. */
static void points_above_each_other_have_their_matches(void **state)
{
    double grid[2 * 49];
    (void)state;
    for (int k = 0; k < 49; k++)
        grid[2 * k] = k % 7, grid[2 * k + 1] = k / 7 + 0.1 * (k % 7);
    grid[96] = grid[0], grid[97] = grid[1]; /* one is there twice, and moves as its copy */
    cli_points("grid.txt", 49, 2, grid);
    cli_expect(sfgp_run_program("bcpd", "-xgrid.txt", "-ygrid.txt", "-w0.1", "-sP", "-ogrid_", "-q", NULL), 0,
               NULL);
    table p = read_table("grid_P.txt");
    bool seen[49] = {false};
    for (int64_t k = 0; k < p.rows; k++)
        if (p.values[3 * k] == p.values[3 * k + 1])
            seen[(int)p.values[3 * k] - 1] = true;
    for (int k = 0; k < 49; k++)
        assert_true(seen[k]);
    free_table(&p);
}

/* The source is on the other side of the world: BCPD's own answer is no shape at all. */
static void no_overlap_is_told(void **state)
{
    (void)state;
    double far[3 * POINTS];
    for (int k = 0; k < 3 * POINTS; k++)
        far[k] = sheet->reference[k] + 1e4;
    cli_points("far.txt", POINTS, 3, far);
    cli_expect(
        sfgp_run_program("bcpd", "-xfar.txt", "-ysource.txt", "-un", "-g1e-6", "-w0.1", "-ofar_", NULL), 1,
        "no_overlap: too little of the target matches; far_y.txt is the source, unchanged");
    table y = read_table("far_y.txt");
    for (int64_t k = 0; k < 3 * sheet->n; k++)
        assert_true(fabs(y.values[k] - sheet->reference[k]) < 1e-9);
    free_table(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_call_of_alpaca),
                                       cmocka_unit_test(the_demo_of_the_fish_saves_all),
                                       cmocka_unit_test(the_demo_of_the_bunny),
                                       cmocka_unit_test(the_demos_with_downsampling),
                                       cmocka_unit_test(the_map_and_the_motion_are_the_fit),
                                       cmocka_unit_test(a_similarity_is_one),
                                       cmocka_unit_test(auto_is_the_default_method),
                                       cmocka_unit_test(mixing_weights_sum_to_one),
                                       cmocka_unit_test(what_would_change_the_answer_is_refused),
                                       cmocka_unit_test(help_and_quiet),
                                       cmocka_unit_test(other_kernels_fit),
                                       cmocka_unit_test(points_above_each_other_have_their_matches),
                                       cmocka_unit_test(no_overlap_is_told)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
