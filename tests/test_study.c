/* The parts of a study: values and templates, grids, rows, the journal, summaries, and that docs/studies.md
 * names every key and column. The whole is in test_cli_compare.c. */
#include "study/command.h"
#include "study/source.h"
#include "support/support.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A value from JSON with ' for ". */
static json_t *value_of(const char *text)
{
    char copy[1024];
    json_error_t error;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *c = copy; (c = strchr(c, '\'')); c++)
        *c = '"';
    json_t *value = json_loads(copy, JSON_DECODE_ANY, &error);
    if (!value)
        fail_msg("%s: %s", copy, error.text);
    return value;
}

/* A new folder in that of the tests. */
static const char *new_folder(const char *name)
{
    const char *path = test_path(name);
    assert_int_equal(mkdir(path, 0777), 0);
    return path;
}

static double LEVELS[] = {0.5, 2, 1.0 / 3};
static const study_set SET = {.name = "set", .levels = LEVELS, .level_count = 3, .sample_count = 4};

/* ---- values ------------------------------------------------------------------------------------------ */

static void a_value_can_follow_the_level(void **state)
{
    static const struct {
        const char *json;
        const char *texts[3]; /* by level, NULL: none */
    } ROWS[] = {
        {"3", {"3", "3", "3"}},
        {"0.1", {"0.1", "0.1", "0.1"}},
        {"'level'", {"0.5", "2", "0.3333333333333333"}},
        {"[1,2.5,'level']", {"1", "2.5", "0.3333333333333333"}},
        {"['a','b']", {"a", "b", NULL}},
        {"'auto'", {"auto", "auto", "auto"}},
        {"[]", {NULL, NULL, NULL}},
        {"[[1],2,null]", {NULL, "2", NULL}},
        {"null", {NULL, NULL, NULL}},
        {"true", {NULL, NULL, NULL}},
        {"{}", {NULL, NULL, NULL}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
        json_t *value = value_of(ROWS[k].json);
        for (int level = 0; level < 3; level++) {
            char text[SFGP_TEXT_SIZE], *end;
            double number;
            const char *expected = ROWS[k].texts[level];
            assert_int_equal(study_value_text(value, &SET, level, text), expected != NULL);
            if (expected)
                assert_string_equal(text, expected);
            const bool is_number = expected && (strtod(expected, &end), end != expected);
            assert_int_equal(study_value_number(value, &SET, level, &number), is_number);
            if (is_number)
                assert_true(number == strtod(expected, NULL));
        }
        json_decref(value);
    }
}

static void a_text_has_to_fit_its_setting(void **state)
{
    char text[SFGP_TEXT_SIZE], *longest = calloc(1, SFGP_TEXT_SIZE + 1);
    (void)state;
    for (int size = SFGP_TEXT_SIZE - 1; size <= SFGP_TEXT_SIZE; size++) {
        memset(longest, 'x', (size_t)size);
        json_t *value = json_string(longest);
        assert_int_equal(study_value_text(value, &SET, 0, text), size < SFGP_TEXT_SIZE);
        json_decref(value);
    }
    free(longest);
}

static void templates_are_filled_in(void **state)
{
    static const char *const PAIRS[] = {"level", "0.5", "id", "a b", "", "nothing", NULL};
    static const char *const ROWS[][2] = {
        {"", ""},
        {"def/{level}", "def/0.5"},
        {"{level}{id}{level}", "0.5a b0.5"},
        {"{Level} {other}", "{Level} {other}"}, /* of the program */
        {"{{level}}", "{0.5}"},
        {"{level", "{level"},
        {"level}", "level}"},
        {"{}", "nothing"},
        {"${id}", "$a b"},
        {"{le{id}", "{lea b"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
        char *text = study_expand(ROWS[k][0], PAIRS);
        assert_string_equal(text, ROWS[k][1]);
        free(text);
    }
}

static void paths_are_relative_to_their_folder(void **state)
{
    char *relative = study_path("/data", "ears/a.ply"), *absolute = study_path("/data", "/ears/a.ply");
    (void)state;
    assert_string_equal(relative, "/data/ears/a.ply");
    assert_string_equal(absolute, "/ears/a.ply");
    free(relative);
    free(absolute);
}

/* ---- folders ----------------------------------------------------------------------------------------- */

static void a_folder_is_removed_with_all_in_it_and_nothing_else(void **state)
{
    char path[400];
    const char *folder = new_folder("remove"), *outside = new_folder("outside");
    (void)state;
    sfgp_test_write(sfgp_test_path(outside, "kept"), "x", 1);
    snprintf(path, sizeof path, "%s/link", folder);
    assert_int_equal(symlink(outside, path), 0);
    snprintf(path, sizeof path, "%s/.hidden", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    sfgp_test_write(sfgp_test_path(path, "..file"), "x", 1);
    study_folder_remove(folder);
    assert_int_not_equal(access(folder, F_OK), 0);
    assert_int_equal(access(sfgp_test_path(outside, "kept"), F_OK), 0);
    study_folder_remove(folder); /* nothing there, nothing to do */
}

static void names_of_a_folder_are_sorted(void **state)
{
    static const char *const NAMES[] = {"10", "9", ".hidden", "b", "B"}, *const SORTED[] = {"10", "9", "B",
                                                                                            "b"};
    const char *folder = new_folder("list");
    char **names;
    (void)state;
    for (int k = 0; k < 5; k++)
        sfgp_test_write(sfgp_test_path(folder, NAMES[k]), "x", 1);
    assert_int_equal(study_folder_list(folder, &names), 4);
    for (int k = 0; k < 4; k++) {
        assert_string_equal(names[k], SORTED[k]);
        free(names[k]);
    }
    free(names);
    assert_int_equal(study_folder_list(sfgp_test_path(folder, "none"), &names), -1);
}

/* ---- command lines ----------------------------------------------------------------------------------- */

/* What execvp would get: the words with | between them, NAME=value ones before //. */
static void assert_words(const char *line, const char *expected)
{
    study_command command;
    char found[256] = "";
    if (!study_command_split(line, &command))
        fail_msg("%s: %s", line, command.problem);
    for (int k = 0; command.words[k]; k++) {
        strcat(found, k == 0 && command.variables == 0 ? "" : k == command.variables ? "//" : "|");
        strcat(found, command.words[k]);
    }
    assert_string_equal(found, expected);
    study_command_clear(&command);
}

static void a_command_line_is_words(void **state)
{
    (void)state;
    assert_words("a", "a");
    assert_words("  a\tb\n c ", "a|b|c");
    assert_words("a 'b  c' \"d e\"f'g'", "a|b  c|d efg");
    assert_words("a '' \"\" b", "a|||b");
    assert_words("a b\\ c \\'d \\\\", "a|b c|'d|\\");
    assert_words("a \"\\\" \\n \\$x\"", "a|\" \\n $x");
    assert_words("a 'x\\' 'y|z; $(touch x) `b` *'", "a|x\\|y|z; $(touch x) `b` *");
    assert_words("A=1 B='2 3' c D=4", "|A=1|B=2 3//c|D=4");
    assert_words("sh -c 'cp {reference} {output}'", "sh|-c|cp {reference} {output}");
}

static void what_only_a_shell_does_is_refused(void **state)
{
    static const char *const LINES[] = {"a | b", "a; b",    "a && b",  "a > b", "a < b", "a $(b)",
                                        "a `b`", "a $HOME", "a *.txt", "a b?",  "(a)",   "a 'b",
                                        "a \"b", "",        "  ",      "A=1"};
    study_command command;
    (void)state;
    for (size_t k = 0; k < sizeof LINES / sizeof *LINES; k++) {
        if (study_command_split(LINES[k], &command))
            fail_msg("'%s' is taken", LINES[k]);
        assert_non_null(command.problem);
        study_command_clear(&command);
    }
}

static void a_program_is_looked_for_by_its_name(void **state)
{
    (void)state;
    assert_true(study_command_found("sh"));
    assert_true(study_command_found("sh -c 'exit 1'"));
    assert_true(study_command_found("/bin/sh\tx"));
    assert_true(study_command_found("A=1  LC_ALL=C sh --output=x"));
    assert_true(study_command_found("'sh' x"));
    assert_false(study_command_found("sfgp-no-such --output=sh"));
    assert_false(study_command_found("A=1 sfgp-no-such sh"));
    assert_false(study_command_found("A=1"));
    assert_true(study_command_found("  sh"));
    assert_false(study_command_found(""));
    assert_false(study_command_found(" "));
    assert_false(study_command_found("./sh")); /* it will run in another folder */
    assert_false(study_command_found("/no/such/sh"));
}

/* ---- grids ------------------------------------------------------------------------------------------- */

static void a_grid_counts_with_the_last_list_fastest(void **state)
{
    static const char *const TEXTS[] = {"omega=0.1, kernel=a, rank=[1,2]",
                                        "omega=0.1, kernel=a, rank=level",
                                        "omega=0.1, kernel=b, rank=[1,2]",
                                        "omega=0.1, kernel=b, rank=level",
                                        "omega=0.1234567890123, kernel=a, rank=[1,2]",
                                        "omega=0.1234567890123, kernel=a, rank=level",
                                        "omega=0.1234567890123, kernel=b, rank=[1,2]",
                                        "omega=0.1234567890123, kernel=b, rank=level"};
    json_t *grid = value_of("{'omega':[0.1,0.1234567890123],'kernel':['a','b'],'rank':[[1,2],'level']}");
    const study_method method = {.grid = grid, .choices = 8};
    (void)state;
    for (int k = 0; k < 8; k++) {
        char *text = study_choice_text(&method, k);
        assert_string_equal(text, TEXTS[k]);
        assert_ptr_equal(study_choice_value(&method, k, "omega"),
                         json_array_get(json_object_get(grid, "omega"), (size_t)k / 4));
        assert_ptr_equal(study_choice_value(&method, k, "kernel"),
                         json_array_get(json_object_get(grid, "kernel"), (size_t)(k / 2 % 2)));
        assert_ptr_equal(study_choice_value(&method, k, "rank"),
                         json_array_get(json_object_get(grid, "rank"), (size_t)(k % 2)));
        free(text);
    }
    assert_null(study_choice_value(&method, 0, "beta"));
    json_decref(grid);
}

static void settings_are_told_without_json(void **state)
{
    json_t *settings = value_of("{'omega':1e-06,'kernel':'se:length=2','rank':[1,2,'level']}");
    char *text = study_settings_text(settings), *none = study_settings_text(NULL);
    (void)state;
    assert_string_equal(text, "omega=1e-06, kernel=se:length=2, rank=[1,2,level]");
    assert_string_equal(none, "");
    free(text);
    free(none);
    json_decref(settings);
}

/* Defaults, the method, the point of the grid, the set: what comes later replaces what came before. */
static void settings_are_layered(void **state)
{
    json_t *own = value_of("{'omega':0.2,'rank':7,'beta':3,'gamma':4}"),
           *grid = value_of("{'rank':[8,9],'beta':[5]}"), *of_set = value_of("{'beta':'level'}");
    study_method method = {.name = "m", .method = "cpd", .settings = own, .grid = grid, .choices = 2};
    study_set set = SET;
    study s = {.threads = 3, .methods = &method, .method_count = 1, .sets = &set, .set_count = 1};
    study_key key = {.choice = 1, .level = 1};
    sfgp_settings settings;
    set.settings = of_set;
    sfgp_settings standard = test_settings();
    assert_int_equal(study_settings(&s, key, *state, &settings), SFGP_OK);
    assert_true(settings.omega == 0.2 && settings.rank == 9 && settings.beta == 2 && settings.gamma == 4);
    assert_true(settings.threads == 3 && settings.tolerance == standard.tolerance);
    assert_string_equal(settings.method, "cpd");
    key.choice = -1; /* not tuned */
    key.level = 0;
    assert_int_equal(study_settings(&s, key, *state, &settings), SFGP_OK);
    assert_true(settings.rank == 7 && settings.beta == 0.5);
    json_decref(own), json_decref(grid), json_decref(of_set);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* Row number k of all combinations, counted with the fastest key first. */
static study_key key_at(int k)
{
    study_key key = {.sample = k % 3, .choice = k / 3 % 2 - 1, .method = k / 6 % 3};
    key.level = k / 18 % 2;
    key.set = k / 36;
    return key;
}
enum { KEYS = 72 };

static void rows_are_sorted_and_found_by_their_keys(void **state)
{
    study_rows rows = {0};
    study_row row = {0};
    (void)state;
    assert_null(study_rows_find(&rows, key_at(0)));
    for (int k = 0; k < KEYS; k++) { /* 29 and 72 have no common factor: every one once, in disorder */
        row.key = key_at(29 * k % KEYS);
        row.error = 29 * k % KEYS;
        assert_int_equal(study_rows_add(&rows, &row), SFGP_OK);
    }
    study_rows_sort(&rows);
    assert_int_equal(rows.count, KEYS);
    for (int k = 0; k < KEYS; k++) {
        assert_true(rows.items[k].error == k); /* set, level, method, choice, sample */
        assert_ptr_equal(study_rows_find(&rows, key_at(k)), &rows.items[k]);
        for (int j = 0; j < KEYS; j++) {
            study_key a = key_at(k), b = key_at(j);
            assert_int_equal(study_key_compare(&a, &b), (k > j) - (k < j));
        }
    }
    assert_null(study_rows_find(&rows, (study_key){.sample = 3}));
    study_rows_clear(&rows);
    assert_int_equal(rows.count, 0);
}

static void every_number_of_a_row_is_a_column(void **state)
{
    const study_column *column;
    size_t bytes = 0;
    (void)state;
    for (int k = 0; (column = study_column_row(k)); k++, bytes += sizeof(double))
        for (int j = 0; j < k; j++) {
            assert_string_not_equal(column->name, study_column_row(j)->name);
            assert_int_not_equal(column->offset, study_column_row(j)->offset);
        }
    /* from success to points_target, all of eight bytes */
    assert_int_equal(bytes,
                     offsetof(study_row, points_target) + sizeof(int64_t) - offsetof(study_row, success));
    assert_null(study_column_row(-1));
}

/* ---- the journal ------------------------------------------------------------------------------------- */

static study *open_study(int seed)
{
    char text[400];
    const char *path = test_path("study.json");
    snprintf(text, sizeof text,
             "{\"seed\":%d,\"sets\":[{\"name\":\"s\",\"simulate\":\"fish\",\"samples\":3,\"levels\":[1,2]}],"
             "\"methods\":[{\"name\":\"a\",\"method\":\"cpd\"},{\"name\":\"b\",\"method\":\"map\"}]}",
             seed);
    sfgp_test_write(path, text, strlen(text));
    study *s = calloc(1, sizeof *s);
    assert_non_null(s);
    if (study_open(s, path) != SFGP_OK)
        fail_msg("%s", s->error);
    return s;
}

static void close_study(study *s)
{
    study_clear(s);
    free(s);
}

static const double NUMBERS[] = {0,
                                 -0.0,
                                 1.0 / 3,
                                 -1e-300,
                                 DBL_MAX,
                                 DBL_TRUE_MIN,
                                 0.1,
                                 1e22,
                                 123456789.123456789,
                                 (double)INFINITY,
                                 -(double)INFINITY,
                                 (double)NAN};
enum { NUMBER_COUNT = sizeof NUMBERS / sizeof *NUMBERS };

static study_row special_row(int k)
{
    const study_column *column;
    study_row row = {.key = {k % 2, -1, 0, k / 2 % 2, k / 4}};
    const int64_t counts[] = {0, 1, 9007199254740992};
    snprintf(row.status, sizeof row.status, k % 2 ? "max_iterations" : "x");
    for (int c = 0; (column = study_column_row(c)); c++)
        if (column->count)
            memcpy((char *)&row + column->offset, &counts[(k + c) % 3], sizeof(int64_t));
        else
            memcpy((char *)&row + column->offset, &NUMBERS[(k + c) % NUMBER_COUNT], sizeof(double));
    memset(row.message, 'w', sizeof row.message - 1);
    if (k % 3 == 0)
        snprintf(row.message, sizeof row.message, "%s", k ? "tab\there, line\nend\r, \"quote\" 100 %" : "");
    return row;
}

static void assert_same_row(const study_row *a, const study_row *b)
{
    const study_column *column;
    assert_int_equal(study_key_compare(&a->key, &b->key), 0);
    assert_string_equal(a->status, b->status);
    assert_string_equal(a->message, b->message);
    for (int c = 0; (column = study_column_row(c)); c++) {
        const double x = study_column_value(a, column), y = study_column_value(b, column);
        assert_true((isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y)));
    }
}

static void a_journal_gives_back_every_bit(void **state)
{
    const char *folder = new_folder("journal");
    study *s = open_study(1);
    study_journal journal;
    (void)state;
    assert_int_equal(study_journal_open(s, folder, &journal), SFGP_OK);
    for (int k = 0; k < 12; k++) {
        study_row row = special_row(k);
        assert_int_equal(study_journal_add(s, &journal, &row), SFGP_OK);
    }
    study_rows_sort(&journal.rows);
    study_rows before = journal.rows; /* taken over */
    journal.rows = (study_rows){0};
    study_journal_close(&journal);
    assert_int_equal(study_journal_open(s, folder, &journal), SFGP_OK);
    assert_int_equal(journal.rows.count, 12);
    for (int k = 0; k < 12; k++) {
        study_row row = special_row(k);
        for (char *c = row.message; *c; c++)
            *c = *c == '\t' || *c == '\n' || *c == '\r' ? ' ' : *c;
        assert_same_row(study_rows_find(&journal.rows, row.key), &row);
        assert_same_row(&before.items[k], &journal.rows.items[k]); /* stopped or not, it is the same */
    }
    study_journal_close(&journal);
    study_rows_clear(&before);
    close_study(s);
}

static void write_journal(study *s, const char *folder, const char *line)
{
    study_journal journal;
    unlink(sfgp_test_path(folder, "journal.tsv"));
    assert_int_equal(study_journal_open(s, folder, &journal), SFGP_OK);
    assert_int_equal(write(journal.file, line, strlen(line)), strlen(line));
    study_journal_close(&journal);
}

static void a_line_that_is_no_run_is_an_error(void **state)
{
    static const char *const GOOD = "1\t-1\t0\t1\t2\tx\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t98\t98\tw\n";
    static const char *const BAD[] = {
        "\n",
        "x\n",
        "2\t-1\t0\t1\t2\tx\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t98\t98\tw\n",     /* no such method */
        "1\t0\t0\t1\t2\tx\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t98\t98\tw\n",      /* no grid */
        "1\t-1\t1\t1\t2\tx\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t98\t98\tw\n",     /* set */
        "1\t-1\t0\t2\t2\tx\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t98\t98\tw\n",     /* level */
        "1\t-1\t0\t1\t3\tx\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t98\t98\tw\n",     /* sample */
        "1\t-1\t0\t1\t2\tx\tnan\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t98\t98\tw\n",   /* a count */
        "1\t-1\t0\t1\t2\tx\t1e300\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t98\t98\tw\n", /* a count */
        "1\t-1\t0\t1\t2\tx\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t0\t98\tw\n",         /* a field less */
        "1\t-1\t0\t1\t2\tx\t1\t0\t0\ty\t0\t0\t0\t0\t0\t0\t0\t0\t0\t98\t98\tw\n",
    };
    const char *folder = new_folder("lines");
    study *s = open_study(1);
    study_journal journal;
    (void)state;
    write_journal(s, folder, GOOD);
    assert_int_equal(study_journal_open(s, folder, &journal), SFGP_OK);
    assert_int_equal(journal.rows.count, 1);
    study_journal_close(&journal);
    for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
        write_journal(s, folder, BAD[k]);
        assert_int_equal(study_journal_open(s, folder, &journal), SFGP_ERROR_FORMAT);
        sfgp_assert_has(s->error, "journal.tsv: line 2: ");
        study_journal_close(&journal);
    }
    close_study(s);
}

static void a_journal_belongs_to_one_study(void **state)
{
    const char *folder = new_folder("owner");
    study *s = open_study(1);
    study_journal journal;
    (void)state;
    write_journal(s, folder, "");
    close_study(s);
    s = open_study(2);
    assert_int_equal(study_journal_open(s, folder, &journal), SFGP_ERROR_PARAMETER);
    study_journal_close(&journal);
    close_study(s);
    s = open_study(1); /* the same text again */
    assert_int_equal(study_journal_open(s, folder, &journal), SFGP_OK);
    study_journal_close(&journal);
    s->methods[0].missing = "gone"; /* other rows come out */
    assert_int_equal(study_journal_open(s, folder, &journal), SFGP_ERROR_PARAMETER);
    study_journal_close(&journal);
    close_study(s);
}

/* ---- summaries --------------------------------------------------------------------------------------- */

/* Share of the values at or below x, interpolated: type 7 by its definition, solved by search. */
static long double quantile(const double *x, int n, long double share)
{
    double sorted[64];
    memcpy(sorted, x, (size_t)n * sizeof *x);
    for (int a = 1; a < n; a++)
        for (int b = a; b > 0 && sorted[b] < sorted[b - 1]; b--) {
            double swap = sorted[b];
            sorted[b] = sorted[b - 1], sorted[b - 1] = swap;
        }
    for (int k = 0; k + 1 < n; k++) {
        const long double low = (long double)k / (n - 1), high = (long double)(k + 1) / (n - 1);
        if (share <= high)
            return sorted[k] + ((long double)sorted[k + 1] - sorted[k]) * (share - low) / (high - low);
    }
    return sorted[n - 1];
}

static void assert_near(double value, long double expected)
{
    /* 64 terms, each rounded once, and three more roundings of an interpolation */
    assert_true(fabsl(value - expected) <= 70 * DBL_EPSILON * (1 + fabsl(expected)));
}

/* What is not known, and what failed, is not in the errors; the share of successes counts all. */
static void a_summary_is_of_what_succeeded_and_is_known(void **state)
{
    study *s = open_study(1);
    study_rows rows = {0};
    study_summary summary;
    unsigned random = 7;
    (void)state;
    for (int n = 1; n <= 40; n += 3) {
        double known[64];
        int count = 0, successes = 0;
        long double sum = 0;
        for (int k = 0; k < n; k++) {
            study_row row = {.key = {1, -1, 0, 1, k}};
            random = random * 1103515245u + 12345u;
            row.success = k == 0 || random % 5 != 0;
            row.error = k > 0 && random % 7 == 0 ? STUDY_UNKNOWN : (double)(random % 1000) / 7;
            row.iterations = STUDY_UNKNOWN;
            successes += row.success != 0;
            if (row.success && isfinite(row.error))
                known[count++] = row.error, sum += row.error;
            assert_int_equal(study_rows_add(&rows, &row), SFGP_OK);
            row.key.choice = 0; /* tuning: not for the summary */
            row.error = 1e9;
            assert_int_equal(study_rows_add(&rows, &row), SFGP_OK);
        }
        study_rows_sort(&rows);
        assert_int_equal(study_summarise(s, &rows, &summary), SFGP_OK);
        assert_int_equal(summary.count, 1);
        const study_line *line = study_summary_find(&summary, 1, 0, 1);
        assert_true(line && line->runs == n && line->successes == successes);
        const study_spread *error = study_line_column(line, "error");
        assert_int_equal(error->count, count);
        assert_near(error->mean, sum / count);
        assert_near(error->q25, quantile(known, count, 0.25L));
        assert_near(error->median, quantile(known, count, 0.5L));
        assert_near(error->q75, quantile(known, count, 0.75L));
        assert_near(study_line_column(line, "success")->mean, (long double)successes / n);
        assert_true(study_line_column(line, "iterations")->count == 0 &&
                    isnan(study_line_column(line, "iterations")->mean));
        assert_null(study_summary_find(&summary, 0, 0, 1));
        assert_true(isnan(study_line_column(NULL, "error")->mean));
        study_summary_clear(&summary);
        study_rows_clear(&rows);
    }
    close_study(s);
}

/* Every line of a summary is found by its key, and no other: they are in the order of the rows. */
static void a_line_is_found_by_set_level_and_method(void **state)
{
    study *s = open_study(1);
    study_rows rows = {0};
    study_summary summary;
    (void)state;
    for (int k = 0; k < 4; k++) {
        const study_row row = {.key = {k % 2, -1, 0, k / 2, 0}, .error = k, .success = 1};
        assert_int_equal(study_rows_add(&rows, &row), SFGP_OK);
    }
    study_rows_sort(&rows);
    assert_int_equal(study_summarise(s, &rows, &summary), SFGP_OK);
    assert_int_equal(summary.count, 4);
    for (int k = 0; k < 4; k++)
        assert_true(study_line_column(study_summary_find(&summary, k % 2, 0, k / 2), "error")->mean == k);
    assert_null(study_summary_find(&summary, 2, 0, 0));
    assert_null(study_summary_find(&summary, 0, 1, 0));
    assert_null(study_summary_find(&(study_summary){0}, 0, 0, 0));
    study_summary_clear(&summary);
    study_rows_clear(&rows);
    close_study(s);
}

/* ---- sizes ------------------------------------------------------------------------------------------- */

/* A study of so many samples, levels, sets and points of a grid: what is too much is said before it costs
 * anything. */
static void assert_size(const char *sets, const char *grid, const char *words)
{
    const char *path = test_path("size.json");
    char *text = report_format("{\"sets\":[%s],\"methods\":[{\"name\":\"a\",\"method\":\"cpd\"%s}]%s}", sets,
                               grid, grid[0] ? ",\"tune\":{\"set\":\"s\",\"levels\":[0]}" : "");
    study s;
    assert_non_null(text);
    sfgp_test_write(path, text, strlen(text));
    const sfgp_status status = study_open(&s, path);
    if (status != (words ? SFGP_ERROR_FORMAT : SFGP_OK) || (words && !strstr(s.error, words)))
        fail_msg("%d, '%s' instead of '%s'", (int)status, s.error, words ? words : "");
    study_clear(&s);
    free(text);
}

/* "[0,1,...]" with so many numbers; free() */
static char *list_of(int count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (int k = 0; k < count; k++)
        fprintf(out, "%s%d", k ? "," : "[", k);
    fputc(']', out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_levels(int levels, int samples, const char *words)
{
    char *list = list_of(levels);
    char *set =
        report_format("{\"name\":\"s\",\"simulate\":\"fish\",\"samples\":%d,\"levels\":%s}", samples, list);
    assert_non_null(set);
    assert_size(set, "", words);
    free(set);
    free(list);
}

static void assert_choices(int gamma, int levels, int samples, const char *words)
{
    char *list = list_of(levels), *first = list_of(400), *second = list_of(gamma);
    char *set =
        report_format("{\"name\":\"s\",\"simulate\":\"fish\",\"samples\":%d,\"levels\":%s}", samples, list);
    char *grid = report_format(",\"grid\":{\"beta\":%s,\"gamma\":%s}", first, second);
    assert_true(set && grid);
    assert_size(set, grid, words);
    free(list), free(first), free(second);
    free(set), free(grid);
}

static void a_study_has_limits(void **state)
{
    (void)state;
    assert_levels(STUDY_MOST_LEVELS, 10000, NULL); /* STUDY_MOST_RUNS of them */
    assert_levels(STUDY_MOST_LEVELS, 10001, "10001000 runs, at most 10000000");
    assert_levels(STUDY_MOST_LEVELS + 1, 1, "levels: 1001 entries, at most 1000");
    assert_levels(1, STUDY_MOST_SAMPLES + 1, "samples: is not a number between 1 and 1e+06");
    assert_choices(250, 1, 99, NULL);
    assert_choices(251, 1, 1, "more than 100000 combinations");
    assert_choices(250, 101, 1, "10100101 combinations of a level and a point of a grid");
    assert_choices(250, 99, 1, NULL);
    assert_choices(250, 1, 100, "10000100 runs");
}

/* Figures are files: two names that differ in letters that file names do not keep would share them. */
static void sets_do_not_share_files(void **state)
{
    (void)state;
    assert_size("{\"name\":\"a b\",\"simulate\":\"fish\"},{\"name\":\"a_b\",\"simulate\":\"fish\"}", "",
                "sets: 'a b' and 'a_b' would have the same files of figures");
    assert_size("{\"name\":\"a b\",\"simulate\":\"fish\"},{\"name\":\"a-b\",\"simulate\":\"fish\"}", "",
                NULL);
}

/* ---- seeds ------------------------------------------------------------------------------------------- */

static double distance(const sfgp_mesh *a, const sfgp_mesh *b)
{
    double most = 0;
    assert_int_equal(a->count, b->count);
    for (int64_t k = 0; k < 3 * a->count; k++)
        most = fmax(most, fabs(a->points[k] - b->points[k]));
    return most;
}

/* What a method learns from is never what it is judged on. Two ears differ by millimetres; equal ones, after
 * their way through the damage, by rounding. */
static void training_shapes_are_no_samples(void **state)
{
    const double differs = 0.1;
    const char *path = test_path("training.json");
    static const char TEXT[] = "{\"seed\":1000,\"sets\":[{\"name\":\"s\",\"simulate\":\"ear\",\"points\":40,"
                               "\"samples\":3,\"training\":3}],"
                               "\"methods\":[{\"name\":\"a\",\"method\":\"cpd\"}]}";
    study s;
    (void)state;
    sfgp_test_write(path, TEXT, strlen(TEXT));
    assert_int_equal(study_open(&s, path), SFGP_OK);
    assert_int_equal(s.sets[0].training_count, 3);
    for (int sample = 0; sample < 3; sample++) {
        study_case c = {0}, again = {0};
        assert_int_equal(s.sets[0].source->load(&s, &s.sets[0], 0, sample, &c), SFGP_OK);
        assert_int_equal(s.sets[0].source->load(&s, &s.sets[0], 0, sample, &again), SFGP_OK);
        assert_true(distance(c.truth, again.truth) == 0);
        for (int k = 0; k < 3; k++)
            assert_true(distance(s.sets[0].training[k], c.truth) > differs);
        assert_true(distance(c.reference, c.truth) > differs);
        study_case_clear(&c);
        study_case_clear(&again);
    }
    study_clear(&s);
}

/* ---- the document ------------------------------------------------------------------------------------ */

static void assert_named(const char *document, const char *name)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "`%s`", name);
    if (!strstr(document, quoted))
        fail_msg("docs/studies.md does not name %s", quoted);
}

static int assert_words_named(const char *document, const char *words)
{
    char copy[512];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "), count++)
        assert_named(document, word);
    return count;
}

/* The lists of keys are in the sources as  #define SOME_KEYS "one two". */
static int assert_keys_named(const char *document, const char *file)
{
    char path[1024], words[512];
    int count = 0;
    snprintf(path, sizeof path, "%s/src/study/%s", SFGP_SOURCE_DIR, file);
    char *source = sfgp_test_read(path, NULL);
    assert_non_null(source);
    for (char *at = source; (at = strstr(at, "_KEYS \"")); at++)
        if (sscanf(at, "_KEYS \"%511[^\"]\"", words) == 1)
            count += assert_words_named(document, words);
    free(source);
    return count;
}

static void the_document_names_every_key_and_column(void **state)
{
    static const study_source *const SOURCES[] = {&study_source_hdf5, &study_source_folder,
                                                  &study_source_simulate};
    char *document = sfgp_test_read(SFGP_SOURCE_DIR "/docs/studies.md", NULL);
    const study_column *column;
    (void)state;
    assert_non_null(document);
    assert_true(assert_keys_named(document, "parse.c") == 10);
    assert_true(assert_keys_named(document, "parse_sets.c") == 9);
    assert_true(assert_keys_named(document, "parse_methods.c") == 9);
    assert_true(assert_keys_named(document, "tune.c") == 3);
    assert_true(assert_keys_named(document, "view.c") == 3);
    for (int k = 0; k < 3; k++)
        assert_true(assert_words_named(document, SOURCES[k]->keys) > 2);
    for (int k = 0; (column = study_column_row(k)); k++)
        assert_named(document, column->name);
    assert_words_named(document, "converged max_iterations no_overlap finished failed crashed timeout lost");
    free(document);
}

/* Opens a study where there are no data and tries every setting on. */
static void assert_valid(const char *path, sfgp_context *context)
{
    study s;
    sfgp_settings settings;
    if (study_open(&s, path) != SFGP_OK)
        fail_msg("%s: %s", path, s.error);
    for (int m = 0; m < s.method_count; m++)
        for (int set = 0; set < s.set_count; set++)
            for (int level = 0; level < s.sets[set].level_count; level++)
                for (int k = -1; k < s.methods[m].choices; k++)
                    if (study_settings(&s, (study_key){m, k, set, level, 0}, context, &settings) != SFGP_OK)
                        fail_msg("%s: %s", path, s.error);
    study_clear(&s);
}

/* It is the first block of the document, indented by four. */
static void the_example_of_the_document_is_a_study(void **state)
{
    char *document = sfgp_test_read(SFGP_SOURCE_DIR "/docs/studies.md", NULL);
    char *start = strstr(document, "\n    {\n"), *end = strstr(document, "\n    }\n");
    const char *path = test_path("example.json");
    assert_true(start && end > start);
    sfgp_test_write(path, start, (size_t)(end + 6 - start));
    assert_valid(path, *state);
    free(document);
}

static void the_studies_of_the_project_are_valid(void **state)
{
    char **names, path[1024];
    int studies = 0, count = study_folder_list(SFGP_SOURCE_DIR "/data/studies", &names);
    for (int k = 0; k < count; k++) {
        const char *dot = strrchr(names[k], '.');
        snprintf(path, sizeof path, "%s/data/studies/%s", SFGP_SOURCE_DIR, names[k]);
#ifdef SFGP_SLOW_BUILD /* simulated ears take half a minute; ears-small.json has the same sources */
        if (strcmp(names[k], "ears.json") == 0)
            dot = NULL;
#endif
        if (dot && strcmp(dot, ".json") == 0)
            assert_valid(path, *state), studies++;
        free(names[k]);
    }
    free(names);
    assert_true(studies > 0);
}

int main(void)
{
    setenv("SFGP_DATA", "/no/such/data", 1); /* what is there must not decide: stand-ins for all */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_can_follow_the_level),
        cmocka_unit_test(a_text_has_to_fit_its_setting),
        cmocka_unit_test(templates_are_filled_in),
        cmocka_unit_test(paths_are_relative_to_their_folder),
        cmocka_unit_test(a_folder_is_removed_with_all_in_it_and_nothing_else),
        cmocka_unit_test(names_of_a_folder_are_sorted),
        cmocka_unit_test(a_command_line_is_words),
        cmocka_unit_test(what_only_a_shell_does_is_refused),
        cmocka_unit_test(a_program_is_looked_for_by_its_name),
        cmocka_unit_test(a_grid_counts_with_the_last_list_fastest),
        cmocka_unit_test(settings_are_told_without_json),
        sfgp_unit_test(settings_are_layered),
        cmocka_unit_test(rows_are_sorted_and_found_by_their_keys),
        cmocka_unit_test(every_number_of_a_row_is_a_column),
        cmocka_unit_test(a_journal_gives_back_every_bit),
        cmocka_unit_test(a_line_that_is_no_run_is_an_error),
        cmocka_unit_test(a_journal_belongs_to_one_study),
        cmocka_unit_test(a_summary_is_of_what_succeeded_and_is_known),
        cmocka_unit_test(a_line_is_found_by_set_level_and_method),
        cmocka_unit_test(a_study_has_limits),
        cmocka_unit_test(sets_do_not_share_files),
        cmocka_unit_test(training_shapes_are_no_samples),
        cmocka_unit_test(the_document_names_every_key_and_column),
        sfgp_unit_test(the_example_of_the_document_is_a_study),
        sfgp_long_test(the_studies_of_the_project_are_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
