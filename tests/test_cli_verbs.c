/* Verbs in this process: many arguments, what is said of each, and its exit code. */
#include "cli/mesh.h"
#include "cli/verb.h"
#include "test_cli.h"

#include <fcntl.h>
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>

enum { POINTS = 60, MOST_WORDS = 90 };

static const cli_verb *const VERBS[] = {&CLI_REGISTER, &CLI_APPLY,   &CLI_MODEL,    &CLI_ALIGN,
                                        &CLI_EVALUATE, &CLI_INFO,    &CLI_SIMULATE, &CLI_BATCH,
                                        &CLI_COLLECT,  &CLI_COMPARE, &CLI_BCPD,     &CLI_METHODS,
                                        &CLI_SETTINGS, &CLI_HELP,    NULL};

/* Words of the last run, of both streams. */
static char said[1 << 16];

static void take_streams(int kept[2], int file)
{
    fflush(stdout);
    for (int k = 0; k < 2; k++) {
        kept[k] = dup(k + 1);
        dup2(file, k + 1);
    }
}

static void give_streams(const int kept[2], int file)
{
    fflush(stdout);
    for (int k = 0; k < 2; k++) {
        dup2(kept[k], k + 1);
        close(kept[k]);
    }
    const ssize_t length = pread(file, said, sizeof said - 1, 0);
    said[length > 0 ? length : 0] = '\0';
    close(file);
}

static int run_verb(int count, char **words)
{
    cli_session session;
    assert_int_equal(cli_session_open(&session), SFGP_OK);
    session.verbs = VERBS;
    const cli_verb *verb = cli_verb_find(VERBS, words[0]);
    assert_non_null(verb);
    session.verb = verb->name;
    optind = 0; /* getopt begins anew */
    const int code = verb->run(&session, count, words);
    cli_mesh_warn_unused(&session);
    cli_session_close(&session);
    return code;
}

/* Runs a command line, whose words are separated by blanks; '' is an empty word. */
static int run(const char *line)
{
    char copy[2048], *words[MOST_WORDS] = {NULL};
    int count = 0, kept[2];
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        words[count++] = strcmp(word, "''") == 0 ? word + 2 : word;
    const int file = open(test_path("said"), O_RDWR | O_CREAT | O_TRUNC, 0666);
    assert_true(file >= 0);
    take_streams(kept, file);
    const int code = run_verb(count, words);
    give_streams(kept, file);
    return code;
}

typedef struct example {
    const char *line;
    int code;
    const char *words; /* all that is looked for in what is said */
} example;

static void try_all(const example *examples, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const int code = run(examples[k].line);
        if (code != examples[k].code || !strstr(said, examples[k].words))
            fail_msg("'%s': code %d, expected %d; '%s' is not in: %s", examples[k].line, code,
                     examples[k].code, examples[k].words, said);
    }
}
#define TRY(examples) try_all(examples, sizeof(examples) / sizeof *(examples))

/* ---- files -------------------------------------------------------------------------------------------- */

static const char MARKS[] = "name,x,y,z\ntip,0,0,0\nlobe,1,0,0\nedge,0,1,0\n";

static void make_files(void)
{
    test_shapes *shapes = test_shapes_new(POINTS, 3, 0, 1);
    double plane[2 * POINTS];
    for (int k = 0; k < 2 * POINTS; k++)
        plane[k] = shapes->reference[k];
    cli_mesh("r.ply", POINTS, 3, shapes->reference, true);
    cli_points("t.ply", shapes->m, 3, shapes->target);
    cli_points("truth.ply", POINTS, 3, shapes->truth);
    cli_points("plane.ply", POINTS, 2, plane);
    cli_points("few.ply", POINTS - 1, 3, shapes->reference);
    test_shapes_free(shapes);
    test_text("marks.csv", MARKS);
    test_text("others.csv", "name,x,y,z\ntip,0,0,0\nnose,1,0,0\nedge,0,1,0\n");
    test_text("flat.tps", "LM=2\n0 0\n1 1\nID=a\n");
    test_text("fan.off", "OFF\n5 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 -1 0\n3 0 1 2\n3 0 1 3\n3 0 1 4\n");
    test_text("one.tsv", "id\ttarget\na\tt.ply\n");
    test_text("absent.tsv",
              "id\ttarget\na\t1.ply\nb\t2.ply\nc\t3.ply\nd\t4.ply\ne\t5.ply\nf\t6.ply\ng\t7.ply\n");
    assert_int_equal(chdir(sfgp_test_folder()), 0);
}

#define FAST "--method sfgp-scalar --max-iterations 2 --rank 4"

/* ---- bcpd --------------------------------------------------------------------------------------------- */

/* The shapes are not there: code 3 comes after all that is said of the options. */
static void options_of_bcpd(void **state)
{
#define BCPD "bcpd -x no.txt -y no.txt "
    static const example EXAMPLES[] = {
        {"bcpd", 2, "usage: sfgp bcpd -x TARGET -y SOURCE"}, /* there is no X.txt here */
        {"bcpd", 2, "-x TARGET and -y SOURCE are missing"},
        {"bcpd -q", 3, "Y.txt"},
        {BCPD "-w abc", 2, "-w: "},
        {BCPD "-w 0z", 2, "-w: "},
        {BCPD "-w 0", 3, "no.txt"},
        {BCPD "-e abc", 2, "-e: 'abc' is not a number of 0 or more"},
        {BCPD "-e 1x", 2, "-e: '1x' is not a number"},
        {BCPD "-e -1", 2, "-e: '-1' is not a number"},
        {BCPD "-D ''", 2, "-D: '' is not X, Y or B"},
        {BCPD "-D Xx", 2, "-D: 'Xx' is not X, Y or B"},
        {BCPD "-D Q,5,0.1", 2, "-D: 'Q,5,0.1' is not X, Y or B"},
        {BCPD "-D X,0,0.1", 2, "-D: 'X,0,0.1' is not X, Y or B"},
        {BCPD "-D X,5", 2, "-D: 'X,5' is not X, Y or B"},
        {BCPD "-D B,5,0.1", 3, "both shapes are thinned evenly"},
        {BCPD "-D X,50,0 -D Y,60,0", 3, "both shapes are thinned, to the larger number of points"},
        {BCPD "-D X,50,0 -D Y,50,0", 3, "both shapes are thinned evenly"},
        {BCPD "-u ''", 2, "is not e, x, y or n"},
        {BCPD "-u z", 2, "-u: 'z' is not e, x, y or n"},
        {BCPD "-G0", 3, "no.txt"},
        {BCPD "-G1", 3, "no.txt"},
        {BCPD "-G2 -l 3", 3, "no.txt"},
        {BCPD "-G3", 2, "-G3: BCPD's Laplace kernel"},
        {BCPD "-G9", 2, "-G: '9' is not 1 or 2"},
        {BCPD "-T sr", 3, "no.txt"},
        {BCPD "-T a", 2, "-T: 'a' is not srn or sr"},
        {BCPD "-K 70", 3, "no.txt"},
        {BCPD "-J 300", 3, "-J: not used"},
        {BCPD "-p", 3, "-p: not used"},
        {BCPD "-A", 3, "no.txt"},
        {BCPD "-A -w 0.1", 3, "no.txt"},
        {BCPD "-r 1 -N 5", 3, "-r -N: not used"},
        {BCPD "-r 1 -q", 3, "no.txt"},
        {BCPD "-r 1 -W", 3, "no.txt"},
        {BCPD "-sY", 3, "-s: the trajectory .optpath.bin is not written"},
        {BCPD "-sX -q", 3, "no.txt"},
        {BCPD "-sX -W", 3, "no.txt"},
        {BCPD "-st", 3, "profile_time.txt and profile_sigma.txt are not written"},
        {BCPD "-sA", 3, "profile_time.txt"},
        {BCPD "-s8", 2, "-s: '8' is not made of the letters"},
        {BCPD "--auto -b 2", 3, "-b: not used: --auto chooses all of it"},
        {BCPD "more", 2, "'more': BCPD takes options only"},
        {BCPD "-w", 2, "-w: the value is missing"},
        {BCPD "-M 3", 2, "-M: BCPD has no such option"},
        {BCPD "--none", 2, "there are the options of BCPD"},
    };
    (void)state;
    TRY(EXAMPLES);
    assert_null(strstr(said, "not used"));
}

/* ---- batch -------------------------------------------------------------------------------------------- */

static void parts_and_plans_of_a_batch(void **state)
{
#define BATCH "batch one.tsv -o b --reference r.ply " FAST " --dry-run "
    static const example EXAMPLES[] = {
        {BATCH "--timeout 2e9", 2, "--timeout: give seconds, 0 to 1e9"},
        {BATCH "--median", 2, "--median: needs several --reference"},
        {BATCH "--reference r.ply --median", 2, "--median: needs several --reference, and --apply"},
        {BATCH "--reference r.ply --apply marks.csv", 2, "--apply: 1 files for 2 references"},
        {BATCH "--shard /", 2, "--shard: '/' is not I/N"},
        {BATCH "--shard 0/2/3", 2, "--shard: '0/2/3' is not I/N"},
        {BATCH "--shard 0/0000000000000000000000000000001", 2, "is not I/N"},
        {BATCH "--apply marks.csv --html --save", 0,
         "case.json, and what is carried along, fit.h5, fit.html"},
        {BATCH "--verbose", 0, "1 to do"},
        {"batch one.tsv -o b --reference r.ply --method cpd --dry-run", 0, "memory: "},
        {"batch one.tsv -o b --reference r.ply --method map --dry-run", 0,
         "memory: not predicted for this method"},
        {"batch absent.tsv -o b --reference r.ply --dry-run " FAST, 3, "7 files cannot be read"},
    };
    static const struct {
        const char *name, *value, *options;
        int code;
        const char *words;
    } SLURM[] = {
        {"SLURM_ARRAY_TASK_ID", "0/", "", 2, "SLURM_ARRAY_TASK_ID: '0/' is no index"},
        {"SLURM_ARRAY_TASK_ID", "/", "", 2, "SLURM_ARRAY_TASK_ID: '/' is no index"},
        {"SLURM_ARRAY_TASK_ID", "0", "--quiet", 0, "1 to do"},
        {"SLURM_CPUS_PER_TASK", "3", "", 0, "3 at a time"},
        {"SLURM_CPUS_PER_TASK", "3", "--jobs 2", 0, "2 at a time"},
        {"SLURM_CPUS_PER_TASK", "0", "", 0, "at a time"},
        {"SLURM_CPUS_PER_TASK", "5000", "", 0, "at a time"},
        {"SLURM_CPUS_PER_TASK", "x", "", 0, "at a time"},
    };
    (void)state;
    TRY(EXAMPLES);
    for (size_t k = 0; k < sizeof SLURM / sizeof *SLURM; k++) {
        char line[512];
        snprintf(line, sizeof line, BATCH "%s", SLURM[k].options);
        setenv(SLURM[k].name, SLURM[k].value, 1);
        try_all(&(example){line, SLURM[k].code, SLURM[k].words}, 1);
        unsetenv(SLURM[k].name);
    }
}

static void assert_holds(const char *path, const char *words)
{
    char *text = sfgp_test_read(path, NULL);
    if (!text || !strstr(text, words))
        fail_msg("'%s' is not in %s: %s", words, path, text ? text : "which is not there");
    free(text);
}

/* Landmarks keep their format, a mesh is carried as a mesh, and what cannot be carried is refused. */
static void a_fit_carries_what_it_is_given(void **state)
{
#define MANY(folder)                                                                                         \
    "batch one.tsv --jobs 1 --quiet --effort quick --max-iterations 2 --rank 4 -o " folder                   \
    " --reference r.ply --reference truth.ply "
#define CARRY(folder) "batch one.tsv --jobs 1 --quiet " FAST " -o " folder " --reference r.ply "
    static const example EXAMPLES[] = {
        {CARRY("c1") "--apply flat.tps", 5, "flat.tps: 2D, the fit is 3D"},
        {CARRY("c2") "--apply marks.fcsv", 1, ""},
        {CARRY("c3") "--apply marks.mrk.json", 1, ""},
        {CARRY("c4") "--apply r.ply --save", 1, ""},
        {MANY("c5") "--apply marks.csv --apply others.csv --median", 1, ""},
        {MANY("c6") "--apply marks.csv --apply two.csv --median", 1, ""},
        {MANY("c7") "--apply r.ply --apply r.ply --median", 1, ""},
        {MANY("c8") "--apply marks.csv --apply marks.csv --median", 1, ""},
    };
    (void)state;
    test_text("marks.fcsv", "# columns = id,x,y,z,label\n1,0,0,0,tip\n2,1,0,0,lobe\n");
    test_text("marks.mrk.json", "{\"markups\": [{\"coordinateSystem\": \"LPS\", \"controlPoints\": ["
                                "{\"label\": \"tip\", \"position\": [0, 0, 0]}]}]}");
    test_text("two.csv", "name,x,y,z\ntip,0,0,0\nlobe,1,0,0\n");
    TRY(EXAMPLES);
    assert_false(cli_exists("c1"));
    assert_holds("c2/a/landmarks.fcsv", "tip");
    assert_holds("c3/a/landmarks.mrk.json", "tip");
    assert_true(cli_exists("c4/a/carried.ply") && cli_exists("c4/a/fit.h5"));
    for (const char *const *file =
             (const char *[]){"c5/a/case.json", "c6/a/case.json", "c7/a/case.json", NULL};
         *file; file++)
        assert_holds(*file, "the landmarks of the references have different names");
    assert_holds("c8/a/landmarks.csv", "lobe");
    try_all(&(example){MANY("c8") "--resume --apply marks.csv --apply "
                                  "marks.csv --median --dry-run",
                       0, "0 to do"},
            1);
}

/* ---- register ----------------------------------------------------------------------------------------- */

static void plans_and_settings_of_a_fit(void **state)
{
#define PLAN "register r.ply t.ply -o f.ply --dry-run "
    static const example EXAMPLES[] = {
        {PLAN FAST " --landmarks marks.csv marks.csv", 0, "landmarks: 3 pairs"},
        {PLAN "--method map", 0, "memory: not predicted for this method"},
        {PLAN FAST " --mirror 1", 0, "mirror image of the reference"},
        {PLAN FAST " --mirror 0 --verbose", 0, "rank: 4 (kernels 4"},
        {PLAN FAST " --html f.html --max-memory 1M", 6, "max_memory: "},
        {PLAN FAST " --config good.json", 0, "method: sfgp-scalar"},
        {PLAN FAST " --config marked.json", 0, "method: sfgp-scalar"},
        {"compare marked.json -o c", 4, "unknown key 'method'"},
        {PLAN FAST " --config list.json", 4, "list.json: omega: is no number and no text"},
        {PLAN FAST " --config word.json", 4, "word.json: 'omgea' is no setting (did you mean omega?)"},
        {PLAN FAST " --config none.json", 3, "none.json"},
        {PLAN "--omega 0.1 --omega 0.2", 2, "--omega: given twice"},
        {PLAN "--kernel se:length=1,variance=1 --kernel se:length=2,variance=1 " FAST, 0, "rank: 4"},
        {PLAN "--omega", 2, "--omega: the value is missing"},
        {PLAN "--omega --quiet", 2, "--omega: the value is missing"},
        {PLAN "--omega ''", 2, "--omega: the value is empty"},
        {PLAN "--quiet=1", 2, "--quiet: takes no value"},
        {PLAN "-Q", 2, "unknown option -Q"},
        {PLAN "--omgea 1", 2, "unknown or ambiguous option --omgea (did you mean --omega?)"},
        {PLAN "--train", 2, "--train: no path follows"},
        {PLAN "--method sfgp-scaler", 2, "did you mean sfgp-scalar?"},
        {PLAN "more", 2, "one argument too many: 'more'"},
        {PLAN "''", 2, "an argument is an empty path"},
        {PLAN "--landmark-sd 0x1 --landmarks marks.csv marks.csv", 2, "--landmark-sd: '0x1' is not a number"},
        {PLAN "--landmark-sd inf --landmarks marks.csv marks.csv", 2, "--landmark-sd: 'inf' is not a number"},
        {"help register", 0, "0, the default, means 1 % of the RMS radius"},
        {"help batch", 0, "0, the default, means 1 % of the RMS radius"},
        {"register r.ply", 2, "TARGET is missing"},
    };
    (void)state;
    test_text("good.json",
              "{\"mirror\": true, \"max-iterations\": 5, \"tolerance\": \"1e-3\", \"omega\": 0.2}");
    test_text("marked.json", "\xef\xbb\xbf{\"method\": \"sfgp-scalar\"}");
    test_text("list.json", "{\"omega\": []}");
    test_text("word.json", "{\"omgea\": 1}");
    TRY(EXAMPLES);
    test_text("good.json", "{\"mirror\": false}");
    try_all(&(example){PLAN FAST " --config good.json", 0, "method: sfgp-scalar; "}, 1);
}

/* ---- shapes ------------------------------------------------------------------------------------------- */

static void shapes_are_compared_and_told(void **state)
{
    static const example EXAMPLES[] = {
        {"info fan.off", 0, "knots      1 edges at more than two faces"},
        {"info fan.off none.ply --json", 3, "\"knots\": 1"},
        {"align r.ply plane.ply -o a.ply", 5, "r.ply is in 3D, plane.ply in 2D"},
        {"align r.ply truth.ply -o a.ply --landmarks flat.tps flat.tps", 5,
         "the landmarks of flat.tps are in 2D, the shapes in 3D"},
        {"align r.ply few.ply -o a.ply", 5, "r.ply has 60 points and few.ply 59: they do not correspond"},
        {"align r.ply truth.ply -o a.ply --landmarks marks.csv others.csv", 5, "the 2 pairs lie on a line"},
        {"align r.ply truth.ply -o a.ply --json --quiet", 0, "\"rms_after\""},
        {"evaluate r.ply truth.ply --distance-map m.obj", 2, "give a .ply or .vtp file"},
        {"evaluate r.ply truth.ply --distance-map m", 2, "give a .ply or .vtp file"},
        {"evaluate r.ply truth.ply --distance-map -.ply", 2, "give a .ply or .vtp file"},
        {"evaluate r.ply truth.ply --distance-map m.vtp.gz", 0, "\"median\""},
        {"evaluate r.ply truth.ply --surface --missing m.txt", 2, "--surface compares no points"},
        {"methods", 0, "closest-point"},
        {"methods more", 2, "one argument too many: 'more'"},
        {"settings more", 2, "one argument too many: 'more'"},
        {"help registr", 2, "register"},
        {"help --completion none", 2, "'none' is not bash, zsh or fish"},
        {"help register --man", 0, "register"},
        {"simulate ear -o s --seed 1.5", 2, "--seed: '1.5' is not a whole number"},
        {"simulate ear -o s --seed 1e17", 2, "--seed: '1e17' is not a whole number"},
        {"simulate ear -o s --holes -1", 2, "--holes: '-1' is not a whole number"},
        {"compare no.json", 2, "-o FOLDER is missing"},
        {"compare no.json -o c --jobs 5000", 2, "--jobs: 5000 is more than 4096"},
        {"compare no.json -o c", 3, "no.json"},
        {"model posterior r.ply", 2, "-o MODEL.h5 is missing"},
        {"model mean no.h5 -o x.ply", 3, "no.h5"},
        {"apply no.h5 r.ply -o a.ply", 3, "no.h5"},
        {"collect no", 3, "no"},
    };
    (void)state;
    TRY(EXAMPLES);
}

/* Two outputs are the same file under another name, or cannot be made. */
static void outputs_are_checked_before_anything_is_read(void **state)
{
#define OUT "register r.ply t.ply " FAST " "
    static const example EXAMPLES[] = {
        {OUT "-o f.ply --table f.ply", 2, "f.ply: two outputs have this name"},
        {OUT "-o f.ply --table ./f.ply", 2, "f.ply and ./f.ply: two outputs are the same file"},
        {OUT "-o - --table -.csv", 2, "two outputs go to standard output"},
        {OUT "-o none/f.ply", 7, "none/f.ply: cannot write"},
        {OUT "-o none/f.ply --table none/f.ply", 2, "two outputs have this name"},
        {OUT "-o . ", 7, "is a folder"},
        {OUT "-o f.ply --table r.ply/t.csv", 7, "r.ply/t.csv: cannot write"},
        {OUT "-o /dev/null --table /dev/null", 1, "max_iterations after 2 iterations"},
        {"register r.ply t.ply --train empty -o f.ply", 3, "empty: the folder holds no mesh"},
        {"register r.ply t.ply --train done/ -o f.ply", 2,
         "fit.ply in the folders of the cases: done/*/fit.ply"},
    };
    (void)state;
    assert_int_equal(mkdir("done", 0777), 0); /* as sfgp batch leaves it */
    test_text("done/manifest.tsv", "id\ttarget\n");
    test_text("done/.lock", "");
    test_text("done/cases.csv", "id,status\n");
    assert_int_equal(mkdir("empty", 0777), 0);
    test_text("empty/.hidden.ply", "");
    test_text("empty/notes.txt.bak", "");
    assert_int_equal(mkdir("empty/folder.ply", 0777), 0);
    TRY(EXAMPLES);
}

/* Files that examples name as outputs and as inputs. */
static const char *const KEPT[] = {"r.ply",         "t.ply",         "truth.ply",         "marks.csv",
                                   "others.csv",    "one.tsv",       "set.json",          "shapes/b.ply",
                                   "model.h5",      "mask.ply",      "s/scan.ply",        "c/rows.csv",
                                   "old/a/fit.ply", "old/b/fit.ply", "old/landmarks.csv", "old/a/case.json"};
enum { KEPT_COUNT = sizeof KEPT / sizeof *KEPT };

static void make_kept(void)
{
    static const char *const FOLDERS[] = {"shapes", "s", "c", "old", "old/a", "old/b", "same"};
    for (int k = 0; k < 7; k++)
        assert_int_equal(mkdir(FOLDERS[k], 0777), 0);
    for (int k = 0; k < KEPT_COUNT; k++)
        if (access(KEPT[k], F_OK) != 0)
            test_text(KEPT[k], "{}\n");
    assert_int_equal(symlink("r.ply", "link.ply"), 0);
    assert_int_equal(link("r.ply", "hard.ply"), 0);
    assert_int_equal(symlink("../t.ply", "same/t.ply"), 0);
    test_text("same/one.tsv", "id\ttarget\na\tt.ply\n");
    test_text("chain.tsv", "id\ttarget\na\told/a/fit.ply\n");
    test_text("cross.tsv", "id\ttarget\ttruth\nz\tt.ply\t\na\tt.ply\t./same/../old/a/fit.ply\n");
    test_text("next.tsv", "id\ttarget\na\told/b/fit.ply\n");
}

static void outputs_that_are_inputs_and_two_standard_inputs_are_refused(void **state)
{
#define OVER " would write over an input, "
#define TO "batch one.tsv --reference r.ply " FAST " --resume "
    static const example EXAMPLES[] = {
        {OUT "-o r.ply", 2, "r.ply: --output" OVER "REFERENCE r.ply; write to another file"},
        {OUT "-o ./t.ply", 2, "./t.ply: --output" OVER "TARGET t.ply"},
        {OUT "-o link.ply", 2, "link.ply: --output" OVER "REFERENCE r.ply"},
        {OUT "-o hard.ply", 2, "hard.ply: --output" OVER "REFERENCE r.ply"},
        {"register link.ply t.ply " FAST " -o r.ply", 2, "r.ply: --output" OVER "REFERENCE link.ply"},
        {OUT "-o f.ply --table t.ply", 2, "--table" OVER "TARGET"},
        {OUT "-o f.ply --html t.ply", 2, "--html" OVER "TARGET"},
        {OUT "-o f.ply --landmarks marks.csv others.csv --table others.csv", 2, "--landmarks others.csv"},
        {OUT "-o f.ply --train t.ply truth.ply --report truth.ply", 2, "--report" OVER "--train truth.ply"},
        {OUT "-o shapes/b.ply --train shapes", 2, "--output" OVER "--train shapes/b.ply"},
        {OUT "-o f.ply --config set.json --report set.json", 2, "--report" OVER "--config set.json"},
        {"register model.h5 t.ply -o f.ply --save model.h5", 2, "--save" OVER "REFERENCE model.h5"},
        {"register model.h5:ear t.ply -o f.ply --save model.h5", 2, "--save" OVER "REFERENCE model.h5:ear"},
        {"apply model.h5 t.ply -o t.ply", 2, "--output" OVER "POINTS t.ply"},
        {"register - - -o f.ply", 2,
         "-: 2 inputs are standard input, which can be read once; give files for"},
        {"register r.ply - -o f.ply --landmarks - others.csv", 2, "-: 2 inputs are standard input"},
        {"evaluate - truth.ply --missing -", 2, "-: 2 inputs are standard input"},
        {"align r.ply truth.ply -o truth.ply", 2, "--output" OVER "FIXED truth.ply"},
        {"align r.ply truth.ply -o a.ply --transform r.ply", 2, "--transform" OVER "MOVING r.ply"},
        {"evaluate r.ply truth.ply --distance-map r.ply", 2, "--distance-map" OVER "FITTED r.ply"},
        {"evaluate r.ply truth.ply --missing mask.ply --distance-map mask.ply", 2, OVER "--missing mask.ply"},
        {"model build model.h5 -o model.h5", 2, "--output" OVER "REFERENCE model.h5"},
        {"model mean model.h5 -o ./model.h5", 2, "--output" OVER "MODEL.h5 model.h5"},
        {"model posterior model.h5 -o model.h5", 2, "--output" OVER "RESULT model.h5"},
        {"simulate shape s/scan.ply -o s", 2, "s/scan.ply: --output" OVER "FILE s/scan.ply"},
        {"compare c/rows.csv -o c", 2, "c/rows.csv: --output" OVER "STUDY.json c/rows.csv"},
        {TO "-o b --events one.tsv", 2, "one.tsv: --events" OVER "MANIFEST one.tsv"},
        {TO "-o b --events t.ply", 2, "t.ply: --events" OVER "target of case a; give another file"},
        {TO "-o old --apply old/landmarks.csv", 2, "old/landmarks.csv: --output" OVER "--apply"},
        {TO "-o old --train old/a/fit.ply", 2, "old/a/fit.ply: --output" OVER "--train; give another folder"},
        {TO "-o ./old --reference old/a/fit.ply", 2, "--output" OVER "--reference"},
        {"batch one.tsv --reference r.ply -o old --resume --config old/a/case.json", 2, OVER "--config"},
        {"batch chain.tsv --reference r.ply -o old --resume", 2, "--output" OVER "target of case a"},
        {"batch cross.tsv --reference r.ply -o old --resume", 2, "--output" OVER "truth of case a"},
        /* what collides with nothing */
        {"batch next.tsv --reference r.ply -o old --resume --dry-run", 3, "old/b/fit.ply"},
        {"batch same/one.tsv --reference r.ply " FAST " -o same --resume", 1, "1 flagged"},
        {"register r.ply t.ply " FAST " -o /dev/null --table shapes/new.csv --config set.json", 1,
         "max_iterations"},
    };
    char *before[KEPT_COUNT], *after;
    size_t sizes[KEPT_COUNT], now;
    (void)state;
    make_kept();
    for (int k = 0; k < KEPT_COUNT; k++)
        before[k] = sfgp_test_read(KEPT[k], &sizes[k]);
    TRY(EXAMPLES);
    for (int k = 0; k < KEPT_COUNT; k++) {
        after = sfgp_test_read(KEPT[k], &now);
        assert_non_null(after);
        assert_int_equal(sizes[k], now);
        assert_memory_equal(before[k], after, now);
        free(before[k]);
        free(after);
    }
}

/* Behind the test before, which has made the folder. */
static void a_slash_at_the_end_of_a_folder_is_not_told_twice(void **state)
{
    static const example EXAMPLES[] = {
        {"collect same/", 1, " same/cases.csv"},
        {"batch same/one.tsv --reference r.ply " FAST " -o same// --resume --collect", 1, " same/cases.csv"},
        {"batch same/one.tsv --reference r.ply " FAST " -o same// --dry-run --resume", 0, " same/ID/fit.ply"},
        {"batch same/one.tsv --reference r.ply " FAST " -o same//", 2, "error: same: there are results"},
    };
    (void)state;
    TRY(EXAMPLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_bcpd),
        cmocka_unit_test(parts_and_plans_of_a_batch),
        cmocka_unit_test(a_fit_carries_what_it_is_given),
        cmocka_unit_test(plans_and_settings_of_a_fit),
        cmocka_unit_test(shapes_are_compared_and_told),
        cmocka_unit_test(outputs_are_checked_before_anything_is_read),
        cmocka_unit_test(outputs_that_are_inputs_and_two_standard_inputs_are_refused),
        cmocka_unit_test(a_slash_at_the_end_of_a_folder_is_not_told_twice),
    };
    unsetenv("SLURM_ARRAY_TASK_ID");
    unsetenv("SLURM_CPUS_PER_TASK");
    make_files();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
