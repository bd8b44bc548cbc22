/* sfgp batch for landmarks: a folder or a table, landmarks carried along, several references. */
#include "test_cli_compare.h"

enum { POINTS = 120 };

static const char *reference, *other, *scans, *template;

static void make_files(void)
{
    static char kept[4][256];
    test_shapes *shapes = test_shapes_new(POINTS, 3, 0, 1);
    strcpy(kept[0], cli_mesh("reference.ply", POINTS, 3, shapes->reference, true));
    strcpy(kept[1], test_path("scans"));
    assert_int_equal(mkdir(kept[1], 0777), 0);
    cli_points("scans/a.ply", shapes->m, 3, shapes->target);
    cli_points("scans/b c.npy", shapes->m - 20, 3, shapes->target);
    for (int k = 0; k < POINTS; k++) /* flat: explains the scans less well */
        shapes->reference[3 * k + 2] *= 0.2;
    strcpy(kept[2], cli_mesh("other.ply", POINTS, 3, shapes->reference, true));
    test_shapes_free(shapes);
    strcpy(kept[3], test_text("template.fcsv",
                              "# Markups fiducial file version = 4.11\n# CoordinateSystem = LPS\n"
                              "# columns = id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID\n"
                              "1,0.1,0.2,0.3,0,0,0,1,1,1,0,=tip(),,\n"
                              "2,-0.5,0.1,0.4,0,0,0,1,1,1,0,\"lobe, left\",,\n"));
    reference = kept[0], scans = kept[1], other = kept[2], template = kept[3];
}

/* One command does what register and apply do one by one. */
static void a_folder_becomes_a_table_of_landmarks(void **state)
{
    const char *folder = test_path("out"), *fit = test_path("fit.ply"), *saved = test_path("fit.h5"),
               *moved = test_path("moved.fcsv"), *table = compare_in(folder, "landmarks.csv");
    static const char *const CASES[][2] = {{"a", "a.ply"}, {"b_c", "b c.npy"}};
    char name[64];
    (void)state;
    cli_expect(sfgp_run_program("batch", scans, "-o", folder, "--reference", reference, "--apply", template,
                                "--save", "--collect", NULL),
               0, "landmarks.csv, landmarks.tps");
    for (int k = 0; k < 2; k++) {
        cli_expect(sfgp_run_program("register", reference, compare_in(scans, CASES[k][1]), "-o", fit,
                                    "--save", saved, NULL),
                   0, NULL);
        cli_expect(sfgp_run_program("apply", saved, template, "-o", moved, NULL), 0, NULL);
        snprintf(name, sizeof name, "%s/fit.ply", CASES[k][0]);
        cli_assert_same_files(fit, compare_in(folder, name));
        snprintf(name, sizeof name, "%s/fit.h5", CASES[k][0]);
        cli_assert_same_files(saved, compare_in(folder, name));
        snprintf(name, sizeof name, "%s/landmarks.fcsv", CASES[k][0]);
        cli_assert_same_files(moved, compare_in(folder, name));
    }
    compare_assert_words(table, "id,landmark,x,y,z,sd\na,\"'=tip()\",");
    compare_assert_words(table, "\nb_c,\"lobe, left\",");
    compare_assert_words(compare_in(folder, "landmarks.tps"), "\nID=a\nLM3=2\n");
}

/* What was carried along belongs to the case: another template does the cases again, and a lost file too. */
static void resume_knows_what_was_carried(void **state)
{
    const char *folder = test_path("out"), *mesh = test_path("carried");
    (void)state;
    cli_expect(sfgp_run_program("batch", scans, "-o", folder, "--reference", reference, "--apply", template,
                                "--resume", NULL),
               0, "2 were done before");
    assert_int_equal(unlink(compare_in(folder, "a/landmarks.csv")), 0);
    cli_expect(sfgp_run_program("collect", folder, NULL), 1, "1 without a result");
    cli_expect(sfgp_run_program("batch", scans, "-o", folder, "--reference", reference, "--apply", template,
                                "--resume", "--save", NULL),
               0, "1 were done before");
    cli_expect(sfgp_run_program("batch", scans, "-o", mesh, "--reference", reference, "--apply", other, NULL),
               0, NULL);
    cli_expect(sfgp_run_program("info", compare_in(mesh, "a/carried.ply"), NULL), 0, NULL);
    assert_false(cli_exists(compare_in(mesh, "a/landmarks.csv")));
}

/* The better reference wins in every case, whatever the order; the fits are those with that reference alone. */
static void the_reference_with_the_most_evidence_is_kept(void **state)
{
    const char *folder = test_path("several"), *alone = test_path("out"), *turned = test_path("turned");
    (void)state;
    cli_expect(
        sfgp_run_program("batch", scans, "-o", turned, "--reference", reference, "--reference", other, NULL),
        0, "2 ok");
    cli_assert_same_files(compare_in(turned, "a/fit.ply"), compare_in(alone, "a/fit.ply"));
    cli_expect(sfgp_run_program("batch", scans, "-o", folder, "--reference", other, "--apply", template,
                                "--reference", reference, "--apply", template, NULL),
               0, "2 ok");
    cli_assert_same_files(compare_in(folder, "a/fit.ply"), compare_in(alone, "a/fit.ply"));
    cli_assert_same_files(compare_in(folder, "b_c/landmarks.fcsv"), compare_in(alone, "b_c/landmarks.fcsv"));
    compare_assert_words(compare_in(folder, "a/case.json"), "\"evidence\": ");
    compare_assert_words(compare_in(folder, "a/case.json"), "\"references\": [");
}

/* Of two, the median is the middle: that of a reference with itself is its own. */
static void the_median_is_that_of_all_references(void **state)
{
    const char *folder = test_path("median"), *alone = test_path("out");
    (void)state;
    cli_expect(sfgp_run_program("batch", scans, "-o", folder, "--reference", reference, "--apply", template,
                                "--reference", reference, "--apply", template, "--median", NULL),
               0, "2 ok");
    cli_assert_same_files(compare_in(folder, "a/landmarks.fcsv"), compare_in(alone, "a/landmarks.fcsv"));
    cli_expect(sfgp_run_program("batch", scans, "-o", test_path("m2"), "--reference", reference, "--apply",
                                template, "--median", NULL),
               2, "--median: needs several");
    cli_expect(sfgp_run_program("batch", scans, "-o", test_path("m2"), "--reference", reference, "--apply",
                                template, "--reference", other, NULL),
               2, "--apply: 1 files for 2 references");
    cli_expect(sfgp_run_program("batch", scans, "-o", test_path("m2"), "--reference", reference,
                                "--reference", other, "--method", "bcpd", NULL),
               2, "which only auto has");
}

/* Columns of a table of commas: another reference, its landmarks, and what it carries, for each case. */
static void columns_say_it_for_each_case(void **state)
{
    const char *folder = test_path("columns"), *fit = test_path("fit.ply");
    const char *first = test_text("first.csv", "name,x,y,z\ntip,0.1,0.2,0.3\nlobe,-0.5,0.1,0.4\n");
    const char *table = test_text("table.csv", "target,reference,landmarks,reference-landmarks,apply\n"
                                               "scans/a.ply,reference.ply,first.csv,first.csv,template.fcsv\n"
                                               "scans/b c.npy,other.ply,,,\n");
    (void)state;
    cli_expect(sfgp_run_program("batch", table, "-o", folder, NULL), 0, "2 ok");
    cli_expect(sfgp_run_program("register", reference, compare_in(scans, "a.ply"), "-o", fit, "--landmarks",
                                first, first, NULL),
               0, NULL);
    cli_assert_same_files(fit, compare_in(folder, "a/fit.ply"));
    assert_true(cli_exists(compare_in(folder, "a/landmarks.fcsv")));
    assert_false(cli_exists(compare_in(folder, "b_c/landmarks.csv")));
    compare_assert_words(compare_in(folder, "b_c/case.json"), "\"reference\": \"other.ply\"");
    compare_assert_words(compare_in(folder, "a/case.json"),
                         "\"landmarks\": [\n    \"first.csv\",\n    \"first.csv\"\n  ]");
    compare_assert_words(compare_in(folder, "b_c/case.json"), "\"landmarks\": []");
    cli_expect(sfgp_run_program("batch", test_text("bad.csv", "target,landmarks\nscans/a.ply,first.csv\n"),
                                "-o", folder, "--reference", reference, "--resume", NULL),
               4, "those of the reference are missing");
    cli_expect(sfgp_run_program("batch",
                                test_text("bad.csv", "target,reference\nscans/a.ply,other.ply\nx,\n"), "-o",
                                folder, "--resume", NULL),
               4, "line 3, column 'reference': is empty");
}

/* What a case needs, or cannot have, is told before anything runs. */
static void cases_that_contradict_themselves_are_refused(void **state)
{
    static const struct {
        const char *table, *words;
    } FAULTS[] = {
        {"target,apply\nscans/a.ply,template.fcsv\n", "give --apply after each of them"},
        {"target,landmarks,reference-landmarks\nscans/a.ply,first.csv,first.csv\n",
         "give --landmarks after each of them"},
    };
    const char *never = test_path("never");
    (void)state;
    for (size_t k = 0; k < sizeof FAULTS / sizeof *FAULTS; k++)
        cli_expect(sfgp_run_program("batch", test_text("contradicts.csv", FAULTS[k].table), "-o", never,
                                    "--reference", reference, "--reference", other, NULL),
                   4, FAULTS[k].words);
    cli_expect(
        sfgp_run_program("batch",
                         test_text("contradicts.csv", "target,reference-landmarks\nscans/a.ply,first.csv\n"),
                         "-o", never, "--reference", reference, NULL),
        4, "those of the target, is empty");
    cli_expect(sfgp_run_program("batch", scans, "-o", never, "--reference", reference, "--reference", other,
                                "--train", other, NULL),
               2, "--train: there are several references");
    assert_int_not_equal(access(never, F_OK), 0);
}

/* Neither was read, and nothing said so. */
static void landmarks_that_no_case_reads_are_refused(void **state)
{
    const char *never = test_path("never"), *table = test_text("plain.csv", "target\nscans/a.ply\n"),
               *empty = test_text("empty.csv", "target,landmarks\nscans/a.ply,\n");
    (void)state;
    cli_expect(sfgp_run_program("batch", table, "-o", never, "--reference", reference, "--landmarks",
                                template, NULL),
               2, "--landmarks: no case has landmarks");
    cli_expect(sfgp_run_program("batch", empty, "-o", never, "--reference", reference, "--landmarks",
                                template, NULL),
               2, "--landmarks: no case has landmarks");
    cli_expect(
        sfgp_run_program("batch", scans, "-o", never, "--reference", reference, "--landmark-sd", "1", NULL),
        2, "--landmark-sd: no case has landmarks");
    assert_int_not_equal(access(never, F_OK), 0);
}

/* Those of the command line are of the whole batch, those of a cell of their case. */
static void landmarks_of_the_whole_batch_are_read_before_anything_runs(void **state)
{
    const char *never = test_path("never"), *flat = test_text("flat_pairs.csv", "tip,1,2\nlobe,3,4\n"),
               *good = test_text("good_pairs.csv", "tip,0.1,0.2,0.3\nlobe,-0.5,0.1,0.4\n");
    const char *table = test_text("pairs.csv", "target,landmarks,reference-landmarks\n"
                                               "scans/a.ply,flat_pairs.csv,flat_pairs.csv\n"
                                               "scans/b c.npy,good_pairs.csv,\n");
    (void)state;
    cli_expect(sfgp_run_program("batch", table, "-o", never, "--reference", reference, "--landmarks",
                                test_path("no.csv"), NULL),
               3, "no.csv");
    cli_expect(sfgp_run_program("batch", table, "-o", never, "--reference", reference, "--landmarks",
                                test_text("bad_pairs.csv", "tip,1,2,x\n"), "--dry-run", NULL),
               4, "bad_pairs.csv: line 1");
    cli_expect(
        sfgp_run_program("batch", table, "-o", never, "--reference", reference, "--landmarks", flat, NULL), 5,
        "flat_pairs.csv: 2D, the reference is 3D");
    assert_int_not_equal(access(never, F_OK), 0);
    const char *some = test_path("some");
    cli_expect(
        sfgp_run_program("batch", table, "-o", some, "--reference", reference, "--landmarks", good, NULL), 1,
        "1 failed");
    compare_assert_words(compare_in(some, "a/case.json"), "landmarks: they are 2D, the target is 3D");
    compare_assert_words(compare_in(some, "b_c/case.json"), "\"exit_code\": 0");
    const char *strange = test_text("strange.csv", "name,x,y,z\nq,1,2,3\n"), *odd = test_path("strange");
    cli_expect(
        sfgp_run_program("batch", table, "-o", odd, "--reference", reference, "--landmarks", strange, NULL),
        1, "strange.csv and ");
    compare_assert_words(compare_in(odd, "b_c/case.json"), "strange.csv and ");
    compare_assert_words(compare_in(odd, "b_c/case.json"), "landmarks: no name of one file is in the other");
}

/* Every fit was done, and then every case failed. */
static void what_cannot_be_carried_is_refused_before_anything_runs(void **state)
{
    const char *never = test_path("never"), *flat = test_text("flat.csv", "a,1,2\nb,3,4\n");
    const char *table =
        test_text("carries.csv", "target,apply\nscans/a.ply,template.fcsv\nscans/b c.npy,flat.csv\n");
    (void)state;
    cli_expect(sfgp_run_program("batch", scans, "-o", never, "--reference", reference, "--apply",
                                test_path("no.csv"), NULL),
               3, "no.csv");
    cli_expect(sfgp_run_program("batch", scans, "-o", never, "--reference", reference, "--apply", flat,
                                "--dry-run", NULL),
               5, "flat.csv: 2D, the fit is 3D");
    cli_expect(sfgp_run_program("batch", table, "-o", never, "--reference", reference, NULL), 5,
               "line 3, column 'apply': ");
    cli_expect(sfgp_run_program("batch",
                                test_text("carries.csv", "target,apply\nscans/a.ply,no.csv\nx.ply,no.csv\n"),
                                "-o", never, "--reference", reference, "--dry-run", NULL),
               3, "line 2, column 'apply': ");
    assert_int_not_equal(access(never, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_becomes_a_table_of_landmarks), /* others compare with it */
        cmocka_unit_test(resume_knows_what_was_carried),
        cmocka_unit_test(the_reference_with_the_most_evidence_is_kept),
        cmocka_unit_test(the_median_is_that_of_all_references),
        cmocka_unit_test(columns_say_it_for_each_case), /* whose landmarks others read */
        cmocka_unit_test(cases_that_contradict_themselves_are_refused),
        cmocka_unit_test(landmarks_that_no_case_reads_are_refused),
        cmocka_unit_test(landmarks_of_the_whole_batch_are_read_before_anything_runs),
        cmocka_unit_test(what_cannot_be_carried_is_refused_before_anything_runs),
    };
    unsetenv("SLURM_ARRAY_TASK_ID");
    unsetenv("SLURM_CPUS_PER_TASK");
    make_files();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
