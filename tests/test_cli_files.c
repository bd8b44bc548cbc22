/* Files on the command line: columns of tables. */
#include "test_cli.h"

#define HEADED "id,a,b,c\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n"

static void columns_reach_every_verb_that_reads_points(void **state)
{
    const char *table = cli_text("columns.csv", HEADED),
               *plain = cli_text("plain.csv", "0,0,0\n1,0,0\n0,1,0\n0,0,1\n");
    (void)state;
    cli_expect(sfgp_run_program("info", table, NULL), SFGP_ERROR_FORMAT, "--columns");
    sfgp_run run = sfgp_run_program("info", "--columns", "a,b,c", table, NULL);
    assert_non_null(strstr(run.out, "points     4"));
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("evaluate", table, table, "--columns", "2,3,4", NULL);
    assert_true(cli_json_number(run.out, "mean") == 0);
    cli_expect(run, 0, NULL);
    cli_expect(
        sfgp_run_program("align", table, table, "--columns=4,3,2", "-o", cli_path("aligned.ply"), NULL), 0,
        NULL);
    const char *fitted = cli_path("fitted.csv"), *same = cli_path("same.csv"), *save = cli_path("save.h5");
    cli_expect(sfgp_run_program("register", table, table, "--columns", "a,b,c", "--max-iterations", "0", "-o",
                                fitted, "--save", save, NULL),
               1, NULL);
    cli_expect(sfgp_run_program("register", plain, plain, "--max-iterations", "0", "-o", same, NULL), 1,
               NULL);
    cli_assert_same_files(fitted, same);
    cli_expect(
        sfgp_run_program("apply", save, table, "--columns", "a,b,c", "-o", cli_path("carried.csv"), NULL), 0,
        "4 points carried");
    cli_expect(
        sfgp_run_program("model", "build", table, "--columns", "a,b,c", "-o", cli_path("model.h5"), NULL), 0,
        "4 points");
    cli_expect(
        sfgp_run_program("simulate", "shape", table, "--columns", "a,b,c", "-o", cli_path("simulated"), NULL),
        0, NULL);
}

static void a_batch_reads_columns_and_keeps_them_in_its_key(void **state)
{
    const char *table = cli_text("batch.csv", HEADED), *folder = cli_path("batch");
    const char *manifest = cli_text("batch.tsv", "id\ttarget\na\tbatch.csv\n");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_reach_every_verb_that_reads_points),
        cmocka_unit_test(a_batch_reads_columns_and_keeps_them_in_its_key),
        cmocka_unit_test(columns_that_no_file_needs_are_warned_of),
    };
    cli_wait_politely();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
