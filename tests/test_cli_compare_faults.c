/* sfgp compare: programs of others that fail in every way, data that are not there, studies that are wrong,
 * folders that cannot be written. */
#include "test_cli_compare.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

/* ---- programs of others ------------------------------------------------------------------------------ */

static const char SCRIPTS[] = "case $1 in\n"
                              "crash) kill -SEGV $$ ;;\n"
                              "one) exit 1 ;;\n"
                              "few) head -n 5 $2 > $3 ;;\n"
                              "nan) sed 's/.*/nan nan/' $2 > $3 ;;\n"
                              "none) ;;\n"
                              "ever) sleep 1000.%d & wait ;;\n"
                              "reads) cat > $3 ;;\n"
                              "talks) yes | head -n 100000; echo no >&2; exit 3 ;;\n"
                              "leaves) mkdir -p .deep/er; sleep 1000.%d & cp $2 $3 ;;\n"
                              "copy) cp $2 $3 ;;\n"
                              "esac\n";

typedef struct fault {
    const char *name, *status, *words;
} fault;

static const fault FAULTS[] = {
    {"crash", "failed", "signal 11"},
    {"one", "failed", "code 1"},
    {"few", "failed", "5 points came back, the reference has 98"},
    {"nan", "failed", "nan"},
    {"none", "failed", "no points"},
    {"ever", "timeout", "in time"},
    {"reads", "failed", "no points"}, /* there is nothing to read */
    {"talks", "failed", "code 3"},
    {"leaves", "finished", ""},
    {"copy", "finished", ""},
    {"murder", "crashed", "signal 9"}, /* ends the process of the run itself */
};
enum { FAULT_COUNT = sizeof FAULTS / sizeof *FAULTS };

/* Whether a process of the scripts above is left: their argument is that of this test alone. A file with its number would be
 * written too late on a busy machine. */
static bool sleeps(void)
{
    char wanted[32], path[288], words[64];
    bool found = false;
    DIR *processes = opendir("/proc");
    assert_non_null(processes);
    snprintf(wanted, sizeof wanted, "1000.%d", (int)getpid());
    for (const struct dirent *entry; (entry = readdir(processes));) {
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *file = atoi(entry->d_name) > 0 ? fopen(path, "r") : NULL; /* NULL: it has ended by now */
        const size_t length = file ? fread(words, 1, sizeof words - 1, file) : 0;
        words[length] = '\0';
        found = found || (strcmp(words, "sleep") == 0 && strcmp(words + sizeof "sleep", wanted) == 0);
        if (file)
            fclose(file);
    }
    closedir(processes);
    return found;
}

static const char *faulty_study(void)
{
    char script[2048], methods[4096] = "", one[256];
    snprintf(script, sizeof script, SCRIPTS, (int)getpid(), (int)getpid());
    const char *path = test_text("faults.sh", script);
    for (int k = 0; k < FAULT_COUNT; k++) {
        const char *name = FAULTS[k].name;
        if (strcmp(name, "murder") == 0)
            snprintf(
                one, sizeof one,
                "{'name':'murder','method':'external','command':'sh -c \\\"kill -9 $PPID; sleep 9\\\"'},");
        else
            snprintf(one, sizeof one,
                     "{'name':'%s','method':'external','command':'sh %s %s {reference} {output}'%s},", name,
                     path, name, strcmp(name, "ever") == 0 ? ",'timeout':1" : "");
        strncat(methods, one, sizeof methods - strlen(methods) - 1);
    }
    return compare_study("faults.json",
                         "{'sets':[{'name':'fish','samples':2,'simulate':'fish','damage':{'noise':0.03}}],"
                         "'methods':[%s{'name':'own','method':'closest-point'},"
                         "{'name':'untrained','method':'pca-aniso'}]}",
                         methods);
}

static void assert_fault(const compare_table *rows, int row, const char *status, const char *words)
{
    const bool finished = strcmp(status, "finished") == 0;
    if (strcmp(compare_cell(rows, row, "status"), status) != 0 ||
        !strstr(compare_cell(rows, row, "words"), words))
        fail_msg("%s: %s: %s", compare_cell(rows, row, "method"), compare_cell(rows, row, "status"),
                 compare_cell(rows, row, "words"));
    assert_string_equal(compare_cell(rows, row, "success"), finished ? "1" : "0");
    assert_int_equal(compare_cell(rows, row, "error")[0] != '\0', finished);
    assert_int_equal(compare_cell(rows, row, "words")[0] == '\0', finished);
}

static void a_program_that_fails_is_a_row_that_failed(void **state)
{
    const char *folder = test_path("faults");
    (void)state;
    compare_run(faulty_study(), folder, "3");
    compare_table *rows = compare_rows(folder), *lines = compare_read(compare_in(folder, "summary.csv"));
    assert_int_equal(rows->rows, 2 * (FAULT_COUNT + 2));
    for (int k = 0; k < FAULT_COUNT; k++)
        for (int sample = 0; sample < 2; sample++)
            assert_fault(rows, compare_find(rows, "fish", "0", sample, FAULTS[k].name), FAULTS[k].status,
                         FAULTS[k].words);
    assert_fault(rows, compare_find(rows, "fish", "0", 1, "untrained"), "failed", "training");
    assert_string_equal(compare_cell(rows, compare_find(rows, "fish", "0", 1, "own"), "success"), "1");
    assert_true(compare_number(lines, 0, "successes") == 0 && compare_number(lines, 0, "runs") == 2);
    assert_string_equal(compare_cell(lines, 0, "error_mean"), "");
    for (int turn = 0; turn < 500 && sleeps(); turn++) /* five seconds to end in */
        compare_wait(0.01);
    assert_false(sleeps());
    assert_int_not_equal(access(compare_in(folder, ".sfgp-work"), F_OK), 0);
    compare_free(lines);
    compare_free(rows);
}

/* The folder of the results may be anywhere, and is named relative to the current one. */
static void a_program_that_works_is_judged_like_our_own(void **state)
{
    char here[4096];
    double sum = 0;
    const char *study = compare_study(
        "works.json", "{'sets':[{'name':'fish','samples':1,'simulate':'fish','damage':{'deformation':0.3}}],"
                      "'methods':[{'name':'copy','method':'external','settings':{'omega':0.25},"
                      "'command':'LC_ALL=C sh -c \\\"cp {reference} {output}{omega}.txt; pwd >&2\\\"',"
                      "'points':'{output}0.25.txt'}],'views':[{'set':'fish'}]}");
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(sfgp_test_folder()), 0);
    cli_expect(sfgp_run_program("compare", "works.json", "-o", "works", NULL), 0, NULL);
    assert_int_equal(chdir(here), 0);
    compare_table *rows = compare_rows(test_path("works"));
    cli_expect(sfgp_run_program("simulate", "fish", "-o", test_path("still"), "--noise=0", "--box-width=0",
                                "--deformation=0", NULL),
               0, NULL);
    sfgp_mesh *reference = cli_read(test_path("still/reference.ply"));
    sfgp_mesh *fit = cli_read(test_path("works/views/0-0-0-0.ply"));
    assert_int_equal(fit->count, reference->count);
    for (int64_t k = 0; k < 2 * fit->count; k++)
        sum += fabs(fit->points[k] - reference->points[k]);
    assert_true(sum == 0); /* it was the reference that went to and fro, every bit of it */
    assert_string_equal(compare_cell(rows, 0, "status"), "finished");
    assert_true(compare_number(rows, 0, "error") > 0.01);
    assert_string_equal(compare_cell(rows, 0, "recall"), "");
    (void)study;
    sfgp_mesh_free(reference);
    sfgp_mesh_free(fit);
    compare_free(rows);
}

/* The name of the results folder holds what a shell would run: {output} is in the command line of a shell here, in
 * its quotes and outside of them, and nothing but the program that is asked for runs. */
static void a_folder_with_any_name_runs_nothing(void **state)
{
    char here[4096];
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(sfgp_test_folder()), 0);
    const char *study = compare_study(
        "inject.json",
        "{'sets':[{'name':'fish','samples':1,'simulate':'fish'}],'methods':["
        "{'name':'bare','method':'external','command':'cp {reference} {output}'},"
        "{'name':'shell','method':'external','command':'sh -c \\\"cp {reference} {output}\\\"'}]}");
    static const char *const NAMES[] = {"x$(touch PWNED)", "x`touch PWNED`", "x;touch PWNED;", "a b'c\"d"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        cli_expect(sfgp_run_program("compare", study, "-o", NAMES[k], NULL), 0, NULL);
        compare_table *rows = compare_rows(NAMES[k]);
        for (int row = 0; row < 2; row++)
            assert_fault(rows, row, "finished", "");
        compare_free(rows);
        assert_int_not_equal(access("PWNED", F_OK), 0);
        assert_int_not_equal(access(compare_in(NAMES[k], ".sfgp-work"), F_OK), 0);
    }
    assert_int_equal(chdir(here), 0);
}

/* Times are compared: a program gets the threads of the study, and variables of the command line come after that. */
static void a_program_gets_the_threads_of_the_study(void **state)
{
    const char *
        folder = test_path("threads"),
       *study = compare_study(
           "threads.json",
           "{'threads':3,'sets':[{'name':'fish','samples':1,'simulate':'fish'}],'methods':["
           "{'name':'all','method':'external','command':'sh -c \\\"test "
           "$OMP_NUM_THREADS/$OPENBLAS_NUM_THREADS/$MKL_NUM_THREADS = 3/3/3 && cp {reference} {output}\\\"'},"
           "{'name':'own','method':'external','command':'OMP_NUM_THREADS=5 sh -c \\\"test "
           "$OMP_NUM_THREADS/$MKL_NUM_THREADS = 5/3 && cp {reference} {output}\\\"'}]}");
    (void)state;
    compare_run(study, folder, "1");
    compare_table *rows = compare_rows(folder);
    for (int row = 0; row < 2; row++)
        assert_fault(rows, row, "finished", "");
    compare_free(rows);
}

static void a_program_that_is_not_there_is_left_out(void **state)
{
    const char *folder = test_path("absent"), *words = "its program is not on the PATH of this machine";
    (void)state;
    cli_expect(sfgp_run_program(
                   "compare",
                   compare_study("absent.json",
                                 "{'sets':[{'name':'fish','samples':1,'simulate':'fish'}],'methods':["
                                 "{'name':'no one','method':'external','command':'sfgp-no-such {target}'},"
                                 "{'name':'near','method':'closest-point'}]}"),
                   "-o", folder, NULL),
               0, words);
    compare_table *rows = compare_rows(folder);
    assert_int_equal(rows->rows, 1);
    assert_string_equal(compare_cell(rows, 0, "method"), "near");
    compare_assert_words(compare_in(folder, "report.html"), "no one was left out");
    compare_free(rows);
}

/* Whoever started the study may have a terminal, and nobody answers there. */
static void a_program_does_not_wait_for_an_answer(void **state)
{
    const char *study = compare_study(
        "asks.json", "{'sets':[{'name':'fish','samples':1,'simulate':'fish'}],"
                     "'methods':[{'name':'asks','method':'external','command':'cat','timeout':30}]}");
    int ends[2], code = 0;
    (void)state;
    const int saved = dup(STDIN_FILENO);
    assert_true(saved >= 0 && pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    pid_t program = compare_start(study, test_path("asks"), "1");
    assert_int_equal(waitpid(program, &code, 0), program);
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    close(saved), close(ends[0]), close(ends[1]);
    assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
    compare_table *rows = compare_rows(test_path("asks"));
    assert_fault(rows, 0, "failed", "no points"); /* not: timeout */
    compare_free(rows);
}

/* ---- data -------------------------------------------------------------------------------------------- */

static void data_that_are_absent_are_stood_in_for(void **state)
{
    static const char STUDY[] = "{'data':'nowhere','sets':[{'name':'d','hdf5':'no.h5'%s}],"
                                "'methods':[{'name':'near','method':'closest-point'}]}";
    const char *folder = test_path("stand-in");
    (void)state;
    cli_expect(
        sfgp_run_program("compare",
                         compare_study("stand.json", STUDY, ",'samples':2,'stand_in':{'simulate':'fish'}"),
                         "-o", folder, NULL),
        0, "d: the data do not exist; simulated shapes are used instead");
    compare_table *rows = compare_rows(folder);
    assert_int_equal(rows->rows, 2);
    compare_assert_words(compare_in(folder, "report.html"), "simulated shapes stand in");
    compare_free(rows);
    cli_expect(
        sfgp_run_program("compare", compare_study("alone.json", STUDY, ""), "-o", test_path("alone"), NULL),
        3, "no.h5");
    assert_int_not_equal(access(test_path("alone"), F_OK), 0);
}

/* Data that are there and wrong are an error, stand-in or not. */
static void data_that_are_wrong_are_not_stood_in_for(void **state)
{
    (void)state;
    test_text("wrong.h5", "this is no HDF5 file, whatever its name says");
    cli_expect(
        sfgp_run_program("compare",
                         compare_study("wrong.json", "{'sets':[{'name':'d','hdf5':'wrong.h5','stand_in':"
                                                     "{'simulate':'fish'}}],"
                                                     "'methods':[{'name':'n','method':'closest-point'}]}"),
                         "-o", test_path("wrong"), NULL),
        4, "wrong.h5");
}

static void the_environment_says_where_the_data_are(void **state)
{
    const char *study = compare_study(
        "environment.json", "{'data':'nowhere','sets':[{'name':'s','samples':1,'simulate':'x.txt'}],"
                            "'methods':[{'name':'near','method':'closest-point'}]}");
    (void)state;
    test_text("x.txt", "0 0\n1 0\n0 1\n2 2\n3 1\n");
    cli_expect(sfgp_run_program("compare", study, "-o", test_path("environment"), NULL), 3, "nowhere/x.txt");
    setenv("SFGP_DATA", sfgp_test_folder(), 1);
    sfgp_run run = sfgp_run_program("compare", study, "-o", test_path("environment"), NULL);
    unsetenv("SFGP_DATA");
    cli_expect(run, 0, NULL);
}

/* ---- studies that are wrong -------------------------------------------------------------------------- */

typedef struct mistake {
    const char *study;
    int code;
    const char *words;
} mistake;

#define FISH "{'name':'s','simulate':'fish','samples':2,'levels':[1,2]}"
#define NEAR "{'name':'m','method':'closest-point'}"
#define SET(more) "{'sets':[{'name':'s'," more "}],'methods':[" NEAR "]}"
#define SIMULATED(more) SET("'simulate':'fish'," more)
#define METHOD(more) "{'sets':[" FISH "],'methods':[{'name':'m'," more "}]}"
#define STUDY(more) "{'sets':[" FISH "],'methods':[" NEAR "]," more "}"
#define TUNE(more)                                                                                           \
    "{'sets':[" FISH "],'methods':[{'name':'m','method':'cpd','grid':{'beta':[1,2]}}],'tune':" more "}"

static const mistake MISTAKES[] = {
    /* not JSON */
    {"{'sets':\n[}", 4, "line 2: "},
    {"", 4, "; it should be a study, a JSON object"},
    {"{'sets':[" FISH "],'sets':[],'methods':[" NEAR "]}", 4, "line 1: "},
    {"[]", 4, "the study: is not an object"},
    /* the study */
    {STUDY("'titel':'x'"), 4, "the study: unknown key 'titel'"},
    {"{'':1}", 4, "the study: unknown key ''"},
    {STUDY("'title text':'x'"), 4, "the study: unknown key 'title text'"},
    {STUDY("' ':1"), 4, "the study: unknown key ' '"},
    {STUDY("'title':5"), 4, "the study: title: is not a text"},
    {STUDY("'text':[]"), 4, "the study: text: is not a text"},
    {STUDY("'data':7"), 4, "the study: data: is not a text"},
    {STUDY("'seed':-1"), 4, "the study: seed: is not a number between 0 and"},
    {STUDY("'seed':'x'"), 4, "the study: seed: is not a number"},
    {STUDY("'seed':1.5"), 4, "the study: seed: is not a whole number"},
    {STUDY("'threads':0.5"), 4, "the study: threads: is not a whole number"},
    {STUDY("'jobs':1.5"), 4, "the study: jobs: is not a whole number"},
    {STUDY("'jobs':5000"), 4, "the study: jobs: is not a number between 0 and 4096"},
    {STUDY("'threads':true"), 4, "the study: threads: is not a number"},
    {"{'methods':[" NEAR "]}", 4, "sets: is not a list with something in it"},
    {"{'sets':[],'methods':[" NEAR "]}", 4, "sets: is not a list with something in it"},
    {"{'sets':{},'methods':[" NEAR "]}", 4, "sets: is not a list with something in it"},
    {"{'sets':[" FISH "]}", 4, "methods: is not a list with something in it"},
    {"{'sets':[" FISH "],'methods':[]}", 4, "methods: is not a list with something in it"},
    {"{'sets':[" FISH "," FISH "],'methods':[" NEAR "]}", 4, "sets: two are called 's'"},
    {"{'sets':[" FISH "],'methods':[" NEAR "," NEAR "]}", 4, "methods: two are called 'm'"},
    /* sets */
    {"{'sets':[7],'methods':[" NEAR "]}", 4, "sets[0]: has none of hdf5, folder, simulate"},
    {SET("'samples':2"), 4, "sets[0]: has none of hdf5, folder, simulate"},
    {"{'sets':[{'simulate':'fish'}],'methods':[" NEAR "]}", 4, "sets[0]: name is missing"},
    {SIMULATED("'sample':2"), 4, "sets[0]: unknown key 'sample'; known are: name"},
    {SIMULATED("'group':'x'"), 4, "sets[0]: unknown key 'group'"}, /* of another source */
    {SIMULATED("'axis':1"), 4, "sets[0]: axis: is not a text"},
    {SIMULATED("'unit':[]"), 4, "sets[0]: unit: is not a text"},
    {SIMULATED("'samples':0"), 4, "sets[0]: samples: is not a number between 1"},
    {SIMULATED("'samples':1.5"), 4, "sets[0]: samples: is not a whole number"},
    {SIMULATED("'samples':'all'"), 4, "sets[0]: samples: is not a number"},
    {SIMULATED("'first':-1"), 4, "sets[0]: first: is not a number between 0"},
    {SIMULATED("'hidden':1"), 4, "sets[0]: hidden: is neither true nor false"},
    {SIMULATED("'settings':[]"), 4, "sets[0]: settings: is not an object"},
    {SIMULATED("'levels':[]"), 4, "sets[0]: levels: is not a list of numbers"},
    {SIMULATED("'levels':1"), 4, "sets[0]: levels: is not a list of numbers"},
    {SIMULATED("'levels':['a']"), 4, "sets[0]: levels: is not a list of numbers"},
    {SIMULATED("'levels':[1,2,1]"), 4, "sets[0]: levels: 1 is there twice"},
    {SIMULATED("'stand_in':5"), 4, "sets[0]: stand_in: has none of hdf5, folder, simulate"},
    {SIMULATED("'stand_in':{'simulate':'ear','seed':1}"), 4, "sets[0]: stand_in: unknown key 'seed'"},
    {SIMULATED("'stand_in':{'simulate':5}"), 4, "sets[0]: stand_in: simulate: is not a text"},
    {SET("'simulate':5"), 4, "sets[0]: simulate: is not a text"},
    {SET("'hdf5':{}"), 4, "sets[0]: hdf5: is not a text"},
    {SET("'folder':'x','scans':3"), 4, "sets[0]: scans: is not a text"},
    {SET("'folder':'no-such-folder'"), 3, "no-such-folder"},
    {SIMULATED("'damage':5"), 4, "s: damage: is not an object"},
    {SIMULATED("'damage':{'hole':1}"), 2, "hole"},
    {SIMULATED("'damage':{'noise':-1}"), 2, "noise"},
    {SIMULATED("'damage':{'noise':'much'}"), 4, "s: damage: noise: is not a number"},
    {SIMULATED("'levels':[1,2],'damage':{'noise':[0.1]}"), 4, "s: damage: noise: is not a number"},
    {SIMULATED("'training':-1"), 4, "s: training: is not a whole number"},
    {SET("'simulate':'ear','points':20000,'training':100000"), 4, "s: training: more than"},
    {SIMULATED("'training':'x'"), 4, "s: training: is not a whole number"},
    {SET("'simulate':'ear','points':3"), 4, "s: points: is not a number between 16"},
    {SET("'simulate':'ear','levels':[100,2],'points':'level'"), 4, "s: points: is not a number between 16"},
    {SIMULATED("'settings':{'rank':'many'}"), 2, "rank"},
    /* methods */
    {"{'sets':[" FISH "],'methods':['cpd']}", 4, "methods[0]: is not an object"},
    {"{'sets':[" FISH "],'methods':[{'method':'cpd'}]}", 4, "methods[0]: name is missing"},
    {"{'sets':[" FISH "],'methods':[{'name':'m'}]}", 4, "methods[0]: method is missing"},
    {METHOD("'method':'icp'"), 4, "methods[0]: method: 'icp' is neither external nor one that"},
    {METHOD("'method':'cpd','setting':{}"), 4, "methods[0]: unknown key 'setting'"},
    {METHOD("'method':'cpd','settings':5"), 4, "methods[0]: settings: is not an object"},
    {METHOD("'method':'cpd','settings':{'omga':0.1}"), 2, "omga: no such setting"},
    {METHOD("'method':'cpd','settings':{'omega':2}"), 2, "omega"},
    {METHOD("'method':'cpd','settings':{'omega':true}"), 4, "m: omega: is neither a number nor a text"},
    {METHOD("'method':'cpd','settings':{'omega':[0.1,2]}"), 2, "omega"}, /* at the second level */
    {METHOD("'method':'cpd','settings':{'omega':[0.1]}"), 4, "omega: is neither a number nor a text"},
    {METHOD("'method':'cpd','settings':{'kernel':'round'}"), 2, "round"},
    {METHOD("'method':'cpd','training':'yes'"), 4, "methods[0]: training: is neither true nor false"},
    {METHOD("'method':'cpd','timeout':-1"), 4, "methods[0]: timeout: is not a number between 0"},
    {METHOD("'method':'cpd','sets':'s'"), 4, "methods[0]: sets: is not a list of names"},
    {METHOD("'method':'cpd','sets':['t']"), 4, "methods[0]: sets: no set is called 't'"},
    {METHOD("'method':'cpd','sets':[5]"), 4, "methods[0]: sets: no set is called"},
    {METHOD("'method':'cpd','grid':[1]"), 4, "methods[0]: grid: is not an object"},
    {METHOD("'method':'cpd','grid':{'beta':1}"), 4, "methods[0]: grid: beta: is not a list of values"},
    {METHOD("'method':'cpd','grid':{'beta':[]}"), 4, "methods[0]: grid: beta: is not a list of values"},
    {METHOD("'method':'cpd','grid':{'beta':[1,2]}"), 4, "tune: is missing"},
    {METHOD("'method':'external'"), 4, "methods[0]: an external method needs a command"},
    {METHOD("'method':'external','command':''"), 4, "methods[0]: command: is not a text"},
    {METHOD("'method':'external','command':'cp a b; rm a'"), 4, "methods[0]: command: no shell reads it"},
    /* tuning */
    {TUNE("[]"), 4, "tune: is not an object"},
    {TUNE("{}"), 4, "tune: set: names no set"},
    {TUNE("{'set':'t'}"), 4, "tune: set: names no set"},
    {TUNE("{'set':'s','sample':1}"), 4, "tune: unknown key 'sample'"},
    {TUNE("{'set':'s','samples':3}"), 4, "tune: samples: is not a whole number between 1 and 2"},
    {TUNE("{'set':'s','samples':0}"), 4, "tune: samples: is not a whole number between 1 and 2"},
    {TUNE("{'set':'s','samples':'2'}"), 4, "tune: samples: is not a whole number between 1 and 2"},
    {TUNE("{'set':'s','levels':[3]}"), 4, "tune: levels: 3 is no level of 's'"},
    {TUNE("{'set':'s','levels':[1,1]}"), 4, "tune: levels: 1 is there twice"},
    {TUNE("{'set':'s','levels':[]}"), 4, "tune: levels: none"},
    {"{'sets':[" FISH "],'methods':[{'name':'m','method':'cpd','grid':{'beta':[1,-2]}}],'tune':{'set':'s'}}",
     2, "beta"},
    {STUDY("'tune':{'set':'nothing'}"), 4, "tune: set: names no set"}, /* though nothing is tuned */
    /* views */
    {STUDY("'views':{}"), 4, "views: is not a list"},
    {STUDY("'views':[5]"), 4, "views[0]: is not an object"},
    {STUDY("'views':[{'set':'s','level':1},{'set':'s','point':3}]"), 4, "views[1]: unknown key 'point'"},
    {STUDY("'views':[{'set':'t'}]"), 4, "views[0]: set: names no set"},
    {STUDY("'views':[{'set':'s','level':3}]"), 4, "views[0]: level: is no level of 's'"},
    {STUDY("'views':[{'set':'s','level':'1'}]"), 4, "views[0]: level: is no level of 's'"},
    {STUDY("'views':[{'set':'s','sample':2}]"), 4, "views[0]: sample: is not a whole number between 0 and 1"},
    {STUDY("'views':[{'set':'s','sample':'0'}]"), 4, "views[0]: sample: is not a whole number"},
};

/* Code, words, and nothing is written. The same studies without their mistake are run everywhere else. */
static void every_mistake_is_named_before_anything_runs(void **state)
{
    const char *folder = test_path("never");
    (void)state;
    for (size_t k = 0; k < sizeof MISTAKES / sizeof *MISTAKES; k++) {
        const mistake *m = &MISTAKES[k];
        const char *study =
            m->study[0] ? compare_study("mistake.json", "%s", m->study) : test_text("mistake.json", "");
        sfgp_run run = sfgp_run_program("compare", study, "-o", folder, NULL);
        if (run.exit_code != m->code || !strstr(run.err, m->words))
            print_error("%s\n", m->study);
        cli_expect(run, m->code, m->words);
        assert_int_not_equal(access(folder, F_OK), 0);
    }
}

static void a_study_that_cannot_be_read_has_code_3(void **state)
{
    (void)state;
    cli_expect(sfgp_run_program("compare", test_path("none.json"), "-o", test_path("never"), NULL), 3,
               "none.json");
    cli_expect(sfgp_run_program("compare", sfgp_test_folder(), "-o", test_path("never"), NULL), 3,
               "cannot read");
}

static void usage_errors_have_code_2(void **state)
{
    const char *study = compare_study("usage.json", STUDY("'title':'x'"));
    (void)state;
    cli_expect(sfgp_run_program("compare", NULL), 2, "STUDY.json is missing");
    cli_expect(sfgp_run_program("compare", study, NULL), 2, "-o FOLDER is missing");
    cli_expect(sfgp_run_program("compare", study, study, "-o", "x", NULL), 2, "one argument too many");
    cli_expect(sfgp_run_program("compare", study, "-o", "x", "--jobs", "-1", NULL), 2, "--jobs");
    cli_expect(sfgp_run_program("compare", study, "-o", "x", "--jobs", "5000", NULL), 2, "--jobs");
    cli_expect(sfgp_run_program("compare", study, "-o", "x", "--jobs=two", NULL), 2, "--jobs");
}

/* ---- folders that cannot be written ------------------------------------------------------------------ */

static void what_cannot_be_written_has_code_7(void **state)
{
    const char *study = compare_study("unwritable.json", STUDY("'title':'x'"));
    (void)state;
    cli_expect(sfgp_run_program("compare", study, "-o", study, NULL), 7, "unwritable.json");
    cli_expect(sfgp_run_program("compare", study, "-o", test_path("no/where"), NULL), 7, "no/where");
    assert_int_equal(mkdir(test_path("device"), 0777), 0);
    assert_int_equal(symlink("/dev/full", test_path("device/journal.tsv")), 0);
    cli_expect(sfgp_run_program("compare", study, "-o", test_path("device"), NULL), 7, "not a regular file");
    assert_int_equal(mkdir(test_path("taken"), 0777), 0);
    assert_int_equal(mkdir(test_path("taken/rows.csv"), 0777), 0);
    cli_expect(sfgp_run_program("compare", study, "-o", test_path("taken"), NULL), 7, "rows.csv");
    assert_int_equal(rmdir(test_path("taken/rows.csv")), 0);
    compare_run(study, test_path("taken"), "1"); /* goes on */
    assert_int_equal(mkdir(test_path("locked"), 0555), 0);
    cli_expect(sfgp_run_unprivileged("compare", study, "-o", test_path("locked"), NULL), 7, "locked");
}

/* The data of a study may stand in the folder of its results, but not where a result would take their place. */
static void results_spare_the_data_of_the_study(void **state)
{
    static const char POINTS[] = "0 0\n1 0\n2 1\n3 3\n4 1\n5 0\n";
    static const char
        *const FOLDERS[] = {"own", "own/figures", "own/views", "own/.sfgp-work", "own/shapes", "own/work"},
               *const FILES[] = {"own/rows.csv",       "own/report.html",      "own/figures/s-.svg",
                                 "own/views/scan.txt", "own/.sfgp-work/a.txt", "own/shapes/b.txt",
                                 "own/work/a.txt",     "elsewhere.txt"},
               *const TAKEN[][2] = {
                   {"'folder':'own','reference':'rows.csv','scans':'shapes'", "own/rows.csv"},
                   {"'folder':'own','reference':'shapes/b.txt','scans':'views'", "own/views/scan.txt"},
                   {"'folder':'own','reference':'shapes/b.txt','scans':'shapes','training':'.sfgp-work'",
                    "own/.sfgp-work/a.txt"},
                   {"'folder':'own','reference':'shapes/b.txt','scans':'shapes','truth':'figures/s-.svg'",
                    "own/figures/s-.svg"},
                   {"'folder':'.','reference':'own/shapes/b.txt','scans':'elsewhere.txt'", "elsewhere.txt"},
                   {"'simulate':'own/report.html'", "own/report.html"}};
    const char *folder = test_path("own");
    (void)state;
    for (size_t k = 0; k < sizeof FOLDERS / sizeof *FOLDERS; k++)
        assert_int_equal(mkdir(test_path(FOLDERS[k]), 0777), 0);
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++)
        test_text(FILES[k], POINTS);
    assert_int_equal(symlink("../elsewhere.txt", test_path("own/tuning.csv")), 0);
    for (size_t k = 0; k < sizeof TAKEN / sizeof *TAKEN; k++) {
        char words[128];
        const char *study = compare_study("own.json", SET("%s"), TAKEN[k][0]);
        snprintf(words, sizeof words, "%s: --output would write over an input, of the set s;", TAKEN[k][1]);
        cli_expect(sfgp_run_program("compare", study, "-o", folder, NULL), 2, words);
    }
    const char *inside = compare_study("own/.sfgp-work/study.json", SIMULATED("'samples':1"));
    cli_expect(sfgp_run_program("compare", inside, "-o", folder, NULL), 2, "an input, the study file");
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++) {
        char *text = sfgp_test_read(test_path(FILES[k]), NULL);
        assert_string_equal(text, POINTS);
        free(text);
    }
    compare_run(compare_study("own.json", SET("'folder':'own','reference':'shapes/b.txt','scans':'shapes'")),
                folder, "1");
    assert_int_equal(access(test_path("own/work/a.txt"), F_OK), 0); /* a folder of the user */
}

/* The journal ends where there is no room: code 7, and with room again the study goes on. */
static void a_journal_that_is_full_has_code_7(void **state)
{
    struct rlimit before, tight;
    const char *study = compare_study("full.json", "{'sets':[{'name':'s','simulate':'fish','samples':60}],"
                                                   "'methods':[" NEAR "]}");
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = before;
    tight.rlim_cur = 4096; /* some of sixty lines; what is said on stderr is shorter */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    sfgp_run run = sfgp_run_program("compare", study, "-o", test_path("full"), NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    cli_expect(run, 7, "journal.tsv: cannot write: File too large");
    compare_run(study, test_path("full"), "1");
    compare_table *rows = compare_rows(test_path("full"));
    assert_int_equal(rows->rows, 60);
    compare_free(rows);
}

/* Opening a pipe that nobody writes to would wait for ever, and a device never ends. */
static void pipes_and_devices_are_refused(void **state)
{
    const char *pipe = test_path("pipe.json"), *study = compare_study("piped.json", STUDY("'title':'x'"));
    (void)state;
    assert_int_equal(mkfifo(pipe, 0666), 0);
    cli_expect(sfgp_run_program("compare", pipe, "-o", test_path("piped"), NULL), 3, "not a regular file");
    cli_expect(sfgp_run_program("compare", "/dev/zero", "-o", test_path("piped"), NULL), 3,
               "not a regular file");
    assert_int_equal(mkdir(test_path("piped"), 0777), 0);
    assert_int_equal(mkfifo(test_path("piped/journal.tsv"), 0666), 0);
    cli_expect(sfgp_run_program("compare", study, "-o", test_path("piped"), NULL), 7, "not a regular file");
}

static void a_study_has_at_most_a_thousand_methods(void **state)
{
    static char text[4096] =
        "{\"sets\":[{\"name\":\"s\",\"simulate\":\"fish\",\"samples\":1}],\"methods\":[{}";
    (void)state;
    for (int k = 0; k < 1000; k++)
        strcat(text, ",{}");
    cli_expect(sfgp_run_program("compare", test_text("many.json", strcat(text, "]}")), "-o",
                                test_path("many"), NULL),
               4, "methods: 1001 entries, at most 1000 are allowed");
}

int main(void)
{
    unsetenv("SFGP_DATA"); /* would take the place of what the studies say */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_study_has_at_most_a_thousand_methods),
        cmocka_unit_test(a_program_that_fails_is_a_row_that_failed),
        cmocka_unit_test(a_program_that_works_is_judged_like_our_own),
        cmocka_unit_test(a_folder_with_any_name_runs_nothing),
        cmocka_unit_test(a_program_gets_the_threads_of_the_study),
        cmocka_unit_test(a_program_does_not_wait_for_an_answer),
        cmocka_unit_test(a_program_that_is_not_there_is_left_out),
        cmocka_unit_test(data_that_are_absent_are_stood_in_for),
        cmocka_unit_test(data_that_are_wrong_are_not_stood_in_for),
        cmocka_unit_test(the_environment_says_where_the_data_are),
        cmocka_unit_test(every_mistake_is_named_before_anything_runs),
        cmocka_unit_test(a_study_that_cannot_be_read_has_code_3),
        cmocka_unit_test(usage_errors_have_code_2),
        cmocka_unit_test(what_cannot_be_written_has_code_7),
        cmocka_unit_test(results_spare_the_data_of_the_study),
        cmocka_unit_test(a_journal_that_is_full_has_code_7),
        cmocka_unit_test(pipes_and_devices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
