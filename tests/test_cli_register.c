/* sfgp register where all is well: formats, options, report, table, training, the same bits, the same shape.
 */
#include "test_cli.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum { POINTS = SFGP_TEST_SLOW ? 180 : 300, CURVE = 100, TRAINING = 6 };

static test_shapes *sheet, *curve;

static int set_up(void **state)
{
    (void)state;
    sheet = test_shapes_new(POINTS, 3, TRAINING, 1);
    curve = test_shapes_new(CURVE, 2, TRAINING, 2);
    return sheet && curve ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    test_shapes_free(sheet);
    test_shapes_free(curve);
    return 0;
}

static const char *write_reference(const char *name, const test_shapes *shapes)
{
    return cli_mesh(name, shapes->n, shapes->d, shapes->reference, true);
}

static const char *write_target(const char *name, const test_shapes *shapes)
{
    return cli_points(name, shapes->m, shapes->d, shapes->target);
}

/* Mean distance of the points in path to the truth. */
static double mean_error(const test_shapes *shapes, const char *path)
{
    const char *truth = cli_points("truth.npy", shapes->n, shapes->d, shapes->truth);
    sfgp_run run = sfgp_run_program("evaluate", path, truth, NULL);
    double mean = cli_json_number(run.out, "mean");
    cli_expect(run, 0, NULL);
    return mean;
}

/* The fit has to be several times nearer to the truth than the reference was. */
static void assert_fits(const test_shapes *shapes, const char *fitted)
{
    double before = mean_error(shapes, cli_points("before.npy", shapes->n, shapes->d, shapes->reference));
    double after = mean_error(shapes, fitted);
    if (!(after < 0.5 * before))
        fail_msg("mean error %g before, %g after", before, after);
}

/* ---- formats and options ----------------------------------------------------------------------------- */

static void every_format_gives_the_same_fit(void **state)
{
    static const char *const FORMATS[] = {"ply", "obj", "txt", "csv", "npy"};
    const test_shapes *const both[] = {sheet, curve};
    char reference[64], target[64], fitted[64];
    (void)state;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 5; k++) {
            snprintf(reference, sizeof reference, "reference%d.%s", s, FORMATS[k]);
            snprintf(target, sizeof target, "target%d.%s", s, FORMATS[k]);
            snprintf(fitted, sizeof fitted, "fitted%d.%s", s, FORMATS[k]);
            cli_expect(sfgp_run_program("register", write_reference(reference, both[s]),
                                        write_target(target, both[s]), "-o", test_path(fitted), NULL),
                       0, "sfgp: converged after ");
            snprintf(reference, sizeof reference, "fitted%d.ply", s);
            sfgp_mesh *first = cli_read(test_path(reference)), *mesh = cli_read(test_path(fitted));
            assert_int_equal(mesh->count, both[s]->n);
            assert_int_equal(mesh->dimension, both[s]->d);
            assert_int_equal(mesh->face_count, k < 2 ? both[s]->n - 2 : 0);
            assert_memory_equal(mesh->points, first->points,
                                (size_t)(mesh->count * mesh->dimension) * sizeof(double));
            sfgp_mesh_free(first);
            sfgp_mesh_free(mesh);
        }
    assert_fits(sheet, test_path("fitted0.ply"));
    assert_fits(curve, test_path("fitted1.ply"));
}

static void stl_goes_in_and_out(void **state)
{
    (void)state;
    const char *reference = write_reference("reference.stl", sheet), *fitted = test_path("fitted.stl");
    cli_expect(sfgp_run_program("register", reference, write_target("target.csv", sheet), "-o", fitted, NULL),
               0, NULL);
    sfgp_mesh *mesh = cli_read(fitted);
    assert_int_equal(mesh->count, sheet->n);
    assert_int_equal(mesh->face_count, sheet->n - 2);
    sfgp_mesh_free(mesh);
}

/* The closest point is a bad label: under a prior that gives way the points follow it. */
#define STIFF "--kernel=se:length=4,variance=1+se:length=1.5,variance=0.03"

static void every_setting_can_be_given(void **state)
{
    static const char *const OPTIONS[] = {
        "--method=auto",
        "--method=sfgp-full",
        "--method=sfgp-scalar",
        "--method=sfgp-nothreshold",
        "--method=closest-point",
        "--lowrank=eigen",
        "--lowrank=nystrom",
        "--lowrank=cholesky",
        "--kernel=se:length=2",
        "--rank=25",
        "--rank=auto",
        "--accuracy=1e-4",
        "--omega=0.2",
        "--pmin=0.001",
        "--variance0=0.1",
        "--tolerance=1e-3",
        "--max-iterations=1000",
        "--prune=1e-7",
        "--outlier-density=volume",
        "--max-distance=0.5",
        "--max-memory=2G",
        "--threads=1",
        "--seed=7",
        "--max-it=1000", /* an abbreviation that is not ambiguous */
    };
    const test_shapes *const both[] = {sheet, curve};
    (void)state;
    for (int s = SFGP_TEST_SLOW; s < 2; s++) {
        const char *reference = write_reference("reference.npy", both[s]);
        const char *target = write_target("target.npy", both[s]), *fitted = test_path("option.npy");
        for (size_t k = 0; k < sizeof OPTIONS / sizeof *OPTIONS; k++) {
            const bool closest = strcmp(OPTIONS[k], "--method=closest-point") == 0;
            sfgp_run run = sfgp_run_program("register", OPTIONS[k], reference, target, "-o", fitted,
                                            closest ? STIFF : NULL, NULL);
            if (run.exit_code != 0)
                print_message("%dD %s: %s", both[s]->d, OPTIONS[k], run.err);
            cli_expect(run, 0, NULL);
            assert_fits(both[s], fitted);
        }
    }
}

static void kernels_add_up(void **state)
{
    const char *reference = write_reference("reference.npy", sheet), *target = write_target("t.npy", sheet);
    const char *two = test_path("two.npy"), *sum = test_path("sum.npy"), *report = test_path("kernels.json");
    (void)state;
    cli_expect(sfgp_run_program("register", reference, "--kernel", "se:length=4,variance=1", target,
                                "--kernel=se:length=1,variance=0.1", "-o", two, "--report", report, NULL),
               0, NULL);
    cli_expect(sfgp_run_program("register", reference, target, "-o", sum, "--kernel",
                                "se:length=4,variance=1+se:length=1,variance=0.1", NULL),
               0, NULL);
    cli_assert_same_files(two, sum);
    char *text = sfgp_test_read(report, NULL);
    sfgp_assert_has(text, "\"kernel\": \"se:length=4,variance=1+se:length=1,variance=0.1\"");
    free(text);
}

static void quiet_says_nothing_and_the_rest_one_line(void **state)
{
    const char *reference = write_reference("reference.npy", sheet), *target = write_target("t.npy", sheet);
    const char *fitted = test_path("quiet.npy");
    (void)state;
    sfgp_run run = sfgp_run_program("register", reference, target, "-o", fitted, "--quiet", NULL);
    assert_string_equal(run.err, "");
    assert_string_equal(run.out, "");
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("register", reference, target, "-o", fitted, NULL);
    assert_string_equal(run.out, "");
    assert_null(strchr(run.err, '\r')); /* no bar where there is no terminal */
    assert_ptr_equal(strchr(run.err, '\n'), run.err + strlen(run.err) - 1);
    cli_expect(run, 0, fitted);
}

static void two_dashes_end_the_options(void **state)
{
    char before[4096];
    (void)state;
    write_reference("-reference.txt", sheet);
    write_target("--target.txt", sheet);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(sfgp_test_folder()), 0);
    sfgp_run run =
        sfgp_run_program("register", "-o", "dashes.txt", "--", "-reference.txt", "--target.txt", NULL);
    assert_int_equal(chdir(before), 0);
    cli_expect(run, 0, NULL);
    assert_fits(sheet, test_path("dashes.txt"));
}

/* ---- report and table -------------------------------------------------------------------------------- */

static void assert_keys_in_order(const char *text, const char *const *keys)
{
    char line[64];
    for (; *keys; keys++) {
        snprintf(line, sizeof line, "\n  \"%s\": ", *keys);
        const char *found = strstr(text, line);
        if (!found)
            fail_msg("%s is not, or not in its place, in the report", *keys);
        text = found + 1;
    }
}

static void the_report_has_every_key(void **state)
{
    static const char *const KEYS[] = {
        "status",        "outcome",  "method",          "iterations", "change",      "points_reference",
        "points_target", "missing",  "explained",       "sigma",      "kernel",      "rank",
        "rank_scalar",   "rank_pca", "kernel_residual", "scale",      "parameters",  "reference",
        "target",        "training", "training_files",  "landmarks",  "landmark_sd", "warnings",
        "seconds",       "peak_mib", "predicted_mib",   "version",    NULL};
    const char *report = test_path("keys.json"), *reference = write_reference("reference.npy", curve);
    const sfgp_setting *row;
    char line[256];
    (void)state;
    cli_expect(sfgp_run_program("register", reference, write_target("t.npy", curve), "-o",
                                test_path("keys.txt"), "--report", report, "--omega", "0.15", NULL),
               0, NULL);
    char *text = sfgp_test_read(report, NULL);
    assert_keys_in_order(text, KEYS);
    for (int k = 0; (row = sfgp_settings_row(k)); k++) {
        snprintf(line, sizeof line, "\n    \"%s\": {\n      \"value\": ", row->name);
        sfgp_assert_has(text, line);
    }
    sfgp_assert_has(text, "\"status\": \"converged\"");
    sfgp_assert_has(text, "\"outcome\": \"converged\"");
    sfgp_assert_has(text, "\"omega\": {\n      \"value\": 0.15,\n      \"unit\": \"probability\"\n");
    sfgp_assert_has(text, "\"version\": \"" SFGP_VERSION "\"\n}\n");
    sfgp_assert_has(text, "\"warnings\": []");
    assert_null(strstr(text, "\"profile\""));
    free(text);
}

static void the_numbers_of_the_report_agree(void **state)
{
    const char *report = test_path("numbers.json");
    (void)state;
    cli_expect(sfgp_run_program("register", write_reference("reference.npy", sheet),
                                write_target("t.npy", sheet), "-o", test_path("numbers.txt"), "--report",
                                report, NULL),
               0, NULL);
    char *text = sfgp_test_read(report, NULL);
    const char *seconds = strstr(text, "\"seconds\"");
    double parts = cli_json_number(seconds, "read") + cli_json_number(seconds, "model") +
                   cli_json_number(seconds, "fit") + cli_json_number(seconds, "write");
    assert_true(cli_json_number(text, "points_reference") == sheet->n);
    assert_true(cli_json_number(text, "points_target") == sheet->m);
    assert_true(cli_json_number(text, "change") < 1e-4 && cli_json_number(text, "iterations") > 1);
    assert_true(cli_json_number(text, "rank") ==
                cli_json_number(text, "rank_scalar") + cli_json_number(text, "rank_pca"));
    assert_true(cli_json_number(text, "scale") > 10 && cli_json_number(text, "scale") < 60);
    assert_true(parts > 0 && parts <= cli_json_number(seconds, "total"));
    assert_true(cli_json_number(text, "peak_mib") > 1);
    assert_true(cli_json_number(strstr(text, "\"pmin\""), "value") > 0); /* auto is resolved */
    assert_true(cli_json_number(strstr(text, "\"threads\""), "value") >= 1);
    free(text);
}

/* Where the time went is a table of words and a member of the report, and changes no bit of the fit. */
static void a_profile_adds_up(void **state)
{
    const char *report = test_path("profile.json"), *fitted = test_path("profiled.npy"),
               *plain = test_path("unprofiled.npy"), *reference = write_reference("reference.npy", sheet),
               *target = write_target("t.npy", sheet);
    double wall = 0;
    (void)state;
    cli_expect(sfgp_run_program("register", reference, target, "-o", plain, NULL), 0, NULL);
    sfgp_run run = sfgp_run_program("register", reference, target, "-o", fitted, "--report", report,
                                    "--profile", "--quiet", NULL);
    sfgp_assert_has(run.err, "sfgp: stage ");
    sfgp_assert_has(run.err, "\nsfgp: estep ");
    sfgp_assert_has(run.err, "\nsfgp: whole run ");
    sfgp_assert_has(run.err, "MiB predicted, the process had ");
    cli_expect(run, 0, NULL);
    cli_assert_same_files(fitted, plain);
    char *text = sfgp_test_read(report, NULL), *profile = strstr(text, "\"profile\"");
    assert_non_null(profile);
    for (int k = 0; k < SFGP_STAGES; k++) {
        char key[64];
        snprintf(key, sizeof key, "\"%s\": {", sfgp_stage_name(k));
        const char *stage = strstr(profile, key);
        assert_non_null(stage);
        wall += cli_json_number(stage, "wall");
        assert_true(cli_json_number(stage, "total") >= cli_json_number(stage, "wall") - 1e-9);
    }
    const double total = cli_json_number(strstr(text, "\"seconds\""), "total");
    assert_true(fabs(wall - total) < 1e-9);
    assert_true(cli_json_number(strstr(profile, "\"estep\""), "calls") >=
                cli_json_number(text, "iterations"));
    assert_true(cli_json_number(strstr(text, "\"seconds\""), "fit") ==
                cli_json_number(strstr(profile, "\"fit\""), "total"));
    free(text);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static void what_does_not_fit_is_refused_before_it_is_tried(void **state)
{
    const char *reference = write_reference("reference.npy", sheet), *target = write_target("t.npy", sheet),
               *fitted = test_path("too-large.npy"), *model = test_path("limited.h5");
    (void)state;
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--max-memory", "100K", NULL), 6,
               "sfgp: error: max_memory: ");
    assert_false(cli_exists(fitted));
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--max-memory", "4M", "--method",
                                "sfgp-scalar", "--kernel", "se:length=0.1", NULL),
               6, "would fit");
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--max-memory", "1G", "--method",
                                "cpd", NULL),
               2, "what method cpd takes is not predicted");
    sfgp_run run = sfgp_run_program("register", reference, target, "-o", fitted, "--method", "cpd-rigid",
                                    "--profile", NULL);
    assert_null(strstr(run.err, "MiB predicted"));
    cli_expect(run, 0, "MiB at the peak of the process");
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--max-memory", "12Q", NULL), 2,
               "max_memory: '12Q' is not a number of bytes, such as 500M or 2G");
    cli_expect(sfgp_run_program("model", "build", reference, "-o", model, "--max-memory", "10K", NULL), 6,
               "MiB allowed; no --rank would fit ");
    cli_expect(sfgp_run_program("model", "build", reference, "-o", model, "--max-memory", "300K", "--kernel",
                                "se:length=0.1", NULL),
               6, "would fit");
    assert_false(cli_exists(model));
    cli_expect(sfgp_run_program("model", "build", reference, "-o", model, "--max-memory", "1G", NULL), 0,
               NULL);
    cli_expect(sfgp_run_program("register", model, target, "-o", fitted, "--max-memory", "100K", NULL), 6,
               "MiB are needed");
    cli_expect(sfgp_run_program("register", model, target, "-o", fitted, "--max-memory", "1G", NULL), 0,
               NULL);
}

/* Of the process as the system counts it, less what a fit of next to nothing takes. */
static void the_process_stays_within_the_prediction(void **state)
{
    const char *folder = test_path("ear"), *report = test_path("memory.json"),
               *fitted = test_path("memory.npy");
    static const char *const METHODS[] = {"auto", "sfgp-scalar"};
    (void)state;
    if (SFGP_TEST_SLOW)
        skip(); /* instrumented memory is not what is predicted */
    sfgp_run small = sfgp_run_program("register", write_reference("small.npy", curve),
                                      write_target("small-t.npy", curve), "-o", fitted, NULL);
    const double base = (double)small.peak_kib / 1024;
    cli_expect(small, 0, NULL);
    cli_expect(sfgp_run_program("simulate", "ear", "-o", folder, "--resolution", "31", NULL), 0, NULL);
    for (int k = 0; k < 2; k++) {
        sfgp_run run = sfgp_run_program("register", sfgp_test_path(folder, "reference.ply"),
                                        sfgp_test_path(folder, "scan.ply"), "-o", fitted, "--report", report,
                                        "--method", METHODS[k], "--max-iterations", "20", NULL);
        char *text = sfgp_test_read(report, NULL);
        const double predicted = cli_json_number(text, "predicted_mib"), peak = (double)run.peak_kib / 1024;
        assert_true(run.exit_code == 0 || run.exit_code == 1);
        assert_true(predicted > 10);
        if (peak - base > 1.25 * predicted)
            fail_msg("%s: %.1f MiB predicted, the process had %.1f - %.1f", METHODS[k], predicted, peak,
                     base);
        sfgp_run_free(&run);
        free(text);
    }
}

/* A saved fit is the factor once more, and in memory twice while it is written. */
static void a_saved_fit_is_part_of_the_prediction(void **state)
{
    const char *folder = test_path("dense"), *report = test_path("saved.json"),
               *fitted = test_path("saved.npy");
    char reference[512], target[512], limit[32];
    double predicted[2];
    (void)state;
    if (SFGP_TEST_SLOW)
        skip(); /* instrumented memory is not what is predicted */
    cli_expect(sfgp_run_program("simulate", "ear", "-o", folder, "--resolution", "100", NULL), 0, NULL);
    snprintf(reference, sizeof reference, "%s/reference.ply", folder);
    snprintf(target, sizeof target, "%s/scan.ply", folder);
    for (int k = 0; k < 2; k++) {
        sfgp_run run =
            k == 0
                ? sfgp_run_program("register", reference, target, "-o", fitted, "--report", report, NULL)
                : sfgp_run_program("register", reference, target, "-o", fitted, "--report", report, "--save",
                                   test_path("saved.h5"), "--table", test_path("saved.csv"), NULL);
        char *text = sfgp_test_read(report, NULL);
        predicted[k] = cli_json_number(text, "predicted_mib");
        if (k == 1) /* code and libraries stay without a place of their own */
            assert_true((double)run.peak_kib / 1024 <= predicted[1]);
        cli_expect(run, 0, NULL);
        free(text);
    }
    assert_true(predicted[1] > predicted[0] + 20); /* twice 20 000 points x some 90 columns x 8 bytes */
    snprintf(limit, sizeof limit, "%.0fK", 512 * (predicted[0] + predicted[1]));
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--max-memory", limit, NULL), 0,
               NULL);
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--max-memory", limit, "--save",
                                test_path("unsaved.h5"), NULL),
               6, "MiB are needed while --save is written");
    assert_false(cli_exists(test_path("unsaved.h5")));
}

/* Row i of the body of a table: the place after its i-th newline. */
static const char *next_row(const char *row)
{
    const char *end = strchr(row, '\n');
    assert_non_null(end);
    return end + 1;
}

/* Vertex i of a PLY that register wrote: x, y, z, sd as doubles, missing as a byte, distance, quality (sd again). */
static const char *vertex(const char *ply, int64_t i)
{
    const char *body = strstr(ply, "end_header\n");
    assert_non_null(body);
    sfgp_assert_has(ply, "property double sd\nproperty uchar missing\nproperty double distance\n"
                         "property double quality\nend_header\n");
    return body + strlen("end_header\n") + 49 * i;
}

static void assert_table_is_the_ply(const test_shapes *shapes, const char *table, const char *ply)
{
    const char *header = shapes->d == 3 ? "index,x,y,z,sd,missing,target,probability\n"
                                        : "index,x,y,sd,missing,target,probability\n";
    int64_t labelled = 0; /* a point between those of the scan has probability 0 */
    assert_int_equal(strncmp(table, header, strlen(header)), 0);
    for (int64_t i = 0; i < shapes->n; i++) {
        const char *row = table = next_row(table), *bytes = vertex(ply, i);
        char *end;
        assert_int_equal(strtol(row, &end, 10), i);
        for (int k = 0; k < shapes->d + 1; k++) {
            double number = strtod(end + 1, &end); /* x y (z) sd; z of 2D is 0 in the PLY */
            assert_memory_equal(&number, bytes + 8 * (k == shapes->d ? 3 : k), sizeof number);
            assert_true(k < shapes->d || number > 0);
        }
        long missing = strtol(end + 1, &end, 10), target = strtol(end + 1, &end, 10);
        double probability = strtod(end + 1, &end);
        assert_int_equal(missing, bytes[32]);
        assert_int_equal(missing, target == -1);
        assert_true(missing ? probability == 0 : probability >= 0 && probability <= 1);
        labelled += probability > 0;
        assert_true(target < shapes->m && *end == '\n');
    }
    assert_true(labelled > shapes->n / 2);
    assert_string_equal(next_row(table), "");
}

static void the_table_has_the_bits_of_the_fit(void **state)
{
    const test_shapes *const both[] = {sheet, curve};
    (void)state;
    for (int s = 0; s < 2; s++) {
        const char *fitted = test_path("table.ply"), *csv = test_path("table.csv");
        cli_expect(sfgp_run_program("register", write_reference("reference.npy", both[s]),
                                    write_target("t.npy", both[s]), "-o", fitted, "--table", csv, NULL),
                   0, NULL);
        char *table = sfgp_test_read(csv, NULL), *ply = sfgp_test_read(fitted, NULL);
        assert_table_is_the_ply(both[s], table, ply);
        free(table);
        free(ply);
    }
}

static void the_mask_finds_the_hole(void **state)
{
    const char *fitted = test_path("hole.ply");
    int wrong = 0;
    (void)state;
    cli_expect(sfgp_run_program("register", write_reference("reference.npy", sheet),
                                write_target("t.npy", sheet), "-o", fitted, NULL),
               0, NULL);
    char *ply = sfgp_test_read(fitted, NULL);
    for (int64_t i = 0; i < sheet->n; i++)
        wrong += (vertex(ply, i)[32] != 0) != (sheet->missing[i] != 0);
    assert_true(wrong < sheet->n / 10);
    free(ply);
}

/* ---- training ---------------------------------------------------------------------------------------- */

static const char *write_training(const char *folder)
{
    const char *path = test_path(folder);
    char name[64];
    assert_int_equal(mkdir(path, 0777), 0);
    for (int t = 0; t < TRAINING; t++) {
        snprintf(name, sizeof name, "%s/%d.%s", folder, t, t % 2 ? "ply" : "CSV");
        cli_points(name, sheet->n, sheet->d, sheet->training[t]);
    }
    snprintf(name, sizeof name, "%s/notes.md", folder);
    test_text(name, "not a mesh\n");
    snprintf(name, sizeof name, "%s/.hidden.ply", folder);
    test_text(name, "not a mesh\n");
    snprintf(name, sizeof name, "%s/folder.ply", folder);
    assert_int_equal(mkdir(test_path(name), 0777), 0);
    return path;
}

static void a_folder_is_its_meshes_by_name(void **state)
{
    const char *folder = write_training("train"), *report = test_path("train.json");
    const char *reference = write_reference("reference.npy", sheet), *target = write_target("t.npy", sheet);
    const char *a = test_path("folder.npy"), *b = test_path("files.npy"), *c = test_path("mixed.npy");
    (void)state;
    cli_expect(
        sfgp_run_program("register", reference, target, "--train", folder, "-o", a, "--report", report, NULL),
        0, NULL);
    cli_expect(sfgp_run_program("register", "--train", test_path("train/0.CSV"), test_path("train/1.ply"),
                                test_path("train/2.CSV"), test_path("train/3.ply"), test_path("train/4.CSV"),
                                test_path("train/5.ply"), "-o", b, reference, target, NULL),
               0, NULL);
    char *text = sfgp_test_read(report, NULL);
    cli_assert_same_files(a, b);
    assert_true(cli_json_number(text, "training") == TRAINING);
    sfgp_assert_has(text, "/train/0.CSV\",\n    \"");
    sfgp_assert_has(text, "/train/5.ply\"\n  ],\n  \"landmarks\": [],\n  \"landmark_sd\": null,\n");
    assert_true(cli_json_number(text, "rank_pca") == TRAINING - 1);
    sfgp_assert_has(text, "\"kernel\": \"pca+se:");
    assert_fits(sheet, a);
    free(text);
    cli_expect(sfgp_run_program("register", reference, target, "--train=train-none", "--train", folder, "-o",
                                c, NULL),
               SFGP_ERROR_READ, "train-none");
}

static void training_that_cannot_be_used_is_refused(void **state)
{
    const char *reference = write_reference("reference.npy", sheet), *target = write_target("t.npy", sheet);
    const char *fitted = test_path("refused.npy"), *empty = test_path("empty");
    (void)state;
    assert_int_equal(mkdir(empty, 0777), 0);
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--train", empty, NULL),
               SFGP_ERROR_READ, "holds no mesh");
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--train", target, target, NULL),
               SFGP_ERROR_DATA, target);
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--train", reference, NULL),
               SFGP_ERROR_DATA, "training");
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--train",
                                test_text("broken.csv", "1,2,3\n1,2\n"), NULL),
               SFGP_ERROR_FORMAT, "broken.csv");
    assert_false(cli_exists(fitted));
}

/* ---- the same bits, the same shape ------------------------------------------------------------------- */

static void threads_and_runs_give_the_same_files(void **state)
{
    static const char *const OPTIONS[] = {"--threads=1", "--threads=2", "--threads=4", "--threads=auto",
                                          "--threads=auto"};
    test_shapes *large = test_shapes_new(1500, 3, 0, 5);
    const char *reference = write_reference("large.npy", large), *target = write_target("large_t.npy", large);
    char fitted[64], table[64];
    (void)state;
    for (int k = 0; k < (SFGP_TEST_SLOW ? 2 : 5); k++) {
        snprintf(fitted, sizeof fitted, "bits%d.ply", k);
        snprintf(table, sizeof table, "bits%d.csv", k);
        cli_expect(sfgp_run_program("register", reference, target, OPTIONS[k], "-o", test_path(fitted),
                                    "--table", test_path(table), NULL),
                   0, NULL);
        cli_assert_same_files(test_path("bits0.ply"), test_path(fitted));
        cli_assert_same_files(test_path("bits0.csv"), test_path(table));
    }
    test_shapes_free(large);
}

/* Fits scale * (points + move), the target's order reversed or not; the result is taken back. */
static sfgp_mesh *fit_changed(const test_shapes *shapes, double scale, double move, bool reversed)
{
    const int64_t n = shapes->n, m = shapes->m, d = shapes->d;
    double *reference = malloc((size_t)(n * d) * sizeof *reference), *target = malloc((size_t)(m * d) * 8);
    for (int64_t k = 0; k < n * d; k++)
        reference[k] = scale * (shapes->reference[k] + move);
    for (int64_t j = 0; j < m; j++)
        for (int64_t a = 0; a < d; a++)
            target[j * d + a] = scale * (shapes->target[(reversed ? m - 1 - j : j) * d + a] + move);
    cli_expect(sfgp_run_program("register", cli_points("changed_r.npy", n, (int)d, reference),
                                cli_points("changed_t.npy", m, (int)d, target), "-o",
                                test_path("changed.npy"), NULL),
               0, NULL);
    sfgp_mesh *fitted = cli_read(test_path("changed.npy"));
    for (int64_t k = 0; k < n * d; k++)
        fitted->points[k] = fitted->points[k] / scale - move;
    free(reference);
    free(target);
    return fitted;
}

static void unit_place_and_order_do_not_matter(void **state)
{
    const struct {
        double scale, move;
        bool reversed;
    } changes[] = {{1e-3, 0, false}, {1, 1e5, false}, {1, 0, true}, {25.4, -1e5, true}};
    const test_shapes *const both[] = {sheet, curve};
    (void)state;
    for (int s = 0; s < 2; s++) {
        sfgp_mesh *plain = fit_changed(both[s], 1, 0, false);
        for (int c = 0; c < 4; c++) {
            sfgp_mesh *fitted = fit_changed(both[s], changes[c].scale, changes[c].move, changes[c].reversed);
            for (int64_t k = 0; k < plain->count * plain->dimension; k++)
                assert_true(fabs(fitted->points[k] - plain->points[k]) < 1e-6 * 30);
            sfgp_mesh_free(fitted);
        }
        sfgp_mesh_free(plain);
    }
}

/* ---- the page ---------------------------------------------------------------------------------------- */

/* File names with markup, in 3D with faces and in the plane. The other outputs stay as they are. */
static void the_page_says_what_became_of_the_fit(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        const test_shapes *shapes = s ? curve : sheet;
        const char *reference = write_reference("<b>reference.ply", shapes),
                   *target = write_target("<i>scan.npy", shapes), *plain = test_path("plain.ply"),
                   *fitted = test_path("with_page.ply"), *html = test_path("fit.html");
        cli_expect(sfgp_run_program("register", reference, target, "-o", plain, NULL), 0, NULL);
        cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--html", html, "--unit",
                                    "mm", NULL),
                   0, NULL);
        cli_assert_same_files(plain, fitted);
        char *page = sfgp_test_read(html, NULL);
        sfgp_assert_has(page, "<title>Fit of &lt;b&gt;reference.ply to &lt;i&gt;scan.npy</title>");
        assert_null(strstr(page, "<b>reference"));
        sfgp_assert_has(page, "</html>");
        sfgp_assert_has(page, " mm in the mean");
        free(page);
        remove(html);
    }
}

/* The numbers of the summary line and of the report have a unit where the user gives one. */
static void lengths_are_told_with_their_unit(void **state)
{
    const char *reference = write_reference("unit.ply", curve), *target = write_target("unit.npy", curve),
               *fitted = test_path("unit_fit.ply");
    (void)state;
    sfgp_run run =
        sfgp_run_program("register", reference, target, "-o", fitted, "--unit", "mm", "--json", NULL);
    const char *sigma = strstr(run.err, "sigma "), *expected = strstr(run.err, "expected error ");
    assert_true(sigma && expected && strstr(run.out, "\"unit\": \"mm\""));
    assert_int_equal(strncmp(strchr(sigma + 6, ' '), " mm, ", 5), 0);
    assert_int_equal(strncmp(strchr(expected + 15, ' '), " mm, ", 5), 0);
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("register", reference, target, "-o", fitted, "--json", NULL);
    assert_null(strstr(run.err, " mm"));
    assert_null(strstr(run.out, "\"unit\": \"mm\""));
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("evaluate", reference, reference, "--unit", "mm", NULL);
    sfgp_assert_has(run.out, "\"unit\": \"mm\"");
    cli_expect(run, 0, NULL);
}

static void pages_that_cannot_be_written_are_refused(void **state)
{
    (void)state;
    const char *reference = write_reference("page.ply", curve), *target = write_target("page.npy", curve),
               *fitted = test_path("page_fit.ply");
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--html",
                                test_path("none/fit.html"), NULL),
               7, "none/fit.html: cannot write");
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--html", fitted, NULL), 2,
               "two outputs have this name");
    assert_false(cli_exists(fitted)); /* nothing was fitted */
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--html", "/dev/full", NULL), 7,
               "/dev/full: cannot write");
}

static void a_limit_of_time_is_flagged(void **state)
{
    const char *reference = write_reference("reference.npy", sheet), *target = write_target("t.npy", sheet),
               *fitted = test_path("late.npy"), *report = test_path("late.json");
    (void)state;
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--report", report, "--max-time",
                                "0.001", NULL),
               1, "warning: max_time: ended after");
    char *text = sfgp_test_read(report, NULL);
    sfgp_assert_has(text, "\"status\": \"max_time\"");
    free(text);
    sfgp_mesh_free(cli_read(fitted));
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--max-time", "0", NULL), 2,
               "max_time");
}

/* The expected error is that of the sd in the table. Other methods state sd that are smaller than their errors, and say none. */
static void only_the_default_says_an_expected_error(void **state)
{
    const char *reference = write_reference("reference.npy", curve), *target = write_target("t.npy", curve),
               *fitted = test_path("expects.npy"), *report = test_path("expects.json"),
               *table = test_path("expects.csv");
    char said[64];
    double sum = 0;
    (void)state;
    sfgp_run run = sfgp_run_program("register", reference, target, "-o", fitted, "--report", report,
                                    "--table", table, NULL);
    char *text = sfgp_test_read(report, NULL), *rows = sfgp_test_read(table, NULL);
    const double expected = cli_json_number(text, "expected_error");
    snprintf(said, sizeof said, ", expected error %.3g, ", expected);
    cli_expect(run, 0, said);
    int64_t count = 0;
    for (const char *row = strchr(rows, '\n') + 1; *row; row = strchr(row, '\n') + 1, count++) {
        const char *at = row;
        for (int column = 0; column < 3; column++) /* index,x,y,sd */
            at = strchr(at, ',') + 1;
        sum += strtod(at, NULL);
    }
    assert_int_equal(count, CURVE);
    assert_true(fabs(expected - sqrt(2 * atan(1)) * sum / CURVE) < 1e-9 * expected);
    free(text);
    free(rows);
    run = sfgp_run_program("register", reference, target, "-o", fitted, "--report", report, "--method",
                           "sfgp-scalar", NULL);
    assert_null(strstr(run.err, "expected error"));
    sfgp_run_free(&run);
    text = sfgp_test_read(report, NULL);
    sfgp_assert_has(text, "\"expected_error\": null");
    free(text);
}

/* ---- a real ear -------------------------------------------------------------------------------------- */

static void a_real_ear_is_fitted_to_a_millimetre(void **state)
{
    const char *data = sfgp_test_data(), *fitted = test_path("ear.ply");
    (void)state;
    cli_expect(sfgp_run_program("register", sfgp_test_path(data, "ears/reference.ply"),
                                sfgp_test_path(data, "ears/scan/000.ply"), "-o", fitted, "--train",
                                sfgp_test_path(data, "ears/train"), "--kernel", "se:length=4,variance=0.02",
                                "--method", "sfgp-scalar", NULL),
               0, NULL);
    sfgp_run run = sfgp_run_program("evaluate", fitted, sfgp_test_path(data, "ears/truth/000.ply"),
                                    "--missing", sfgp_test_path(data, "ears/truth/000_missing.txt"), NULL);
    assert_true(cli_json_number(run.out, "mean") < 1);
    assert_true(cli_json_number(strstr(run.out, "\"missing\""), "mean") < 1.5);
    cli_expect(run, 0, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_same_fit),
        cmocka_unit_test(stl_goes_in_and_out),
        sfgp_long_test(every_setting_can_be_given),
        cmocka_unit_test(kernels_add_up),
        cmocka_unit_test(quiet_says_nothing_and_the_rest_one_line),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(the_report_has_every_key),
        cmocka_unit_test(the_numbers_of_the_report_agree),
        cmocka_unit_test(a_profile_adds_up),
        cmocka_unit_test(what_does_not_fit_is_refused_before_it_is_tried),
        cmocka_unit_test(the_process_stays_within_the_prediction),
        cmocka_unit_test(a_saved_fit_is_part_of_the_prediction),
        cmocka_unit_test(the_table_has_the_bits_of_the_fit),
        cmocka_unit_test(the_mask_finds_the_hole),
        cmocka_unit_test(a_folder_is_its_meshes_by_name),
        cmocka_unit_test(training_that_cannot_be_used_is_refused),
        sfgp_long_test(threads_and_runs_give_the_same_files),
        sfgp_long_test(unit_place_and_order_do_not_matter),
        cmocka_unit_test(the_page_says_what_became_of_the_fit),
        cmocka_unit_test(lengths_are_told_with_their_unit),
        cmocka_unit_test(pages_that_cannot_be_written_are_refused),
        cmocka_unit_test(a_limit_of_time_is_flagged),
        cmocka_unit_test(only_the_default_says_an_expected_error),
        sfgp_long_test(a_real_ear_is_fitted_to_a_millimetre),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
