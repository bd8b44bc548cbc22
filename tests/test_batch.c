/* Parts of a batch: digests, manifests, case.json, what counts as done, thumbnails. */
#include "test_cli.h"

#include "base/platform_file.h"
#include "batch/digest.h"
#include "batch/fit.h"
#include "batch/lock.h"
#include "batch/pool.h"
#include "batch/warm.h"
#include "page/canvas.h"
#include "support/failing_memory.h"
#include "report/fitted.h"

#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- SHA-256 ----------------------------------------------------------------------------------------- */

/* Examples of FIPS 180-2, appendix B. */
static void digests_are_those_of_the_standard(void **state)
{
    char hex[BATCH_DIGEST], *million = malloc(1000001);
    (void)state;
    digest_text("abc", hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    digest_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_non_null(million);
    memset(million, 'a', 1000000);
    million[1000000] = '\0';
    digest_text(million, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    digest_text("", hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    free(million);
}

static void digests_do_not_depend_on_the_pieces(void **state)
{
    char text[200], whole[BATCH_DIGEST], pieces[BATCH_DIGEST];
    (void)state;
    for (size_t length = 0; length < sizeof text - 1; length++) {
        digest d;
        for (size_t k = 0; k <= length; k++)
            text[k] = (char)('a' + (7 * k + length) % 26);
        text[length] = '\0';
        digest_text(text, whole);
        digest_start(&d);
        for (size_t k = 0, step = 1; k < length; k += step, step = step % 5 + 1)
            digest_add(&d, text + k, k + step <= length ? step : length - k);
        digest_end(&d, pieces);
        assert_string_equal(whole, pieces);
    }
}

static void a_folder_or_nothing_has_no_digest(void **state)
{
    char hex[BATCH_DIGEST] = "x";
    (void)state;
    assert_false(digest_file(test_path("nowhere"), hex));
    assert_string_equal(hex, "");
    assert_false(digest_file(sfgp_test_folder(), hex));
    assert_false(digest_file("/dev/zero", hex));
}

/* ---- manifests --------------------------------------------------------------------------------------- */

static sfgp_status parse(batch *b, const char *text)
{
    *b = (batch){.path = "m.tsv", .event_file = -1};
    sfgp_settings_default(&b->settings);
    assert_int_equal(sfgp_context_new(NULL, &b->context), SFGP_OK);
    char *copy = strdup(text);
    assert_non_null(copy);
    return batch_manifest_parse(b, copy, strlen(text));
}

static void a_manifest_is_read(void **state)
{
    batch b;
    sfgp_settings settings;
    (void)state;
    assert_int_equal(parse(&b, "\xef\xbb\xbf# a remark\r\n\r\ntarget\tid\tomega\tmax-iterations\r\n"
                               " a b.ply \tone\t0.25\t\r\n# between\n\t\nc.ply\tTwo.3_-\t\t7"),
                     SFGP_OK);
    assert_int_equal(b.manifest.count, 2);
    assert_string_equal(batch_cell(&b.manifest, 0, BATCH_TARGET), "a b.ply");
    assert_string_equal(batch_cell(&b.manifest, 1, BATCH_ID), "Two.3_-");
    assert_string_equal(batch_cell(&b.manifest, 1, BATCH_TRUTH), "");
    assert_int_equal(b.manifest.lines[0], 4);
    assert_int_equal(b.manifest.lines[1], 7);
    b.settings.omega = 0.5;
    assert_int_equal(batch_settings(&b, 0, &settings), SFGP_OK);
    assert_true(settings.omega == 0.25 && settings.max_iterations == 1000);
    assert_int_equal(batch_settings(&b, 1, &settings), SFGP_OK);
    assert_true(settings.omega == 0.5 && settings.max_iterations == 7);
    batch_clear(&b);
}

/* Spreadsheets begin words with capital letters. */
static void names_of_columns_may_be_written_large(void **state)
{
    batch b;
    sfgp_settings settings;
    (void)state;
    assert_int_equal(parse(&b, "Target\tID\tMax-Iterations\nA.ply\tOne\t7\n"), SFGP_OK);
    assert_string_equal(batch_cell(&b.manifest, 0, BATCH_TARGET), "A.ply");
    assert_string_equal(batch_cell(&b.manifest, 0, BATCH_ID), "One");
    assert_int_equal(batch_settings(&b, 0, &settings), SFGP_OK);
    assert_true(settings.max_iterations == 7);
    batch_clear(&b);
    assert_int_equal(parse(&b, "target\tid\tID\na\tb\tc\n"), SFGP_ERROR_FORMAT);
    batch_clear(&b);
}

static void a_wrong_manifest_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text, *words;
    } FAULTS[] = {
        {"", "holds no case"},
        {"# only a remark\n", "holds no case"},
        {"id\ttarget\n", "holds no case"},
        {"name\ttarget\na\tb\n", "line 1: column 1: 'name' is none of id, target"},
        {"target\tfile\na\tb\n", "line 1: column 2: 'file'"},
        {"id\tfile\na\tb\n",
         "line 1: no column is called 'target'; the first row must be the names of the columns (target, "},
        {"a.ply\nb.ply\n", "and begins with 'a.ply'"},
        {"id\tomega\na\t1\n", "line 1: no column is called 'target'"},
        {"target\nx/a b.ply\ny/a_b.npy.gz\n",
         "lines 2 and 3: two cases have the id 'a_b': 'x/a b.ply' and 'y/a_b.npy.gz', "},
        {"id\ttarget\tid\n", "line 1: two columns are called 'id'"},
        {"id\ttarget\tmax-iterations\tmax_iterations\na\tb\t1\t1\n",
         "two columns are called 'max_iterations'"},
        {"id\ttarget\tmissing\na\tb\tc\n", "'truth'"},
        {"id\ttarget\ttruth\tmissing\na\tb\t\t\nc\td\t\te\n", "line 3, column 'missing': "},
        {"id\ttarget\na\tb\nc\n", "line 3: 1 cells, the first row has 2"},
        {"id\ttarget\na\tb\tc\n", "line 2: 3 cells, the first row has 2"},
        {"id\ttarget\n\tb\n", "line 2, column 'id': is empty"},
        {"id\ttarget\na\t\n", "line 2, column 'target': is empty"},
        {"id\ttarget\na/b\tc\n", "line 2, column 'id': names a folder"},
        {"id\ttarget\n..\tc\n", "line 2, column 'id': names a folder"},
        {"id\ttarget\n.hidden\tc\n", "line 2, column 'id': names a folder"},
        {"id\ttarget\n-o\tc\n", "line 2, column 'id': names a folder"},
        {"id\ttarget\na b\tc\n", "line 2, column 'id': names a folder"},
        {"id\ttarget\n\xc3\xa9\tc\n", "line 2, column 'id': names a folder"},
        {"id\ttarget\nCases.csv\tc\n", "is the name of a file that the batch writes"},
        {"id\ttarget\na\tx\nb\tx\na\ty\n", "lines 2 and 4: two cases have the id 'a'"},
        {"id\ttarget\nab\tx\nAB\ty\n", "lines 2 and 3: two cases have the id 'AB'"},
        {"id\ttarget\tomega\na\tb\t0.1\nc\td\tmany\n", "line 3, column 'omega': "},
        {"id\ttarget\tomega\na\tb\t1.5\n", "line 2, column 'omega': "},
        {"id\ttarget\tmethod\na\tb\tguess\n", "line 2: method: "},
    };
    (void)state;
    for (size_t k = 0; k < sizeof FAULTS / sizeof *FAULTS; k++) {
        batch b;
        const sfgp_status status = parse(&b, FAULTS[k].text);
        if (status != SFGP_ERROR_FORMAT || !strstr(b.error, FAULTS[k].words) || !strstr(b.error, "m.tsv: "))
            fail_msg("fault %d: status %d, '%s' instead of '%s'", (int)k, (int)status, b.error,
                     FAULTS[k].words);
        batch_clear(&b);
    }
}

/* The message named lines, which a folder has not, and neither file. */
static void equal_ids_of_a_folder_name_both_files(void **state)
{
    batch b = {.path = "scans/", .event_file = -1};
    char *text = strdup("target\na b.ply\na_b.ply\n");
    (void)state;
    assert_non_null(text);
    sfgp_settings_default(&b.settings);
    assert_int_equal(sfgp_context_new(NULL, &b.context), SFGP_OK);
    assert_int_equal(batch_manifest_parse(&b, text, strlen(text)), SFGP_ERROR_FORMAT);
    sfgp_assert_has(b.error, "scans/: two cases have the id 'a_b': 'a b.ply' and 'a_b.ply', ");
    sfgp_assert_has(b.error, "rename one, or give a manifest with a column id");
    batch_clear(&b);
}

/* What a table program writes: commas, semicolons or tabs, quotes, and no ids. */
static void commas_and_quotes_are_read(void **state)
{
    static const struct {
        const char *text, *words;
    } TABLES[] = {{"\xef\xbb\xbftarget,\"omega\"\r\n\"a \"\"1\"\", x.ply\",0.25\r\n", NULL},
                  {"# made by hand\n\ntarget;omega\n\"a \"\"1\"\", x.ply\";0.25\n", NULL},
                  {"\"target\"\t\"omega\"\n\"a \"\"1\"\", x.ply\"\t0.25\n", NULL},
                  {"target,omega\nb.ply,0.1\n\"a\"b,1\n", "line 3: a quote that does not end the cell"},
                  {"target,omega\n\"b\n.ply\",0.1\n", "line 2: a quote"},
                  {"target,omega\nb\t.ply,0.1\n", "line 2: a quote"}};
    (void)state;
    for (size_t k = 0; k < sizeof TABLES / sizeof *TABLES; k++) {
        batch b = {.path = "m.csv", .event_file = -1};
        char *text = strdup(TABLES[k].text);
        size_t size = strlen(text);
        assert_int_equal(sfgp_context_new(NULL, &b.context), SFGP_OK);
        sfgp_settings_default(&b.settings);
        sfgp_status status = batch_source_convert(&b, &text, &size);
        if (status == SFGP_OK)
            status = batch_manifest_parse(&b, text, size);
        else
            free(text);
        assert_int_equal(status, TABLES[k].words ? SFGP_ERROR_FORMAT : SFGP_OK);
        if (TABLES[k].words && !strstr(b.error, TABLES[k].words))
            fail_msg("table %d: '%s'", (int)k, b.error);
        if (!TABLES[k].words) {
            assert_string_equal(batch_cell(&b.manifest, 0, BATCH_TARGET), "a \"1\", x.ply");
            assert_string_equal(batch_cell(&b.manifest, 0, BATCH_ID), "a__1___x");
            assert_string_equal(b.manifest.cells[1], "0.25");
        }
        batch_clear(&b);
    }
}

static void a_long_id_and_a_nul_are_refused(void **state)
{
    batch b = {.path = "m.tsv", .event_file = -1};
    char text[300] = "id\ttarget\n";
    (void)state;
    memset(text + 10, 'a', 201);
    strcpy(text + 211, "\tb\n");
    assert_int_equal(parse(&b, text), SFGP_ERROR_FORMAT);
    sfgp_assert_has(b.error, "longer than 200");
    batch_clear(&b);
    b = (batch){.path = "m.tsv", .event_file = -1};
    char *bytes = calloc(1, 16);
    assert_non_null(bytes);
    memcpy(bytes, "id\ttarget\na\0b", 13);
    assert_int_equal(batch_manifest_parse(&b, bytes, 13), SFGP_ERROR_FORMAT);
    sfgp_assert_has(b.error, "NUL");
    sfgp_assert_has(b.error, "one scan is for sfgp register");
    batch_clear(&b);
    b = (batch){.path = "m.tsv", .event_file = -1}; /* "Unicode text" of a spreadsheet */
    bytes = calloc(1, 16);
    assert_non_null(bytes);
    memcpy(bytes, "\xff\xfet\0a\0r\0", 8);
    assert_int_equal(batch_manifest_parse(&b, bytes, 8), SFGP_ERROR_FORMAT);
    assert_string_equal(b.error, "m.tsv: is UTF-16 text; save it as UTF-8");
    batch_clear(&b);
}

/* ---- cases ------------------------------------------------------------------------------------------- */

enum { POINTS = 120 };

/* Files of a small shape, and a batch of it: a good case, a flagged one, one that cannot be read, one with
 * another prior. */
static void open_batch(batch *b, const char *folder)
{
    static char *manifest, *reference;
    test_shapes *shapes = test_shapes_new(POINTS, 3, 0, 1);
    reference = strdup(cli_points("reference.txt", POINTS, 3, shapes->reference));
    cli_points("target.txt", shapes->m, 3, shapes->target);
    cli_points("truth.txt", POINTS, 3, shapes->truth);
    char mask[2 * POINTS + 1];
    for (int k = 0; k < POINTS; k++)
        memcpy(mask + 2 * k, shapes->missing[k] ? "1\n" : "0\n", 3);
    test_text("missing.txt", mask);
    manifest = strdup(test_text("cases.tsv", "id\ttarget\ttruth\tmissing\tmax_iterations\tkernel\n"
                                             "good\ttarget.txt\ttruth.txt\tmissing.txt\t\t\n"
                                             "flagged\ttarget.txt\ttruth.txt\t\t1\t\n"
                                             "lost\tnowhere.txt\t\t\t\t\n"
                                             "other\ttarget.txt\t\t\t\tse:length=1,variance=0.5\n"));
    test_shapes_free(shapes);
    *b = (batch){.path = manifest,
                 .references = {{.path = reference}},
                 .reference_count = 1,
                 .folder = folder,
                 .target_scale = 1,
                 .event_file = -1};
    sfgp_settings_default(&b->settings);
    b->settings.threads = 1;
    sfgp_status status = batch_open(b);
    if (status != SFGP_OK)
        fail_msg("%s", b->error);
}

static void close_batch(batch *b)
{
    free((char *)b->path);
    free((char *)b->references[0].path);
    batch_clear(b);
}

static void plan(batch *b, bool resume)
{
    free(b->todo);
    b->todo = NULL;
    b->todo_count = 0;
    b->totals = (batch_totals){0};
    b->resume = resume;
    if (batch_plan(b) != SFGP_OK)
        fail_msg("%s", b->error);
}

/* All cases in this process. */
static void fit_all(batch *b, batch_outcome outcomes[4])
{
    plan(b, false);
    assert_int_equal(b->todo_count, 4);
    for (int k = 0; k < 4; k++)
        batch_case_run(b, b->todo[k], false, &outcomes[k]);
}

static double number(const json_t *record, const char *object, const char *key)
{
    const json_t *value = json_object_get(object ? json_object_get(record, object) : record, key);
    if (!json_is_number(value))
        fail_msg("no number is called %s", key);
    return json_number_value(value);
}

static void a_case_is_what_the_library_says(void **state)
{
    batch b;
    batch_outcome outcomes[4];
    sfgp_evaluation errors;
    sfgp_context *context;
    unsigned char *mask;
    (void)state;
    open_batch(&b, test_path("said"));
    fit_all(&b, outcomes);
    assert_int_equal(outcomes[0].status, BATCH_GOOD);
    assert_int_equal(outcomes[1].status, BATCH_FLAGGED);
    assert_int_equal(outcomes[1].exit_code, 1);
    assert_int_equal(outcomes[2].status, BATCH_FAILED);
    assert_int_equal(outcomes[2].exit_code, SFGP_ERROR_READ);
    sfgp_assert_has(outcomes[2].error, "nowhere.txt");
    json_t *record = batch_record_read(b.folder, "good");
    assert_non_null(record);
    assert_int_equal(batch_record_status(record), BATCH_GOOD);
    assert_true(batch_record_holds(record, b.folder, "good"));
    assert_true(number(record, NULL, "points_reference") == POINTS);
    sfgp_mesh *fitted = cli_read(test_path("said/good/fit.ply")), *truth = cli_read(test_path("truth.txt"));
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    sfgp_assert_ok(context, sfgp_mask_read(context, test_path("missing.txt"), POINTS, &mask));
    sfgp_assert_ok(context, sfgp_evaluate(context, fitted, truth, mask, &errors));
    const json_t *parts = json_object_get(record, "errors");
    /* case.json has 15 digits */
    assert_true(fabs(number(parts, "missing", "mean") - errors.missing.mean) <= 1e-14 * errors.missing.mean);
    assert_true(fabs(number(parts, "all", "mean") - errors.all.mean) <= 1e-14 * errors.all.mean);
    json_decref(record);
    record = batch_record_read(b.folder, "lost");
    assert_int_equal(batch_record_status(record), BATCH_FAILED);
    assert_true(batch_record_holds(record, b.folder, "lost"));
    assert_true(json_is_null(json_object_get(json_object_get(record, "sha256"), "target")));
    json_decref(record);
    record = batch_record_read(b.folder, "other");
    assert_string_equal(json_string_value(json_object_get(record, "kernel")), "se:length=1,variance=0.5");
    json_decref(record);
    sfgp_mask_free(mask);
    sfgp_mesh_free(fitted);
    sfgp_mesh_free(truth);
    sfgp_context_free(context);
    close_batch(&b);
}

/* Any other byte anywhere either leaves the same content (blanks) or breaks the seal. */
static void the_seal_sees_every_byte(void **state)
{
    batch b;
    batch_outcome outcomes[4];
    int seen = 0, blank = 0;
    (void)state;
    open_batch(&b, test_path("sealed"));
    fit_all(&b, outcomes);
    char *text = sfgp_test_read(test_path("sealed/lost/case.json"), NULL);
    json_t *whole = batch_record_parse(text);
    assert_non_null(whole);
    for (size_t k = 0; text[k]; k++) {
        const char kept = text[k];
        text[k] = kept == '7' ? '3' : '7';
        json_t *record = batch_record_parse(text);
        if (record)
            assert_true(json_equal(record, whole));
        seen += !record;
        blank += record != NULL;
        json_decref(record);
        text[k] = '\0'; /* torn here */
        record = batch_record_parse(text);
        assert_true(!record || kept == '\n');
        json_decref(record);
        text[k] = kept;
    }
    assert_true(seen > 500 && blank == 0);
    json_decref(whole);
    free(text);
    close_batch(&b);
}

static int64_t left(batch *b)
{
    plan(b, true);
    return b->todo_count;
}

static void flip(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
    fputc(byte ^ 1, file);
    assert_int_equal(fclose(file), 0);
}

/* The content is what counts: after each of these exactly that case is to be done. */
static void done_is_what_a_run_now_would_give(void **state)
{
    batch b;
    batch_outcome outcomes[4];
    (void)state;
    open_batch(&b, test_path("resumed"));
    fit_all(&b, outcomes);
    assert_int_equal(left(&b), 0);
    assert_int_equal(b.totals.before, 4);
    assert_int_equal(b.totals.failed, 1);
    flip(test_path("resumed/good/fit.ply"), -1);
    assert_int_equal(left(&b), 1);
    assert_int_equal(b.todo[0], 0);
    batch_case_run(&b, 0, false, &outcomes[0]);
    assert_int_equal(left(&b), 0);
    assert_int_equal(truncate(test_path("resumed/flagged/case.json"), 400), 0);
    assert_int_equal(left(&b), 1);
    assert_int_equal(b.todo[0], 1);
    batch_case_run(&b, 1, false, &outcomes[1]);
    unlink(test_path("resumed/other/fit.ply"));
    assert_int_equal(left(&b), 1);
    assert_int_equal(b.todo[0], 3);
    batch_case_run(&b, 3, false, &outcomes[3]);
    rename(test_path("resumed/other"), test_path("resumed/elsewhere")); /* a record of another id */
    assert_int_equal(mkdir(test_path("resumed/other"), 0777), 0);
    rename(test_path("resumed/good/case.json"), test_path("resumed/other/case.json"));
    assert_int_equal(left(&b), 2);
    close_batch(&b);
}

static void a_change_of_what_goes_in_is_seen(void **state)
{
    batch b;
    batch_outcome outcomes[4];
    (void)state;
    open_batch(&b, test_path("changed"));
    fit_all(&b, outcomes);
    b.settings.threads = 2; /* changes no result */
    assert_int_equal(left(&b), 0);
    b.settings.omega = 0.3; /* all, also the one that failed: who knows */
    assert_int_equal(left(&b), 4);
    b.settings.omega = 0; /* auto, as it was */
    b.priors[0].digest[0] ^= 1;
    assert_int_equal(left(&b), 4);
    b.priors[0].digest[0] ^= 1;
    test_text("nowhere.txt", "1 2 3\n"); /* is there now */
    assert_int_equal(left(&b), 1);
    assert_int_equal(b.todo[0], 2);
    unlink(test_path("nowhere.txt"));
    b.retry_failed = true;
    assert_int_equal(left(&b), 1);
    flip(test_path("missing.txt"), 0); /* errors over other points */
    assert_int_equal(left(&b), 2);
    assert_int_equal(b.todo[0], 0);
    flip(test_path("truth.txt"), 0);
    assert_int_equal(left(&b), 3);
    close_batch(&b);
}

/* What a killed run leaves goes when the case is done again; a case that fails has no fit. */
static void a_case_leaves_only_its_own_files(void **state)
{
    batch b;
    batch_outcome outcomes[4], lost = {.status = BATCH_FAILED, .exit_code = 137, .error = "killed"};
    (void)state;
    open_batch(&b, test_path("clean"));
    fit_all(&b, outcomes);
    test_text("clean/good/.sfgp-4711-1.tmp", "half");
    test_text("clean/good/notes.txt", "of the user");
    unlink(test_path("clean/good/case.json"));
    batch_case_run(&b, 0, false, &outcomes[0]);
    assert_false(cli_exists(test_path("clean/good/.sfgp-4711-1.tmp")));
    assert_true(cli_exists(test_path("clean/good/notes.txt")));
    batch_case_lost(&b, 0, &lost); /* the process was killed after its work: the fit stays */
    assert_int_equal(lost.claim, BATCH_DONE_BY_OTHER);
    assert_true(cli_exists(test_path("clean/good/fit.ply")));
    unlink(test_path("clean/good/case.json"));
    lost = (batch_outcome){.status = BATCH_FAILED, .exit_code = 137, .error = "killed"};
    batch_case_lost(&b, 0, &lost);
    assert_int_equal(lost.status, BATCH_FAILED);
    assert_false(cli_exists(test_path("clean/good/fit.ply")));
    json_t *record = batch_record_read(b.folder, "good");
    assert_int_equal(batch_record_status(record), BATCH_FAILED);
    assert_true(number(record, NULL, "exit_code") == 137);
    assert_string_equal(json_string_value(json_object_get(record, "error")), "killed");
    json_decref(record);
    close_batch(&b);
}

/* Of a case whose process was stopped: no half of a file, and no empty folder; but files that are whole stay. */
static void a_stopped_case_leaves_no_empty_folder(void **state)
{
    batch b;
    const char *folder = test_path("halted");
    (void)state;
    open_batch(&b, folder);
    plan(&b, false);
    assert_int_equal(mkdir(test_path("halted/good"), 0777), 0);
    assert_int_equal(mkdir(test_path("halted/other"), 0777), 0);
    test_text("halted/good/.sfgp-4711-1.tmp", "half");
    test_text("halted/other/fit.ply", "whole");
    batch_folder_abandon(&b, "good");
    batch_folder_abandon(&b, "other");
    batch_folder_abandon(&b, "lost"); /* it had not begun */
    assert_int_equal(access(test_path("halted/good"), F_OK), -1);
    assert_true(cli_exists(test_path("halted/other/fit.ply")));
    close_batch(&b);
}

/* Where the record cannot be written there is no fit either: it would be nobody's. */
static void a_fit_without_its_record_does_not_stay(void **state)
{
    batch b;
    batch_outcome outcome;
    (void)state;
    open_batch(&b, test_path("recordless"));
    plan(&b, false);
    assert_int_equal(mkdir(test_path("recordless/good"), 0777), 0);
    assert_int_equal(mkdir(test_path("recordless/good/case.json"), 0777), 0);
    batch_case_run(&b, 0, false, &outcome);
    assert_int_equal(outcome.status, BATCH_UNFINISHED);
    assert_int_equal(outcome.exit_code, SFGP_ERROR_WRITE);
    sfgp_assert_has(outcome.error, "case.json");
    assert_false(cli_exists(test_path("recordless/good/fit.ply")));
    close_batch(&b);
}

/* The fit ran, and what it is to be compared with is another shape: a failed case has no fit. */
static void a_case_that_cannot_be_judged_has_failed(void **state)
{
    batch b;
    batch_outcome outcome;
    (void)state;
    open_batch(&b, test_path("judged"));
    plan(&b, false);
    char *truth = sfgp_test_read(test_path("truth.txt"), NULL);
    test_text("truth.txt", "0 0 0\n1 0 0\n0 1 0\n0 0 1\n");
    batch_case_run(&b, 1, false, &outcome);
    assert_int_equal(outcome.status, BATCH_FAILED);
    assert_false(cli_exists(test_path("judged/flagged/fit.ply")));
    json_t *record = batch_record_read(b.folder, "flagged");
    assert_true(batch_record_holds(record, b.folder, "flagged"));
    assert_null(json_object_get(record, "iterations"));
    json_decref(record);
    test_text("truth.txt", truth);
    free(truth);
    close_batch(&b);
}

static void a_case_that_cannot_be_written_is_not_done(void **state)
{
    batch b;
    batch_outcome outcome;
    (void)state;
    open_batch(&b, test_path("blocked"));
    plan(&b, false);
    test_text("blocked/good", "a file where the folder should be");
    batch_case_run(&b, 0, false, &outcome);
    assert_int_equal(outcome.status, BATCH_UNFINISHED);
    assert_int_equal(outcome.exit_code, SFGP_ERROR_WRITE);
    const batch_totals totals = {.good = 3, .unwritten = 1}, flagged = {.flagged = 1}, good = {.good = 1};
    assert_int_equal(batch_exit_code(&totals), SFGP_ERROR_WRITE);
    assert_int_equal(batch_exit_code(&flagged), 1);
    assert_int_equal(batch_exit_code(&good), 0);
    close_batch(&b);
}

/* ---- two runners ------------------------------------------------------------------------------------- */

static ino_t file_number(const char *path)
{
    struct stat state;
    assert_int_equal(stat(path, &state), 0);
    return state.st_ino;
}

/* Both planned all cases; the second one comes to what the first has done and leaves it. */
static void an_older_plan_harms_nothing(void **state)
{
    batch first, second;
    batch_outcome outcomes[4], outcome;
    (void)state;
    open_batch(&first, test_path("older"));
    open_batch(&second, test_path("older"));
    plan(&second, false);
    assert_int_equal(second.todo_count, 4);
    second.retry_failed = true; /* once, not once by each */
    first.resume = true;
    plan(&first, true);
    for (int k = 0; k < 4; k++)
        batch_case_run(&first, k, false, &outcomes[k]);
    static const char *const FILES[] = {"older/good/case.json", "older/good/fit.ply", "older/lost/case.json"};
    ino_t numbers[3];
    for (int k = 0; k < 3; k++)
        numbers[k] = file_number(test_path(FILES[k]));
    test_text("older/good/.sfgp-1-1.tmp", "of another runner");
    for (int k = 0; k < 4; k++) {
        batch_case_run(&second, k, k % 2, &outcome);
        assert_int_equal(outcome.claim, BATCH_DONE_BY_OTHER);
        assert_int_equal(outcome.status, outcomes[k].status);
    }
    for (int k = 0; k < 3; k++)
        assert_int_equal(file_number(test_path(FILES[k])), numbers[k]);
    assert_true(cli_exists(test_path("older/good/.sfgp-1-1.tmp")));
    second.settings.omega = 0.3; /* another fit is asked for, by the newer plan: that one is not done */
    batch_case_run(&second, 0, false, &outcome);
    assert_int_equal(outcome.claim, BATCH_DONE_HERE);
    numbers[0] = file_number(test_path(FILES[0])); /* and the older plan leaves it */
    batch_case_run(&first, 0, false, &outcome);
    assert_int_equal(outcome.claim, BATCH_DONE_BY_OTHER);
    assert_int_equal(file_number(test_path(FILES[0])), numbers[0]);
    close_batch(&first);
    close_batch(&second);
}

/* A process that holds the lock of a case until it is killed. */
static pid_t hold(const batch *b, const char *id)
{
    int ends[2];
    char byte = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int lock;
        byte = (char)batch_lock_case(b, id, false, &lock);
        _exit(write(ends[1], &byte, 1) == 1 ? pause() : 1);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(byte, SFGP_LOCK_HELD);
    close(ends[0]), close(ends[1]);
    return child;
}

static void let_go(pid_t holder)
{
    assert_int_equal(kill(holder, SIGKILL), 0);
    assert_int_equal(waitpid(holder, NULL, 0), holder);
}

static void a_case_belongs_to_one_process_at_a_time(void **state)
{
    batch b;
    batch_outcome outcome, lost = {.status = BATCH_FAILED, .exit_code = 137, .error = "killed"};
    int lock;
    (void)state;
    open_batch(&b, test_path("locked"));
    plan(&b, false);
    pid_t holder = hold(&b, "good");
    batch_case_run(&b, 0, false, &outcome);
    assert_int_equal(outcome.claim, BATCH_BUSY);
    batch_case_lost(&b, 0, &lost);
    assert_int_equal(lost.claim, BATCH_BUSY);
    assert_false(cli_exists(test_path("locked/good/case.json")));
    batch_case_run(&b, 1, false, &outcome); /* another case is free */
    assert_int_equal(outcome.claim, BATCH_DONE_HERE);
    let_go(holder); /* the lock dies with it */
    batch_case_run(&b, 0, false, &outcome);
    assert_int_equal(outcome.claim, BATCH_DONE_HERE);
    assert_int_equal(outcome.status, BATCH_GOOD);
    assert_int_equal(batch_lock_case(&b, "good", false, &lock), SFGP_LOCK_HELD);
    sfgp_platform_close(lock);
    close_batch(&b);
}

static void keep_words(void *user, const char *words)
{
    snprintf(user, 300, "%s", words);
}

/* Where the file of the locks cannot be, there are none: it is said, and the work is done all the same. */
static void a_folder_without_locks_says_so(void **state)
{
    batch b;
    batch_outcome outcome;
    char said[300] = "";
    (void)state;
    open_batch(&b, test_path("lockless"));
    assert_int_equal(mkdir(test_path("lockless"), 0777), 0);
    assert_int_equal(mkdir(test_path("lockless/.lock"), 0777), 0);
    b.warn = keep_words;
    b.user = said;
    plan(&b, true);
    sfgp_assert_has(said, "lockless: no locks (Is a directory): run one sfgp batch at a time");
    batch_case_run(&b, 0, true, &outcome);
    assert_int_equal(outcome.status, BATCH_GOOD);
    close_batch(&b);
}

/* ---- parts ------------------------------------------------------------------------------------------- */

/* What MPI is for the batch: two cases are given, after a pause each, and their ends are told. */
typedef struct foreman {
    int asked, ticks, done[4];
} foreman;

static int64_t give_case(void *user)
{
    foreman *f = user;
    f->asked++;
    return f->asked % 2 ? PROCESS_LATER : f->asked == 2 ? 3 : f->asked == 4 ? 2 : PROCESS_NONE;
}

static sfgp_status hear_of(void *user, int64_t number, const batch_outcome *outcome)
{
    ((foreman *)user)->done[number] = 1 + (int)outcome->status;
    return SFGP_OK;
}

static void hear_nothing(void *user)
{
    ((foreman *)user)->ticks++;
}

static void a_scheduler_gives_the_cases(void **state)
{
    batch b;
    foreman f = {0};
    const batch_scheduler scheduler = {&f, give_case, hear_of, hear_nothing};
    (void)state;
    open_batch(&b, test_path("scheduled"));
    plan(&b, false);
    assert_int_equal(batch_run(&b, &scheduler), SFGP_OK);
    assert_true(f.done[0] == 0 && f.done[1] == 0 && f.ticks > 0);
    assert_true(f.done[2] == 1 + BATCH_FAILED && f.done[3] == 1 + BATCH_GOOD);
    assert_true(cli_exists(test_path("scheduled/other/fit.ply")));
    close_batch(&b);
}

/* Of several runners one does a failed case again: not one that began before it was done. */
static void a_failed_case_is_tried_again_once(void **state)
{
    batch b;
    batch_outcome outcome;
    batch_status status;
    sfgp_platform_stamp written;
    sfgp_platform_time *const began = &b.began;
    (void)state;
    open_batch(&b, test_path("again"));
    plan(&b, false);
    batch_case_run(&b, 2, false, &outcome);
    assert_int_equal(outcome.status, BATCH_FAILED);
    b.retry_failed = true;
    assert_true(sfgp_platform_stamp_of(test_path("again/lost/case.json"), &written));
    *began = (sfgp_platform_time){written.seconds, written.nanoseconds};
    assert_int_equal(batch_check_done(&b, 2, true, &status), SFGP_OK);
    assert_int_equal(status, BATCH_UNFINISHED);
    for (int k = 0; k < 2; k++) { /* a nanosecond before, and a second before that */
        if (k == 1 || began->nanoseconds == 0)
            began->seconds--;
        began->nanoseconds = began->nanoseconds ? began->nanoseconds - 1 : 999999999;
        assert_int_equal(batch_check_done(&b, 2, true, &status), SFGP_OK);
        assert_int_equal(status, BATCH_FAILED);
    }
    close_batch(&b);
}

/* The process of a case was killed, and the case cannot be judged: it stays unfinished, and the words say why. */
static void a_lost_case_that_cannot_be_written_is_unfinished(void **state)
{
    batch b;
    batch_outcome outcome = {.status = BATCH_FAILED, .exit_code = 137, .error = "killed"};
    (void)state;
    open_batch(&b, test_path("unjudged"));
    plan(&b, false);
    assert_int_equal(mkdir(test_path("unjudged/good"), 0777), 0);
    assert_int_equal(mkdir(test_path("unjudged/good/case.json"), 0777), 0);
    batch_case_lost(&b, 0, &outcome);
    assert_int_equal(outcome.status, BATCH_UNFINISHED);
    sfgp_assert_has(outcome.error, "case.json");
    close_batch(&b);
}

static void parts_are_disjoint_and_the_whole(void **state)
{
    batch b;
    int seen[4] = {0};
    (void)state;
    open_batch(&b, test_path("parts"));
    for (int shard = 0; shard < 3; shard++) {
        b.part = (batch_part){BATCH_SHARD, shard, 3, 1};
        plan(&b, false);
        for (int64_t k = 0; k < b.todo_count; k++)
            seen[b.todo[k]]++;
    }
    for (int index = 0; index < 3; index++) { /* the third is empty */
        b.part = (batch_part){BATCH_INDEX, index, 0, 2};
        plan(&b, false);
        assert_int_equal(b.todo_count, index < 2 ? 2 : 0);
        for (int64_t k = 0; k < b.todo_count; k++)
            seen[b.todo[k]]++;
    }
    for (int k = 0; k < 4; k++)
        assert_int_equal(seen[k], 2);
    close_batch(&b);
}

/* ---- fits, read back --------------------------------------------------------------------------------- */

static void thumbnails_show_scan_and_fit(void **state)
{
    double points[] = {0, 0, 0, 9, 1, 0, 5, 4, 0.1, 3, 3, 0}, sd[] = {0.1, 1, 0.3, 2};
    unsigned char missing[] = {0, 0, 1, 0};
    int64_t target[4] = {0};
    double probability[4] = {0};
    sfgp_result result = {.count = 4,
                          .dimension = 3,
                          .points = points,
                          .sd = sd,
                          .missing = missing,
                          .target = target,
                          .probability = probability};
    sfgp_context *context;
    sfgp_mesh *reference;
    report_fitted fitted;
    const char *path = test_path("thumb.ply");
    (void)state;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, 4, 3, points, &reference));
#ifndef __SANITIZE_ADDRESS__
    failing_memory_start(0);
    const sfgp_status status = report_fitted_write(context, path, reference, reference, &result);
    failing_memory_stop();
    assert_int_equal(status, SFGP_ERROR_MEMORY);
#endif
    sfgp_assert_ok(context, report_fitted_write(context, path, reference, reference, &result));
    sfgp_assert_ok(context, report_fitted_read(context, path, &fitted));
    assert_memory_equal(fitted.sd, sd, sizeof sd);
    for (int i = 0; i < 4; i++)
        assert_true(fitted.missing[i] == missing[i]);
    const canvas_camera camera = canvas_find_camera(fitted.mesh);
    char *images = batch_thumbnails(&fitted, reference, &camera, "a<b>");
    assert_non_null(images);
    const char *scan = strstr(images, "alt=\"Scan of a&lt;b&gt;\" src=\"data:image/png;base64,iVBOR"),
               *fit = strstr(images, "alt=\"Fit of a&lt;b&gt;\" src=\"data:image/png;base64,iVBOR");
    assert_true(scan && fit && scan < fit);
    free(images);
    images = batch_thumbnails(&fitted, NULL, &camera, "one");
    assert_true(!strstr(images, "Scan of") && strstr(images, "Fit of one"));
    free(images);
    report_fitted_clear(&fitted);
    sfgp_assert_ok(context, sfgp_mesh_write(context, path, reference, NULL, 0)); /* no sd */
    assert_int_equal(report_fitted_read(context, path, &fitted), SFGP_ERROR_FORMAT);
    report_fitted_clear(&fitted);
    sfgp_mesh_free(reference);
    sfgp_context_free(context);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

/* A solver whose words cannot be kept with it is not kept. */
static void a_solver_without_its_words_is_not_kept(void **state)
{
    static batch_warm warm;
    char first[] = "first", second[] = "second", *const notes[] = {first, second};
    (void)state;
    sfgp_settings settings = test_settings();
    for (long k = 0, failed = 1; failed; k++) {
        failing_memory_start(k);
        const bool kept = batch_warm_keep(&warm, 0, NULL, &settings, NULL, notes, 2);
        failed = failing_memory_stop();
        assert_int_equal(kept, !failed);
        assert_int_equal(warm.kept[0].note_count, failed ? 0 : 2);
    }
    batch_warm_clear(&warm);
}

/* Opening a batch of a table of commas: code 6, or the same cases. */
static void a_batch_without_memory_says_so(void **state)
{
    const char *folder = test_path("starved");
    static batch b;
    (void)state;
    open_batch(&b, folder);
    char *reference = (char *)b.references[0].path;
    free((char *)b.path);
    batch_clear(&b);
    const char *table =
        test_text("commas.csv",
                  "id,target,truth,apply\ngood,target.txt,truth.txt,target.txt\n\"other\",target.txt,,\n");
    for (long k = 0, failed = 1; failed; k++) {
        b = (batch){.path = table,
                    .references = {{.path = reference}},
                    .reference_count = 1,
                    .folder = folder,
                    .target_scale = 1,
                    .event_file = -1};
        sfgp_settings_default(&b.settings);
        b.settings.threads = 1;
        failing_memory_start(k);
        const sfgp_status status = batch_open(&b);
        failed = failing_memory_stop();
        failing_memory_assert_told(status, b.error);
        if (status == SFGP_OK)
            assert_string_equal(batch_cell(&b.manifest, 1, BATCH_TARGET), "target.txt");
        batch_clear(&b);
    }
    free(reference);
}

/* The digests of a case are code 6 and words, or those of before, but for a file that cannot be read without memory: it has none, and the
 * case is fitted again. */
static void digests_without_memory_say_so(void **state)
{
    static batch b;
    batch_digests whole, digests;
    int told = 0;
    (void)state;
    open_batch(&b, test_path("undigested"));
    assert_int_equal(batch_digests_make(&b, 0, &whole), SFGP_OK);
    for (long k = 0, failed = 1; failed; k++) {
        failing_memory_start(k);
        const sfgp_status status = batch_digests_make(&b, 0, &digests);
        failed = failing_memory_stop();
        failing_memory_assert_told(status, b.error);
        told += status == SFGP_ERROR_MEMORY;
        if (status == SFGP_OK && digests.target[0] && digests.truth[0] && digests.missing[0])
            assert_string_equal(digests.key, whole.key);
    }
#ifndef __SANITIZE_ADDRESS__
    assert_true(told >= 3); /* a path of target, truth and mask each */
#endif
    close_batch(&b);
}

/* A plan has code 6 and words, or all cases. Under the sanitizers no allocation fails. */
static void a_plan_without_memory_says_so(void **state)
{
    static batch b;
    (void)state;
    open_batch(&b, test_path("unplanned"));
    plan(&b, false);
    for (long k = 0, failed = 1; failed; k++) {
        free(b.todo);
        b.todo = NULL;
        b.todo_count = 0;
        b.resume = true;
        failing_memory_start(k);
        const sfgp_status status = batch_plan(&b);
        failed = failing_memory_stop();
        failing_memory_assert_told(status, b.error);
        assert_true(status != SFGP_OK || b.todo_count == 4);
    }
    close_batch(&b);
}

static void a_result_that_cannot_be_read_back_is_named(void **state)
{
    static batch_work work;
    char hex[BATCH_DIGEST];
    (void)state;
    assert_int_equal(batch_work_digest(&work, "/nowhere/fit.ply", hex), SFGP_ERROR_WRITE);
    assert_string_equal(work.error, "/nowhere/fit.ply: cannot be read back");
}

/* Code 6, and then neither table, or both tables whole. */
static void landmarks_without_memory_are_not_merged_in_part(void **state)
{
    static batch b;
    const batch_row rows[] = {{.id = "one", .landmarks = true}, {.id = "two", .landmarks = true}};
    const char *folder = test_path("merged"), *csv = test_path("merged/landmarks.csv");
    int64_t cases;
    (void)state;
    assert_true(mkdir(folder, 0777) == 0 && mkdir(test_path("merged/one"), 0777) == 0 &&
                mkdir(test_path("merged/two"), 0777) == 0);
    char text[20000] = "name,x,y,z,sd\n",
         wanted[40000] = "id,landmark,x,y,z,sd\n"; /* more than a stream into memory begins with */
    for (int k = 0; k < 400; k++)
        sprintf(text + strlen(text), "a name that is long %03d,1,2,3,0.5\n", k);
    test_text("merged/one/landmarks.csv", text);
    test_text("merged/two/landmarks.csv", text);
    for (int k = 0; k < 800; k++)
        sprintf(wanted + strlen(wanted), "%s,a name that is long %03d,1,2,3,0.5\n", k < 400 ? "one" : "two",
                k % 400);
    assert_int_equal(sfgp_context_new(NULL, &b.context), SFGP_OK);
    for (long k = 0, failed = 1; failed; k++) {
        remove(csv);
        failing_memory_start(k);
        const sfgp_status status = batch_write_landmarks(&b, folder, rows, 2, &cases);
        failed = failing_memory_stop();
        char *made = sfgp_test_read(csv, NULL);
        failing_memory_assert_told(status, b.error);
        if (made && strcmp(made, wanted) != 0)
            fail_msg("allocation %ld: %zu bytes instead of %zu: %.60s", k, strlen(made), strlen(wanted),
                     made);
        assert_true(status != SFGP_OK || made);
        free(made);
    }
    sfgp_context_free(b.context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(landmarks_without_memory_are_not_merged_in_part),
        cmocka_unit_test(digests_are_those_of_the_standard),
        cmocka_unit_test(digests_do_not_depend_on_the_pieces),
        cmocka_unit_test(a_folder_or_nothing_has_no_digest),
        cmocka_unit_test(a_manifest_is_read),
        cmocka_unit_test(names_of_columns_may_be_written_large),
        cmocka_unit_test(a_wrong_manifest_is_refused_with_its_place),
        cmocka_unit_test(equal_ids_of_a_folder_name_both_files),
        cmocka_unit_test(commas_and_quotes_are_read),
        cmocka_unit_test(a_long_id_and_a_nul_are_refused),
        cmocka_unit_test(a_case_is_what_the_library_says),
        cmocka_unit_test(the_seal_sees_every_byte),
        cmocka_unit_test(done_is_what_a_run_now_would_give),
        cmocka_unit_test(a_change_of_what_goes_in_is_seen),
        cmocka_unit_test(a_case_leaves_only_its_own_files),
        cmocka_unit_test(a_stopped_case_leaves_no_empty_folder),
        cmocka_unit_test(a_fit_without_its_record_does_not_stay),
        cmocka_unit_test(a_case_that_cannot_be_judged_has_failed),
        cmocka_unit_test(a_case_that_cannot_be_written_is_not_done),
        cmocka_unit_test(an_older_plan_harms_nothing),
        cmocka_unit_test(a_case_belongs_to_one_process_at_a_time),
        cmocka_unit_test(a_solver_without_its_words_is_not_kept),
        cmocka_unit_test(a_batch_without_memory_says_so),
        cmocka_unit_test(digests_without_memory_say_so),
        cmocka_unit_test(a_plan_without_memory_says_so),
        cmocka_unit_test(a_result_that_cannot_be_read_back_is_named),
        cmocka_unit_test(a_scheduler_gives_the_cases),
        cmocka_unit_test(a_failed_case_is_tried_again_once),
        cmocka_unit_test(a_lost_case_that_cannot_be_written_is_unfinished),
        cmocka_unit_test(a_folder_without_locks_says_so),
        cmocka_unit_test(parts_are_disjoint_and_the_whole),
        cmocka_unit_test(thumbnails_show_scan_and_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
