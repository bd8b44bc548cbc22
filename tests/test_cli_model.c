/* sfgp model and sfgp align through the program, and MODEL.h5 where a reference is asked for. */
#include "support/corrupt.h"
#include "test_cli_compare.h"

#include <dlfcn.h>
#include <math.h>
#include <unistd.h>

enum { TRAINING = 6 };

static test_shapes *sheet, *curve;

static int make_shapes(void **state)
{
    (void)state;
    sheet = test_shapes_new(120, 3, TRAINING, 3);
    curve = test_shapes_new(60, 2, 0, 4);
    return 0;
}

static int free_shapes(void **state)
{
    (void)state;
    test_shapes_free(sheet);
    test_shapes_free(curve);
    return 0;
}

static const char *reference_of(const test_shapes *shapes)
{
    return cli_mesh(shapes == sheet ? "sheet.ply" : "curve.npy", shapes->n, shapes->d, shapes->reference,
                    shapes == sheet);
}

static const char *target_of(const test_shapes *shapes)
{
    return cli_points("target.npy", shapes->m, shapes->d, shapes->target);
}

static const char *training(void)
{
    char name[64];
    const char *folder = test_path("training");
    mkdir(folder, 0777);
    for (int t = 0; t < TRAINING; t++) {
        snprintf(name, sizeof name, "training/%d.npy", t);
        cli_points(name, sheet->n, 3, sheet->training[t]);
    }
    return folder;
}

/* Of the sheet with its training shapes. */
static const char *build(const char *name)
{
    const char *model = test_path(name);
    cli_expect(sfgp_run_program("model", "build", reference_of(sheet), "--train", training(), "-o", model,
                                "--quiet", NULL),
               0, NULL);
    return model;
}

/* ---- a model for a reference ------------------------------------------------------------------------- */

static void a_model_registers_with_the_same_bits(void **state)
{
    const char *model = build("same.h5"), *target = target_of(sheet);
    const char *a = test_path("plain.ply"), *b = test_path("model.ply"), *c = test_path("again.ply");
    (void)state;
    cli_expect(
        sfgp_run_program("register", reference_of(sheet), target, "--train", training(), "-o", a, NULL), 0,
        NULL);
    cli_expect(sfgp_run_program("register", model, target, "-o", b, "--threads=1", NULL), 0, NULL);
    cli_expect(sfgp_run_program("register", model, target, "-o", c, "--threads=2", NULL), 0, NULL);
    cli_assert_same_files(a, b);
    cli_assert_same_files(a, c);
}

static void a_model_of_a_curve_registers_too(void **state)
{
    const char *model = test_path("curve.h5"), *target = target_of(curve);
    const char *a = test_path("curve_plain.npy"), *b = test_path("curve_model.npy");
    (void)state;
    cli_expect(sfgp_run_program("model", "build", reference_of(curve), "-o", model, "--kernel",
                                "matern52:length=2,variance=0.5", "--kernel", "se:length=0.5,variance=0.01",
                                "--accuracy", "1e-4", NULL),
               0, "60 points, prior matern52:length=2,variance=0.5+se:length=0.5,variance=0.01");
    cli_expect(sfgp_run_program("register", reference_of(curve), target, "-o", a, "--kernel",
                                "matern52:length=2,variance=0.5+se:length=0.5,variance=0.01", "--accuracy",
                                "1e-4", NULL),
               0, NULL);
    cli_expect(sfgp_run_program("register", model, target, "-o", b, NULL), 0, NULL);
    cli_assert_same_files(a, b);
}

static void a_model_has_its_prior(void **state)
{
    const char *model = build("prior.h5"), *target = target_of(sheet), *fitted = test_path("prior.ply");
    const char *const options[][2] = {{"--kernel", "se:length=2"},
                                      {"--lowrank", "eigen"},
                                      {"--rank", "7"},
                                      {"--accuracy", "1e-3"},
                                      {"--align-training", "rigid"}};
    (void)state;
    cli_expect(sfgp_run_program("register", model, target, "-o", fitted, "--train", training(), NULL),
               SFGP_ERROR_PARAMETER, "contains its training already");
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        cli_expect(
            sfgp_run_program("register", model, target, "-o", fitted, options[k][0], options[k][1], NULL),
            SFGP_ERROR_PARAMETER, options[k][0]);
    assert_false(cli_exists(fitted));
    cli_expect(sfgp_run_program("register", model, target, "-o", fitted, "--omega=0.2", NULL), 0, NULL);
}

/* A study: the rows are those of a study with the training shapes. */
static void a_study_takes_a_model(void **state)
{
    static const char STUDY[] = "{'sets':[{'name':'s','folder':'%s','reference':'%s'%s}],'methods':["
                                "{'name':'learned','method':'sfgp-scalar'},{'name':'untaught','method':"
                                "'sfgp-scalar','training':false,'settings':{'kernel':'se:length=2'}}%s]}";
    const char *model = build("study.h5"), *a = test_path("by_mesh"), *b = test_path("by_model");
    (void)state;
    training();
    reference_of(sheet);
    mkdir(test_path("study"), 0777);
    mkdir(test_path("study/scan"), 0777);
    cli_points("study/scan/one.npy", sheet->m, 3, sheet->target);
    const char *files = test_path("study"); /* absolute: $SFGP_DATA moves what is not */
    compare_run(compare_study("mesh.json", STUDY, files, "../sheet.ply", ",'training':'../training'", ""), a,
                "1");
    compare_run(compare_study("model.json", STUDY, files, model, "", ""), b, "2");
    compare_assert_same_rows(a, b);
    cli_expect(
        sfgp_run_program("compare",
                         compare_study("both.json", STUDY, files, model, ",'training':'../training'", ""),
                         "-o", test_path("both"), NULL),
        SFGP_ERROR_FORMAT, "contains its training already");
    const char *c = test_path("own_kernel");
    compare_run(compare_study("own.json", STUDY, files, model, "",
                              ",{'name':'own','method':'sfgp-scalar','settings':{'kernel':'se:length=2'}},"
                              "{'name':'few','method':'sfgp-scalar','settings':{'rank':3}}"),
                c, "1");
    static const char *const REFUSED[][2] = {{"own", "kernel: "}, {"few", "rank: "}};
    compare_table *rows = compare_rows(c);
    for (int k = 0; k < 2; k++) { /* a model has its prior */
        int row = compare_find(rows, "s", "0", 0, REFUSED[k][0]);
        assert_true(row >= 0);
        assert_string_equal(compare_cell(rows, row, "status"), "failed");
        assert_ptr_equal(strstr(compare_cell(rows, row, "words"), REFUSED[k][1]),
                         compare_cell(rows, row, "words"));
    }
    compare_free(rows);
}

/* ---- what is in a model ------------------------------------------------------------------------------ */

static void info_says_what_a_model_is(void **state)
{
    static const char *const WORDS[] = {"points      120\n",
                                        "faces       118\n",
                                        "dimension   3\n",
                                        "prior       pca+se:length=30,variance=1.5\n",
                                        "+ 5 of PCA\n",
                                        ", the first ten of them:\n           0  RMS motion ",
                                        " (unit of the file), variance so far "};
    sfgp_run run = sfgp_run_program("model", "info", build("info.h5"), NULL);
    (void)state;
    for (size_t k = 0; k < sizeof WORDS / sizeof *WORDS; k++)
        if (!strstr(run.out, WORDS[k]))
            fail_msg("'%s' is not in %s", WORDS[k], run.out);
    assert_string_equal(run.err, "");
    cli_expect(run, 0, NULL);
}

static double number_of(const char *json, const char *key)
{
    const char *at = strstr(json, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

/* An ellipsoid is symmetric to three planes; one that bends to a side is to none. A prior from training shapes is never symmetric. */
static void info_tells_whether_the_reference_is_symmetric(void **state)
{
    enum { COUNT = 600 };
    static double points[2][3 * COUNT];
    static const char *const LINES[] = {"symmetric   to a plane: in a fit both sides", "symmetric   no\n"},
                             *const FACTS[] = {"\"symmetric\": true", "\"symmetric\": false"};
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        const double h = 1 - (2 * i + 1.0) / COUNT, r = sqrt(1 - h * h), turn = 2.399963 * i,
                     at[3] = {3 * h, 2 * r * cos(turn), r * sin(turn)};
        memcpy(points[0] + 3 * i, at, sizeof at);
        memcpy(points[1] + 3 * i, at, sizeof at);
        points[1][3 * i] += 0.8 * at[1] * at[1] - at[1] * at[2];
        points[1][3 * i + 1] += 0.3 * at[0] * at[0] + at[2];
        points[1][3 * i + 2] += 0.2 * at[0] * at[1];
    }
    for (int k = 0; k < 2; k++) {
        const char *shape = cli_points("sides.npy", COUNT, 3, points[k]), *path = test_path("sides.h5");
        cli_expect(sfgp_run_program("model", "build", shape, "-o", path, NULL), 0, NULL);
        sfgp_run run = sfgp_run_program("model", "info", path, NULL);
        sfgp_assert_has(run.out, LINES[k]);
        cli_expect(run, 0, NULL);
        run = sfgp_run_program("model", "info", path, "--json", NULL);
        sfgp_assert_has(run.out, FACTS[k]);
        cli_expect(run, 0, NULL);
    }
    sfgp_run run = sfgp_run_program("model", "info", build("trained.h5"), NULL);
    sfgp_assert_has(run.out, "symmetric   not looked for: ");
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("model", "info", test_path("trained.h5"), "--json", NULL);
    sfgp_assert_has(run.out, "\"symmetric\": null");
    cli_expect(run, 0, NULL);
}

/* All variances: the lines for people end after ten, and have four digits. */
static void info_is_json_for_programs(void **state)
{
    const char *path = build("facts.h5");
    sfgp_run run = sfgp_run_program("model", "info", path, "--json", NULL);
    sfgp_context *context = NULL;
    sfgp_model *model = NULL;
    sfgp_array *variances = NULL;
    (void)state;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    assert_int_equal(sfgp_model_read(context, path, &model), SFGP_OK);
    assert_int_equal(sfgp_model_variances(context, model, &variances), SFGP_OK);
    const char *list = strstr(run.out, "\"variances\": [");
    assert_non_null(list);
    assert_int_equal(sfgp_test_count(list, ",\n"), variances->shape[0] - 1);
    assert_true(number_of(list, "[") == variances->values[0]);
    assert_true(variances->shape[0] > 10);
    assert_true(number_of(run.out, "\"points\": ") == 120 && number_of(run.out, "\"rank_pca\": ") == 5);
    sfgp_assert_has(run.out, "\"saved_fit\": null");
    sfgp_array_free(variances);
    sfgp_model_free(model);
    sfgp_context_free(context);
    cli_expect(run, 0, NULL);
    cli_expect(sfgp_run_program("model", "mean", path, "-o", test_path("m.ply"), "--json", NULL),
               SFGP_ERROR_PARAMETER, "--json is for sfgp model info");
}

/* A saved fit holds its model, and is taken for one; a model is not taken for a fit. */
static void info_says_what_a_saved_fit_is_for(void **state)
{
    const char *model = build("fitted.h5"), *scan = cli_points("fitted.npy", sheet->m, 3, sheet->target),
               *save = test_path("saved.h5");
    (void)state;
    cli_expect(sfgp_run_program("register", model, scan, "-o", test_path("saved.ply"), "--save", save,
                                "--max-iterations", "3", NULL),
               1, NULL);
    sfgp_run run = sfgp_run_program("model", "info", save, NULL);
    assert_non_null(
        strstr(run.out, "saved.h5\n  saved fit   max_iterations: sfgp apply moves points with it, "));
    sfgp_assert_has(run.out, "points      120\n");
    assert_string_equal(run.err, "");
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("model", "info", save, "--json", NULL);
    sfgp_assert_has(run.out, "\"saved_fit\": \"max_iterations\"");
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("model", "info", model, NULL);
    assert_null(strstr(run.out, "saved fit"));
    cli_expect(run, 0, NULL);
}

static double distance(const sfgp_mesh *a, const sfgp_mesh *b)
{
    double sum = 0;
    for (int64_t k = 0; k < a->count * a->dimension; k++)
        sum += (a->points[k] - b->points[k]) * (a->points[k] - b->points[k]);
    return sqrt(sum);
}

/* With kernel none the mean is that of the training shapes. */
static void shapes_of_a_model_are_written(void **state)
{
    const char *model = test_path("shapes.h5");
    const char *const names[] = {"mean.ply", "one.ply", "minus.ply", "second.ply", "a.ply", "b.ply", "c.ply"};
    const char *path[7];
    sfgp_mesh *shape[7];
    (void)state;
    for (int k = 0; k < 7; k++)
        path[k] = test_path(names[k]);
    cli_expect(sfgp_run_program("model", "build", reference_of(sheet), "--train", training(), "--kernel",
                                "none", "-o", model, NULL),
               0, "rank 0 + 5");
    cli_expect(sfgp_run_program("model", "mean", model, "-o", path[0], NULL), 0, NULL);
    cli_expect(sfgp_run_program("model", "component", model, "-o", path[1], NULL), 0, NULL);
    cli_expect(sfgp_run_program("model", "component", model, "-o", path[2], "--deviations", "-1", NULL), 0,
               NULL);
    cli_expect(sfgp_run_program("model", "component", model, "-o", path[3], "--index=1", NULL), 0, NULL);
    cli_expect(sfgp_run_program("model", "sample", model, "-o", path[4], NULL), 0, NULL);
    cli_expect(sfgp_run_program("model", "sample", model, "-o", path[5], "--seed=1", NULL), 0, NULL);
    cli_expect(sfgp_run_program("model", "sample", model, "-o", path[6], "--seed=2", NULL), 0, NULL);
    for (int k = 0; k < 7; k++) {
        shape[k] = cli_read(path[k]);
        assert_true(shape[k]->count == 120 && shape[k]->face_count == 118);
    }
    const double rounding = 0x1p-32 * 50; /* of the frame; an RMS radius is less than 50 mm */
    for (int64_t k = 0; k < 360; k++) {
        double mean = 0;
        for (int t = 0; t < TRAINING; t++)
            mean += sheet->training[t][k] / TRAINING;
        assert_true(fabs(shape[0]->points[k] - mean) < rounding);
        assert_true(fabs(shape[1]->points[k] + shape[2]->points[k] - 2 * mean) < 2 * rounding);
    }
    assert_true(distance(shape[0], shape[1]) > distance(shape[0], shape[3])); /* largest first */
    assert_true(distance(shape[0], shape[3]) > 0);
    cli_assert_same_files(path[4], path[5]);
    assert_true(distance(shape[4], shape[6]) > 0);
    cli_expect(sfgp_run_program("model", "component", model, "-o", path[1], "--index=5", NULL),
               SFGP_ERROR_PARAMETER, "5 is not one of 0 to 4");
    for (int k = 0; k < 7; k++)
        sfgp_mesh_free(shape[k]);
}

static void the_posterior_of_a_fit_has_it_as_its_mean(void **state)
{
    const char *fit = test_path("fit.ply"), *saved = test_path("saved.h5"),
               *model = test_path("posterior.h5"), *mean = test_path("fit_again.ply");
    (void)state;
    cli_expect(
        sfgp_run_program("register", reference_of(sheet), target_of(sheet), "-o", fit, "--save", saved, NULL),
        0, NULL);
    cli_expect(sfgp_run_program("model", "posterior", saved, "-o", model, NULL), 0, NULL);
    cli_expect(sfgp_run_program("model", "mean", model, "-o", mean, NULL), 0, NULL);
    sfgp_mesh *a = cli_read(fit), *b = cli_read(mean);
    assert_true(a->face_count == b->face_count && distance(a, b) < 1e-9); /* into the frame and out of it */
    sfgp_mesh_free(a);
    sfgp_mesh_free(b);
    cli_expect(sfgp_run_program("model", "posterior", build("no_fit.h5"), "-o", model, NULL),
               SFGP_ERROR_FORMAT, "has no fit");
}

static void models_that_cannot_be_are_refused(void **state)
{
    const char *reference = reference_of(sheet), *model = test_path("refused.h5");
    (void)state;
    cli_expect(sfgp_run_program("model", NULL), SFGP_ERROR_PARAMETER, "build, info");
    cli_expect(sfgp_run_program("model", "learn", reference, NULL), SFGP_ERROR_PARAMETER, "'learn'");
    cli_expect(sfgp_run_program("model", "build", reference, NULL), SFGP_ERROR_PARAMETER, "-o MODEL.h5");
    cli_expect(sfgp_run_program("model", "build", "-o", model, NULL), SFGP_ERROR_PARAMETER, "REFERENCE");
    cli_expect(sfgp_run_program("model", "build", reference, "-o", model, "--train", target_of(sheet),
                                target_of(sheet), NULL),
               SFGP_ERROR_DATA, target_of(sheet));
    cli_expect(sfgp_run_program("model", "build", reference, "-o", model, "--align-training=affine", NULL),
               SFGP_ERROR_PARAMETER, "align_training");
    cli_expect(sfgp_run_program("model", "build", reference, "-o", "/nowhere/model.h5", NULL),
               SFGP_ERROR_WRITE, "/nowhere");
    cli_expect(sfgp_run_program("model", "build", reference, "-o", "/dev/full", NULL), SFGP_ERROR_WRITE,
               "/dev/full");
    cli_expect(sfgp_run_program("model", "info", reference, NULL), SFGP_ERROR_FORMAT,
               "is not an HDF5 file, or cut off or damaged; sfgp model build makes a model of a mesh");
    cli_expect(sfgp_run_program("model", "mean", "/nowhere.h5", "-o", test_path("refused.ply"), NULL),
               SFGP_ERROR_READ, "/nowhere.h5");
    cli_expect(sfgp_run_program("info", build("mesh.h5"), NULL), SFGP_ERROR_FORMAT, "sfgp model mean");
    assert_false(cli_exists(model));
}

/* A header that claims to be longer than the file makes HDF5 lose blocks, of which it complains when its process
 * ends: not on the terminal. */
/* HDF5 was written under any name, without a word. */
static void a_model_has_a_name_of_hdf5(void **state)
{
    static const char *const NAMES[] = {"m.ply", "m.h5.json", "m.h5.gz", ".h5"};
    char reference[4096], target[4096], name[64];
    (void)state;
    snprintf(reference, sizeof reference, "%s", reference_of(sheet));
    snprintf(target, sizeof target, "%s", target_of(sheet));
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        const char *out = k == 3 ? ".h5" : test_path(NAMES[k]);
        snprintf(name, sizeof name, "%s: this is written as HDF5; give a name", NAMES[k]);
        cli_expect(sfgp_run_program("model", "build", reference, "-o", out, NULL), SFGP_ERROR_PARAMETER,
                   name);
        cli_expect(sfgp_run_program("model", "posterior", "none.h5", "-o", out, NULL), SFGP_ERROR_PARAMETER,
                   name);
        cli_expect(
            sfgp_run_program("register", reference, target, "-o", test_path("m.npy"), "--save", out, NULL),
            SFGP_ERROR_PARAMETER, name);
        assert_false(cli_exists(out));
    }
    cli_expect(sfgp_run_program("model", "build", reference, "-o", test_path("m.HDF5"), "--rank", "3", NULL),
               0, NULL);
    cli_expect(sfgp_run_program("model", "info", test_path("m.HDF5"), NULL), 0, NULL);
}

/* As register warns of what its method does not read. */
static void settings_of_a_fit_are_not_those_of_a_model(void **state)
{
    const char *model = test_path("warned.h5");
    (void)state;
    sfgp_run run = sfgp_run_program("model", "build", reference_of(sheet), "-o", model, "--omega", "0.3",
                                    "--rank", "3", "--max-iterations", "7", "--seed", "2", NULL);
    sfgp_assert_has(run.err, "--omega: a model does not depend on it");
    sfgp_assert_has(run.err, "--max-iterations: a model does not depend on it");
    assert_null(strstr(run.err, "--rank: "));
    assert_null(strstr(run.err, "--seed: "));
    cli_expect(run, 0, NULL);
}

static void damage_is_said_in_one_line(void **state)
{
    static const unsigned char HEADER[] = {1, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0}; /* of a data set; size last */
    const char *model = build("whole.h5"), *path = test_path("damaged.h5");
    size_t size;
    sfgp_test_remove_digest(model); /* else its digest tells */
    char *bytes = sfgp_test_read(model, &size);
    char *at = NULL;
    (void)state;
    for (size_t k = 0; k + sizeof HEADER <= size; k++)
        at = memcmp(bytes + k, HEADER, sizeof HEADER) == 0 ? bytes + k : at; /* the last one: the checksum */
    assert_non_null(at);
    at[11] = 8;
    sfgp_test_write(path, bytes, size);
    sfgp_run run = sfgp_run_program("model", "info", path, NULL);
    assert_int_equal(run.exit_code, SFGP_ERROR_FORMAT);
    sfgp_assert_has(run.err, "cannot be opened");
    assert_ptr_equal(strchr(run.err, '\n') + 1, run.err + strlen(run.err));
    sfgp_run_free(&run);
    free(bytes);
}

/* --max-memory counts before the numbers of the model are read. */
static void a_model_that_needs_too_much_memory_is_refused(void **state)
{
    const char *model = build("large.h5"), *scan = test_path("memory.npy");
    sfgp_mesh *target;
    sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, sheet->m, 3, sheet->target, &target));
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, scan, target, NULL, 0));
    cli_expect(
        sfgp_run_program("register", model, scan, "-o", test_path("none.ply"), "--max-memory", "10000", NULL),
        SFGP_ERROR_MEMORY, "more than max_memory leaves");
    sfgp_mesh_free(target);
}

static void help_shows_the_parts(void **state)
{
    sfgp_run run = sfgp_run_program("model", "build", "--help", NULL);
    (void)state;
    sfgp_assert_has(run.out, "sfgp model component MODEL.h5");
    sfgp_assert_has(run.out, "--align-training");
    cli_expect(run, 0, NULL);
}

/* ---- align ------------------------------------------------------------------------------------------- */

/* The sheet turned by 40 degrees about z, doubled and moved. */
static void move(const double *in, int64_t count, double scale, double *out)
{
    const double c = cos(0.7), s = sin(0.7);
    for (int64_t i = 0; i < count; i++) {
        out[3 * i] = scale * (c * in[3 * i] - s * in[3 * i + 1]) + 12;
        out[3 * i + 1] = scale * (s * in[3 * i] + c * in[3 * i + 1]) - 70;
        out[3 * i + 2] = scale * in[3 * i + 2] + 5;
    }
}

static void assert_back(const char *path, double tolerance)
{
    sfgp_mesh *shape = cli_read(path);
    assert_int_equal(shape->count, sheet->n);
    assert_int_equal(shape->face_count, sheet->n - 2);
    for (int64_t k = 0; k < 3 * sheet->n; k++)
        assert_true(fabs(shape->points[k] - sheet->reference[k]) < tolerance);
    sfgp_mesh_free(shape);
}

static void a_shape_is_brought_back_by_its_points(void **state)
{
    double moved[360];
    const char *out = test_path("back.ply"), *json = test_path("back.json");
    (void)state;
    for (int similar = 0; similar < 2; similar++) {
        move(sheet->reference, sheet->n, similar ? 2 : 1, moved);
        const char *moving = cli_mesh("moving.ply", sheet->n, 3, moved, true);
        cli_expect(sfgp_run_program("align", moving, reference_of(sheet), "-o", out, "--transform", json,
                                    "--kind", similar ? "similarity" : "rigid", NULL),
                   0, similar ? "similarity by 120 points" : "rigid by 120 points");
        assert_back(out, 1e-10);
        char *text = sfgp_test_read(json, NULL);
        assert_true(fabs(cli_json_number(text, "scale") - (similar ? 0.5 : 1)) < 1e-12);
        assert_true(cli_json_number(text, "rms_before") > 10 && cli_json_number(text, "rms_after") < 1e-10);
        assert_true(cli_json_number(text, "pairs") == 120);
        free(text);
    }
}

static const char *landmarks(const char *name, const double *points, const int *order)
{
    char text[1024] = "";
    for (int k = 0; k < 4; k++) {
        const int64_t i = 25 * order[k] + 3;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "mark%d,%.17g,%.17g,%.17g\n", order[k], points[3 * i],
                 points[3 * i + 1], points[3 * i + 2]);
    }
    return test_text(name, text);
}

/* By name, in any order; the shapes need not correspond. */
static void a_shape_is_brought_back_by_landmarks(void **state)
{
    double moved[360];
    const char *out = test_path("landmarks.ply");
    (void)state;
    move(sheet->reference, sheet->n, 1, moved);
    const char *moving = cli_mesh("moving.ply", sheet->n, 3, moved, true);
    const char *fixed = target_of(sheet);
    const char *a = landmarks("a.csv", moved, (const int[]){0, 1, 2, 3});
    const char *b = landmarks("b.csv", sheet->reference, (const int[]){2, 0, 3, 1});
    cli_expect(sfgp_run_program("align", moving, fixed, "-o", out, "--landmarks", a, b, NULL), 0,
               "rigid by 4 landmarks");
    assert_back(out, 1e-9);
    cli_expect(sfgp_run_program("align", moving, fixed, "-o", out, NULL), SFGP_ERROR_DATA, "--landmarks");
    cli_expect(sfgp_run_program("align", moving, fixed, "-o", out, "--landmarks", a, NULL),
               SFGP_ERROR_PARAMETER, "two files");
    cli_expect(sfgp_run_program("align", moving, fixed, "-o", out, "--landmarks", a, "/nowhere.csv", NULL),
               SFGP_ERROR_READ, "/nowhere.csv");
}

static void alignments_that_cannot_be_are_refused(void **state)
{
    const char *moving = reference_of(sheet), *out = test_path("none.ply"), *flat = reference_of(curve);
    (void)state;
    cli_expect(sfgp_run_program("align", moving, moving, NULL), SFGP_ERROR_PARAMETER, "-o OUT");
    cli_expect(sfgp_run_program("align", moving, "-o", out, NULL), SFGP_ERROR_PARAMETER, "FIXED");
    cli_expect(sfgp_run_program("align", moving, moving, "-o", out, "--kind=affine", NULL),
               SFGP_ERROR_PARAMETER, "affine");
    cli_expect(sfgp_run_program("align", moving, flat, "-o", out, NULL), SFGP_ERROR_DATA, "2D");
    cli_expect(sfgp_run_program("align", moving, moving, "-o", out, "--transform", out, NULL),
               SFGP_ERROR_PARAMETER, "two outputs");
    assert_false(cli_exists(out));
}

/* A fit with a field in the sparse form alone, which has no columns, carries its reference to the fit, and is a model, as its prior is. */
static void a_sparse_field_is_saved(void **state)
{
    const char *saved = test_path("sparse.h5"), *fitted = test_path("sparse.txt"),
               *moved = test_path("moved.txt"), *ply = SFGP_SOURCE_DIR "/data/demo/reference.ply";
    (void)state;
    cli_expect(sfgp_run_program("register", ply, SFGP_SOURCE_DIR "/data/demo/scan.ply", "-o", fitted,
                                "--save", saved, "--method", "sfgp-scalar", "--kernel",
                                "surface:length=1,variance=0.1,form=sparse", "--max-iterations", "3", NULL),
               1, "max_iterations");
    cli_expect(sfgp_run_program("apply", saved, ply, "-o", moved, NULL), 0, NULL);
    sfgp_mesh *fit = cli_read(fitted), *carried = cli_read(moved);
    for (int64_t k = 0; k < 3 * fit->count; k++)
        assert_true(fabs(fit->points[k] - carried->points[k]) < 1e-9);
    sfgp_mesh_free(fit);
    sfgp_mesh_free(carried);
    cli_expect(sfgp_run_program("model", "posterior", saved, "-o", test_path("posterior.h5"), NULL), 0, NULL);
    sfgp_run info = sfgp_run_program("model", "info", test_path("posterior.h5"), NULL);
    const char *columns = strstr(info.out, "axes + ");
    assert_true(columns && atoi(columns + strlen("axes + ")) >
                               100); /* 37 for each axis, as the prior has, though all is seen */
    cli_expect(info, 0, NULL);
    cli_expect(sfgp_run_program("model", "build", ply, "-o", test_path("prior.h5"), "--kernel",
                                "surface:length=1,variance=0.1,form=sparse", NULL),
               0, NULL);
    cli_expect(sfgp_run_program("register", test_path("prior.h5"), SFGP_SOURCE_DIR "/data/demo/scan.ply",
                                "-o", moved, "--method", "sfgp-scalar", "--max-iterations", "3", NULL),
               1, "max_iterations");
    fit = cli_read(fitted), carried = cli_read(moved);
    assert_memory_equal(fit->points, carried->points, (size_t)(3 * fit->count) * sizeof(double));
    sfgp_mesh_free(fit);
    sfgp_mesh_free(carried);
}

/* A library of that name that is another one, and one that is none. */
static void another_libhdf5_is_named(void **state)
{
    const char *folder = test_path("libraries"), *model = test_path("plain.h5");
    Dl_info found;
    (void)state;
    assert_int_equal(mkdir(folder, 0777), 0);
    cli_expect(sfgp_run_program("model", "build", reference_of(sheet), "-o", model, "--rank", "3", NULL), 0,
               NULL);
    sfgp_test_remove_digest(model);
    assert_true(dladdr((void *)(uintptr_t)_cmocka_run_group_tests, &found) != 0);
    for (int none = 0; none < 2; none++)
        for (int version = 100; version < 330; version++) {
            char name[400];
            snprintf(name, sizeof name, "%s/libhdf5_serial.so.%d", folder, version);
            remove(name);
            assert_int_equal(symlink(none ? model : found.dli_fname, name), 0);
            if (version == 329) {
                setenv("LD_LIBRARY_PATH", folder, 1);
                sfgp_run run = sfgp_run_program("model", "info", model, NULL);
                unsetenv("LD_LIBRARY_PATH");
                if (run.exit_code != 127 && run.exit_code != 0) /* linked with it, or named otherwise */
                    cli_expect(run, 3,
                               none ? " cannot be loaded: "
                                    : "it is another version than sfgp was built for");
                else
                    sfgp_run_free(&run);
            }
        }
}

static void a_model_comes_by_its_name(void **state)
{
    char command[800];
    const char *model = test_path("piped.h5"), *words = test_path("piped.txt");
    (void)state;
    cli_expect(sfgp_run_program("model", "build", reference_of(sheet), "-o", model, "--rank", "3", NULL), 0,
               NULL);
    snprintf(command, sizeof command, "%s model info - <%s 2>%s", SFGP_PROGRAM, model, words);
    const int status = system(command);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    compare_assert_words(words, "HDF5 files are not read from standard input");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_libhdf5_is_named),
        cmocka_unit_test(a_model_comes_by_its_name),
        sfgp_unit_test(a_sparse_field_is_saved),
        sfgp_unit_test(a_model_registers_with_the_same_bits),
        sfgp_unit_test(a_model_of_a_curve_registers_too),
        sfgp_unit_test(a_model_has_its_prior),
        sfgp_unit_test(a_study_takes_a_model),
        sfgp_unit_test(info_says_what_a_model_is),
        sfgp_unit_test(info_tells_whether_the_reference_is_symmetric),
        sfgp_unit_test(info_is_json_for_programs),
        sfgp_unit_test(info_says_what_a_saved_fit_is_for),
        sfgp_unit_test(shapes_of_a_model_are_written),
        sfgp_unit_test(the_posterior_of_a_fit_has_it_as_its_mean),
        sfgp_unit_test(models_that_cannot_be_are_refused),
        sfgp_unit_test(a_model_has_a_name_of_hdf5),
        sfgp_unit_test(settings_of_a_fit_are_not_those_of_a_model),
        sfgp_unit_test(damage_is_said_in_one_line),
        sfgp_unit_test(a_model_that_needs_too_much_memory_is_refused),
        sfgp_unit_test(help_shows_the_parts),
        sfgp_unit_test(a_shape_is_brought_back_by_its_points),
        sfgp_unit_test(a_shape_is_brought_back_by_landmarks),
        sfgp_unit_test(alignments_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, make_shapes, free_shapes);
}
