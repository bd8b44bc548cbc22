/* A study from start to end: tuning, runs, tables, report. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "study/study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- runs that are not done yet ---------------------------------------------------------------------- */

typedef struct sink {
    study *study;
    study_journal *journal;
    const char *what;
    int64_t done, total;
} sink;

static sfgp_status take(void *user, const study_row *row)
{
    sink *to = user;
    sfgp_status status = study_journal_add(to->study, to->journal, row);
    to->done++;
    if (to->study->progress)
        to->study->progress(to->study->user, to->what, to->done, to->total);
    return status;
}

sfgp_status study_complete(study *s, study_journal *journal, const char *what, const study_key *keys,
                           int64_t count)
{
    int64_t left = 0;
    study_key *open = malloc((size_t)(count + 1) * sizeof *open);
    if (!open)
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    for (int64_t k = 0; k < count; k++)
        if (!study_rows_find(&journal->rows, keys[k]))
            open[left++] = keys[k];
    sink to = {s, journal, what, count - left, count};
    sfgp_status status = study_pool(s, open, left, take, &to);
    study_rows_sort(&journal->rows);
    free(open);
    return status;
}

/* ---- the runs of the study --------------------------------------------------------------------------- */

static bool runs_on(const study_method *method, const study_set *set)
{
    size_t k;
    json_t *name;
    if (method->missing || set->hidden)
        return false;
    json_array_foreach(method->sets, k,
                       name) if (strcmp(json_string_value(name), set->name) == 0) return true;
    return !method->sets;
}

static int64_t list_keys(const study *s, study_key *keys)
{
    int64_t count = 0;
    for (int set = 0; set < s->set_count; set++)
        for (int level = 0; level < s->sets[set].level_count; level++)
            for (int m = 0; m < s->method_count; m++)
                for (int k = 0; runs_on(&s->methods[m], &s->sets[set]) && k < s->sets[set].sample_count;
                     k++) {
                    if (keys)
                        keys[count] = (study_key){m, -1, set, level, k};
                    count++;
                }
    return count;
}

static sfgp_status run_all(study *s, study_journal *journal)
{
    study_key *keys = malloc((size_t)(list_keys(s, NULL) + 1) * sizeof *keys);
    if (!keys)
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    sfgp_status status = study_complete(s, journal, "runs", keys, list_keys(s, keys));
    free(keys);
    return status;
}

/* Every setting of every method is tried on before anything runs. */
static sfgp_status check_settings(study *s)
{
    sfgp_settings settings;
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    for (int m = 0; status == SFGP_OK && m < s->method_count; m++)
        for (int set = 0; status == SFGP_OK && set < s->set_count; set++)
            for (int level = 0; status == SFGP_OK && level < s->sets[set].level_count; level++)
                for (int k = -1; status == SFGP_OK && k < s->methods[m].choices; k++)
                    status = study_settings(s, &s->methods[m], k, &s->sets[set], level, context, &settings);
    sfgp_context_free(context);
    return status;
}

/* ---- the folder -------------------------------------------------------------------------------------- */

static sfgp_status make_folder(study *s, const char *path)
{
    if (path && (mkdir(path, 0777) == 0 || errno == EEXIST))
        return SFGP_OK;
    return path ? study_fail(s, SFGP_ERROR_WRITE, "%s: cannot make the folder: %s", path, strerror(errno))
                : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
}

/* Files of external programs; what a killed study left there must not be taken for output. */
static void remove_work(const char *folder)
{
    char *work = report_format("%s/work", folder);
    if (work)
        study_folder_remove(work);
    free(work);
}

/* The parts of a folder that is ours: its journal is open. */
static sfgp_status make_folders(study *s, const char *folder)
{
    static const char *const PARTS[] = {"work", "views", "figures"};
    sfgp_status status = SFGP_OK;
    remove_work(folder);
    for (size_t k = 0; status == SFGP_OK && k < sizeof PARTS / sizeof *PARTS; k++) {
        char *path = report_format("%s/%s", folder, PARTS[k]);
        status = make_folder(s, path);
        free(path);
    }
    return status;
}

static sfgp_status write_results(study *s, const char *folder, const study_rows *rows)
{
    study_summary summary = {0};
    sfgp_status status = SFGP_OK;
    if ((status = study_write_rows(s, folder, "rows.csv", rows)) == SFGP_OK &&
        (status = study_write_rows(s, folder, "tuning.csv", rows)) == SFGP_OK &&
        (status = study_summarise(s, rows, &summary)) == SFGP_OK &&
        (status = study_write_summary(s, folder, &summary)) == SFGP_OK)
        status = study_write_report(s, folder, rows, &summary);
    study_summary_clear(&summary);
    return status;
}

/* output: absolute, because programs of others run in folders of their own. */
static sfgp_status run_in(study *s, const char *output)
{
    study_journal journal = {.file = -1};
    sfgp_status status = SFGP_OK;
    s->output = output;
    if ((status = study_journal_open(s, output, &journal)) == SFGP_OK) {
        if ((status = make_folders(s, output)) == SFGP_OK && (status = study_tune(s, &journal)) == SFGP_OK &&
            (status = run_all(s, &journal)) == SFGP_OK)
            status = write_results(s, output, &journal.rows);
        remove_work(output);
    }
    study_journal_close(&journal);
    s->output = NULL;
    return status;
}

sfgp_status study_run(study *s, const char *folder)
{
    sfgp_status status = SFGP_OK;
    if ((status = check_settings(s)) != SFGP_OK || (status = make_folder(s, folder)) != SFGP_OK)
        return status;
    char *output = realpath(folder, NULL);
    status = output
                 ? run_in(s, output)
                 : study_fail(s, SFGP_ERROR_WRITE, "%s: cannot open the folder: %s", folder, strerror(errno));
    free(output);
    return status;
}
