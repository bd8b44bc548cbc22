/* Tuning: every method with a grid runs all points of the grid on the cases of the member "tune". Of the points with
 * the fewest failures it then uses the one with the smallest mean error. The cases of the report are not used for
 * this. */
#include "study/members.h"

#include <math.h>
#include <stdlib.h>

#define TUNE_KEYS "set levels samples"

/* The cases for tuning. */
typedef struct tuning {
    int set;     /* index */
    int samples; /* the first samples of the set */
    int level_count;
    int *levels; /* indices of levels of the set */
} tuning;

static sfgp_status read_levels(study *s, json_t *levels, tuning *t)
{
    const study_set *set = &s->sets[t->set];
    t->level_count = levels ? (int)json_array_size(levels) : set->level_count;
    if (!(t->levels = calloc((size_t)t->level_count + 1, sizeof *t->levels)))
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    for (int level = 0; level < set->level_count; level++)
        t->levels[level < t->level_count ? level : 0] = levels ? 0 : level;
    for (size_t k = 0; k < json_array_size(levels); k++) {
        json_t *const value = json_array_get(levels, k);
        t->levels[k] = study_find_level(set, value);
        if (t->levels[k] < 0)
            return study_fail(s, SFGP_ERROR_FORMAT, "tune: levels: %g is no level of '%.60s'",
                              json_number_value(value), set->name);
        for (size_t j = 0; j < k; j++)
            if (t->levels[j] == t->levels[k])
                return study_fail(s, SFGP_ERROR_FORMAT, "tune: levels: %g is there twice",
                                  json_number_value(value));
    }
    return t->level_count > 0 ? SFGP_OK : study_fail(s, SFGP_ERROR_FORMAT, "tune: levels: none");
}

static sfgp_status read_tuning(study *s, tuning *t)
{
    json_t *samples = json_object_get(s->tune, "samples");
    sfgp_status status = study_object_check_keys(&(study_object){s, s->tune, "tune"}, TUNE_KEYS, "");
    if (status != SFGP_OK)
        return status;
    t->set = study_find_set(s, json_string_value(json_object_get(s->tune, "set")));
    if (t->set < 0)
        return study_fail(s, SFGP_ERROR_FORMAT, "tune: set: names no set of the study");
    const json_int_t most = s->sets[t->set].sample_count,
                     count = samples ? json_integer_value(samples) : most;
    if (count < 1 || count > most)
        return study_fail(s, SFGP_ERROR_FORMAT, "tune: samples: is not a whole number between 1 and %lld",
                          (long long)most);
    t->samples = (int)count;
    return read_levels(s, json_object_get(s->tune, "levels"), t);
}

static bool is_tuned(const study_method *method)
{
    return method->choices > 0 && !method->missing;
}

static int64_t count_runs(const study *s, const tuning *t)
{
    int64_t count = 0;
    for (int m = 0; m < s->method_count; m++)
        if (is_tuned(&s->methods[m]))
            count += (int64_t)s->methods[m].choices * t->level_count * t->samples;
    return count;
}

static bool has_tuned(const study *s)
{
    for (int m = 0; m < s->method_count; m++)
        if (is_tuned(&s->methods[m]))
            return true;
    return false;
}

sfgp_status study_check_tune(study *s)
{
    tuning t = {0};
    sfgp_status status = SFGP_OK;
    if (s->tune)
        status = read_tuning(s, &t);
    else if (has_tuned(s))
        status = study_fail(s, SFGP_ERROR_FORMAT, "tune: is missing, but methods have grids");
    if (status == SFGP_OK)
        status = study_check_size(s, count_runs(s, &t));
    free(t.levels);
    return status;
}

/* ---- the runs ---------------------------------------------------------------------------------------- */

static int64_t add_keys(const tuning *t, int method, int choices, study_key *keys)
{
    int64_t count = 0;
    for (int choice = 0; choice < choices; choice++)
        for (int level = 0; level < t->level_count; level++)
            for (int sample = 0; sample < t->samples; sample++)
                keys[count++] = (study_key){method, choice, t->set, t->levels[level], sample};
    return count;
}

static sfgp_status run_grids(study *s, const tuning *t, study_journal *journal)
{
    int64_t count = 0;
    study_key *keys = malloc((size_t)(count_runs(s, t) + 1) * sizeof *keys);
    if (!keys)
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    for (int m = 0; m < s->method_count; m++)
        if (is_tuned(&s->methods[m]))
            count += add_keys(t, m, s->methods[m].choices, keys + count);
    sfgp_status status = study_complete(s, journal, "tuning", keys, count);
    free(keys);
    return status;
}

/* ---- the choice -------------------------------------------------------------------------------------- */

typedef struct score {
    int64_t successes;
    double sum;
} score;

static bool better(score a, score b)
{
    if (a.successes != b.successes)
        return a.successes > b.successes;
    return a.successes > 0 && a.sum < b.sum;
}

static score score_of(const tuning *t, const study_rows *rows, int method, int choice)
{
    score sum = {0, 0};
    for (int level = 0; level < t->level_count; level++)
        for (int sample = 0; sample < t->samples; sample++) {
            const study_row *row =
                study_rows_find(rows, (study_key){method, choice, t->set, t->levels[level], sample});
            if (row && row->success && isfinite(row->error))
                sum.successes++, sum.sum += row->error;
        }
    return sum;
}

static int choose(const study *s, const tuning *t, const study_rows *rows, int method)
{
    int best = 0;
    for (int choice = 1; choice < s->methods[method].choices; choice++)
        if (better(score_of(t, rows, method, choice), score_of(t, rows, method, best)))
            best = choice;
    return best;
}

sfgp_status study_tune(study *s, study_journal *journal)
{
    tuning t = {0};
    sfgp_status status = SFGP_OK;
    if (!has_tuned(s))
        return SFGP_OK;
    if ((status = read_tuning(s, &t)) == SFGP_OK)
        status = run_grids(s, &t, journal);
    for (int m = 0; status == SFGP_OK && m < s->method_count; m++)
        if (is_tuned(&s->methods[m]))
            s->methods[m].chosen = choose(s, &t, &journal->rows, m);
    free(t.levels);
    return status;
}
