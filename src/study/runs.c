/* The runs of a study: lists them, checks their number, and runs those that are not in the journal. */
#include "study/parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- which ------------------------------------------------------------------------------------------- */

static bool runs_on(const study_method *method, const study_set *set)
{
    if (method->missing || set->hidden)
        return false;
    for (size_t k = 0; k < json_array_size(method->sets); k++)
        if (strcmp(json_string_value(json_array_get(method->sets, k)), set->name) == 0)
            return true;
    return !method->sets;
}

static int64_t count_keys(const study *s)
{
    int64_t count = 0;
    for (int set = 0; set < s->set_count; set++)
        for (int m = 0; m < s->method_count; m++)
            if (runs_on(&s->methods[m], &s->sets[set]))
                count += (int64_t)s->sets[set].level_count * s->sets[set].sample_count;
    return count;
}

static int64_t list_keys(const study *s, study_key *keys)
{
    int64_t count = 0;
    for (int set = 0; set < s->set_count; set++)
        for (int level = 0; level < s->sets[set].level_count; level++)
            for (int m = 0; m < s->method_count; m++)
                for (int k = 0; runs_on(&s->methods[m], &s->sets[set]) && k < s->sets[set].sample_count; k++)
                    keys[count++] = (study_key){m, -1, set, level, k};
    return count;
}

/* Number of settings that are checked before anything runs: every point of every grid at every level. */
static int64_t count_settings(const study *s)
{
    int64_t levels = 0, choices = 0;
    for (int set = 0; set < s->set_count; set++)
        levels += s->sets[set].level_count;
    for (int m = 0; m < s->method_count; m++)
        choices += 1 + s->methods[m].choices;
    return levels * choices;
}

/* The limits in study.h keep these counts from overflowing. */
sfgp_status study_check_size(study *s, int64_t tuning)
{
    const int64_t runs = count_keys(s) + tuning;
    if (runs > STUDY_MOST_RUNS)
        return study_fail(s, SFGP_ERROR_FORMAT,
                          "the study: %lld runs, at most %d are allowed; take fewer samples, levels, methods "
                          "or points of grids, or several studies",
                          (long long)runs, STUDY_MOST_RUNS);
    if (count_settings(s) > STUDY_MOST_RUNS)
        return study_fail(s, SFGP_ERROR_FORMAT,
                          "the study: %lld combinations of a level and a point of a grid, at most %d are "
                          "allowed; take fewer levels or points of grids",
                          (long long)count_settings(s), STUDY_MOST_RUNS);
    return SFGP_OK;
}

/* ---- runs that are not done -------------------------------------------------------------------------- */

typedef struct sink {
    study *study;
    study_journal *journal;
    const char *what; /* text for progress */
    int64_t done;
    int64_t total;
} sink;

static sfgp_status record_row(void *user, const study_row *row)
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
    sfgp_status status = study_pool(s, open, left, record_row, &to);
    study_rows_sort(&journal->rows);
    free(open);
    return status;
}

sfgp_status study_run_all(study *s, study_journal *journal)
{
    study_key *keys = malloc((size_t)(count_keys(s) + 1) * sizeof *keys);
    if (!keys)
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    sfgp_status status = study_complete(s, journal, "runs", keys, list_keys(s, keys));
    free(keys);
    return status;
}
