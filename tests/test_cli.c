/* The program but for register: help, usage errors, settings, info, evaluate, simulate, closed streams. */
#include "base/platform_cores.h"
#include "test_cli.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const VERBS[] = {"register", "evaluate", "info", "simulate", "settings", "help"};
enum { VERB_COUNT = sizeof VERBS / sizeof *VERBS };

/* ---- help -------------------------------------------------------------------------------------------- */

static void version_is_that_of_the_library(void **state)
{
    (void)state;
    sfgp_run run = sfgp_run_program("--version", NULL);
    assert_ptr_equal(strstr(run.out, "sfgp " SFGP_VERSION "\nlibraries: OpenBLAS"), run.out);
    sfgp_assert_has(run.out, ", HDF5 ");
    sfgp_assert_has(run.out, "\nbuilt with: kd-tree ");
    assert_string_equal(run.err, "");
    cli_expect(run, 0, NULL);
}

/* OpenBLAS says which routines it takes whenever it is loaded, the last time for the work. */
static void expect_routines(const char *chosen, const char *expected)
{
    char line[64];
    chosen ? setenv("OPENBLAS_CORETYPE", chosen, 1) : unsetenv("OPENBLAS_CORETYPE");
    sfgp_run run = sfgp_run_program("--version", NULL);
    const char *last = NULL;
    for (const char *at = run.err; (at = strstr(at, "Core: ")); at++)
        last = at;
    assert_non_null(last);
    snprintf(line, sizeof line, "Core: %s\n", expected);
    assert_string_equal(last, line);
    cli_expect(run, 0, NULL);
}

/* ADR 0102. */
static void routines_of_openblas_are_those_for_avx2(void **state)
{
    (void)state;
    if (!sfgp_platform_has_avx2())
        skip();
    setenv("OPENBLAS_VERBOSE", "2", 1);
    for (int given = 0; given < 2; given++) {
        given ? setenv("OPENBLAS_NUM_THREADS", "1", 1) : unsetenv("OPENBLAS_NUM_THREADS");
        expect_routines(NULL, "Haswell");
        expect_routines("Nehalem", "Nehalem");
    }
    unsetenv("OPENBLAS_VERBOSE");
    unsetenv("OPENBLAS_CORETYPE");
}

static void help_names_every_verb(void **state)
{
    const char *const ways[] = {"--help", "-h", "help"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        sfgp_run run = sfgp_run_program(ways[k], NULL);
        for (int v = 0; v < VERB_COUNT; v++)
            sfgp_assert_has(run.out, VERBS[v]);
        cli_expect(run, 0, NULL);
    }
}

static void every_verb_has_a_usage(void **state)
{
    char usage[64];
    (void)state;
    for (int v = 0; v < VERB_COUNT; v++) {
        snprintf(usage, sizeof usage, "usage: sfgp %s", VERBS[v]);
        sfgp_run a = sfgp_run_program("help", VERBS[v], NULL), b = sfgp_run_program(VERBS[v], "--help", NULL);
        assert_int_equal(strncmp(a.out, usage, strlen(usage)), 0);
        assert_string_equal(a.out, b.out);
        cli_expect(a, 0, NULL);
        cli_expect(b, 0, NULL);
    }
}

static void the_manual_page_and_completions_are_printed(void **state)
{
    static const char *const WORDS[][4] = {
        {"--man", NULL, ".TP\n.B \\-\\-max\\-iterations\n", ".TH SFGP 1"},
        {"--completion", "bash", " --max-iterations", "complete -o"},
        {"--completion", "zsh", "'--max-iterations:", "#compdef sfgp"},
        {"--completion", "fish", " -l max-iterations -r", "complete -c sfgp"}};
    (void)state;
    for (int k = 0; k < 4; k++) {
        sfgp_run run = sfgp_run_program("help", WORDS[k][0], WORDS[k][1], NULL);
        sfgp_assert_has(run.out, WORDS[k][2]);
        sfgp_assert_has(run.out, WORDS[k][3]);
        cli_expect(run, 0, NULL);
    }
}

/* Values that a help text lists are completed, where files were. Each option stands there once, though several verbs have it. */
static void completions_have_the_values_of_options(void **state)
{
    static const char *const WORDS[][3] = {
        {"bash", "elif [ \"$before\" = --effort ]; then parts='quick normal thorough'\n",
         "--outlier-density ]; then parts='count volume'\n"},
        {"zsh", "== --kind ]]; then\n        compadd -- rigid similarity\n",
         "compadd -- none rigid similarity\n"},
        {"fish", " -l effort -r -f -a 'quick normal thorough' -d",
         " -l kind -r -f -a 'rigid similarity' -d"}};
    (void)state;
    for (int k = 0; k < 3; k++) {
        sfgp_run run = sfgp_run_program("help", "--completion", WORDS[k][0], NULL);
        sfgp_assert_has(run.out, WORDS[k][1]);
        sfgp_assert_has(run.out, WORDS[k][2]);
        assert_true(k == 2 || sfgp_test_count(run.out, WORDS[k][1]) == 1);
        cli_expect(run, 0, NULL);
    }
}

/* Every method of the table has its line. */
static void methods_are_listed(void **state)
{
    sfgp_run run = sfgp_run_program("methods", NULL);
    const sfgp_method_info *row;
    (void)state;
    for (int k = 0; (row = sfgp_method_row(k)); k++) {
        char line[512];
        snprintf(line, sizeof line, "%-18s %s\n", row->name, row->summary);
        sfgp_assert_has(run.out, line);
    }
    cli_expect(run, 0, NULL);
}

/* The rows of the tables, for programs that make forms from them. */
static void lists_are_printed_as_json(void **state)
{
    sfgp_run run = sfgp_run_program("methods", "--json", NULL);
    int methods = 0, settings = 0;
    (void)state;
    while (sfgp_method_row(methods))
        methods++;
    while (sfgp_settings_row(settings))
        settings++;
    assert_int_equal(sfgp_test_count(run.out, "\"summary\": "), methods);
    sfgp_assert_has(run.out, "\"name\": \"bcpd\"");
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("settings", "--json", NULL);
    assert_int_equal(sfgp_test_count(run.out, "\"flag\": \"--"), settings);
    const char *row = strstr(run.out, "\"flag\": \"--max-iterations\"");
    assert_non_null(row);
    assert_true(cli_json_number(row, "least") == 0 && cli_json_number(row, "most") == 1e6);
    cli_expect(run, 0, NULL);
    cli_expect(sfgp_run_program("settings", "--json", "--markdown", NULL), 2,
               "--json and --markdown: give one of them");
}

/* -v, --quiet and, where there is something to print, --json. */
static void all_verbs_have_the_same_options(void **state)
{
    static const char *const ALL[] = {"register", "apply",    "model", "align",   "evaluate",
                                      "info",     "simulate", "batch", "collect", "compare",
                                      "methods",  "settings", "help"},
                             *const JSON[] = {"register", "model",   "align",    "evaluate",
                                              "info",     "methods", "settings", NULL};
    (void)state;
    for (size_t v = 0; v < sizeof ALL / sizeof *ALL; v++) {
        int json = 0;
        for (int k = 0; JSON[k]; k++)
            json += strcmp(JSON[k], ALL[v]) == 0;
        sfgp_run run = sfgp_run_program("help", ALL[v], NULL);
        sfgp_assert_has(run.out, "\n  -v, --verbose  ");
        sfgp_assert_has(run.out, "\n  --quiet  ");
        assert_int_equal(strstr(run.out, "\n  --json  ") != NULL, json);
        cli_expect(run, 0, NULL);
    }
    cli_expect(sfgp_run_program("simulate", "fish", "-o", test_path("none"), "--json", NULL), 2,
               "unknown or ambiguous option");
}

/* What a verb says with this option: on standard error, and whether anything is on standard output. */
static void assert_says(const char *option, const char *words, bool prints, const char *verb, const char *a,
                        const char *b, const char *c, const char *d)
{
    sfgp_run run = sfgp_run_program(verb, option, a, b, c, d, NULL);
    assert_string_equal(run.err, words);
    assert_int_equal(run.out[0] != '\0', prints);
    cli_expect(run, 0, NULL);
}

static void common_options_change_what_is_said(void **state)
{
    const char *mesh = test_text("said.csv", "0,0\n1,0\n0,2\n"), *out = test_path("said.ply"),
               *folder = test_path("simulated");
    char read[2][600], all[2000];
    (void)state;
    snprintf(read[0], sizeof read[0], "sfgp: read: %s: text, 3 points, 0 faces, 2D\n", mesh);
    snprintf(read[1], sizeof read[1], "sfgp: rigid by 3 points, RMS distance 0 -> 0: %s\n", out);
    snprintf(all, sizeof all, "%s%s%s", read[0], read[0], read[1]);
    assert_says("-v", all, false, "align", mesh, mesh, "-o", out);
    assert_says("--quiet", "", false, "align", mesh, mesh, "-o", out);
    assert_says("--json", read[1], true, "align", mesh, mesh, "-o", out);
    assert_says("--quiet", "", false, "simulate", "fish", "-o", folder, NULL);
    assert_says("-v", read[0], true, "info", mesh, NULL, NULL, NULL);
    assert_says("--json", "", true, "evaluate", mesh, mesh, NULL, NULL);
    assert_says("--quiet", "", true, "settings", NULL, NULL, NULL, NULL);
    cli_expect(
        sfgp_run_program("align", mesh, mesh, "-o", out, "--json", "--transform", test_path("t.json"), NULL),
        2, "--json: the transform is already written by --transform");
}

static void flag_of(const sfgp_setting *row, char flag[64])
{
    snprintf(flag, 64, "--%s", row->name);
    for (char *c = flag; (c = strchr(c, '_'));)
        *c = '-';
}

static void every_setting_is_a_flag_in_every_text(void **state)
{
    sfgp_run texts[] = {sfgp_run_program("help", "register", NULL), sfgp_run_program("settings", NULL),
                        sfgp_run_program("settings", "--markdown", NULL)};
    const sfgp_setting *row;
    char flag[64];
    (void)state;
    for (int t = 0; t < 3; t++) {
        for (int k = 0; (row = sfgp_settings_row(k)); k++) {
            flag_of(row, flag);
            sfgp_assert_has(texts[t].out, flag);
        }
        cli_expect(texts[t], 0, NULL);
    }
}

static void markdown_rows_have_six_cells(void **state)
{
    (void)state;
    sfgp_run run = sfgp_run_program("settings", "--markdown", NULL);
    int rows = 0;
    char *table = strchr(run.out, '|');
    assert_non_null(table);
    for (char *line = strtok(table, "\n"); line; line = strtok(NULL, "\n"), rows++) {
        int bars = 0;
        for (char *c = line; *c; c++)
            bars += *c == '|' && (c == line || c[-1] != '\\');
        assert_int_equal(bars, 7);
    }
    assert_true(rows > 10);
    cli_expect(run, 0, NULL);
}

/* ---- usage errors ------------------------------------------------------------------------------------ */

typedef struct golden {
    const char *arguments[8];
    const char *err;
} golden;

static const golden GOLDENS[] = {
    {{NULL}, "sfgp: error: a verb is missing; see: sfgp help\n"},
    {{"fit"}, "sfgp: error: there is no verb 'fit' (did you mean register?); see: sfgp help\n"},
    {{"train"}, "sfgp: error: there is no verb 'train' (did you mean model build?); see: sfgp help\n"},
    {{"-x", "target.txt", "-y", "source.txt"},
     "sfgp: error: '-x' stands before the verb; the command line of BCPD is sfgp bcpd -x ...; see: sfgp help\n"},
    {{"--verison"}, "sfgp: error: there is no verb '--verison' (did you mean --version?); see: sfgp help\n"},
    {{"version"}, "sfgp: error: there is no verb 'version' (did you mean --version?); see: sfgp help\n"},
    {{"regster", "a"}, "sfgp: error: there is no verb 'regster' (did you mean register?); see: sfgp help\n"},
    {{"help", "colect"}, "sfgp: error: there is no verb 'colect' (did you mean collect?); see: sfgp help\n"},
    {{"help", "sample"}, "sfgp: error: there is no verb 'sample'; see: sfgp help\n"},
    {{"register", "a", "b", "--omga=1"},
     "sfgp: error: unknown or ambiguous option --omga=1 (did you mean --omega?); see: sfgp help register\n"},
    {{"register", "a", "b", "-o", "c.ply", "--lowrank", "niestrom"},
     "sfgp: error: lowrank: 'niestrom' is none of: eigen, nystrom, cholesky (did you mean nystrom?); see: sfgp help "
     "register\n"},
    {{"register", "a", "b", "-o", "c.ply", "--json", "--report=r.json"},
     "sfgp: error: --json: the report is already written by --report; see: sfgp help register\n"},
    {{"batch", "a", "-o", "b", "--reference", "c", "--median"},
     "sfgp: error: --median: needs several --reference, and --apply for each; see: sfgp help batch\n"},
    {{"help", "fit"}, "sfgp: error: there is no verb 'fit' (did you mean register?); see: sfgp help\n"},
    {{"help", "--completion", "csh"},
     "sfgp: error: --completion: 'csh' is not bash, zsh or fish; see: sfgp help\n"},
    {{"help", "info", "x"}, "sfgp: error: one verb at most, not also 'x'; see: sfgp help\n"},
    {{"register"}, "sfgp: error: REFERENCE is missing; see: sfgp help register\n"},
    {{"register", "a"}, "sfgp: error: TARGET is missing; see: sfgp help register\n"},
    {{"register", "--train", "s", "a", "b"},
     "sfgp: error: REFERENCE is missing; give it before --train, which takes all paths up to the next option; see: sfgp help register\n"},
    {{"register", "a", "b"}, "sfgp: error: -o FITTED is missing; see: sfgp help register\n"},
    {{"register", "a", "b", "c", "-o", "d"},
     "sfgp: error: one argument too many: 'c'; see: sfgp help register\n"},
    {{"register", "a", "b", "c"},
     "sfgp: error: one argument too many: 'c'; is it the output? then -o stands before it; see: sfgp help register\n"},
    {{"register", "a", "b", "-o"}, "sfgp: error: --output: the value is missing; see: sfgp help register\n"},
    {{"register", "a", "b", "-o", "--quiet"},
     "sfgp: error: --output: the value is missing; see: sfgp help register\n"},
    {{"register", "a", "b", "--omega"},
     "sfgp: error: --omega: the value is missing; see: sfgp help register\n"},
    {{"register", "a", "b", "--table", "--"},
     "sfgp: error: --table: the value is missing; see: sfgp help register\n"},
    {{"register", "a", "b", "-o", ""},
     "sfgp: error: --output: the value is empty; see: sfgp help register\n"},
    {{"register", "a", "b", "--report="},
     "sfgp: error: --report: the value is empty; see: sfgp help register\n"},
    {{"register", "a", "b", "--kernel", ""},
     "sfgp: error: --kernel: the value is empty; see: sfgp help register\n"},
    {{"register", "", "b"}, "sfgp: error: an argument is an empty path; see: sfgp help register\n"},
    {{"register", "a", "b", "--nothing"},
     "sfgp: error: unknown or ambiguous option --nothing; see: sfgp help register\n"},
    {{"register", "a", "b", "--out", "c.ply"},
     "sfgp: error: unknown or ambiguous option --out (did you mean --output?); see: sfgp help register\n"},
    {{"sim"}, "sfgp: error: there is no verb 'sim' (did you mean simulate?); see: sfgp help\n"},
    {{"register", "a", "b", "--r", "1"},
     "sfgp: error: unknown or ambiguous option --r; see: sfgp help register\n"},
    {{"register", "a", "b", "-x"}, "sfgp: error: unknown option -x; see: sfgp help register\n"},
    {{"register", "a", "b", "--quiet=1"}, "sfgp: error: --quiet: takes no value; see: sfgp help register\n"},
    {{"register", "a", "b", "--omega", "0.1", "--omega=0.2"},
     "sfgp: error: --omega: given twice; see: sfgp help register\n"},
    {{"register", "a", "b", "-o", "c", "--output", "d"},
     "sfgp: error: --output: given twice; see: sfgp help register\n"},
    {{"register", "a", "b", "-o", "c", "--train", "--quiet"},
     "sfgp: error: --train: no path follows; see: sfgp help register\n"},
    {{"register", "a", "b", "-o", "c", "--table=c"},
     "sfgp: error: c: two outputs have this name; see: sfgp help register\n"},
    {{"register", "a", "b", "--omega", "1.5"},
     "sfgp: error: omega: '1.5' is not a number between 1e-15 and 0.999999, or 'auto'; see: sfgp help "
     "register\n"},
    {{"evaluate", "a"}, "sfgp: error: TRUTH is missing; see: sfgp help evaluate\n"},
    {{"evaluate", "a", "b", "--omega", "1"},
     "sfgp: error: unknown or ambiguous option --omega; see: sfgp help evaluate\n"},
    {{"info"}, "sfgp: error: FILE is missing; see: sfgp help info\n"},
    {{"info", "a", ""}, "sfgp: error: an argument is an empty path; see: sfgp help info\n"},
    {{"settings", "x"}, "sfgp: error: one argument too many: 'x'; see: sfgp help settings\n"},
    {{"simulate"},
     "sfgp: error: what to simulate (ear, fish, shape FILE) is missing; see: sfgp help simulate\n"},
    {{"simulate", "nose", "-o", "x"},
     "sfgp: error: 'nose' is no shape of the simulator: use ear, fish or shape FILE; see: sfgp help "
     "simulate\n"},
    {{"simulate", "ear"}, "sfgp: error: -o FOLDER is missing; see: sfgp help simulate\n"},
    {{"simulate", "ear", "-o", "x", "--noise", "0,1"},
     "sfgp: error: --noise: '0,1' is not a number; see: sfgp help simulate\n"},
    {{"simulate", "ear", "-o", "x", "--holes=-1"},
     "sfgp: error: --holes: '-1' is not a whole number of 0 or more; see: sfgp help simulate\n"},
};

static void usage_errors_are_one_line_and_code_2(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof GOLDENS / sizeof *GOLDENS; k++) {
        const char *const *a = GOLDENS[k].arguments;
        sfgp_run run = sfgp_run_program(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], NULL);
        assert_string_equal(run.err, GOLDENS[k].err);
        assert_string_equal(run.out, "");
        cli_expect(run, 2, NULL);
    }
    assert_false(cli_exists("x/reference.ply")); /* relative to the current folder */
}

/* ---- info -------------------------------------------------------------------------------------------- */

static void info_tells_what_was_read(void **state)
{
    const double points[] = {0.1, -2, 5, 3, 4, -1, 1.0 / 3, 0, 0};
    const char *ply = cli_mesh("info.ply", 3, 3, points, true), *csv = test_text("info.csv", "1,2\n3,5\n");
    char expected[2048];
    (void)state;
    snprintf(expected, sizeof expected,
             "%s\n  format     ply\n  points     3\n  faces      1\n  dimension  3\n"
             "  x          0.1 to 3, size 2.9\n  y          -2 to 4, size 6\n  z          -1 to 5, size 6\n"
             "  diagonal   8.96716, of the bounding box\n"
             "  radius     3.8525, root mean square distance from the centroid: the unit of the settings\n"
             "  spacing    4.91031, median distance to the nearest point\n"
             "  holes      1, with 3 edges at one face only\n"
             "%s\n  format     text\n  points     2\n  faces      0\n  dimension  2\n"
             "  x          1 to 3, size 2\n  y          2 to 5, size 3\n"
             "  diagonal   3.60555, of the bounding box\n"
             "  radius     1.80278, root mean square distance from the centroid: the unit of the settings\n"
             "  spacing    3.60555, median distance to the nearest point\n",
             ply, csv);
    sfgp_run run = sfgp_run_program("info", ply, csv, NULL);
    assert_string_equal(run.out, expected);
    cli_expect(run, 0, NULL);
}

static void info_prints_json(void **state)
{
    const double points[] = {0.1, -2, 5, 3, 4, -1, 1.0 / 3, 0, 0};
    const char *ply = cli_mesh("json.ply", 3, 3, points, true), *csv = test_text("json.csv", "1,2\n3,5\n");
    (void)state;
    sfgp_run run = sfgp_run_program("info", "--json", ply, csv, test_path("none.ply"), NULL);
    assert_ptr_equal(strstr(run.out, "[\n"), run.out);
    const char *second = strstr(run.out, "json.csv");
    assert_non_null(second);
    assert_true(cli_json_number(run.out, "points") == 3 && cli_json_number(run.out, "holes") == 1 &&
                cli_json_number(run.out, "open_edges") == 3);
    assert_true(cli_json_number(second, "points") == 2 && cli_json_number(second, "faces") == 0);
    assert_true(cli_json_number(run.out, "copies") == 0 && cli_json_number(second, "copies") == 0);
    assert_true(fabs(cli_json_number(second, "diagonal") - sqrt(13)) < 1e-15);
    assert_null(strstr(second, "holes"));
    cli_expect(run, SFGP_ERROR_READ, "none.ply");
}

/* Slicer's JSON is no mesh, and the names of a CSV are worth to be seen; with --columns a CSV is a table of points. */
static void info_shows_landmarks(void **state)
{
    const char *slicer = test_text("tips.mrk.json",
                                   "{\"markups\": [{\"coordinateSystem\": \"LPS\", \"controlPoints\": ["
                                   "{\"label\": \"tip\", \"position\": [1, 2.5, 3]}, "
                                   "{\"label\": \"base\", \"position\": [4, 6.5, 3]}]}]}"),
               *csv = test_text("tips.csv", "name,x,y\ntip,1,2\n,4,6\n");
    (void)state;
    sfgp_run run = sfgp_run_program("info", slicer, csv, NULL);
    assert_non_null(
        strstr(run.out, "tips.mrk.json\n  format     mrk.json, landmarks\n  dimension  3\n  system     LPS\n"
                        "  x          1 to 4, size 3\n"));
    sfgp_assert_has(run.out, "  diagonal   5, of the bounding box\n");
    assert_non_null(
        strstr(run.out, "  landmarks  2\n             1 2.5 3  tip\n             4 6.5 3  base\n"));
    sfgp_assert_has(run.out, "  landmarks  2\n             1 2  tip\n             4 6\n");
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("info", csv, "--columns", "x,y", NULL);
    sfgp_assert_has(run.out, "  format     text\n  points     2\n");
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("info", "--json", slicer, test_text("bad.fcsv", "1,2\n"), NULL);
    sfgp_assert_has(run.out, "\"name\": \"base\"");
    assert_true(cli_json_number(run.out, "points") == 2 && cli_json_number(run.out, "diagonal") == 5);
    cli_expect(run, SFGP_ERROR_FORMAT, "bad.fcsv: line 1");
}

static void many_landmarks_are_counted(void **state)
{
    char text[4000] = "name,x,y\n";
    (void)state;
    for (int k = 0; k < 60; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "l%d,%d,%d\n", k, k, k * k);
    sfgp_run run = sfgp_run_program("info", test_text("many.csv", text), NULL);
    sfgp_assert_has(run.out, "  landmarks  60, the first fifty of them:\n");
    sfgp_assert_has(run.out, " 49 2401  l49\n");
    assert_null(strstr(run.out, "l50"));
    cli_expect(run, 0, NULL);
}

static void info_goes_on_after_a_bad_file(void **state)
{
    const char *bad = test_text("bad.csv", "1,2\n3\n"), *good = test_text("good.csv", "1,2\n3,5\n");
    (void)state;
    sfgp_run run = sfgp_run_program("info", bad, test_path("none.ply"), good, NULL);
    sfgp_assert_has(run.out, "good.csv");
    sfgp_assert_has(run.err, "none.ply");
    cli_expect(run, SFGP_ERROR_FORMAT, "bad.csv");
}

static void unreadable_files_have_their_code(void **state)
{
    (void)state;
    cli_expect(sfgp_run_program("info", test_text("empty.ply", ""), NULL), SFGP_ERROR_FORMAT, "empty.ply");
    cli_expect(sfgp_run_program("info", sfgp_test_folder(), NULL), SFGP_ERROR_READ, sfgp_test_folder());
    cli_expect(sfgp_run_program("info", test_path("missing.ply"), NULL), SFGP_ERROR_READ, "missing.ply");
    cli_expect(sfgp_run_program("info", test_text("nan.csv", "1,2\nnan,3\n"), NULL), SFGP_ERROR_DATA, "nan");
    const char *secret = test_text("secret.csv", "1,2\n");
    assert_int_equal(chmod(secret, 0), 0);
    cli_expect(sfgp_run_unprivileged("info", secret, NULL), SFGP_ERROR_READ, "secret.csv");
}

/* ---- evaluate ---------------------------------------------------------------------------------------- */

/* By name, whatever the formats, the order and the systems are; the table has every pair. */
static void evaluate_compares_landmarks(void **state)
{
    const char *fitted = test_text("fitted.csv",
                                   "name,x,y,z,sd\ntip,1,2,3,0.1\nmiddle,0,0,0,0.1\nbase,4,6,3,0.1\n"),
               *truth =
                   test_text("truth.fcsv", "# CoordinateSystem = LPS\n"
                                           "1,1,2,3,0,0,0,1,1,1,0,base,,\n2,1,2,5,0,0,0,1,1,1,0,tip,,\n"),
               *table = test_path("landmarks_table.csv");
    (void)state;
    sfgp_run run = sfgp_run_program("evaluate", fitted, truth, "--table", table, "--unit", "mm", NULL);
    assert_string_equal(run.out,
                        "{\n  \"landmarks\": {\n    \"count\": 2,\n    \"mean\": 3.5,\n    \"median\": 3.5,\n"
                        "    \"p95\": 4.85,\n    \"largest\": 5.0\n  },\n  \"unit\": \"mm\"\n}\n");
    cli_expect(run, 0, "'middle' is in the first file only");
    char *text = sfgp_test_read(table, NULL);
    assert_string_equal(text, "landmark,distance,dx,dy,dz\ntip,2,0,0,-2\nbase,5,3,4,0\n");
    free(text);
    cli_expect(
        sfgp_run_program("evaluate", fitted, test_text("others.csv", "name,x,y,z\nnose,1,2,3\n"), NULL),
        SFGP_ERROR_DATA, "others.csv: landmarks: no name of one file is in the other");
    cli_expect(sfgp_run_program("evaluate", fitted, test_text("broken.fcsv", "1,2\n"), NULL),
               SFGP_ERROR_FORMAT, "broken.fcsv: line 1");
}

/* Landmarks of a TPS file have no names. Options about shapes, and --columns, ask for points. */
static void evaluate_compares_landmarks_in_order(void **state)
{
    const char *named = test_text("flat.csv", "name,x,y\ntip,1,2\nbase,4,6\n"),
               *unnamed = test_text("flat.tps", "LM=2\n1 2\n4 3\nID=a\n"),
               *table = test_path("flat_table.csv");
    (void)state;
    cli_expect(sfgp_run_program("evaluate", named, unnamed, "--table", table, NULL), 0, NULL);
    char *text = sfgp_test_read(table, NULL);
    assert_string_equal(text, "landmark,distance,dx,dy\ntip,0,0,0\nbase,3,0,3\n");
    free(text);
    sfgp_run run = sfgp_run_program("evaluate", named, named, "--columns", "x,y", NULL);
    sfgp_assert_has(run.out, "\"all\": ");
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("evaluate", named, named, "--surface", NULL);
    assert_null(strstr(run.out, "\"landmarks\": "));
    cli_expect(run, 0, NULL);
    cli_expect(
        sfgp_run_program("evaluate", named, test_text("plain.csv", "1,2\n4,6\n"), "--table", table, NULL), 2,
        "--table lists landmarks, and one of the files has none");
    cli_expect(sfgp_run_program("evaluate", named, unnamed, "--table", test_path("none/table.csv"), NULL),
               SFGP_ERROR_WRITE, "none/table.csv: cannot write");
}

static void evaluate_prints_json(void **state)
{
    const char *a = test_text("a.csv", "0,0\n0,0\n0,0\n"), *b = test_text("b.csv", "1,0\n0,2\n3,4\n");
    (void)state;
    sfgp_run run = sfgp_run_program("evaluate", a, b, NULL);
    static const char START[] =
        "{\n  \"all\": {\n    \"count\": 3,\n    \"mean\": 2.66666666666667,\n"
        "    \"median\": 2.0,\n    \"p95\": 4.7\n  },\n"
        "  \"surface\": {\n    \"fitted_to_truth\": {\n      \"count\": 3,\n"
        "      \"mean\": 1.0,\n      \"rms\": 1.0,\n      \"p95\": 1.0,\n"
        "      \"largest\": 1.0\n    },\n    \"truth_to_fitted\": {\n      \"count\": 3,\n"
        "      \"mean\": 2.66666666666667,\n      \"rms\": 3.16227766016838,\n";
    assert_int_equal(strncmp(run.out, START, sizeof START - 1), 0);
    assert_true(cli_json_number(strstr(run.out, "\"symmetric\""), "p95") ==
                4.25); /* 1 1 1 1 2 5: index 4.75 */
    assert_true(cli_json_number(strstr(run.out, "\"symmetric\""), "largest") == 5);
    assert_string_equal(run.err, "");
    cli_expect(run, 0, NULL);
}

static void evaluate_splits_by_mask_and_has_null_for_nothing(void **state)
{
    const char *a = test_text("a.csv", "0,0\n0,0\n0,0\n"), *b = test_text("b.csv", "1,0\n0,2\n3,4\n");
    (void)state;
    sfgp_run run = sfgp_run_program("evaluate", a, b, "--missing", test_text("m.txt", "0\n0\n1\n"), NULL);
    assert_true(cli_json_number(strstr(run.out, "observed"), "mean") == 1.5);
    assert_true(cli_json_number(strstr(run.out, "\"missing\""), "mean") == 5);
    cli_expect(run, 0, NULL);
    run = sfgp_run_program("evaluate", "--missing", test_text("m.txt", "0\n0\n0\n"), a, b, NULL);
    sfgp_assert_has(run.out, "\"missing\": {\n    \"count\": 0,\n    \"mean\": null,\n");
    cli_expect(run, 0, NULL);
}

/* Surfaces need no correspondence: the large sheet against its first rows. */
static void evaluate_measures_surfaces(void **state)
{
    (void)state;
    const double square[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0},
                 above[] = {0.2, 0.2, 3, 0.4, 0.2, 3, 0.2, 0.4, 3};
    const char *a = cli_mesh("square.ply", 4, 3, square, true), *b = cli_mesh("above.ply", 3, 3, above, true),
               *map = test_path("map.ply");
    sfgp_run run = sfgp_run_program("evaluate", b, a, "--surface", "--distance-map", map, NULL);
    const char *there = strstr(run.out, "\"fitted_to_truth\""), *both = strstr(run.out, "\"symmetric\"");
    assert_true(there && both && !strstr(run.out, "\"all\""));
    assert_true(cli_json_number(there, "largest") == 3 && cli_json_number(there, "rms") == 3);
    assert_true(cli_json_number(both, "count") == 7 && cli_json_number(both, "largest") > 3);
    cli_expect(run, 0, NULL);
    sfgp_context *context = NULL;
    sfgp_mesh *mesh = NULL;
    sfgp_attributes *found = NULL;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    sfgp_assert_ok(context, sfgp_mesh_read_attributes(context, map, &mesh, &found));
    assert_string_equal(found->items[0].name, "distance");
    assert_true(found->items[0].values[2] == 3);
    sfgp_mesh_free(mesh);
    sfgp_attributes_free(found);
    sfgp_context_free(context);
    cli_expect(sfgp_run_program("evaluate", b, a, NULL), SFGP_ERROR_DATA, "points");
    cli_expect(sfgp_run_program("evaluate", a, a, "--distance-map", test_path("map.obj"), NULL), 2,
               "give a .ply or .vtp file");
    cli_expect(sfgp_run_program("evaluate", a, a, "--distance-map", "-", NULL), 2,
               "give a .ply or .vtp file");
    cli_expect(sfgp_run_program("evaluate", a, a, "--surface", "--missing", a, NULL), 2,
               "leave out --missing");
}

static void evaluate_refuses_what_does_not_belong_together(void **state)
{
    const char *a = test_text("a.csv", "0,0\n0,0\n0,0\n"), *b = test_text("b.csv", "1,0\n0,2\n");
    (void)state;
    cli_expect(sfgp_run_program("evaluate", a, b, NULL), SFGP_ERROR_DATA, "3 points");
    cli_expect(sfgp_run_program("evaluate", a, a, "--missing", b, NULL), SFGP_ERROR_FORMAT, "b.csv");
    cli_expect(sfgp_run_program("evaluate", a, test_path("none"), NULL), SFGP_ERROR_READ, "none");
}

/* ---- simulate ---------------------------------------------------------------------------------------- */

static void simulate_writes_four_files_that_fit_together(void **state)
{
    const char *folder = test_path("simulated");
    (void)state;
    cli_expect(sfgp_run_program("simulate", "ear", "-o", folder, "--resolution", "6", "--outliers=0",
                                "--seed=3", NULL),
               0, NULL);
    sfgp_mesh *reference = cli_read(sfgp_test_path(folder, "reference.ply"));
    sfgp_mesh *truth = cli_read(sfgp_test_path(folder, "truth.ply"));
    sfgp_mesh *scan = cli_read(sfgp_test_path(folder, "scan.ply"));
    char *mask = sfgp_test_read(sfgp_test_path(folder, "truth_missing.txt"), NULL);
    int64_t missing = 0, rows = 0;
    for (char *c = mask; *c; c++)
        missing += *c == '1', rows += *c == '\n';
    assert_int_equal(reference->count, truth->count);
    assert_int_equal(reference->face_count, truth->face_count);
    assert_true(missing > 0 && rows == truth->count && scan->count == truth->count - missing);
    free(mask);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(truth);
    sfgp_mesh_free(scan);
}

static void simulate_without_damage_only_shuffles(void **state)
{
    const char *folder = test_path("whole");
    (void)state;
    for (int seed = 0; seed < 2; seed++) /* the second time into a folder that is there */
        cli_expect(sfgp_run_program("simulate", "ear", "--output", folder, "--resolution=5", "--holes=0",
                                    "--noise=0", "--outliers=0", "--rotation=0", "--translation=0",
                                    "--scale=0", "--seed", seed ? "1" : "0", NULL),
                   0, NULL);
    sfgp_mesh *truth = cli_read(sfgp_test_path(folder, "truth.ply"));
    sfgp_mesh *scan = cli_read(sfgp_test_path(folder, "scan.ply"));
    double sum = 0;
    assert_int_equal(scan->count, truth->count);
    for (int64_t k = 0; k < 3 * truth->count; k++)
        sum += truth->points[k] - scan->points[k];
    assert_true(fabs(sum) < 1e-9);
    sfgp_mesh_free(truth);
    sfgp_mesh_free(scan);
}

static sfgp_mesh *turned_truth(const char *rotation)
{
    const char *folder = test_path("turned");
    cli_expect(
        sfgp_run_program("simulate", "ear", "-o", folder, "--resolution=5", "--rotation", rotation, NULL), 0,
        NULL);
    return cli_read(sfgp_test_path(folder, "truth.ply"));
}

/* The truth lies where the scan does. */
static void rotation_is_in_degrees(void **state)
{
    sfgp_mesh *still = turned_truth("0"), *half = turned_truth("180"), *full = turned_truth("360");
    double least = 0, most = 0;
    (void)state;
    for (int64_t k = 0; k < 3 * still->count; k++) {
        most = fmax(most, fabs(half->points[k] - still->points[k]));
        least = fmax(least, fabs(full->points[k] - still->points[k]));
    }
    assert_true(least < 1e-9 && most > 20);
    sfgp_mesh_free(still);
    sfgp_mesh_free(half);
    sfgp_mesh_free(full);
}

static void simulate_says_what_it_cannot_do(void **state)
{
    const char *file = test_text("file", "x");
    (void)state;
    cli_expect(sfgp_run_program("simulate", "ear", "-o", file, "--resolution=5", NULL), 7, file);
    cli_expect(sfgp_run_program("simulate", "ear", "-o", test_path("no/where"), "--resolution=5", NULL), 7,
               "no/where");
    cli_expect(sfgp_run_program("simulate", "ear", "-o", test_path("r"), "--resolution=1", NULL), 2,
               "resolution");
    cli_expect(
        sfgp_run_program("simulate", "ear", "-o", test_path("r"), "--resolution=5", "--noise=-1", NULL), 2,
        "noise");
    cli_expect(sfgp_run_program("simulate", "ear", "-o", test_path("r"), "--resolution=5", "--hole-radius=99",
                                "--outliers=0", NULL),
               5, "holes");
    assert_false(cli_exists(test_path("r/reference.ply")));
}

/* ---- streams ----------------------------------------------------------------------------------------- */

/* Runs with stream `descriptor` closed, or on path when there is one; stderr goes to the file err. */
static int run_with(int descriptor, const char *path, const char *err, const char *verb, const char *argument)
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int words = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0666), null = open("/dev/null", O_RDWR);
        dup2(null, 0), dup2(null, 1), dup2(words, 2);
        close(words), close(null);
        close(descriptor);
        if (path && open(path, O_WRONLY) != descriptor)
            _exit(126);
        execl(SFGP_PROGRAM, SFGP_PROGRAM, verb, argument, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void assert_words(const char *path, const char *words)
{
    char *text = sfgp_test_read(path, NULL);
    assert_non_null(text);
    sfgp_assert_has(text, words);
    free(text);
}

static void closed_streams_end_cleanly(void **state)
{
    const char *err = test_path("words.txt"), *mesh = test_text("stream.csv", "1,2\n3,5\n");
    (void)state;
    assert_int_equal(run_with(0, NULL, err, "info", mesh), 0);
    assert_int_equal(run_with(1, NULL, err, "info", mesh), SFGP_ERROR_WRITE);
    assert_words(err, "sfgp: error: standard output: cannot write");
    assert_int_equal(run_with(2, NULL, err, "info", mesh), 0);
    assert_int_equal(run_with(2, NULL, err, "info", test_path("none")), SFGP_ERROR_READ);
    assert_int_equal(run_with(1, "/dev/full", err, "info", mesh), SFGP_ERROR_WRITE);
    assert_words(err, "standard output: cannot write: No space left");
    assert_int_equal(run_with(1, "/dev/full", err, "help", "register"), SFGP_ERROR_WRITE);
}

static void a_pipe_that_nobody_reads_is_an_error(void **state)
{
    const char *err = test_path("words.txt");
    int ends[2], status = 0;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        int words = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(ends[1], 1), dup2(words, 2);
        execl(SFGP_PROGRAM, SFGP_PROGRAM, "settings", (char *)NULL);
        _exit(127);
    }
    close(ends[0]), close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SFGP_ERROR_WRITE);
    assert_words(err, "Broken pipe");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_that_of_the_library),
        cmocka_unit_test(routines_of_openblas_are_those_for_avx2),
        cmocka_unit_test(help_names_every_verb),
        cmocka_unit_test(every_verb_has_a_usage),
        cmocka_unit_test(the_manual_page_and_completions_are_printed),
        cmocka_unit_test(completions_have_the_values_of_options),
        cmocka_unit_test(methods_are_listed),
        cmocka_unit_test(lists_are_printed_as_json),
        cmocka_unit_test(all_verbs_have_the_same_options),
        cmocka_unit_test(common_options_change_what_is_said),
        cmocka_unit_test(every_setting_is_a_flag_in_every_text),
        cmocka_unit_test(markdown_rows_have_six_cells),
        cmocka_unit_test(usage_errors_are_one_line_and_code_2),
        cmocka_unit_test(info_tells_what_was_read),
        cmocka_unit_test(info_prints_json),
        cmocka_unit_test(info_shows_landmarks),
        cmocka_unit_test(many_landmarks_are_counted),
        cmocka_unit_test(info_goes_on_after_a_bad_file),
        cmocka_unit_test(unreadable_files_have_their_code),
        cmocka_unit_test(evaluate_compares_landmarks),
        cmocka_unit_test(evaluate_compares_landmarks_in_order),
        cmocka_unit_test(evaluate_prints_json),
        cmocka_unit_test(evaluate_splits_by_mask_and_has_null_for_nothing),
        cmocka_unit_test(evaluate_measures_surfaces),
        cmocka_unit_test(evaluate_refuses_what_does_not_belong_together),
        cmocka_unit_test(simulate_writes_four_files_that_fit_together),
        cmocka_unit_test(simulate_without_damage_only_shuffles),
        cmocka_unit_test(rotation_is_in_degrees),
        cmocka_unit_test(simulate_says_what_it_cannot_do),
        cmocka_unit_test(closed_streams_end_cleanly),
        cmocka_unit_test(a_pipe_that_nobody_reads_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
