/* sfgp batch and sfgp collect, as a user runs them. */
#include "test_cli_compare.h"
#include "support/terminal.h"

#include <hdf5.h>

enum { POINTS = 150, CASES = 5 };

static const char *reference, *manifest;

/* Four targets and one that is not there; other settings in some rows. */
static void make_files(void)
{
    static char kept[2][256];
    test_shapes *shapes = test_shapes_new(POINTS, 3, 0, 1);
    strcpy(kept[0], cli_mesh("reference.ply", POINTS, 3, shapes->reference, true));
    cli_points("a b.txt", shapes->m, 3, shapes->target);
    cli_points("c.ply", shapes->m - 40, 3, shapes->target);
    cli_points("d.npy", POINTS, 3, shapes->truth);
    test_shapes_free(shapes);
    strcpy(kept[1], test_text("cases.tsv", "id\ttarget\tomega\tkernel\tmax-iterations\n"
                                           "one\ta b.txt\t\t\t\n"
                                           "two\tc.ply\t0.3\t\t\n"
                                           "three\td.npy\t\tse:length=2,variance=0.3\t\n"
                                           "four\tc.ply\t\t\t2\n"
                                           "five\tnowhere.ply\t\t\t\n"));
    reference = kept[0];
    manifest = kept[1];
}

static void assert_same_fits(const char *folder, const char *other)
{
    static const char *const NAMES[] = {"one", "two", "three", "four"};
    char file[64];
    for (int k = 0; k < 4; k++) {
        snprintf(file, sizeof file, "%s/fit.ply", NAMES[k]);
        cli_assert_same_files(compare_in(folder, file), compare_in(other, file));
    }
}

/* Number of "key":... lines of an event. */
static int count_events(const char *path, const char *event)
{
    char words[64], *text = sfgp_test_read(path, NULL);
    if (!text)
        return 0;
    snprintf(words, sizeof words, "\"event\":\"%s\"", event);
    const int count = sfgp_test_count(text, words);
    free(text);
    return count;
}

/* The warning of a flagged fit, in the words of register; no other case has one. */
static void assert_warning_is_kept(const char *said, const char *record)
{
    static const char HEAD[] = "sfgp: warning: max_iterations: ";
    const char *warning = strstr(said, HEAD);
    char *text = sfgp_test_read(record, NULL), line[256];
    assert_true(!warning == !strstr(text, "max_iterations: not converged"));
    if (warning) {
        warning += strlen("sfgp: warning: ");
        snprintf(line, sizeof line, "\"%.*s\"", (int)strcspn(warning, "\n"), warning);
        sfgp_assert_has(text, line);
    }
    free(text);
}

/* With -v every case is told, and none twice. */
static void a_failed_case_is_named_with_its_reason(void **state)
{
    static const char REASON[] = "sfgp: warning: five: failed: ", TOLD[] = "sfgp: five: failed, ";
    (void)state;
    sfgp_run run = sfgp_run_program("batch", manifest, "-o", test_path("named"), "--model", reference, NULL);
    const char *said = strstr(run.err, REASON);
    assert_non_null(said);
    sfgp_assert_has(said, "nowhere.ply: No such file or directory");
    assert_null(strstr(run.err, TOLD));
    sfgp_run_free(&run);
    run = sfgp_run_program("batch", manifest, "-o", test_path("told"), "--model", reference, "-v", NULL);
    sfgp_assert_has(run.err, TOLD);
    assert_null(strstr(run.err, REASON));
    sfgp_run_free(&run);
}

static void every_case_is_what_register_gives(void **state)
{
    const char *folder = test_path("out"), *fit = test_path("fit.ply");
    static const char *const RUNS[][4] = {
        {"one", "a b.txt", "--omega=0.1", "--rank=auto"},
        {"two", "c.ply", "--omega=0.3", "--rank=auto"},
        {"three", "d.npy", "--kernel=se:length=2,variance=0.3", "--rank=auto"},
        {"four", "c.ply", "--max-iterations=2", "--rank=auto"}};
    (void)state;
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "-j", "2", NULL), 1,
               "5 cases: 3 ok, 1 flagged, 1 failed; 0 were done before");
    for (int k = 0; k < 4; k++) {
        char file[64];
        sfgp_run run = sfgp_run_program("register", reference, test_path(RUNS[k][1]), "-o", fit, RUNS[k][2],
                                        RUNS[k][3], NULL);
        assert_int_equal(run.exit_code, k == 3);
        snprintf(file, sizeof file, "%s/case.json", RUNS[k][0]);
        assert_warning_is_kept(run.err, compare_in(folder, file));
        sfgp_run_free(&run);
        snprintf(file, sizeof file, "%s/fit.ply", RUNS[k][0]);
        cli_assert_same_files(fit, compare_in(folder, file));
    }
    assert_false(cli_exists(compare_in(folder, "five/fit.ply")));
    compare_assert_words(compare_in(folder, "five/case.json"), "nowhere.ply");
    compare_assert_words(compare_in(folder, "four/case.json"), "\"status\": \"flagged\"");
    cli_assert_same_files(compare_in(folder, "manifest.tsv"), manifest);
}

/* Each case has its own clocks and its own prediction; neither is part of what a case is known by. */
static void a_profile_and_a_limit_change_no_case(void **state)
{
    const char *folder = test_path("profiled"), *record = compare_in(folder, "one/case.json");
    (void)state;
    cli_expect(
        sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--profile", "-v", NULL), 1,
        "sfgp: four: flagged, ");
    assert_same_fits(folder, test_path("out"));
    char *text = sfgp_test_read(record, NULL), *estep = strstr(text, "\"estep\": {");
    assert_non_null(estep);
    assert_true(cli_json_number(estep, "calls") > 1 && cli_json_number(text, "predicted_mib") > 0.1);
    free(text);
    text = sfgp_test_read(compare_in(test_path("out"), "one/case.json"), NULL);
    assert_null(strstr(text, "\"profile\""));
    free(text);
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--resume",
                                "--max-memory", "8G", NULL),
               1, "5 were done before");
    cli_expect(sfgp_run_program("batch", manifest, "-o", test_path("limited"), "--model", reference,
                                "--max-memory", "1K", NULL),
               6, "max_memory: ");
    cli_expect(sfgp_run_program("batch", manifest, "-o", test_path("limited"), "--model", reference,
                                "--max-memory", "400K", NULL),
               1, "5 cases: 0 ok");
    compare_assert_words(compare_in(test_path("limited"), "one/case.json"), "MiB are needed");
    compare_assert_words(compare_in(test_path("limited"), "one/case.json"), "\"exit_code\": 6");
}

/* Told, and nothing written; a scan, truth or mask that is not there is found before anything runs. */
static void a_dry_run_tells_the_plan(void **state)
{
    const char *folder = test_path("dry");
    (void)state;
    sfgp_run run =
        sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--dry-run", "--save", NULL);
    sfgp_assert_has(run.err, "reference.ply: ply, 150 points, 148 faces, 3D; rank ");
    sfgp_assert_has(run.err, "5 of this part, 0 done before, 5 to do");
    sfgp_assert_has(run.err, "dry/ID/fit.ply, case.json, fit.h5");
    cli_expect(run, SFGP_ERROR_READ, "nowhere.ply: No such file or directory");
    run = sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--dry-run", "--shard=1/4",
                           NULL);
    assert_null(strstr(run.err, "nowhere.ply"));
    cli_expect(run, 0, "1 to do");
    test_text("truthful.tsv", "target\ttruth\tmissing\nreference.ply\treference.ply\tno_mask.txt\n"
                              "a_scan.ply\tno_truth.ply\t\n");
    run = sfgp_run_program("batch", test_path("truthful.tsv"), "-o", folder, "--model", reference,
                           "--dry-run", NULL);
    sfgp_assert_has(run.err, "no_mask.txt: No such file or directory");
    sfgp_assert_has(run.err, "a_scan.ply: No such file or directory");
    cli_expect(run, SFGP_ERROR_READ, "no_truth.ply: No such file or directory");
    assert_false(cli_exists(folder));
}

/* Every file of a case is read, and a scan checked as its fit does. */
static void a_dry_run_reads_the_files(void **state)
{
    const char *wrong = test_text(
        "wrong.tsv", "target\ttruth\tmissing\tlandmarks\nempty.ply\t\t\t\nodd.csv\t\t\t\nfew.csv\t\t\t\n"
                     "reference.ply\treference.ply\tshort.txt\tno_marks.csv\n");
    (void)state;
    test_text("empty.ply", "");
    test_text("odd.csv", "0,0,0\n1,0,0\nnan,0,0\n0,1,0\n0,0,1\n");
    test_text("few.csv", "0,0,0\n1,0,0\n");
    test_text("short.txt", "0\n1\n");
    test_text("no_marks.csv", "name,x,y,z\ntip,1,2,x\n");
    sfgp_run run =
        sfgp_run_program("batch", wrong, "-o", test_path("never"), "--model", reference, "--landmarks",
                         test_text("own.csv", "name,x,y,z\ntip,1,2,3\n"), "--dry-run", NULL);
    sfgp_assert_has(run.err, "empty.ply: byte 0: the file is empty");
    sfgp_assert_has(run.err, "odd.csv: line 3");
    sfgp_assert_has(run.err, "few.csv: target: 2 points; at least 4 are needed in 3D");
    sfgp_assert_has(run.err, "short.txt: ");
    cli_expect(run, SFGP_ERROR_READ, "no_marks.csv: line 2");
}

/* Rows whose truth, mask or landmarks are not there fail like those without a scan, before a fit is begun; the others go on. */
static void files_that_are_not_there_are_told_before_any_fit(void **state)
{
    static const char *const ORDER[] = {"truthless", "maskless", "markless", "scanless", "whole"};
    const char *folder = test_path("absent"), *events = test_path("absent.jsonl"),
               *cases = test_text("absent.tsv", "id\ttarget\ttruth\tmissing\tlandmarks\n"
                                                "whole\tc.ply\t\t\t\n"
                                                "truthless\tc.ply\tno_truth.ply\t\t\n"
                                                "maskless\tc.ply\treference.ply\tno_mask.txt\t\n"
                                                "markless\tc.ply\t\t\tabsent_marks.csv\n"
                                                "scanless\tno_scan.ply\t\t\t\n");
    (void)state;
    sfgp_run run =
        sfgp_run_program("batch", cases, "-o", folder, "--model", reference, "--events", events, "-j", "1",
                         "--landmarks", test_text("tip.csv", "name,x,y,z\ntip,1,2,3\n"), NULL);
    sfgp_assert_has(run.err, "truthless: failed: ");
    sfgp_assert_has(run.err, "no_truth.ply: No such file or directory");
    sfgp_assert_has(run.err, "no_mask.txt: No such file or directory");
    sfgp_assert_has(run.err, "absent_marks.csv: No such file or directory");
    cli_expect(run, 1, "5 cases: 1 ok, 0 flagged, 4 failed");
    char *text = sfgp_test_read(events, NULL), *at = text;
    for (int k = 0; k < 5; k++)
        if (!(at = strstr(at, ORDER[k])))
            fail_msg("%s does not come after those before it", ORDER[k]);
    free(text);
    assert_true(cli_exists(compare_in(folder, "whole/fit.ply")));
}

/* A fit that its truth cannot be compared with would be for nothing. */
static void a_truth_of_other_points_is_told_before_the_fit(void **state)
{
    static const char WORDS[] = "truth: c.ply has 87 points in 3D, the reference 150 in 3D";
    const char *cases = test_text("other_truth.tsv", "id\ttarget\ttruth\nodd\tc.ply\tc.ply\n");
    (void)state;
    sfgp_run run =
        sfgp_run_program("batch", cases, "-o", test_path("other"), "--model", reference, "--dry-run", NULL);
    sfgp_assert_has(run.err, "sfgp: error: odd: truth: ");
    cli_expect(run, SFGP_ERROR_READ, WORDS);
    cli_expect(sfgp_run_program("batch", cases, "-o", test_path("other"), "--model", reference, NULL), 1,
               WORDS);
    compare_assert_words(compare_in(test_path("other"), "odd/case.json"), "\"exit_code\": 5");
}

/* A path of Windows is no path here. */
static void a_path_with_backslashes_is_told(void **state)
{
    (void)state;
    cli_expect(
        sfgp_run_program("batch", test_text("windows.tsv", "target\nscans\\a.ply\n"), "-o",
                         test_path("never"), "--model", reference, "--dry-run", NULL),
        SFGP_ERROR_READ,
        "scans\\a.ply: No such file or directory; here '/' stands between folders and files, not '\\'");
}

static void a_folder_with_results_is_refused(void **state)
{
    const char *folder = test_path("out");
    (void)state;
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, NULL), 2, "--resume");
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--index", "1", NULL),
               2, "--resume");
    cli_expect(sfgp_run_program("batch", manifest, "-o", manifest, "--model", reference, NULL), 7, NULL);
}

static void resume_does_what_is_missing(void **state)
{
    const char *folder = test_path("resumed"), *events = test_path("resumed.jsonl");
    (void)state;
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--quiet", NULL), 1,
               NULL);
    sfgp_test_write(compare_in(folder, "two/case.json"), "{", 1);
    assert_int_equal(unlink(compare_in(folder, "three/fit.ply")), 0);
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--resume", "--events",
                                events, NULL),
               1, "5 cases: 3 ok, 1 flagged, 1 failed; 3 were done before");
    assert_int_equal(count_events(events, "case"), 2);
    assert_int_equal(count_events(events, "start"), 2);
    assert_same_fits(folder, test_path("out"));
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--retry-failed",
                                "--events", events, NULL),
               1, "4 were done before");
    assert_int_equal(count_events(events, "case"), 3);
}

static void parts_make_the_whole(void **state)
{
    const char *shards = test_path("shards"), *chunks = test_path("chunks");
    char text[16];
    (void)state;
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, "%d/3", k);
        sfgp_run run =
            sfgp_run_program("batch", manifest, "-o", shards, "--model", reference, "--shard", text, NULL);
        assert_int_equal(run.exit_code, k != 2 ? 1 : 0); /* shard 2 has the third case alone */
        sfgp_run_free(&run);
        snprintf(text, sizeof text, "%d", k);
        run = sfgp_run_program("batch", manifest, "-o", chunks, "--model", reference, "--index", text,
                               "--chunk", "2", NULL);
        assert_int_equal(run.exit_code, k != 0 ? 1 : 0);
        sfgp_run_free(&run);
    }
    assert_same_fits(shards, test_path("out"));
    assert_same_fits(chunks, test_path("out"));
    cli_expect(sfgp_run_program("batch", manifest, "-o", chunks, "--model", reference, "--index", "9", NULL),
               0, "no case");
}

static pid_t start_runner(const char *folder, const char *events, const char *words)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (!freopen(words, "w", stderr))
            _exit(126);
        execl(SFGP_PROGRAM, SFGP_PROGRAM, "batch", manifest, "-o", folder, "--model", reference, "--resume",
              "--events", events, (char *)NULL);
        _exit(127);
    }
    return child;
}

/* Each case once, whoever does it; both runners end when all cases are done, and know how they came out. */
static void two_at_the_same_cases_share_the_work(void **state)
{
    const char *folder = test_path("twice"), *events = test_path("twice.jsonl"),
               *words[] = {test_path("one.txt"), test_path("other.txt")};
    (void)state;
    const pid_t children[] = {start_runner(folder, events, words[0]), start_runner(folder, events, words[1])};
    for (int k = 0; k < 2; k++) {
        int status = 0;
        assert_int_equal(waitpid(children[k], &status, 0), children[k]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 1);
    }
    assert_int_equal(count_events(events, "case"), CASES);
    char *said[] = {sfgp_test_read(words[0], NULL), sfgp_test_read(words[1], NULL)};
    assert_true(strstr(said[0], " by another runner meanwhile") ||
                strstr(said[1], " by another runner meanwhile"));
    free(said[0]);
    free(said[1]);
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--resume", NULL), 1,
               "5 were done before");
    assert_same_fits(folder, test_path("out"));
}

static void a_slurm_array_chooses_the_part(void **state)
{
    const char *folder = test_path("slurm");
    (void)state;
    setenv("SLURM_ARRAY_TASK_ID", "2", 1);
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, NULL), 0,
               "part 2 of a Slurm array");
    assert_true(cli_exists(compare_in(folder, "three/case.json")));
    assert_false(cli_exists(compare_in(folder, "two/case.json")));
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--index", "1", NULL),
               0, "1 cases: 1 ok");
    setenv("SLURM_ARRAY_TASK_ID", "x", 1);
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, NULL), 2,
               "SLURM_ARRAY_TASK_ID");
    unsetenv("SLURM_ARRAY_TASK_ID");
}

/* A fit that was replaced is not what case.json tells of. */
static void training_shapes_that_are_bad_fits_are_named(void **state)
{
    const char *good = compare_in(test_path("out"), "one/fit.ply"),
               *other = compare_in(test_path("out"), "three/fit.ply"),
               *bad = compare_in(test_path("out"), "four/fit.ply"), *model = test_path("trained.h5"),
               *moved = test_path("moved");
    (void)state;
    sfgp_run run = sfgp_run_program("model", "build", reference, "--train", good, other, "-o", model, NULL);
    assert_null(strstr(run.err, "--train"));
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("model", "build", reference, "--train", good, other, bad, "-o", model, NULL);
    sfgp_assert_has(run.err, "1 of 3 shapes are fits that have not converged");
    cli_expect(run, 0,
               "out/four/fit.ply (max_iterations); a shape model learns their errors: leave them out");
    assert_int_equal(mkdir(moved, 0777), 0);
    assert_int_equal(symlink(compare_in(test_path("out"), "four/case.json"), compare_in(moved, "case.json")),
                     0);
    assert_int_equal(symlink(good, compare_in(moved, "fit.ply")), 0);
    run = sfgp_run_program("model", "build", reference, "--train", compare_in(moved, "fit.ply"), other, "-o",
                           model, NULL);
    assert_null(strstr(run.err, "--train"));
    cli_expect(run, 0, NULL);
    cli_expect(sfgp_run_program("batch", manifest, "-o", test_path("trained"), "--reference", reference,
                                "--train", good, bad, "--dry-run", NULL),
               3, "out/four/fit.ply (max_iterations)");
}

static void a_model_file_is_as_good(void **state)
{
    const char *model = test_path("model.h5"), *folder = test_path("model-out"),
               *cases = test_text("plain.tsv", "id\ttarget\none\ta b.txt\n"),
               *changed =
                   test_text("changed.tsv", "id\ttarget\tkernel\none\ta b.txt\tse:length=1,variance=1\n");
    (void)state;
    cli_expect(sfgp_run_program("model", "build", reference, "-o", model, NULL), 0, NULL);
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--model", model, NULL), 0, NULL);
    cli_assert_same_files(compare_in(folder, "one/fit.ply"), compare_in(test_path("out"), "one/fit.ply"));
    cli_expect(sfgp_run_program("batch", changed, "-o", test_path("no"), "--model", model, NULL), 2,
               "kernel");
    cli_expect(
        sfgp_run_program("batch", cases, "-o", test_path("no"), "--model", model, "--train", reference, NULL),
        2, "--train");
    assert_false(cli_exists(test_path("no/manifest.tsv")));
}

/* Our own model once more, as one of several in a file. */
static void make_catalogue(const char *model, const char *path)
{
    static const char *const GROUPS[] = {"representer", "model", "modelinfo", "version"};
    hid_t from = H5Fopen(model, H5F_ACC_RDONLY, H5P_DEFAULT),
          to = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), links = H5Pcreate(H5P_LINK_CREATE),
          type = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
    assert_true(from >= 0 && to >= 0 && H5Pset_create_intermediate_group(links, 1) >= 0);
    H5Tset_size(type, sizeof "/first");
    hid_t set = H5Dcreate2(to, "/catalog/first/modelPath", type, scalar, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, "/first") >= 0);
    H5Gclose(H5Gcreate2(to, "/first", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    hid_t first = H5Gopen2(to, "/first", H5P_DEFAULT);
    for (int k = 0; k < 4; k++)
        assert_true(H5Ocopy(from, GROUPS[k], first, GROUPS[k], H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Gclose(first), H5Dclose(set), H5Sclose(scalar), H5Tclose(type), H5Pclose(links), H5Fclose(to),
        H5Fclose(from);
}

/* A case is known by the file and by the name in it. */
static void a_model_of_a_catalogue_is_resumed(void **state)
{
    const char *model = test_path("model.h5"), *file = test_path("models.h5"),
               *folder = test_path("catalogue"),
               *cases = test_text("plain.tsv", "id\ttarget\none\ta b.txt\n");
    char named[300];
    (void)state;
    make_catalogue(model, file);
    snprintf(named, sizeof named, "%s:first", file);
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--model", named, "--effort", "quick", NULL), 0,
               NULL);
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--model", named, "--effort", "quick",
                                "--resume", NULL),
               0, "1 were done before");
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--model", file, "--effort", "quick",
                                "--resume", NULL),
               0, "0 were done before");
}

/* What the solver has said when it was made stands in every case, also where it is the one of the case before. */
static void a_kept_solver_warns_in_every_case(void **state)
{
    const char *folder = test_path("warned"),
               *cases = test_text("warned.tsv", "id\ttarget\none\ta b.txt\ntwo\td.npy\n");
    (void)state;
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--model", reference, "--method", "cpd-rigid",
                                "--rank", "5", "--jobs", "1", NULL),
               0, NULL);
    compare_assert_words(compare_in(folder, "one/case.json"), "rank: method cpd-rigid does not read it");
    compare_assert_words(compare_in(folder, "two/case.json"), "rank: method cpd-rigid does not read it");
}

/* A millisecond is too short for three thousand points, which take a thousand times that. */
static void a_case_in_trouble_stops_no_other(void **state)
{
    const char *folder = test_path("late"), *demo = SFGP_SOURCE_DIR "/data/demo/reference.ply",
               *cases = test_text("late.tsv", "id\ttarget\nlong\t" SFGP_SOURCE_DIR "/data/demo/scan.ply\n"
                                              "other\t" SFGP_SOURCE_DIR "/data/demo/reference.ply\n");
    (void)state;
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--model", demo, "--effort", "quick", "--index",
                                "0", "--timeout", "0.001", NULL),
               1, "1 failed");
    compare_assert_words(compare_in(folder, "long/case.json"), "had not ended after 0.001 seconds");
    compare_assert_words(compare_in(folder, "long/case.json"), "\"processor_seconds\": null");
    cli_expect(sfgp_run_program("collect", folder, NULL), 1, "1 failed");
    compare_table *table = compare_read(compare_in(folder, "cases.csv"));
    assert_string_equal(compare_cell(table, 0, "status"), "failed");
    assert_string_equal(compare_cell(table, 0, "seconds"), ""); /* not known, and not 0 */
    assert_string_equal(compare_cell(table, 0, "processor_seconds"), "");
    compare_free(table);
    assert_false(cli_exists(compare_in(folder, "long/fit.ply")));
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--model", demo, "--effort", "quick",
                                "--resume", NULL),
               1, "1 ok, 0 flagged, 1 failed; 1 were done before");
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--model", demo, "--effort", "quick",
                                "--retry-failed", NULL),
               0, "2 ok, 0 flagged, 0 failed; 1 were done before");
    assert_true(cli_exists(compare_in(folder, "long/fit.ply")));
}

static void wrong_arguments_are_refused_before_anything_runs(void **state)
{
    static const struct {
        const char *option, *value, *words;
    } FAULTS[] = {
        {"--shard", "3/3", "--shard"},    {"--shard", "1", "--shard"},
        {"--shard", "-1/3", "--shard"},   {"--shard", "1/3x", "--shard"},
        {"--shard", "0/0", "--shard"},    {"--chunk", "0", "--chunk"},
        {"--chunk", "3", "--index"},      {"--jobs", "5000", "--jobs"},
        {"--timeout", "-1", "--timeout"}, {"--omega", "2", "omega"},
        {"-o", "twice", "twice"},         {"--method", "none", "none"},
        {"--index", "x", "--index"},      {"--events", "/nowhere/e", "/nowhere/e"},
    };
    const char *folder = test_path("never");
    (void)state;
    for (size_t k = 0; k < sizeof FAULTS / sizeof *FAULTS; k++) {
        sfgp_run run = sfgp_run_program("batch", manifest, "-o", folder, "--model", reference,
                                        FAULTS[k].option, FAULTS[k].value, NULL);
        const bool events = strcmp(FAULTS[k].option, "--events") == 0;
        cli_expect(run, events ? SFGP_ERROR_WRITE : SFGP_ERROR_PARAMETER, FAULTS[k].words);
        assert_true(events || access(folder, F_OK) != 0);
    }
    cli_expect(sfgp_run_program("batch", manifest, "--model", reference, NULL), 2, "-o DIR is missing");
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, NULL), 2, "--reference is missing");
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--index", "1",
                                "--shard", "0/2", NULL),
               2, "give one of them");
    cli_expect(sfgp_run_program("batch", test_path("no.tsv"), "-o", folder, "--model", reference, NULL), 3,
               "no.tsv");
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", test_path("no.ply"), NULL), 3,
               "no.ply");
    cli_expect(sfgp_run_program("batch", test_text("bad.tsv", "id\ttarget\na/b\tc\n"), "-o", folder,
                                "--model", reference, NULL),
               4, "line 2, column 'id'");
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--train", reference,
                                test_path("c.ply"), NULL),
               SFGP_ERROR_DATA, "c.ply: ");
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--train", reference,
                                test_text("broken.csv", "1,2,3\n1,2\n"), NULL),
               SFGP_ERROR_FORMAT, "broken.csv: line 2");
}

static void more_references_than_there_is_room_for_are_refused(void **state)
{
    char command[1000];
    const char *words = test_path("many.txt");
    (void)state;
    snprintf(command, sizeof command, "%s batch %s -o %s $(seq -f --reference=%%g.ply 65) 2>%s", SFGP_PROGRAM,
             manifest, test_path("never"), words);
    const int status = system(command);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    compare_assert_words(words, "--reference: more than 64");
}

/* Opening a pipe that nobody writes to would wait for ever, and a device never ends. */
static void pipes_and_devices_are_refused(void **state)
{
    const char *pipe = test_path("pipe"), *folder = test_path("piped"), *events = test_path("events");
    (void)state;
    assert_int_equal(mkfifo(pipe, 0666), 0);
    assert_int_equal(mkfifo(events, 0666), 0);
    cli_expect(sfgp_run_program("batch", pipe, "-o", folder, "--model", reference, NULL), 3,
               "not a regular file");
    cli_expect(sfgp_run_program("batch", "/dev/zero", "-o", folder, "--model", reference, NULL), 3,
               "not a regular file");
    cli_expect(
        sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--events", events, NULL), 7,
        "events: cannot write");
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--resume", NULL), 1,
               NULL);
    assert_int_equal(unlink(compare_in(folder, "one/case.json")), 0);
    assert_int_equal(mkfifo(compare_in(folder, "one/case.json"), 0666), 0);
    assert_int_equal(unlink(compare_in(folder, "two/fit.ply")), 0);
    assert_int_equal(mkfifo(compare_in(folder, "two/fit.ply"), 0666), 0);
    cli_expect(sfgp_run_program("collect", folder, NULL), 1, "1 ok, 1 flagged, 1 failed, 2 without");
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--resume", NULL), 1,
               "3 were done before");
    assert_same_fits(folder, test_path("out"));
    assert_int_equal(unlink(compare_in(folder, "manifest.tsv")), 0);
    assert_int_equal(mkfifo(compare_in(folder, "manifest.tsv"), 0666), 0);
    cli_expect(sfgp_run_program("collect", folder, NULL), 3, "not a regular file");
}

/* Landmarks of a scan stand beside it, in the first of three formats; a table of landmarks is no scan. */
static void a_folder_of_scans_has_its_landmarks(void **state)
{
    const char *folder = test_path("scans"), *out = test_path("scans-out");
    const char *marks = "name,x,y,z\ntip,0,0,0\nlobe,1,0,0\n", *at = test_text("marks.csv", marks);
    (void)state;
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(symlink(test_path("c.ply"), test_path("scans/one.ply")), 0);
    assert_int_equal(symlink(test_path("c.ply"), test_path("scans/two.ply")), 0);
    assert_int_equal(symlink(test_path("c.ply"), test_path("scans/bare.ply")), 0);
    test_text("scans/one.csv", marks);
    test_text("scans/two.csv", marks);
    test_text("scans/two.fcsv", "# columns = id,x,y,z,label\n1,0,0,0,tip\n2,1,0,0,lobe\n");
    cli_expect(sfgp_run_program("batch", folder, "-o", out, "--reference", reference, "--landmarks", at,
                                "--dry-run", NULL),
               0, "cases: 3 in");
    cli_expect(sfgp_run_program("batch", folder, "-o", out, "--reference", reference, "--landmarks", at,
                                "--max-iterations", "1", NULL),
               1, "0 ok, 3 flagged, 0 failed");
    compare_assert_words(compare_in(out, "manifest.tsv"),
                         "target\tlandmarks\nbare.ply\t\none.ply\tone.csv\ntwo.ply\ttwo.fcsv\n");
    cli_expect(
        sfgp_run_program("batch", test_path("scans/one.ply"), test_path("scans/two.ply"), "-o", out, NULL), 2,
        "2 scans or tables are given; give a folder of scans");
    assert_int_equal(symlink(test_path("c.ply"), test_path("scans/a\tb.ply")), 0);
    cli_expect(sfgp_run_program("batch", folder, "-o", test_path("no"), "--reference", reference, NULL), 5,
               "a name with a tab or a line end");
}

/* A table of points with a column id is taken for landmarks, and the reference for a scan. Landmarks beside a scan are no surprise. */
static void surprises_of_a_folder_are_told(void **state)
{
    const char *folder = test_path("odd");
    (void)state;
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(symlink(test_path("c.ply"), test_path("odd/one.ply")), 0);
    assert_int_equal(symlink(reference, test_path("odd/template.ply")), 0);
    test_text("odd/one.csv", "name,x,y,z\ntip,0,0,0\n");
    sfgp_run run = sfgp_run_program("batch", folder, "-o", test_path("odd-out"), "--reference", reference,
                                    "--dry-run", NULL);
    assert_null(strstr(run.err, "name their points"));
    cli_expect(run, 0, "odd/template.ply is the reference and a case, too");
    test_text("odd/scan.csv", "id,x,y,z\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,1,1,0\n");
    run = sfgp_run_program("batch", folder, "-o", test_path("odd-out"), "--reference", reference, "--dry-run",
                           NULL);
    assert_non_null(
        strstr(run.err, "1 tables name their points, as landmarks, and are no cases, the first is "));
    cli_expect(run, 0, "cases: 2 in");
    cli_expect(sfgp_run_program("batch", folder, "-o", test_path("odd-out"), "--reference", reference,
                                "--columns", "x,y,z", "--dry-run", NULL),
               4, "two cases have the id 'one': 'one.csv' and 'one.ply'");
}

/* Whoever has scans in a format that is not read hears of it once. What is no shape, as a picture or a note, is not worth a word. */
static void files_of_other_formats_are_told(void **state)
{
    static const char *const QUIET[] = {"note.md", "one.PNG", "marks.mrk.json", ".hidden.fbx",
                                        "README",  "b.las~",  "buffer.bin"};
    const char *folder = test_path("mixed"), *out = test_path("mixed-out");
    char name[64];
    (void)state;
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_int_equal(mkdir(test_path("mixed/folder.fbx"), 0777), 0);
    assert_int_equal(symlink(test_path("c.ply"), test_path("mixed/one.ply")), 0);
    for (size_t k = 0; k < sizeof QUIET / sizeof *QUIET; k++) {
        snprintf(name, sizeof name, "mixed/%s", QUIET[k]);
        test_text(name, "x");
    }
    sfgp_run run = sfgp_run_program("batch", folder, "-o", out, "--reference", reference, "--dry-run", NULL);
    assert_null(strstr(run.err, "passed over"));
    cli_expect(run, 0, "cases: 1 in");
    test_text("mixed/b.las", "LASF");
    test_text("mixed/c.FBX", "Kaydara");
    test_text("mixed/d.fbx", "Kaydara");
    test_text("mixed/e.dae.gz", "x");
    cli_expect(sfgp_run_program("batch", folder, "-o", out, "--reference", reference, "--dry-run", NULL), 0,
               "mixed: files of formats that sfgp does not read are passed over: 1 .las, 2 .FBX, 1 .dae.gz; "
               "the first is b.las; if they hold shapes, save them as PLY, OBJ or STL");
}

/* A .bin may be a buffer of a glTF file, or a scan of CloudCompare. */
static void files_of_cloudcompare_are_told(void **state)
{
    const char *folder = test_path("cloud"), *out = test_path("cloud-out");
    (void)state;
    assert_int_equal(mkdir(folder, 0777), 0);
    test_text("cloud/buffer.bin", "CC");
    test_text("cloud/single.bin", "CCB2....");
    test_text("cloud/twice.BIN", "CCB3....");
    sfgp_run run = sfgp_run_program("batch", folder, "-o", out, "--reference", reference, "--dry-run", NULL);
    assert_non_null(
        strstr(run.err, "passed over: 2 .bin; the first is single.bin; if they hold shapes, save"));
    cli_expect(run, 3, "the folder holds no mesh (.ply");
    assert_int_equal(symlink(test_path("c.ply"), test_path("cloud/one.ply")), 0);
    run = sfgp_run_program("batch", folder, "-o", out, "--reference", reference, "--dry-run", NULL);
    sfgp_assert_has(run.err, "passed over: 2 .bin");
    cli_expect(run, 0, "cases: 1 in");
    run = sfgp_run_program("batch", manifest, "-o", out, "--reference", reference, "--train", folder,
                           "--dry-run", NULL);
    assert_non_null(
        strstr(run.err, "cloud: files of formats that sfgp does not read are passed over: 2 .bin"));
    cli_expect(run, 5, "training shapes correspond to it");
    run = sfgp_run_program("model", "build", reference, "--train", folder, "-o", test_path("cloud.h5"), NULL);
    sfgp_assert_has(run.err, "passed over: 2 .bin");
    cli_expect(run, 5, "training shapes correspond to it");
}

/* A record alone is no result: the fit that it names has to be there, byte for byte. */
static void collect_misses_a_fit_that_is_gone_or_changed(void **state)
{
    const char *folder = test_path("gone");
    (void)state;
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, NULL), 1, NULL);
    assert_int_equal(unlink(compare_in(folder, "one/fit.ply")), 0);
    assert_int_equal(truncate(compare_in(folder, "two/fit.ply"), 1000), 0);
    cli_expect(sfgp_run_program("collect", folder, NULL), 1, "1 ok, 1 flagged, 1 failed, 2 without");
    compare_table *table = compare_read(compare_in(folder, "cases.csv"));
    for (int k = 0; k < 2; k++) {
        assert_string_equal(compare_cell(table, k, "status"), "absent");
        assert_string_equal(compare_cell(table, k, "sigma"), "");
    }
    assert_string_equal(compare_cell(table, 0, "words"),
                        "fit.ply is not there; sfgp batch --resume does the case again");
    assert_string_equal(compare_cell(table, 1, "words"),
                        "fit.ply is not the one of case.json; sfgp batch --resume does the case again");
    compare_free(table);
}

/* A folder where the fit should be: the case, the file and the reason are said, and the code is 7. */
static void what_cannot_be_written_is_named(void **state)
{
    const char *folder = test_path("unwritten"),
               *cases = test_text("unwritten.tsv", "id\ttarget\none\ta b.txt\ntwo\td.npy\n");
    (void)state;
    assert_int_equal(mkdir(folder, 0777), 0);
    test_text("unwritten/one", "a file where the folder of the case should be");
    sfgp_run run =
        sfgp_run_program("batch", cases, "-o", folder, "--model", reference, "--shard", "0/1", NULL);
    sfgp_assert_has(run.err, "warning: one: ");
    sfgp_assert_has(run.err, "unwritten/one: cannot make the folder: ");
    cli_expect(run, 7, "1 results could not be written");
    assert_true(cli_exists(compare_in(folder, "two/case.json")));
}

/* As on a full disk: after five cases in a row that cannot be written no other is begun. One that can be written starts the count again. */
static void a_full_disk_ends_a_batch(void **state)
{
    const char *folder = test_path("full");
    char rows[512] = "id\ttarget\n", name[32];
    (void)state;
    assert_int_equal(mkdir(folder, 0777), 0);
    for (int k = 0; k < 12; k++) {
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "n%02d\tc.ply\n", k);
        snprintf(name, sizeof name, "full/n%02d", k);
        if (k != 4)
            test_text(name, "a file where the folder of the case should be");
    }
    sfgp_run run = sfgp_run_program("batch", test_text("full.tsv", rows), "-o", folder, "--model", reference,
                                    "--shard", "0/1", "-j", "1", NULL);
    sfgp_assert_has(run.err, "make room, and --resume does them");
    assert_true(cli_exists(compare_in(folder, "n04/case.json")));
    cli_expect(run, 7, "9 results could not be written, and 2 cases were not begun");
}

static void collect_lists_every_case(void **state)
{
    const char *folder = test_path("out"), *page = compare_in(folder, "overview.html");
    (void)state;
    cli_expect(sfgp_run_program("collect", folder, NULL), 1, "5 cases: 3 ok, 1 flagged, 1 failed, 0 without");
    compare_table *table = compare_read(compare_in(folder, "cases.csv"));
    assert_int_equal(table->rows, CASES);
    assert_string_equal(compare_cell(table, 0, "id"), "one");
    assert_string_equal(compare_cell(table, 3, "status"), "flagged");
    assert_string_equal(compare_cell(table, 3, "outcome"), "max_iterations");
    assert_non_null(
        strstr(compare_cell(table, 3, "warnings"), "max_iterations: not converged after 2 iterations"));
    assert_string_equal(compare_cell(table, 0, "warnings"), "");
    assert_string_equal(compare_cell(table, 4, "status"), "failed");
    sfgp_assert_has(compare_cell(table, 4, "words"), "nowhere.ply");
    assert_true(compare_number(table, 3, "iterations") == 2);
    assert_true(compare_number(table, 4, "exit_code") == 3);
    assert_true(compare_number(table, 0, "sigma") > 0);
    compare_free(table);
    char *text = sfgp_test_read(page, NULL);
    assert_non_null(text);
    const char *worst = strstr(text, ">five"), *flagged = strstr(text, ">four"), *good = strstr(text, ">one");
    assert_true(worst && flagged && good);
    assert_true(worst < flagged && flagged < good);
    assert_int_equal(sfgp_test_count(text, "class=\"thumbnail\""), 8); /* scan and fit of four cases */
    sfgp_assert_has(text, "<a href=\"four/case.json\">four</a>");
    sfgp_assert_has(text, "<th scope=\"col\"><button>Warnings</button>");
    sfgp_assert_has(flagged, "max_iterations: not converged after 2 iterations");
    sfgp_assert_has(text, " %</td>");
    assert_null(strstr(text, "NULL"));
    free(text);
}

/* The picture of a fit in an overview; the caller frees it. */
static char *copy_picture(const char *folder, const char *alt)
{
    char *text = sfgp_test_read(compare_in(folder, "overview.html"), NULL),
         *from = text ? strstr(text, alt) : NULL;
    assert_non_null(from);
    from[strcspn(from, ">")] = '\0';
    char *picture = strdup(from);
    free(text);
    return picture;
}

/* Of two flagged cases, one that has not found the scan stands before one that has not converged. */
static void fits_without_overlap_come_first(void **state)
{
    const char *folder = test_path("lost"),
               *cases = test_text("lost.tsv", "id\ttarget\tmax-iterations\n"
                                              "near\ta b.txt\t2\n"
                                              "lost\tfar.txt\t\nlost2\tfar.txt\t\n");
    double far[3 * POINTS];
    (void)state;
    for (int k = 0; k < 3 * POINTS; k++)
        far[k] = 1e4 + k % 7;
    cli_points("far.txt", POINTS, 3, far);
    cli_expect(sfgp_run_program("batch", cases, "-o", folder, "--model", reference, "--method", "sfgp-scalar",
                                "--collect", NULL),
               1, "3 flagged");
    char *text = sfgp_test_read(compare_in(folder, "overview.html"), NULL);
    const char *near = strstr(text, ">near"), *lost = strstr(text, ">lost");
    assert_true(near && lost && lost < near);
    free(text);
}

/* The best fit sets the side from which all are seen: with and without the bad ones the picture is the same. */
static void bad_fits_do_not_turn_the_pictures(void **state)
{
    const char *folder = test_path("good"),
               *good = test_text("good.tsv", "id\ttarget\tomega\tkernel\n"
                                             "one\ta b.txt\t\t\n"
                                             "two\tc.ply\t0.3\t\n"
                                             "three\td.npy\t\tse:length=2,variance=0.3\n");
    (void)state;
    cli_expect(sfgp_run_program("batch", good, "-o", folder, "--model", reference, "--collect", NULL), 0,
               NULL);
    for (const char *const *alt = (const char *[]){"Fit of one", "Fit of two", NULL}; *alt; alt++) {
        char *with = copy_picture(test_path("out"), *alt), *without = copy_picture(folder, *alt);
        assert_string_equal(with, without);
        free(with);
        free(without);
    }
}

/* --resume makes the pages that are not there, and keeps the cases otherwise. */
static void pages_are_made_of_every_fit(void **state)
{
    const char *folder = test_path("pages"), *first = compare_in(folder, "one/fit.html");
    (void)state;
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--index", "0", NULL),
               0, NULL);
    assert_false(cli_exists(first));
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--index", "0",
                                "--resume", "--html", "--unit", "mm", NULL),
               0, "0 were done before");
    compare_assert_words(first, "</html>");
    compare_assert_words(first, " mm in the mean");
    cli_assert_same_files(compare_in(folder, "one/fit.ply"), compare_in(test_path("out"), "one/fit.ply"));
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--index", "0",
                                "--resume", "--html", NULL),
               0, "1 were done before");
    cli_expect(sfgp_run_program("collect", folder, NULL), 1,
               "4 without a result"); /* knows the unit of batch */
    compare_assert_words(compare_in(folder, "overview.html"), "<a href=\"one/fit.html\">one</a>");
    compare_assert_words(compare_in(folder, "overview.html"), "Expected error (mm)");
    cli_expect(sfgp_run_program("collect", folder, "--unit", "cm", NULL), 1, "4 without a result");
    compare_assert_words(compare_in(folder, "overview.html"), "Expected error (cm)");
}

static void collect_tells_what_is_not_there(void **state)
{
    const char *folder = test_path("part");
    (void)state;
    cli_expect(sfgp_run_program("batch", manifest, "-o", folder, "--model", reference, "--index", "0", NULL),
               0, NULL);
    cli_expect(sfgp_run_program("collect", folder, "--most", "1", NULL), 1, "4 without a result");
    compare_table *table = compare_read(compare_in(folder, "cases.csv"));
    assert_string_equal(compare_cell(table, 1, "status"), "absent");
    assert_string_equal(compare_cell(table, 1, "sigma"), "");
    compare_free(table);
    compare_assert_words(compare_in(folder, "overview.html"), "1 of 5");
    cli_expect(sfgp_run_program("collect", test_path("nowhere"), NULL), 3, "sfgp batch");
}

static void a_terminal_sees_the_whole_batch(void **state)
{
    static char seen[1 << 14];
    (void)state;
    const char *const words[] = {"batch", manifest, "-o", test_path("shown"), "--model", reference,
                                 "-j",    "1",      NULL};
    assert_int_equal(test_terminal_run(words, sizeof seen, seen), 1);
    const char *first = strstr(seen, "\r1 of 5  "), *last = strstr(seen, "\r5 of 5  1 flagged  1 failed  "),
               *end = strstr(seen, "sfgp: 5 cases");
    assert_true(first && last && end);
    assert_true(first < last && last < end && end[-1] == '\r' && end[-2] == ' '); /* blanks over the bar */
}

/* A quick case and one that takes seconds, one after the other. words: file of what is said. */
static pid_t start_long_batch(const char *folder, const char *words)
{
    const char *cases =
        test_text("long.tsv", "id\ttarget\tmethod\ttolerance\tmax_iterations\n"
                              "quick\t" SFGP_SOURCE_DIR "/data/demo/scan.ply\tsfgp-scalar\t0.1\t\n"
                              "long\t" SFGP_SOURCE_DIR "/data/demo/scan.ply\tsfgp-scalar\t1e-15\t1000000\n");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        if (!freopen(words, "w", stderr))
            _exit(126);
        execl(SFGP_PROGRAM, SFGP_PROGRAM, "batch", cases, "-o", folder, "--model",
              SFGP_SOURCE_DIR "/data/demo/reference.ply", "-j", "1", (char *)NULL);
        _exit(127);
    }
    return child;
}

/* What is done stays, the case that was running leaves nothing, and the program says how to go on. */
static void an_interrupt_says_how_to_go_on(void **state)
{
    const char *folder = test_path("stopped"), *words = test_path("stopped.txt"),
               *running = compare_in(folder, "long");
    int status = 0;
    (void)state;
    const pid_t child = start_long_batch(folder, words);
    for (int k = 0; k < 6000 && access(running, F_OK) != 0; k++)
        usleep(10000);
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
    compare_assert_words(words,
                         "stopped: 1 of 2 cases are done; the same command with --resume does the rest");
    assert_true(cli_exists(compare_in(folder, "quick/case.json")));
    assert_int_equal(access(running, F_OK), -1);
}

static void a_program_without_mpi_says_so(void **state)
{
    (void)state;
#ifdef SFGP_MPI
    print_message("skipped: this program has MPI; tests/engines.sh runs it\n");
    skip();
#endif
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    cli_expect(sfgp_run_program("batch", manifest, "-o", test_path("mpi"), "--model", reference, NULL), 2,
               "SFGP_MPI=ON");
    cli_expect(
        sfgp_run_program("batch", manifest, "-o", test_path("mpi"), "--model", reference, "--dry-run", NULL),
        2, "--dry-run: leave out mpirun");
    unsetenv("OMPI_COMM_WORLD_SIZE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_is_what_register_gives), /* the first makes what others compare with */
        cmocka_unit_test(a_failed_case_is_named_with_its_reason),
        cmocka_unit_test(a_profile_and_a_limit_change_no_case),
        cmocka_unit_test(a_dry_run_tells_the_plan),
        cmocka_unit_test(a_dry_run_reads_the_files),
        cmocka_unit_test(files_that_are_not_there_are_told_before_any_fit),
        cmocka_unit_test(a_truth_of_other_points_is_told_before_the_fit),
        cmocka_unit_test(a_path_with_backslashes_is_told),
        cmocka_unit_test(a_folder_with_results_is_refused),
        cmocka_unit_test(resume_does_what_is_missing),
        cmocka_unit_test(parts_make_the_whole),
        cmocka_unit_test(two_at_the_same_cases_share_the_work),
        cmocka_unit_test(a_slurm_array_chooses_the_part),
        cmocka_unit_test(training_shapes_that_are_bad_fits_are_named),
        cmocka_unit_test(a_model_file_is_as_good),
        cmocka_unit_test(a_model_of_a_catalogue_is_resumed),
        cmocka_unit_test(a_kept_solver_warns_in_every_case),
        cmocka_unit_test(a_case_in_trouble_stops_no_other),
        cmocka_unit_test(wrong_arguments_are_refused_before_anything_runs),
        cmocka_unit_test(more_references_than_there_is_room_for_are_refused),
        cmocka_unit_test(a_folder_of_scans_has_its_landmarks),
        cmocka_unit_test(surprises_of_a_folder_are_told),
        cmocka_unit_test(files_of_other_formats_are_told),
        cmocka_unit_test(files_of_cloudcompare_are_told),
        cmocka_unit_test(pipes_and_devices_are_refused),
        cmocka_unit_test(what_cannot_be_written_is_named),
        cmocka_unit_test(a_full_disk_ends_a_batch),
        cmocka_unit_test(collect_lists_every_case),
        cmocka_unit_test(fits_without_overlap_come_first),
        cmocka_unit_test(bad_fits_do_not_turn_the_pictures),
        cmocka_unit_test(pages_are_made_of_every_fit),
        cmocka_unit_test(collect_misses_a_fit_that_is_gone_or_changed),
        cmocka_unit_test(collect_tells_what_is_not_there),
        cmocka_unit_test(a_terminal_sees_the_whole_batch),
        cmocka_unit_test(an_interrupt_says_how_to_go_on),
        cmocka_unit_test(a_program_without_mpi_says_so),
    };
    unsetenv("SLURM_ARRAY_TASK_ID");
    unsetenv("SLURM_CPUS_PER_TASK");
    make_files();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
