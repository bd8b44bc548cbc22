/* A study whose allocations fail, one after another, when it is opened and when its cases are loaded: code 6, or the same cases. */
#include "io/hdf5.h"
#include "study/source.h"
#include "support/failing_memory.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { POINTS = 12, SETS = 4 };

static const char STUDY[] =
    "{'data':'%s','sets':["
    "{'name':'f','folder':'.','reference':'reference.txt','scans':'scans','truth':'truth.txt','missing':'mask.txt',"
    "'training':'shapes'},"
    "{'name':'d','folder':'.','reference':'model.h5','scans':'shapes','damage':{'holes':1}},"
    "{'name':'h','hdf5':'arrays.h5','levels':[1,2],'samples':1,'damage':{'missing_share':0.1}},"
    "{'name':'s','simulate':'reference.txt','samples':1,'training':1}],"
    "'methods':[{'name':'a','method':'cpd'}]}";

/* ---- the data ---------------------------------------------------------------------------------------- */

static double point(int i, int axis)
{
    return axis == 0 ? i : axis == 1 ? i * i % 7 : i * 5 % 3;
}

static void write_points(const char *name, int count)
{
    char text[POINTS * 32] = "";
    for (int i = 0; i < count; i++)
        sprintf(text + strlen(text), "%g %g %g\n", point(i, 0), point(i, 1), point(i, 2));
    test_text(name, text);
}

static void write_model(sfgp_context *context)
{
    sfgp_mesh *reference = NULL;
    sfgp_settings settings = test_settings();
    settings.rank = 3;
    sfgp_assert_ok(context, sfgp_mesh_read(context, test_path("reference.txt"), &reference));
    sfgp_model *model = test_model(context, reference, &settings);
    sfgp_assert_ok(context, sfgp_model_write(context, model, test_path("model.h5")));
    sfgp_model_free(model);
    sfgp_mesh_free(reference);
}

static void write_level(sfgp_hdf5 *file, const char *level, const double *points)
{
    const int64_t sample[] = {1, POINTS, 2}, row[] = {1, POINTS};
    double numbers[POINTS], none[POINTS] = {0};
    char name[32];
    for (int i = 0; i < POINTS; i++)
        numbers[i] = i;
    for (int k = 0; k < 4; k++) {
        snprintf(name, sizeof name, "%s/%s", level,
                 (const char *[]){"target", "truth", "missing", "target_ids"}[k]);
        sfgp_hdf5_write_numbers(file, name, SFGP_HDF5_FLOAT64, k < 2 ? 3 : 2, k < 2 ? sample : row,
                                k < 2    ? points
                                : k == 2 ? none
                                         : numbers);
    }
}

static void write_arrays(sfgp_context *context)
{
    double points[2 * POINTS];
    sfgp_hdf5 *file;
    for (int k = 0; k < 2 * POINTS; k++)
        points[k] = point(k / 2, k % 2);
    sfgp_assert_ok(context, sfgp_hdf5_new(context, &file));
    sfgp_hdf5_write_numbers(file, "/reference", SFGP_HDF5_FLOAT64, 2, (const int64_t[]){POINTS, 2}, points);
    write_level(file, "1", points);
    write_level(file, "2", points);
    sfgp_assert_ok(context, sfgp_hdf5_save(file, test_path("arrays.h5")));
    sfgp_hdf5_free(file);
}

static const char *write_all(sfgp_context *context)
{
    char text[2 * sizeof STUDY + 256];
    const char *folder = sfgp_test_folder();
    if (mkdir(sfgp_test_path(folder, "scans"), 0777) != 0) /* written by another test */
        return sfgp_test_path(folder, "study.json");
    assert_true(mkdir(sfgp_test_path(folder, "shapes"), 0777) == 0);
    write_points("reference.txt", POINTS);
    write_points("truth.txt", POINTS);
    write_points("scans/a.txt", POINTS - 2);
    write_points("scans/b.txt", POINTS - 3);
    write_points("shapes/one.txt", POINTS);
    write_points("shapes/two.txt", POINTS);
    sfgp_test_write(sfgp_test_path(folder, "mask.txt"), "0\n1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n", 24);
    write_model(context);
    write_arrays(context);
    snprintf(text, sizeof text, STUDY, folder);
    for (char *c = text; (c = strchr(c, '\'')); c++)
        *c = '"';
    const char *path = sfgp_test_path(folder, "study.json");
    sfgp_test_write(path, text, strlen(text));
    return path;
}

/* ---- what becomes of it ------------------------------------------------------------------------------ */

/* The points of the cases, summed up. */
static double sum_of(const study_case *c)
{
    double sum = 0;
    assert_true(c->target && c->truth && c->missing);
    for (int64_t k = 0; k < c->target->count * c->target->dimension; k++)
        sum += c->target->points[k];
    for (int64_t k = 0; k < c->truth->count; k++)
        sum += 1000 * c->missing[k];
    return sum;
}

/* Opens the study and loads the first case of each set. */
static sfgp_status load_all(study *s, const char *path, double sums[SETS])
{
    sfgp_status status = study_open(s, path);
    for (int k = 0; k < SETS && status == SFGP_OK; k++) {
        study_case c = {0};
        status = s->sets[k].source->load(s, &s->sets[k], 0, 0, &c);
        sums[k] = status == SFGP_OK ? sum_of(&c) : 0;
        study_case_clear(&c);
    }
    return status;
}

/* Where jansson gets no memory the program ends (report/json_text.c). */
static void *allocate_for_json(size_t size)
{
    const bool on = failing_memory.on;
    failing_memory.on = false;
    void *block = malloc(size);
    failing_memory.on = on;
    return block;
}

static void a_study_without_memory_is_no_other_study(void **state)
{
    const char *path = write_all(*state);
    double wanted[SETS], sums[SETS];
    static study s;
    json_set_alloc_funcs(allocate_for_json, free);
    if (load_all(&s, path, wanted) != SFGP_OK)
        fail_msg("%s", s.error);
    study_clear(&s);
    for (long k = 0, failed = 1; failed; k++) {
        failing_memory_start(k);
        const sfgp_status status = load_all(&s, path, sums);
        failed = failing_memory_stop();
        failing_memory_assert_told(status, s.error);
        if (status == SFGP_OK)
            assert_memory_equal(sums, wanted, sizeof sums);
        study_clear(&s);
    }
}

/* Three runs, written one by one and read again, and their tables. */
static sfgp_status write_runs(study *s, const char *folder)
{
    study_journal journal;
    study_summary summary = {0};
    sfgp_status status = study_journal_open(s, folder, &journal);
    for (int k = 0; k < 3 && status == SFGP_OK; k++) {
        study_row row = study_row_unknown((study_key){.choice = -1});
        row.success = k;
        status = study_journal_add(s, &journal, &row);
    }
    study_journal_close(&journal);
    if (status == SFGP_OK)
        status = study_journal_open(s, folder, &journal);
    if (status == SFGP_OK)
        status = study_summarise(s, &journal.rows, &summary);
    if (status == SFGP_OK && (status = study_write_rows(s, folder, STUDY_ROWS, &journal.rows)) == SFGP_OK)
        status = study_write_summary(s, folder, &summary);
    study_summary_clear(&summary);
    study_journal_close(&journal);
    return status;
}

/* What stands in rows.csv and summary.csv, and removes them and the journal. */
static void take_tables(const char *folder, char text[2][8192])
{
    for (int k = 0; k < 2; k++) {
        const char *path = sfgp_test_path(folder, k == 0 ? "rows.csv" : "summary.csv");
        FILE *file = fopen(path, "r");
        text[k][file ? fread(text[k], 1, 8191, file) : 0] = '\0';
        if (file)
            fclose(file), remove(path);
    }
    remove(sfgp_test_path(folder, "journal.tsv"));
}

static void runs_without_memory_are_whole_or_told(void **state)
{
    char wanted[2][8192], text[2][8192];
    static study s;
    const char *folder = sfgp_test_folder();
    json_set_alloc_funcs(allocate_for_json, free);
    sfgp_assert_ok(*state, study_open(&s, write_all(*state)));
    sfgp_assert_ok(*state, write_runs(&s, folder));
    take_tables(folder, wanted);
    assert_true(strlen(wanted[0]) > 100 && strlen(wanted[1]) > 100);
    for (long k = 0, failed = 1; failed; k++) {
        failing_memory_start(k);
        const sfgp_status status = write_runs(&s, folder);
        failed = failing_memory_stop();
        take_tables(folder, text);
        failing_memory_assert_told(status, s.error);
        for (int table = 0; table < 2; table++)
            assert_true(strcmp(text[table], wanted[table]) == 0 ||
                        (status != SFGP_OK && strcmp(text[table], "") == 0));
    }
    study_clear(&s);
}

/* All runs are in the journal: tables and figures are made again. */
static void results_without_memory_are_told(void **state)
{
    static study s;
    const char *folder = test_path("results");
    char output[8192];
    int failures = 0;
    snprintf(output, sizeof output, "%s", folder);
    json_set_alloc_funcs(allocate_for_json, free);
    sfgp_assert_ok(*state, study_open(&s, write_all(*state)));
    s.jobs = 1;
    if (study_run(&s, output) != SFGP_OK)
        fail_msg("%s", s.error);
    for (long k = 0, failed = 1; failed; k++) {
        s.error[0] = '\0';
        failing_memory_start(k);
        const sfgp_status status = study_run(&s, output);
        failed = failing_memory_stop();
        failing_memory_assert_told(status, s.error);
        failures += status != SFGP_OK;
    }
#ifndef __SANITIZE_ADDRESS__
    assert_true(failures > 100);
#endif
    study_clear(&s);
}

/* The first allocations of a run: its context, its settings, its case. */
static void a_run_without_memory_is_told(void **state)
{
    static study s;
    const study_key key = {.choice = -1};
    study_row row;
    int failures = 0;
    json_set_alloc_funcs(allocate_for_json, free);
    sfgp_assert_ok(*state, study_open(&s, write_all(*state)));
    for (long k = 0; k < 12; k++) {
        failing_memory_start(k);
        const sfgp_status status = study_run_one(&s, key, &row);
        const bool failed = failing_memory_stop();
        failing_memory_assert_told(status, s.error);
        if (status == SFGP_OK && failed && !row.success && !strstr(row.message, "memory"))
            fail_msg("allocation %ld: '%s'", k, row.message);
        failures += status != SFGP_OK;
    }
#ifndef __SANITIZE_ADDRESS__
    assert_true(failures > 3);
#endif
    study_clear(&s);
}

/* Longer than a stream into memory begins with. */
static void a_text_without_memory_is_none(void **state)
{
    static char template[30000];
    const char *const pairs[] = {"level", "1", NULL};
    (void)state;
    memset(template, 'x', sizeof template - 1);
    for (long k = 0, failed = 1; failed; k++) {
        failing_memory_start(k);
        char *text = study_expand(template, pairs);
        failed = failing_memory_stop();
        assert_true(text ? strcmp(text, template) == 0 : failed);
        free(text);
    }
}

/* A copy of the reference, which a program makes: its words, its files and the points that are read get no memory. */
static void a_program_of_others_without_memory_is_told(void **state)
{
    static study s;
    sfgp_mesh *fitted, *shape;
    study_row row;
    const double points[] = {0, 0, 1, 0, 0, 1};
    const study_method method = {
        .name = "copy", .command = "cp {reference} {output}y.txt", .points = "{output}y.txt"};
    char output[8192], name[32];
    s.output = output;
    sfgp_settings settings = test_settings();
    sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, 3, 2, points, &shape));
    const study_external_run run = {&s, &method, &settings, shape, shape};
    for (long k = 0, failed = 1; failed; k++) {
        snprintf(name, sizeof name, "external%ld", k); /* a process runs one */
        snprintf(output, sizeof output, "%s", test_path(name));
        assert_true(mkdir(output, 0777) == 0 && mkdir(sfgp_test_path(output, ".sfgp-work"), 0777) == 0);
        row = study_row_unknown((study_key){.choice = -1});
        s.error[0] = '\0';
        failing_memory_start(k);
        const sfgp_status status = study_external(&run, &row, &fitted);
        failed = failing_memory_stop();
        failing_memory_assert_told(status, s.error);
        assert_true(status == SFGP_OK || !fitted);
        assert_true(fitted || row.message[0] ||
                    status != SFGP_OK); /* the process of the program may have failed */
        sfgp_mesh_free(fitted);
    }
    sfgp_mesh_free(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_study_without_memory_is_no_other_study),
        sfgp_unit_test(runs_without_memory_are_whole_or_told),
        sfgp_unit_test(results_without_memory_are_told),
        sfgp_unit_test(a_run_without_memory_is_told),
        sfgp_unit_test(a_text_without_memory_is_none),
        sfgp_unit_test(a_program_of_others_without_memory_is_told),
    };
    unsetenv("SFGP_DATA"); /* would take the place of what the study says */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
