/* sfgp compare: what a study writes, that it is the same however it was run, stopped and gone on with. */
#include "test_cli_compare.h"
#include "support/terminal.h"

#include <errno.h>
#include <math.h>
#include <signal.h>

/* Two levels, three samples, a method that needs the whole machinery, one that does not, one of others. */
static const char FISH[] =
    "{'title':'Fish','seed':%d,'sets':[{'name':'fish','axis':'noise','levels':[0.01,0.03],'samples':3,"
    "'simulate':'fish','damage':{'deformation':0.1,'noise':'level','box_width':0.5}}],"
    "'methods':[{'name':'SFGP','method':'sfgp-full'},{'name':'near','method':'closest-point'},"
    "{'name':'still','method':'external','command':'sh %s {reference} {output}'}]}";
enum { FISH_RUNS = 2 * 3 * 3 };

static const char *fish_study(const char *name, int seed, const char *wait)
{
    char script[160];
    snprintf(script, sizeof script, "sleep %s\ncp \"$1\" \"$2\"\n", wait);
    char file[64];
    snprintf(file, sizeof file, "%s.sh", name);
    return compare_study(name, FISH, seed, test_text(file, script));
}

/* ---- what it says ------------------------------------------------------------------------------------ */

static void a_terminal_sees_how_many_runs_are_done(void **state)
{
    static char seen[1 << 14];
    (void)state;
    const char *const words[] = {
        "compare", fish_study("shown.json", 1, "0"), "-o", test_path("shown"), "--jobs", "2", NULL};
    assert_int_equal(test_terminal_run(words, sizeof seen, seen), 0);
    const char *first = strstr(seen, ": 1 of 18"), *last = strstr(seen, ": 18 of 18"),
               *end = strstr(seen, "report.html");
    assert_true(first && last && end);
    assert_true(first < last && last < end);
}

/* ---- what it writes ---------------------------------------------------------------------------------- */

static void a_study_writes_every_table_and_the_report(void **state)
{
    static const char *const FILES[] = {"report.html",
                                        "rows.csv",
                                        "summary.csv",
                                        "tuning.csv",
                                        "journal.tsv",
                                        "figures/fish-error.svg",
                                        "figures/fish-observed.svg"};
    const char *folder = test_path("whole");
    (void)state;
    sfgp_run run =
        sfgp_run_program("compare", fish_study("whole.json", 1, "0"), "-o", folder, "--jobs", "2", NULL);
    assert_string_equal(run.out, "");
    cli_expect(run, 0, "report.html");
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++)
        if (!cli_exists(compare_in(folder, FILES[k])))
            fail_msg("there is no %s", FILES[k]);
    assert_int_not_equal(access(compare_in(folder, ".sfgp-work"), F_OK), 0);
    compare_assert_words(compare_in(folder, "report.html"), "Fish");
}

static void markup_of_a_study_is_text(void **state)
{
    static const char *const NAMES[] = {"title", "text", "set", "axis", "method"};
    const char *folder = test_path("markup");
    char name[32];
    (void)state;
    const char *study = compare_study(
        "markup.json",
        "{'title':'<b>title','text':'<b>text','sets':[{'name':'<b>set','axis':'<b>axis','levels':[1,2],'samples':1,"
        "'simulate':'fish'}],'methods':[{'name':'<b>method','method':'closest-point'}]}");
    cli_expect(sfgp_run_program("compare", study, "-o", folder, NULL), 0, "report.html");
    char *page = sfgp_test_read(compare_in(folder, "report.html"), NULL);
    assert_non_null(page);
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        snprintf(name, sizeof name, "<b>%s", NAMES[k]);
        if (strstr(page, name))
            fail_msg("%s is markup", name);
        snprintf(name, sizeof name, "&lt;b&gt;%s", NAMES[k]);
        if (!strstr(page, name))
            fail_msg("%s is not there", name);
    }
    free(page);
}

static void rows_are_one_a_run_in_the_order_of_the_study(void **state)
{
    static const char *const LEVELS[] = {"0.01", "0.03"}, *const METHODS[] = {"SFGP", "near", "still"};
    const char *folder = test_path("order");
    int row = 0;
    (void)state;
    compare_run(fish_study("order.json", 1, "0"), folder, "2");
    compare_table *rows = compare_rows(folder);
    assert_int_equal(rows->rows, FISH_RUNS);
    for (int level = 0; level < 2; level++)
        for (int method = 0; method < 3; method++)
            for (int sample = 0; sample < 3; sample++, row++) {
                assert_int_equal(compare_find(rows, "fish", LEVELS[level], sample, METHODS[method]), row);
                assert_string_equal(compare_cell(rows, row, "success"), "1");
                assert_true(compare_number(rows, row, "seconds") > 0);
                assert_true(compare_number(rows, row, "peak_mib") > 0);
                assert_string_equal(compare_cell(rows, row, "words"), "");
            }
    compare_free(rows);
}

/* Means, medians and quartiles of the rows, by the definition: sorted, type 7 of Hyndman and Fan. */
static double quantile(double *x, int n, double share)
{
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++)
            if (x[a] < x[b]) {
                double swap = x[a];
                x[a] = x[b], x[b] = swap;
            }
    const double place = share * (n - 1);
    const int below = (int)floor(place);
    return below == n - 1 ? x[below] : x[below] + (place - below) * (x[below + 1] - x[below]);
}

static void a_line_of_the_summary_is_of_its_rows(void **state)
{
    const double rounding = 4 * 2.3e-16; /* three sums, a product */
    const char *folder = test_path("summary");
    (void)state;
    compare_run(fish_study("summary.json", 1, "0"), folder, "2");
    compare_table *rows = compare_rows(folder);
    compare_table *lines = compare_read(compare_in(folder, "summary.csv"));
    assert_int_equal(lines->rows, 6);
    for (int line = 0; line < 6; line++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = compare_number(rows, 3 * line + k, "error");
        assert_string_equal(compare_cell(lines, line, "method"), compare_cell(rows, 3 * line, "method"));
        assert_string_equal(compare_cell(lines, line, "level"), compare_cell(rows, 3 * line, "level"));
        assert_true(compare_number(lines, line, "runs") == 3 &&
                    compare_number(lines, line, "successes") == 3);
        assert_true(fabs(compare_number(lines, line, "error_mean") - (x[0] + x[1] + x[2]) / 3) <=
                    rounding * x[0]);
        assert_true(compare_number(lines, line, "error_median") == quantile(x, 3, 0.5));
        assert_true(fabs(compare_number(lines, line, "error_q25") - quantile(x, 3, 0.25)) <= rounding * x[2]);
        assert_true(fabs(compare_number(lines, line, "error_q75") - quantile(x, 3, 0.75)) <= rounding * x[2]);
    }
    compare_free(lines);
    compare_free(rows);
}

/* ---- a folder of scans: the same as the other verbs -------------------------------------------------- */

static void move(const char *from, const char *file, const char *to)
{
    assert_int_equal(rename(compare_in(from, file), test_path(to)), 0);
}

/* files/scan/{a,b}.ply with truths and masks, simulated by the program itself. */
static void make_scans(void)
{
    static const char *const FOLDERS[] = {"files", "files/scan", "files/truth"};
    const char *made = test_path("made");
    for (int k = 0; k < 3; k++)
        assert_true(mkdir(test_path(FOLDERS[k]), 0777) == 0 || errno == EEXIST);
    for (int k = 0; k < 2; k++) {
        cli_expect(sfgp_run_program("simulate", "fish", "-o", made, "--seed", k ? "5" : "4", NULL), 0, NULL);
        move(made, "scan.ply", k ? "files/scan/b.ply" : "files/scan/a.ply");
        move(made, "truth.ply", k ? "files/truth/b.ply" : "files/truth/a.ply");
        move(made, "truth_missing.txt", k ? "files/truth/b.txt" : "files/truth/a.txt");
        move(made, "reference.ply", "files/reference.ply");
    }
}

static void assert_as_register_and_evaluate(const compare_table *rows, int row, const char *scan,
                                            const char *truth, const char *mask, const char *method)
{
    const double digits = 5e-15; /* evaluate prints 15 digits: half a unit of the last one */
    const char *fitted = test_path("fitted.ply"), *report = test_path("fitted.json");
    cli_expect(sfgp_run_program("register", test_path("files/reference.ply"), test_path(scan), "-o", fitted,
                                "--method", method, "--report", report, NULL),
               0, NULL);
    sfgp_run run = sfgp_run_program("evaluate", fitted, test_path(truth), "--missing", test_path(mask), NULL);
    const double all = cli_json_number(strstr(run.out, "\"all\""), "mean");
    const double observed = cli_json_number(strstr(run.out, "\"observed\""), "mean");
    const double missing = cli_json_number(strstr(run.out, "\"missing\""), "mean");
    assert_true(fabs(compare_number(rows, row, "error") - all) <= digits * all);
    assert_true(fabs(compare_number(rows, row, "observed") - observed) <= digits * observed);
    assert_true(fabs(compare_number(rows, row, "missing") - missing) <= digits * missing);
    char *text = sfgp_test_read(report, NULL);
    assert_true(compare_number(rows, row, "iterations") == cli_json_number(text, "iterations"));
    free(text);
    cli_expect(run, 0, NULL);
}

static void values_are_those_of_register_and_evaluate(void **state)
{
    const char *folder = test_path("scans");
    (void)state;
    make_scans();
    compare_run(compare_study("scans.json",
                              "{'data':'.','threads':2,'sets':[{'name':'s','folder':'files','scans':'scan',"
                              "'truth':'truth/{id}.ply','missing':'truth/{id}.txt'}],'methods':["
                              "{'name':'one','method':'sfgp-scalar'},{'name':'two','method':'cpd'}]}"),
                folder, "2");
    compare_table *rows = compare_rows(folder);
    assert_int_equal(rows->rows, 4);
    for (int k = 0; k < 4; k++)
        assert_as_register_and_evaluate(rows, k, k % 2 ? "files/scan/b.ply" : "files/scan/a.ply",
                                        k % 2 ? "files/truth/b.ply" : "files/truth/a.ply",
                                        k % 2 ? "files/truth/b.txt" : "files/truth/a.txt",
                                        k < 2 ? "sfgp-scalar" : "cpd");
    compare_free(rows);
}

static void first_and_samples_choose_the_scans(void **state)
{
    const char *all = test_path("all"), *one = test_path("one");
    static const char STUDY[] = "{'sets':[{'name':'s','folder':'files','truth':'truth/{id}.ply'%s}],"
                                "'methods':[{'name':'near','method':'closest-point'}]}";
    (void)state;
    make_scans();
    compare_run(compare_study("all.json", STUDY, ""), all, "1");
    compare_run(compare_study("one.json", STUDY, ",'first':1,'samples':1"), one, "1");
    compare_table *two = compare_rows(all), *second = compare_rows(one);
    assert_true(two->rows == 2 && second->rows == 1);
    assert_string_equal(compare_cell(second, 0, "sample"), "1");
    assert_string_equal(compare_cell(second, 0, "error"), compare_cell(two, 1, "error"));
    assert_string_not_equal(compare_cell(second, 0, "error"), compare_cell(two, 0, "error"));
    assert_string_equal(compare_cell(second, 0, "missing"), ""); /* no mask, nothing to say */
    compare_free(two);
    compare_free(second);
}

/* A simulated sample is the same whichever others are asked for. */
static void simulated_samples_have_seeds_of_their_own(void **state)
{
    static const char STUDY[] = "{'sets':[{'name':'s','simulate':'ear','points':40,'samples':%d,'first':%d,"
                                "'damage':{'noise':0.1}}],'methods':[{'name':'m','method':'closest-point'}]}";
    const char *all = test_path("seeds"), *one = test_path("seed");
    (void)state;
    compare_run(compare_study("seeds.json", STUDY, 3, 0), all, "1");
    compare_run(compare_study("seed.json", STUDY, 1, 2), one, "1");
    compare_table *a = compare_rows(all), *b = compare_rows(one);
    assert_string_equal(compare_cell(b, 0, "sample"), "2");
    assert_string_equal(compare_cell(b, 0, "error"), compare_cell(a, 2, "error"));
    assert_string_not_equal(compare_cell(a, 1, "error"), compare_cell(a, 2, "error"));
    compare_free(a);
    compare_free(b);
}

/* ---- measured data ----------------------------------------------------------------------------------- */

static char *given_data; /* $SFGP_DATA */

static const char *data_folder(void)
{
    if (given_data)
        setenv("SFGP_DATA", given_data, 1);
    const char *data = sfgp_test_data();
    unsetenv("SFGP_DATA");
    return data;
}

static sfgp_array *read_array(const char *file, const char *name)
{
    sfgp_context *context;
    sfgp_array *array;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    sfgp_assert_ok(context, sfgp_array_read(context, file, name, &array));
    sfgp_context_free(context);
    return array;
}

/* An external program that gives the reference back has the error of the reference. */
static void a_sample_of_hdf5_is_that_row_of_its_arrays(void **state)
{
    const char *data = data_folder(), *folder = test_path("hdf5");
    char file[5000];
    double sum = 0;
    (void)state;
    snprintf(file, sizeof file, "%s/fish/fish.h5", data);
    if (access(file, R_OK) != 0)
        skip();
    compare_run(compare_study("hdf5.json",
                              "{'data':'%s','sets':[{'name':'d','hdf5':'fish/fish.h5','group':'def/{level}',"
                              "'levels':[1,3],'first':7,'samples':1}],'methods':[{'name':'still',"
                              "'method':'external','command':'cp {reference} {output}'}]}",
                              data),
                folder, "1");
    compare_table *rows = compare_rows(folder);
    sfgp_array *reference = read_array(file, "/reference"), *truth = read_array(file, "/def/3/truth");
    const int64_t n = reference->shape[0];
    assert_int_equal(reference->shape[1], 2);
    for (int64_t i = 0; i < n; i++) {
        const double *y = truth->values + 7 * 2 * n + 2 * i, *x = reference->values + 2 * i;
        sum += hypot(y[0] - x[0], y[1] - x[1]);
    }
    const int row = compare_find(rows, "d", "3", 7, "still");
    assert_true(rows->rows == 2 && row == 1);
    assert_true(fabs(compare_number(rows, row, "error") - sum / (double)n) < 1e-14); /* the order of a sum */
    assert_true(compare_number(rows, row, "points_reference") == (double)n);
    sfgp_array_free(reference);
    sfgp_array_free(truth);
    compare_free(rows);
}

/* ---- however it is run ------------------------------------------------------------------------------- */

static void rows_do_not_depend_on_the_jobs(void **state)
{
    const char *study = fish_study("jobs.json", 2, "0"), *one = test_path("jobs1"),
               *three = test_path("jobs3");
    (void)state;
    compare_run(study, one, "1");
    compare_run(study, three, "3");
    compare_assert_same_rows(one, three);
    cli_assert_same_files(compare_in(one, "figures/fish-error.svg"),
                          compare_in(three, "figures/fish-error.svg"));
}

static int line_count(const char *path)
{
    int count = 0;
    char *text = sfgp_test_read(path, NULL);
    for (char *c = text; c && *c; c++)
        count += *c == '\n';
    free(text);
    return count;
}

static int tab_count(const char *line)
{
    int count = 0;
    for (; *line != '\n'; line++)
        count += *line == '\t';
    return count;
}

/* Every key stands in the journal once; the first five fields of a line are its key. All lines are whole. */
static void assert_once_each(const char *folder, int runs)
{
    char keys[COMPARE_ROWS][80];
    int count = 0, used;
    char *text = sfgp_test_read(compare_in(folder, "journal.tsv"), NULL), *first = strchr(text, '\n') + 1;
    for (char *line = first; *line; line = strchr(line, '\n') + 1) {
        assert_true(count < COMPARE_ROWS);
        assert_int_equal(tab_count(line), tab_count(first));
        assert_int_equal(sscanf(line, "%*d\t%*d\t%*d\t%*d\t%*d%n", &used), 0);
        snprintf(keys[count], sizeof keys[0], "%.*s", used, line);
        for (int k = 0; k < count; k++)
            assert_string_not_equal(keys[k], keys[count]);
        count++;
    }
    assert_int_equal(count, runs);
    free(text);
}

/* Kills the program when its journal has so many lines. */
static void interrupt(const char *study, const char *folder, int lines)
{
    int state = 0;
    pid_t program = compare_start(study, folder, "2");
    for (int k = 0; k < 60000 && line_count(compare_in(folder, "journal.tsv")) < lines; k++)
        compare_wait(0.001);
    kill(program, SIGKILL);
    assert_int_equal(waitpid(program, &state, 0), program);
    assert_true(WIFSIGNALED(state)); /* else it was done before */
}

static void killed_at_any_moment_it_goes_on(void **state)
{
    static const int MOMENTS[] = {0, 1, 3, 8, 13};
    const char *study = fish_study("killed.json", 3, "0.1");
    const char *folder = test_path("killed"), *straight = test_path("straight");
    (void)state;
    for (size_t k = 0; k < sizeof MOMENTS / sizeof *MOMENTS; k++) {
        size_t size = 0;
        interrupt(study, folder, MOMENTS[k]);
        char *before = sfgp_test_read(compare_in(folder, "journal.tsv"), &size);
        assert_false(cli_exists(compare_in(folder, "rows.csv")));
        if (k + 1 == sizeof MOMENTS / sizeof *MOMENTS) {
            compare_run(study, folder, "2");
            char *after = sfgp_test_read(compare_in(folder, "journal.tsv"), NULL);
            assert_memory_equal(before, after, size); /* what was done stays as it was */
            free(after);
        }
        free(before);
    }
    assert_once_each(folder, FISH_RUNS);
    compare_run(study, straight, "2");
    compare_assert_same_rows(folder, straight);
}

static void what_is_done_is_not_done_again(void **state)
{
    const char *study = fish_study("done.json", 4, "0"), *folder = test_path("done");
    (void)state;
    compare_run(study, folder, "2");
    char *journal = sfgp_test_read(compare_in(folder, "journal.tsv"), NULL);
    char *rows = sfgp_test_read(compare_in(folder, "rows.csv"), NULL);
    compare_run(study, folder, "1");
    char *again = sfgp_test_read(compare_in(folder, "journal.tsv"), NULL);
    char *same = sfgp_test_read(compare_in(folder, "rows.csv"), NULL);
    assert_string_equal(journal, again);
    assert_string_equal(rows, same);
    free(journal), free(rows), free(again), free(same);
}

/* ---- a journal that is not as it was left ------------------------------------------------------------ */

static void a_torn_last_line_is_dropped(void **state)
{
    const char *study = fish_study("torn.json", 5, "0");
    const char *folder = test_path("torn"), *path = compare_in(folder, "journal.tsv");
    static const long CUTS[] = {1, 30, 200, 1000000}; /* bytes that are lost; the last: all but three */
    (void)state;
    compare_run(study, folder, "2");
    compare_run(study, test_path("untorn"), "2");
    for (size_t k = 0; k < sizeof CUTS / sizeof *CUTS; k++) {
        struct stat file;
        assert_int_equal(stat(path, &file), 0);
        assert_int_equal(truncate(path, file.st_size > CUTS[k] + 3 ? file.st_size - CUTS[k] : 3), 0);
        compare_run(study, folder, "2");
        assert_once_each(folder, FISH_RUNS);
        compare_assert_same_rows(folder, test_path("untorn"));
    }
}

static void a_damaged_line_is_named(void **state)
{
    static const struct {
        const char *from, *to;
    } DAMAGES[] = {{"\t", "x"}, {"\t", "\n"}, {"0", "9"}};
    const char *study = fish_study("damaged.json", 6, "0");
    const char *folder = test_path("damaged"), *path = compare_in(folder, "journal.tsv");
    size_t size;
    (void)state;
    compare_run(study, folder, "1");
    char *whole = sfgp_test_read(path, &size);
    for (size_t k = 0; k < sizeof DAMAGES / sizeof *DAMAGES; k++) {
        char *text = strdup(whole), *line = strchr(strchr(text, '\n') + 1, '\n') + 1; /* the third */
        *strpbrk(line, DAMAGES[k].from) = DAMAGES[k].to[0];
        sfgp_test_write(path, text, size);
        cli_expect(sfgp_run_program("compare", study, "-o", folder, NULL), 4, "journal.tsv: line 3: ");
        free(text);
    }
    free(whole);
}

static void another_study_is_refused(void **state)
{
    const char *folder = test_path("taken"), *study = fish_study("first.json", 7, "0");
    (void)state;
    compare_run(study, folder, "2");
    char *rows = sfgp_test_read(compare_in(folder, "rows.csv"), NULL);
    cli_expect(sfgp_run_program("compare", fish_study("other.json", 8, "0"), "-o", folder, NULL), 2,
               "the folder holds another study");
    char *after = sfgp_test_read(compare_in(folder, "rows.csv"), NULL);
    assert_string_equal(rows, after);
    free(rows), free(after);
}

/* The second is refused and the first does not notice. */
static void two_at_once_are_refused(void **state)
{
    const char *study = fish_study("twice.json", 9, "0.2"), *folder = test_path("twice");
    int code = 0;
    (void)state;
    pid_t first = compare_start(study, folder, "1");
    for (int k = 0; k < 60000 && line_count(compare_in(folder, "journal.tsv")) < 2; k++)
        compare_wait(0.001);
    for (int k = 0; k < 3; k++)
        cli_expect(sfgp_run_program("compare", study, "-o", folder, NULL), 7,
                   "another sfgp compare is working");
    assert_int_equal(waitpid(first, &code, WNOHANG), 0); /* it was still there */
    assert_int_equal(waitpid(first, &code, 0), first);
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
    assert_once_each(folder, FISH_RUNS);
}

/* ---- tuning ------------------------------------------------------------------------------------------ */

static const char SETS[] =
    "'sets':[{'name':'tuned on','hidden':true,'simulate':'fish','first':100,'samples':3,"
    "'levels':[0.1,0.3],'damage':{'deformation':'level','noise':0.02}},"
    "{'name':'seen','simulate':'fish','samples':2,'damage':{'deformation':0.2,'noise':0.02}}]";

/* Sum of the errors of a choice over the runs that succeeded. */
static double sum_of(const compare_table *tuning, const char *choice, int *successes)
{
    double sum = 0;
    *successes = 0;
    for (int k = 0; k < tuning->rows; k++)
        if (strcmp(compare_cell(tuning, k, "choice"), choice) == 0 &&
            strcmp(compare_cell(tuning, k, "success"), "1") == 0)
            sum += compare_number(tuning, k, "error"), ++*successes;
    return sum;
}

/* The first of the four fails everywhere: it has the least sum and must not be chosen. */
static void the_best_point_of_the_grid_is_used(void **state)
{
    const char *folder = test_path("tune"), *plain = test_path("plain"), *best = NULL;
    int count, failing = 0;
    (void)state;
    compare_run(
        compare_study("tune.json",
                      "{%s,'tune':{'set':'tuned on','levels':[0.3],'samples':2},'methods':[{'name':'m',"
                      "'method':'sfgp-scalar','grid':{'omega':[0.05,0.9],'kernel':"
                      "['se:length=0.1,variance=0.0001','se:length=1,variance=0.1']}}]}",
                      SETS),
        folder, "2");
    compare_table *tuning = compare_read(compare_in(folder, "tuning.csv"));
    assert_int_equal(tuning->rows, 4 * 2);
    for (int k = 0; k < tuning->rows; k++) {
        assert_string_equal(compare_cell(tuning, k, "set"), "tuned on");
        assert_string_equal(compare_cell(tuning, k, "level"), "0.3");
        assert_int_equal(atoi(compare_cell(tuning, k, "sample")), 100 + k % 2);
        if (strcmp(compare_cell(tuning, k, "chosen"), "1") == 0)
            best = compare_cell(tuning, k, "choice");
    }
    assert_non_null(best);
    for (int k = 0; k < tuning->rows; k++) {
        const char *choice = compare_cell(tuning, k, "choice");
        const double sum = sum_of(tuning, choice, &count);
        failing += count == 0;
        assert_true(count < 2 || sum_of(tuning, best, &count) <= sum);
        assert_int_equal(strcmp(choice, best) == 0, atoi(compare_cell(tuning, k, "chosen")));
    }
    sum_of(tuning, best, &count);
    assert_true(count == 2 && failing == 2);
    assert_string_equal(best, "omega=0.9, kernel=se:length=1,variance=0.1"); /* what plain.json has */
    compare_run(compare_study("plain.json",
                              "{%s,'methods':[{'name':'m','method':'sfgp-scalar',"
                              "'settings':{'omega':0.9,'kernel':'se:length=1,variance=0.1'}}]}",
                              SETS),
                plain, "1");
    compare_assert_same_rows(folder, plain); /* the hidden set is not in them */
    compare_free(tuning);
}

/* Settings of the set are the last word; a list has one value a level. */
static void settings_can_follow_the_level(void **state)
{
    static const char STUDY[] =
        "{'sets':[{'name':'s','simulate':'fish','samples':1,'levels':[1,2,3]%s,'damage':{'noise':0.05}}],"
        "'methods':[{'name':'m','method':'sfgp-scalar','settings':{'max_iterations':%s,'tolerance':1e-15}}]}";
    static const char *const WAYS[][2] = {
        {"", "'level'"}, {"", "[1,2,3]"}, {",'settings':{'max_iterations':'level'}", "9"}};
    (void)state;
    for (int way = 0; way < 3; way++) {
        char name[24];
        snprintf(name, sizeof name, "level%d", way);
        compare_run(compare_study("level.json", STUDY, WAYS[way][0], WAYS[way][1]), test_path(name), "1");
        compare_table *rows = compare_rows(test_path(name));
        for (int k = 0; k < 3; k++)
            assert_true(compare_number(rows, k, "iterations") == k + 1);
        compare_free(rows);
    }
}

int main(void)
{
    given_data = getenv("SFGP_DATA") ? strdup(getenv("SFGP_DATA")) : NULL;
    unsetenv("SFGP_DATA"); /* would take the place of what the studies say */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_terminal_sees_how_many_runs_are_done),
        cmocka_unit_test(a_study_writes_every_table_and_the_report),
        cmocka_unit_test(markup_of_a_study_is_text),
        cmocka_unit_test(rows_are_one_a_run_in_the_order_of_the_study),
        cmocka_unit_test(a_line_of_the_summary_is_of_its_rows),
        cmocka_unit_test(values_are_those_of_register_and_evaluate),
        cmocka_unit_test(first_and_samples_choose_the_scans),
        cmocka_unit_test(simulated_samples_have_seeds_of_their_own),
        cmocka_unit_test(a_sample_of_hdf5_is_that_row_of_its_arrays),
        cmocka_unit_test(rows_do_not_depend_on_the_jobs),
        cmocka_unit_test(killed_at_any_moment_it_goes_on),
        cmocka_unit_test(what_is_done_is_not_done_again),
        cmocka_unit_test(a_torn_last_line_is_dropped),
        cmocka_unit_test(a_damaged_line_is_named),
        cmocka_unit_test(another_study_is_refused),
        cmocka_unit_test(two_at_once_are_refused),
        cmocka_unit_test(the_best_point_of_the_grid_is_used),
        cmocka_unit_test(settings_can_follow_the_level),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(given_data);
    return failed;
}
