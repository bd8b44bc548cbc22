/* Settings from a file, a run that only tells its plan, and the report on standard output. */
#include "test_cli.h"

#include <unistd.h>

static const char *reference, *target;

static void make_files(void)
{
    static char kept[2][256];
    test_shapes *shapes = test_shapes_new(100, 3, 0, 1);
    strcpy(kept[0], cli_mesh("reference.ply", 100, 3, shapes->reference, true));
    strcpy(kept[1], cli_points("target.ply", shapes->m, 3, shapes->target));
    test_shapes_free(shapes);
    reference = kept[0], target = kept[1];
}

static void settings_come_from_a_file(void **state)
{
    const char *by_flags = test_path("flags.ply"), *by_file = test_path("file.ply"),
               *report = test_path("flags.json");
    const char *file = test_text(
        "own.json", "{\"omega\": 0.25, \"kernel\": \"se:length=2,variance=0.5\", \"max-iterations\": 40}");
    (void)state;
    cli_expect(sfgp_run_program("register", reference, target, "-o", by_flags, "--omega=0.25",
                                "--max-iterations=30", "--kernel=se:length=2,variance=0.5", "--report",
                                report, NULL),
               0, NULL);
    cli_expect(sfgp_run_program("register", reference, target, "-o", by_file, "--config", file,
                                "--max-iterations", "30", NULL),
               0, NULL);
    cli_assert_same_files(by_flags, by_file);
    assert_int_equal(unlink(by_file), 0);
    cli_expect(sfgp_run_program("register", reference, target, "-o", by_file, "--config", report, NULL), 0,
               NULL);
    cli_assert_same_files(by_flags, by_file);
}

/* What "auto" became is no setting that was given: with it the search would start elsewhere. */
static void a_report_of_defaults_repeats_the_fit(void **state)
{
    const char *first = test_path("first.ply"), *second = test_path("second.ply"),
               *report = test_path("first.json");
    (void)state;
    cli_expect(sfgp_run_program("register", reference, target, "-o", first, "--report", report, NULL), 0,
               NULL);
    cli_expect(sfgp_run_program("register", reference, target, "-o", second, "--config", report, NULL), 0,
               NULL);
    cli_assert_same_files(first, second);
}

static void a_bad_file_is_refused(void **state)
{
    static const struct {
        const char *text, *words;
    } FAULTS[] = {{"{\"omga\": 1}", "'omga' is no setting (did you mean omega?)"},
                  {"{\"omega\": 2}", "omega: '2' is not a number"},
                  {"{\"max-iterations\": -1}", "max_iterations: '-1'"},
                  {"{\"omega\": [1]}", "omega: is no number and no text"},
                  {"[1]", "it should be a JSON object"},
                  {"{\"omega\": 1", "line 1"}};
    (void)state;
    for (size_t k = 0; k < sizeof FAULTS / sizeof *FAULTS; k++)
        cli_expect(sfgp_run_program("register", reference, target, "-o", test_path("no.ply"), "--config",
                                    test_text("bad.json", FAULTS[k].text), NULL),
                   4, FAULTS[k].words);
    cli_expect(sfgp_run_program("register", reference, target, "-o", test_path("no.ply"), "--config",
                                test_path("none.json"), NULL),
               3, "none.json: cannot read");
}

static void a_dry_run_writes_nothing(void **state)
{
    const char *fitted = test_path("dry.ply");
    (void)state;
    sfgp_run run = sfgp_run_program("register", reference, target, "-o", fitted, "--dry-run", NULL);
    sfgp_assert_has(run.err, "ply, 100 points, 98 faces, 3D");
    sfgp_assert_has(run.err, "rank: ");
    sfgp_assert_has(run.err, "memory: ");
    cli_expect(run, 0, fitted);
    assert_false(cli_exists(fitted));
    cli_expect(sfgp_run_program("register", reference, target, "-o", fitted, "-v", NULL), 0, "estep");
}

static void the_report_goes_to_standard_output(void **state)
{
    (void)state;
    sfgp_run run = sfgp_run_program("register", reference, target, "-o", test_path("json.ply"), "--json",
                                    "--mirror", NULL);
    assert_ptr_equal(strstr(run.out, "{\n"), run.out);
    sfgp_assert_has(run.out, "\"settings\": {\n    \"mirror\": 1\n  }");
    assert_true(cli_json_number(run.out, "evidence") != 0);
    sfgp_run_free(&run);
}

static void iterations_are_limited(void **state)
{
    static const char *const LIMITS[] = {"1", "5", "9"};
    const char *report = test_path("limit.json");
    (void)state;
    for (int k = 0; k < 3; k++) {
        cli_expect(sfgp_run_program("register", reference, target, "-o", test_path("limit.ply"), "--report",
                                    report, "--max-iterations", LIMITS[k], NULL),
                   1, "not converged");
        char *text = sfgp_test_read(report, NULL);
        assert_true(cli_json_number(text, "iterations") <= atof(LIMITS[k]));
        free(text);
    }
}

/* A switch takes its value behind a blank, too; another operand is still one too many. */
static void a_switch_may_have_a_value(void **state)
{
    const char *file = test_path("switch.ply");
    (void)state;
    sfgp_run run =
        sfgp_run_program("register", "--mirror", "1", reference, target, "-o", file, "--dry-run", NULL);
    cli_expect(run, 0, "mirror image of the reference");
    run = sfgp_run_program("register", reference, target, "-o", file, "--dry-run", "--mirror", "0", NULL);
    assert_null(strstr(run.err, "mirror image"));
    cli_expect(run, 0, NULL);
    cli_expect(sfgp_run_program("register", reference, target, "-o", file, "--mirror", "2", NULL), 2,
               "one argument too many: '2'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_come_from_a_file),
        cmocka_unit_test(a_report_of_defaults_repeats_the_fit),
        cmocka_unit_test(a_bad_file_is_refused),
        cmocka_unit_test(a_dry_run_writes_nothing),
        cmocka_unit_test(the_report_goes_to_standard_output),
        cmocka_unit_test(iterations_are_limited),
        cmocka_unit_test(a_switch_may_have_a_value),
    };
    make_files();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
