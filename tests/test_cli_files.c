/* Files on the command line: columns of tables. */
#include "test_cli.h"

#include <sys/stat.h>

#define HEADED "id,a,b,c\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n"

static void columns_reach_every_verb_that_reads_points(void **state)
{
    const char *table = test_text("columns.csv", HEADED),
               *plain = test_text("plain.csv", "0,0,0\n1,0,0\n0,1,0\n0,0,1\n");
    (void)state;
    cli_expect(sfgp_run_program("info", table, NULL), SFGP_ERROR_FORMAT, "--columns");
    sfgp_run run = sfgp_run_program("info", "--columns", "a,b,c", table, NULL);
    sfgp_assert_has(run.out, "points     4");
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("evaluate", table, table, "--columns", "2,3,4", NULL);
    assert_true(cli_json_number(run.out, "mean") == 0);
    cli_expect(run, 0, NULL);
    cli_expect(
        sfgp_run_program("align", table, table, "--columns=4,3,2", "-o", test_path("aligned.ply"), NULL), 0,
        NULL);
    const char *fitted = test_path("fitted.csv"), *same = test_path("same.csv"), *save = test_path("save.h5");
    cli_expect(sfgp_run_program("register", table, table, "--columns", "a,b,c", "--max-iterations", "0", "-o",
                                fitted, "--save", save, NULL),
               1, NULL);
    cli_expect(sfgp_run_program("register", plain, plain, "--max-iterations", "0", "-o", same, NULL), 1,
               NULL);
    cli_assert_same_files(fitted, same);
    cli_expect(
        sfgp_run_program("apply", save, table, "--columns", "a,b,c", "-o", test_path("carried.csv"), NULL), 0,
        "4 points moved");
    cli_expect(
        sfgp_run_program("model", "build", table, "--columns", "a,b,c", "-o", test_path("model.h5"), NULL), 0,
        "4 points");
    cli_expect(sfgp_run_program("simulate", "shape", table, "--columns", "a,b,c", "-o",
                                test_path("simulated"), NULL),
               0, NULL);
}

static void a_batch_reads_columns_and_keeps_them_in_its_key(void **state)
{
    const char *table = test_text("batch.csv", HEADED), *folder = test_path("batch");
    const char *manifest = test_text("batch.tsv", "id\ttarget\na\tbatch.csv\n");
    (void)state;
    cli_expect(
        sfgp_run_program("batch", manifest, "--model", table, "--columns", "a,b,c", "-o", folder, NULL), 0,
        "1 ok");
    cli_expect(sfgp_run_program("batch", manifest, "--model", table, "--columns", "a,b,c", "-o", folder,
                                "--resume", NULL),
               0, "1 were done before");
    cli_expect(sfgp_run_program("batch", manifest, "--model", table, "--columns", "c,b,a", "-o", folder,
                                "--resume", NULL),
               0, "0 were done before");
}

static void columns_that_no_file_needs_are_warned_of(void **state)
{
    const double points[] = {0, 0, 1, 1, 0, 1};
    const char *ply = cli_points("named.ply", 3, 2, points), *text = cli_points("named.txt", 3, 2, points);
    (void)state;
    cli_expect(sfgp_run_program("info", ply, "--columns", "1,2", NULL), 0, "--columns: not used");
    sfgp_run run = sfgp_run_program("info", ply, text, "--columns", "1,2", NULL);
    assert_string_equal(run.err, "");
    cli_expect(run, 0, NULL);
    cli_expect(sfgp_run_program("info", text, "--columns", "1", NULL), SFGP_ERROR_PARAMETER,
               "expected 2 or 3 names or numbers");
}

/* Row 5 of the users' review: text was written, and faces and deviations were lost. */
static void outputs_of_no_format_are_refused_before_the_work(void **state)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const char *shape = cli_points("shape.ply", 4, 3, points), *save = test_path("refused.h5");
    const char *refused[] = {"x.vtk", "x.glb", "x", "x.pts"};
    (void)state;
    cli_expect(sfgp_run_program("register", shape, shape, "--max-iterations", "0", "-o",
                                test_path("refused.ply"), "--save", save, NULL),
               1, NULL);
    cli_expect(
        sfgp_run_program("model", "build", shape, "-o", test_path("refused_model.h5"), "--quiet", NULL), 0,
        NULL);
    for (int k = 0; k < 4; k++) {
        const char *out = test_path(refused[k]);
        cli_expect(sfgp_run_program("register", shape, shape, "-o", out, NULL), 2, "use .ply");
        cli_expect(sfgp_run_program("apply", save, shape, "-o", out, NULL), 2, "use .ply");
        cli_expect(sfgp_run_program("align", shape, shape, "-o", out, NULL), 2, "use .ply");
        cli_expect(sfgp_run_program("model", "mean", test_path("refused_model.h5"), "-o", out, NULL), 2,
                   "use .ply");
        cli_expect(sfgp_run_program("model", "sample", test_path("refused_model.h5"), "-o", out, NULL), 2,
                   "use .ply");
        cli_expect(sfgp_run_program("apply", save, test_text("marks.csv", "tip,0,0,0\n"), "-o", out, NULL), 2,
                   "landmarks are written as .csv");
        assert_false(cli_exists(out));
    }
    cli_expect(sfgp_run_program("register", shape, shape, "-o", test_path("x.stl"), "--dry-run", NULL), 2,
               "x.stl: STL holds triangles only, and there are no faces; write .ply");
}

static void folders_of_training_shapes_hold_any_format(void **state)
{
    const char *names[] = {"a.ply", "b.vtp", "c.obj.gz", "d.csv.GZ", "e.txt"};
    char path[64];
    (void)state;
    assert_int_equal(mkdir(test_path("shapes"), 0777), 0);
    for (int k = 0; k < 5; k++) {
        const double points[] = {0, 0, 0, 1, 0.1 * k, 0, 0, 1, 0.2 * k, 0, 0, 1};
        snprintf(path, sizeof path, "shapes/%s", names[k]);
        cli_points(path, 4, 3, points);
    }
    test_text("shapes/notes.md", "not a shape");
    test_text("shapes/.hidden.ply", "not a shape");
    const char *shape = test_path("shapes/a.ply"), *report = test_path("shapes.json");
    cli_expect(sfgp_run_program("register", shape, shape, "--max-iterations", "0", "-o",
                                test_path("trained.ply"), "--train", test_path("shapes"), "--report", report,
                                NULL),
               1, NULL);
    char *text = sfgp_test_read(report, NULL);
    assert_true(cli_json_number(text, "training") == 5);
    free(text);
    const char *const more[][2] = {{"--report", report}, {"--max-memory", "2G"}, {"--profile", NULL}};
    for (int k = 0; k < 3; k++) /* their variation alone, of which the memory is predicted, too */
        cli_expect(sfgp_run_program("register", shape, shape, "--max-iterations", "0", "-o",
                                    test_path("trained.ply"), "--train", test_path("shapes"), "--kernel",
                                    "none", more[k][0], more[k][1], NULL),
                   1, NULL);
}

static void a_dash_is_standard_output(void **state)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const char *shape = cli_points("dash.ply", 4, 3, points);
    (void)state;
    sfgp_run run = sfgp_run_program("align", shape, shape, "-o", "-", NULL);
    assert_int_equal(strncmp(run.out, "ply\nformat binary_little_endian 1.0\n", 36), 0);
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("align", shape, shape, "-o", "-.csv", NULL);
    assert_int_equal(strncmp(run.out, "0,0,0\n1,0,0\n", 12), 0);
    cli_expect(run, 0, NULL);
    assert_false(cli_exists("-") || cli_exists("-.csv"));
    cli_expect(sfgp_run_program("register", shape, shape, "-o", "-", "--table", "-.csv", NULL), 2,
               "two outputs go to standard output");
}

/* What is on a desk, and the answer to it. Numbers of the comments are rows of "Typical input" of a user's first day. */
static void every_file_of_a_desk_is_read_or_refused_with_advice(void **state)
{
    static const struct {
        const char *name, *text;
        int exit_code;
        const char *words; /* of stderr, or of stdout when it is read */
    } FILES[] = {
        {"pandas.csv", ",x,y,z\n0,0,0,0\n1,1,0,0\n2,0,1,0\n", 0, "points     3"},
        {"header.csv", "x,y,z\n0,0,0\n1,0,0\n0,1,0\n", 0, "points     3"},
        {"normals.xyz", "0 0 0.5 0 0 1\n1 0 0.5 0 0 1\n0 1 0.5 0 0 1\n", 0, "dimension  3"},
        {"colours.xyz", "0.5 0 0 255 0 9\n1.5 0 0 255 7 0\n0.5 1 0 1 0 0\n", 0, "dimension  3"},
        {"cloud.txt", "//X Y Z R G B\n0 0 0 1 2 3\n1 0 0 1 2 3\n0 1 0 1 2 3\n", 0, "points     3"},
        {"scan.pts", "3\n0 0 0 9 1 2 3\n1 0 0 9 1 2 3\n0 1 0 9 1 2 3\n", 0, "points     3"},
        {"four.txt", "0 0 0 7\n1 0 0 8\n", 4, "--columns"},
        {"a.off", "NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2\n", 0, "faces      1"},
        {"a.vtk",
         "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
         "POLYGONS 1 4\n3 0 1 2\n",
         0, "faces      1"},
        {"a.gltf", "{\"asset\": {\"version\": \"1.0\"}}", 4, "a.gltf"},
        {"a.pcd", "# .PCD v0.7\nFIELDS x y z\n", 4, "save it as PLY with pcl_pcd2ply"},
        {"a.las", "LASF then bytes", 4, "a LAS or LAZ file; save it as PLY or text with CloudCompare"},
        {"a.e57", "ASTM-E57 then bytes", 4, "an E57 file; save it"},
        {"a.npz", "PK\003\004 then bytes", 4, "a zip archive (zip, npz, 3mf, xlsx, usdz); unpack it"},
        {"wide.txt", "\xff\xfe", 4, "UTF-16 text; save it as UTF-8"},
        {"comma.txt", "1,5;2,5\n2,5;3,5\n", 4, "decimal"},
        {"nan.txt", "0 0 0\n1 nan 0\n", 5, "line 2"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++) {
        sfgp_run run = sfgp_run_program("info", test_text(FILES[k].name, FILES[k].text), NULL);
        if (FILES[k].exit_code == 0 && !strstr(run.out, FILES[k].words))
            fail_msg("'%s' is not in: %s%s", FILES[k].words, run.out, run.err);
        cli_expect(run, FILES[k].exit_code, FILES[k].exit_code == 0 ? NULL : FILES[k].words);
    }
}

#define TEXTURED                                                                                             \
    "mtllib head.mtl\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nv 0 0 1 1 1 1\nvt 0 0\nvt 1 0\nvt 0 1\n"  \
    "g face\nusemtl skin\nf 1/1 2/2 3/3\nf 1/1 3/3 4/2\n"

/* The reference's own goes into the fit, and into a mesh that is carried by it. */
static void texture_and_materials_of_the_reference_go_into_the_fit(void **state)
{
    const char *reference = test_text("textured.obj", TEXTURED), *fitted = test_path("textured-fit.obj"),
               *save = test_path("textured.h5"), *carried = test_path("carried.obj");
    (void)state;
    cli_expect(sfgp_run_program("register", reference, reference, "-o", fitted, "--save", save,
                                "--max-iterations", "0", NULL),
               1, NULL);
    cli_expect(sfgp_run_program("apply", save, reference, "-o", carried, NULL), 0, NULL);
    const char *const made[] = {fitted, carried};
    for (int k = 0; k < 2; k++) {
        char *text = sfgp_test_read(made[k], NULL);
        sfgp_assert_has(text, "mtllib head.mtl\nv ");
        sfgp_assert_has(text, "vt 0 1\ng face\nusemtl skin\nf 1/1 2/2 3/3\nf 1/1 3/3 4/2\n");
        free(text);
    }
}

static sfgp_attributes *read_numbers(sfgp_context *context, const char *path)
{
    sfgp_mesh *mesh = NULL;
    sfgp_attributes *numbers = NULL;
    sfgp_assert_ok(context, sfgp_mesh_read_attributes(context, path, &mesh, &numbers));
    sfgp_mesh_free(mesh);
    return numbers;
}

/* sd, missing, the distance to the scan as evaluate has it, and quality, which is sd for MeshLab. */
static void a_fit_has_four_numbers_for_every_point(void **state)
{
    static const char *const NAMES[] = {"sd", "missing", "distance", "quality"}, *const FITS[] = {"four.ply",
                                                                                                  "four.vtp"};
    const char *shape = test_text("four.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n"),
               *scan = test_text("near.obj", "v 0 0 0.5\nv 2 0 0.5\nv 0 2 0.25\nv 2 2 0\nf 1 2 3\nf 2 4 3\n"),
               *map = test_path("four_map.ply");
    sfgp_context *context = NULL;
    (void)state;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    for (int k = 0; k < 2; k++) {
        const char *fitted = test_path(FITS[k]);
        cli_expect(sfgp_run_program("register", shape, scan, "--max-iterations", "0", "-o", fitted, NULL), 1,
                   NULL);
        cli_expect(sfgp_run_program("evaluate", fitted, scan, "--surface", "--distance-map", map, NULL), 0,
                   NULL);
        sfgp_attributes *numbers = read_numbers(context, fitted), *measured = read_numbers(context, map);
        assert_int_equal(numbers->count, 4);
        for (int a = 0; a < 4; a++)
            assert_string_equal(numbers->items[a].name, NAMES[a]);
        assert_string_equal(measured->items[0].name, "distance");
        assert_true(measured->items[0].values[0] > 0.4);
        assert_memory_equal(numbers->items[2].values, measured->items[0].values, 4 * sizeof(double));
        assert_memory_equal(numbers->items[3].values, numbers->items[0].values, 4 * sizeof(double));
        sfgp_attributes_free(numbers);
        sfgp_attributes_free(measured);
    }
    sfgp_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_reach_every_verb_that_reads_points),
        cmocka_unit_test(a_batch_reads_columns_and_keeps_them_in_its_key),
        cmocka_unit_test(columns_that_no_file_needs_are_warned_of),
        cmocka_unit_test(outputs_of_no_format_are_refused_before_the_work),
        cmocka_unit_test(folders_of_training_shapes_hold_any_format),
        cmocka_unit_test(a_dash_is_standard_output),
        cmocka_unit_test(every_file_of_a_desk_is_read_or_refused_with_advice),
        cmocka_unit_test(texture_and_materials_of_the_reference_go_into_the_fit),
        cmocka_unit_test(a_fit_has_four_numbers_for_every_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
