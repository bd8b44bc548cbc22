/* sfgp register --save, --landmarks and sfgp apply: what is carried keeps its faces, order, names and format,
 * and lands where the fit is. */
#include "test_cli.h"

#include <math.h>
#include <unistd.h>

enum { POINTS = 200 };

static test_shapes *sheet;
static const char *reference, *target, *saved, *fitted;

static int set_up(void **state)
{
    (void)state;
    sheet = test_shapes_new(POINTS, 3, 0, 31);
    if (!sheet)
        return -1;
    reference = cli_mesh("reference.ply", POINTS, 3, sheet->reference, true);
    target = cli_points("target.ply", sheet->m, 3, sheet->target);
    saved = test_path("saved.h5");
    fitted = test_path("fitted.ply");
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "--save", saved, NULL), 0, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_shapes_free(sheet);
    return 0;
}

static void assert_near(const double *a, const double *b, int64_t count, double most)
{
    for (int64_t k = 0; k < count; k++)
        if (!(fabs(a[k] - b[k]) <= most))
            fail_msg("number %lld: %.17g, expected %.17g", (long long)k, a[k], b[k]);
}

/* ---- apply ------------------------------------------------------------------------------------------- */

static void the_reference_becomes_the_fit(void **state)
{
    static const char *const formats[] = {"out.ply", "out.obj", "out.npy", "out.txt"};
    (void)state;
    sfgp_mesh *fit = cli_read(fitted);
    for (int f = 0; f < 4; f++) {
        const char *out = test_path(formats[f]);
        cli_expect(sfgp_run_program("apply", saved, reference, "-o", out, NULL), 0, "200 points moved");
        sfgp_mesh *carried = cli_read(out);
        assert_int_equal(carried->count, POINTS);
        assert_near(carried->points, fit->points, 3 * POINTS, 1e-9);
        if (f < 2) {
            assert_int_equal(carried->face_count, fit->face_count);
            assert_memory_equal(carried->face_points, fit->face_points,
                                (size_t)(3 * fit->face_count) * sizeof(int64_t));
        }
        sfgp_mesh_free(carried);
    }
    sfgp_mesh_free(fit);
    char *ply = sfgp_test_read(test_path("out.ply"), NULL);
    sfgp_assert_has(ply, "property double sd");
    free(ply);
}

/* The mirror image has its inside out: the faces are turned in the fit, in what is carried along, and in the posterior. */
static void a_mirrored_fit_turns_faces(void **state)
{
    const char *other = test_path("mirrored.npy"), *fit = test_path("mirrored.ply"),
               *map = test_path("mirrored.h5"), *out = test_path("carried.ply"), *cases = test_path("sides"),
               *posterior = test_path("mirrored_posterior.h5"), *middle = test_path("mirrored_mean.ply");
    double *points = malloc((size_t)(3 * sheet->m) * sizeof *points);
    (void)state;
    assert_non_null(points);
    for (int64_t k = 0; k < 3 * sheet->m; k++)
        points[k] = k % 3 == 0 ? -sheet->target[k] : sheet->target[k];
    cli_points("mirrored.npy", sheet->m, 3, points);
    free(points);
    cli_expect(sfgp_run_program("register", reference, other, "-o", fit, "--save", map, "--mirror", NULL), 0,
               NULL);
    cli_expect(sfgp_run_program("apply", map, reference, "-o", out, NULL), 0, NULL);
    cli_expect(sfgp_run_program("batch", test_text("sides.csv", "id,target,mirror\na,mirrored.npy,1\n"), "-o",
                                cases, "--reference", reference, "--apply", reference, NULL),
               0, NULL);
    cli_assert_same_files(sfgp_test_path(cases, "a/carried.ply"), out);
    cli_expect(sfgp_run_program("model", "posterior", map, "-o", posterior, NULL), 0, NULL);
    cli_expect(sfgp_run_program("model", "mean", posterior, "-o", middle, NULL), 0, NULL);
    sfgp_mesh *whole = cli_read(reference), *fitted_mesh = cli_read(fit), *carried = cli_read(out),
              *mean = cli_read(middle);
    for (int64_t k = 0; k < 3 * whole->face_count; k++) {
        const int64_t turned = whole->face_points[k / 3 * 3 + 2 - k % 3];
        assert_int_equal(fitted_mesh->face_points[k], turned);
        assert_int_equal(carried->face_points[k], turned);
        assert_int_equal(mean->face_points[k], turned);
    }
    sfgp_mesh_free(mean);
    sfgp_mesh_free(carried);
    sfgp_mesh_free(fitted_mesh);
    sfgp_mesh_free(whole);
}

static void threads_and_runs_give_equal_files(void **state)
{
    const char *one = test_path("one.ply"), *two = test_path("two.ply"), *again = test_path("again.h5");
    (void)state;
    cli_expect(sfgp_run_program("apply", saved, target, "-o", one, "--threads", "1", "--quiet", NULL), 0,
               NULL);
    cli_expect(sfgp_run_program("apply", saved, target, "-o", two, "--threads", "2", "--quiet", NULL), 0,
               NULL);
    cli_assert_same_files(one, two);
    cli_expect(
        sfgp_run_program("register", reference, target, "-o", one, "--save", again, "--threads", "2", NULL),
        0, NULL);
    cli_assert_same_files(saved, again);
}

/* Two reference points as landmarks, in every format, and back as what came in. */
static void landmarks_stay_landmarks(void **state)
{
    static const char *const names[] = {"l.csv", "l.fcsv", "l.mrk.json"};
    static const char *const sds[] = {"name,x,y,z,sd", ",sd=", "\"description\": \"sd="};
    char label[2][8] = {"tip, a", "lobe"};
    char *labels[2] = {label[0], label[1]};
    sfgp_landmarks given = {2, 3, labels, sheet->reference + 3 * 40, "memory", "RAS"};
    sfgp_mesh *fit = cli_read(fitted);
    (void)state;
    for (int f = 0; f < 3; f++) {
        const char *in = test_path(names[f]);
        char name[32];
        snprintf(name, sizeof name, "moved_%s", names[f]);
        const char *out = test_path(name);
        sfgp_context *context;
        sfgp_landmarks *moved;
        assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
        sfgp_assert_ok(context, sfgp_landmarks_write(context, in, &given, NULL));
        cli_expect(sfgp_run_program("apply", saved, in, "-o", out, NULL), 0, "2 landmarks moved");
        sfgp_assert_ok(context, sfgp_landmarks_read(context, out, &moved));
        assert_int_equal(moved->count, 2);
        assert_string_equal(moved->names[0], "tip, a");
        assert_string_equal(moved->names[1], "lobe");
        assert_string_equal(moved->system, f == 0 ? "" : "RAS");
        assert_near(moved->points, fit->points + 3 * 40, 6, 1e-9);
        char *text = sfgp_test_read(out, NULL);
        sfgp_assert_has(text, sds[f]);
        free(text);
        sfgp_landmarks_free(moved);
        sfgp_context_free(context);
    }
    sfgp_mesh_free(fit);
}

static void apply_from_input(const char *in, const char *out, const char *columns, const char *expected)
{
    char command[1200];
    const char *words = test_path("piped.txt");
    snprintf(command, sizeof command, "cat %s | %s apply %s - -o %s %s 2>%s", in, SFGP_PROGRAM, saved, out,
             columns, words);
    assert_int_equal(system(command), 0);
    char *text = sfgp_test_read(words, NULL);
    if (!strstr(text, expected))
        fail_msg("%s: expected '%s', found: %s", in, expected, text);
    free(text);
}

static void assert_equal_files(const char *a, const char *b)
{
    char *first = sfgp_test_read(a, NULL), *second = sfgp_test_read(b, NULL);
    assert_string_equal(first, second);
    free(first), free(second);
}

static void standard_input_is_what_a_file_is(void **state)
{
    static const char *const names[] = {"i.csv", "i.fcsv", "i.mrk.json", "i.scalismo.json", "i.pp", "i.tps"};
    const char *csv = test_text("i.csv", "name,x,y,z\ntip,1,2,3\nlobe,2,3,5\n"), *a = test_path("a.csv"),
               *b = test_path("b.csv");
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *in = k == 0 ? csv : test_path(names[k]);
        if (k > 0)
            cli_expect(sfgp_run_program("apply", saved, csv, "-o", in, NULL), 0, NULL);
        cli_expect(sfgp_run_program("apply", saved, in, "-o", a, NULL), 0, "2 landmarks moved");
        apply_from_input(in, b, "", "2 landmarks moved");
        assert_equal_files(a, b);
    }
    apply_from_input(test_text("n.csv", "tip,1,2,3\nlobe,2,3,5\n"), b, "", "2 landmarks moved");
    apply_from_input(test_text("m.csv", "\xEF\xBB\xBF\nLM3=2\n1 2 3\n2 3 5\n"), b, "", "2 landmarks moved");
    apply_from_input(test_text("m.csv", "\"a skull\n1 2 3 0 dim=3\n1 2 3\n2 3 5\n"), b, "",
                     "2 landmarks moved");
    apply_from_input(test_text("m.csv", "Lobe,1,2,3\n"), b, "", "1 landmarks moved");
    apply_from_input(csv, b, "--columns x,y,z", "2 points moved");
    apply_from_input(test_text("p.csv", "x,y,z\n1,2,3\n4,5,7\n"), b, "", "2 points moved");
    apply_from_input(test_text("p.obj", "v 1 2 3\nv 4 5 7\n"), b, "", "2 points moved");
    apply_from_input(reference, test_path("c.ply"), "", "200 points moved");
}

/* Any CSV with a header was taken for landmarks: its points could not be written as a mesh, and ids were lost. */
static void a_table_without_names_has_points(void **state)
{
    const char *out = test_path("points_moved.ply"), *ids = test_path("ids_moved.csv");
    (void)state;
    cli_expect(sfgp_run_program("apply", saved, test_text("p.csv", "x,y,z\n1,2,3\n4,5,7\n"), "-o", out, NULL),
               0, "2 points moved");
    cli_expect(
        sfgp_run_program("apply", saved, test_text("c.csv", "X,Y,Z,R,G,B\n1,2,3,9,9,9\n"), "-o", out, NULL),
        0, "1 points moved");
    cli_expect(
        sfgp_run_program("apply", saved, test_text("i.csv", "id,x,y,z\n7,1,2,3\n8,4,5,7\n"), "-o", ids, NULL),
        0, "2 landmarks moved");
    char *text = sfgp_test_read(ids, NULL);
    sfgp_assert_has(text, "\n7,");
    sfgp_assert_has(text, "\n8,");
    free(text);
}

static void a_point_that_is_too_far_is_named_with_its_file(void **state)
{
    const char *in = test_path("far.csv"), *out = test_path("far_moved.csv");
    (void)state;
    static const char text[] = "name,x,y,z\na,1,2,3\nb,1e300,0,0\n";
    sfgp_test_write(in, text, strlen(text));
    cli_expect(sfgp_run_program("apply", saved, in, "-o", out, NULL), SFGP_ERROR_DATA,
               "far.csv: apply: point 1");
    assert_int_equal(access(out, F_OK), -1);
}

/* In metres where the reference is in millimetres, or in the coordinates of another scan: the sd alone said it. */
static void points_in_another_unit_or_place_are_told(void **state)
{
    static const struct {
        double factor, shift;
    } WRONG[] = {{0.001, 0}, {1000, 0}, {1, 1e4}};
    const char *out = test_path("wrong_moved.ply");
    double points[3 * POINTS];
    (void)state;
    for (size_t k = 0; k < sizeof WRONG / sizeof *WRONG; k++) {
        for (int i = 0; i < 3 * POINTS; i++)
            points[i] = WRONG[k].factor * sheet->reference[i] + WRONG[k].shift;
        cli_expect(
            sfgp_run_program("apply", saved, cli_points("wrong.ply", POINTS, 3, points), "-o", out, NULL), 0,
            "wrong.ply: the RMS radius of its points is ");
    }
    sfgp_run run = sfgp_run_program("apply", saved, reference, "-o", out, NULL);
    assert_null(strstr(run.err, "RMS radius"));
    cli_expect(run, 0, NULL);
}

/* A method that stays in place: the default would follow the scan. */
static void no_overlap_is_flagged(void **state)
{
    const char *away = test_path("away.h5"), *out = test_path("same.ply");
    double *far = malloc((size_t)(3 * sheet->m) * sizeof *far);
    (void)state;
    for (int k = 0; k < 3 * sheet->m; k++)
        far[k] = sheet->target[k] + 1e4;
    const char *scan = cli_points("far.ply", sheet->m, 3, far);
    cli_expect(sfgp_run_program("register", reference, scan, "-o", out, "--save", away, "--method",
                                "sfgp-scalar", NULL),
               1, "no_overlap");
    cli_expect(sfgp_run_program("apply", away, reference, "-o", out, NULL), 1, "no_overlap");
    sfgp_mesh *carried = cli_read(out);
    assert_near(carried->points, sheet->reference, 3 * POINTS, 1e-9);
    sfgp_mesh_free(carried);
    free(far);
}

static void apply_says_what_is_wrong(void **state)
{
    const char *flat = test_text("flat.csv", "a,1,2\nb,3,4\n"), *out = test_path("never.ply");
    (void)state;
    cli_expect(sfgp_run_program("apply", saved, NULL), 2, "POINTS is missing");
    cli_expect(sfgp_run_program("apply", saved, reference, NULL), 2, "-o OUT is missing");
    cli_expect(sfgp_run_program("apply", test_path("none.h5"), reference, "-o", out, NULL), 3, "none.h5");
    cli_expect(
        sfgp_run_program("apply", reference, reference, "-o", out, NULL), 4,
        "reference.ply: is no HDF5 file, or cut off or damaged; a fit is kept by sfgp register --save R.h5");
    cli_expect(sfgp_run_program("apply", reference, saved, "-o", out, NULL), 4, "are the two swapped?");
    cli_expect(sfgp_run_program("apply", saved, flat, "-o", out, NULL), 5, "2D, the fit is 3D");
    cli_expect(sfgp_run_program("apply", saved, reference, "-o", "/nowhere/x.ply", NULL), 7,
               "/nowhere/x.ply");
    assert_false(cli_exists(out));
}

/* ---- landmarks in register --------------------------------------------------------------------------- */

static const char *landmark_file(const char *name, const double *points, double shift)
{
    char text[512] = "";
    for (int k = 0; k < 5; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "p%d,%.17g,%.17g,%.17g\n", k,
                 points[3 * 40 * k] + shift, points[3 * 40 * k + 1], points[3 * 40 * k + 2]);
    return test_text(name, text);
}

static void landmarks_pull_and_weak_ones_do_not(void **state)
{
    const char *from = landmark_file("from.csv", sheet->reference, 0), *out = test_path("pulled.ply");
    const char *to = landmark_file("to.csv", sheet->truth, 5);
    (void)state;
    cli_expect(sfgp_run_program("register", reference, target, "-o", out, "--landmark-sd", "1e200",
                                "--landmarks", from, to, NULL),
               0, NULL);
    cli_assert_same_files(out, fitted);
    const char *report = test_path("pulled.json");
    char files[1100];
    sfgp_run run = sfgp_run_program("register", reference, target, "-o", out, "--landmark-sd", "0.01",
                                    "--landmarks", from, to, "--report", report, NULL);
    assert_true(run.exit_code <= 1); /* labels and landmarks disagree: it need not converge */
    snprintf(files, sizeof files,
             "\"landmarks\": [\n    \"%s\",\n    \"%s\"\n  ],\n  \"landmark_sd\": 0.01,\n", from, to);
    char *text = sfgp_test_read(report, NULL);
    sfgp_assert_has(text, files);
    free(text);
    sfgp_run_free(&run);
    sfgp_mesh *pulled = cli_read(out), *fit = cli_read(fitted);
    for (int k = 0; k < 5; k++) {
        const double wanted = sheet->truth[3 * 40 * k] + 5;
        assert_true(fabs(pulled->points[3 * 40 * k] - wanted) < 0.2 * fabs(fit->points[3 * 40 * k] - wanted));
    }
    sfgp_mesh_free(pulled);
    sfgp_mesh_free(fit);
}

static void register_says_what_is_wrong_with_landmarks(void **state)
{
    const char *from = landmark_file("from.csv", sheet->reference, 0), *out = test_path("never2.ply");
    const char *other = test_text("other.csv", "q,1,2,3\n"), *bad = test_text("bad.csv", "q,1,2\nr,1\n");
    const char *flat = test_text("flat.csv", "p0,1,2\n");
    (void)state;
    cli_expect(sfgp_run_program("register", reference, target, "-o", out, "--landmarks", from, NULL), 2,
               "two files follow");
    cli_expect(sfgp_run_program("register", reference, target, "-o", out, "--landmark-sd", "1", NULL), 2,
               "there are no --landmarks");
    cli_expect(sfgp_run_program("register", reference, target, "-o", out, "--landmarks", from, other, NULL),
               5, "other.csv: landmarks: no name of one file");
    cli_expect(sfgp_run_program("register", reference, target, "-o", out, "--landmarks", flat, from, NULL), 5,
               "from.csv: landmarks: one file is 2D, the other 3D");
    cli_expect(sfgp_run_program("register", reference, target, "-o", out, "--landmarks", from, bad, NULL), 4,
               "bad.csv: line 2");
    cli_expect(sfgp_run_program("register", reference, target, "-o", out, "--landmarks", flat, flat, NULL), 5,
               "2D");
    cli_expect(sfgp_run_program("register", reference, target, "-o", out, "--landmarks", from, from,
                                "--method", "cpd", NULL),
               2, "'cpd'");
    cli_expect(sfgp_run_program("register", reference, target, "-o", out, "--landmarks", from, from,
                                "--landmark-sd", "-1", NULL),
               2, "landmark sd");
    cli_expect(sfgp_run_program("register", reference, target, "-o", out, "--save", out, NULL), 2,
               "two outputs have this name");
    assert_false(cli_exists(out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_becomes_the_fit),
        cmocka_unit_test(a_mirrored_fit_turns_faces),
        cmocka_unit_test(threads_and_runs_give_equal_files),
        cmocka_unit_test(landmarks_stay_landmarks),
        cmocka_unit_test(standard_input_is_what_a_file_is),
        cmocka_unit_test(a_table_without_names_has_points),
        cmocka_unit_test(a_point_that_is_too_far_is_named_with_its_file),
        cmocka_unit_test(points_in_another_unit_or_place_are_told),
        cmocka_unit_test(no_overlap_is_flagged),
        cmocka_unit_test(apply_says_what_is_wrong),
        cmocka_unit_test(landmarks_pull_and_weak_ones_do_not),
        cmocka_unit_test(register_says_what_is_wrong_with_landmarks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
