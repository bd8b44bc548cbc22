/* STUDY.json -> struct study. Every key has to be known: a typing error must not change a study silently. */
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STUDY_KEYS "title text seed threads jobs data sets methods tune views"
#define SET_KEYS "name axis unit levels first samples hidden settings stand_in"
#define METHOD_KEYS "name method settings grid sets training timeout command points"

/* Whether name is one of the words of keys, which single spaces separate. */
static bool has_word(const char *keys, const char *name)
{
    const size_t length = strlen(name);
    for (const char *word = keys; *word; word += strspn(word, " ")) {
        const size_t size = strcspn(word, " ");
        if (size == length && memcmp(word, name, size) == 0)
            return true;
        word += size;
    }
    return false;
}

sfgp_status study_check_keys(study *s, json_t *object, const char *where, const char *keys, const char *more)
{
    const char *name;
    json_t *value;
    if (!json_is_object(object))
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: is not an object", where);
    json_object_foreach(object, name, value)
    {
        if (!has_word(keys, name) && !has_word(more, name))
            return study_fail(s, SFGP_ERROR_FORMAT, "%s: unknown key '%.60s'; known are: %s%s%s", where, name,
                              keys, more[0] ? " " : "", more);
    }
    return SFGP_OK;
}

/* Reads an optional member of a type; kept as it is when absent. */
static sfgp_status get_text(study *s, json_t *object, const char *where, const char *name, const char **text)
{
    json_t *value = json_object_get(object, name);
    if (value && (!json_is_string(value) || json_string_length(value) == 0))
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: %s: is not a text", where, name);
    if (value)
        *text = json_string_value(value);
    return SFGP_OK;
}

static sfgp_status get_number(study *s, json_t *object, const char *where, const char *name, double least,
                              double most, double *number)
{
    json_t *value = json_object_get(object, name);
    if (!value)
        return SFGP_OK;
    *number = json_number_value(value);
    if (!json_is_number(value) || !(*number >= least && *number <= most))
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: %s: is not a number between %g and %g", where, name,
                          least, most);
    return SFGP_OK;
}

static sfgp_status get_count(study *s, json_t *object, const char *where, const char *name, int least,
                             int *count)
{
    double number = *count;
    sfgp_status status = get_number(s, object, where, name, least, 1e9, &number);
    if (status == SFGP_OK && number != floor(number))
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: %s: is not a whole number", where, name);
    *count = status == SFGP_OK ? (int)number : *count;
    return status;
}

static sfgp_status get_switch(study *s, json_t *object, const char *where, const char *name, bool *on)
{
    json_t *value = json_object_get(object, name);
    if (value && !json_is_boolean(value))
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: %s: is neither true nor false", where, name);
    if (value)
        *on = json_is_true(value);
    return SFGP_OK;
}

static sfgp_status get_object(study *s, json_t *object, const char *where, const char *name, json_t **member)
{
    *member = json_object_get(object, name);
    if (*member && !json_is_object(*member))
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: %s: is not an object", where, name);
    return SFGP_OK;
}

/* ---- sets -------------------------------------------------------------------------------------------- */

static sfgp_status parse_levels(study *s, json_t *object, const char *where, study_set *set)
{
    json_t *levels = json_object_get(object, "levels"), *value;
    size_t k;
    set->level_count = levels ? (int)json_array_size(levels) : 1;
    if (set->level_count == 0)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: levels: is not a list of numbers", where);
    if (!(set->levels = calloc((size_t)set->level_count, sizeof *set->levels)))
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    json_array_foreach(levels, k, value)
    {
        if (!json_is_number(value))
            return study_fail(s, SFGP_ERROR_FORMAT, "%s: levels: is not a list of numbers", where);
        set->levels[k] = json_number_value(value);
        if (study_find_level(set, value) < (int)k)
            return study_fail(s, SFGP_ERROR_FORMAT, "%s: levels: %g is there twice", where, set->levels[k]);
    }
    return SFGP_OK;
}

static sfgp_status check_source(study *s, json_t *object, const char *where, const char *keys,
                                const study_source **source)
{
    *source = json_is_object(object) ? study_source_of(object) : NULL;
    if (!*source)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: has none of hdf5, folder, simulate", where);
    sfgp_status status = study_check_keys(s, object, where, keys, (*source)->keys);
    const char *name, *unused;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (status == SFGP_OK && has_word((*source)->texts, name))
            status = get_text(s, object, where, name, &unused);
    }
    return status;
}

static sfgp_status parse_set(study *s, json_t *object, study_set *set)
{
    char where[80];
    json_t *stand_in = json_object_get(object, "stand_in");
    const study_source *other;
    sfgp_status status = SFGP_OK;
    snprintf(where, sizeof where, "sets[%d]", (int)(set - s->sets));
    set->json = object;
    set->axis = "level";
    set->unit = "";
    if ((status = check_source(s, object, where, SET_KEYS, &set->source)) != SFGP_OK ||
        (status = get_text(s, object, where, "name", &set->name)) != SFGP_OK ||
        (status = get_text(s, object, where, "axis", &set->axis)) != SFGP_OK ||
        (status = get_text(s, object, where, "unit", &set->unit)) != SFGP_OK ||
        (status = get_count(s, object, where, "first", 0, &set->first)) != SFGP_OK ||
        (status = get_count(s, object, where, "samples", 1, &set->sample_count)) != SFGP_OK ||
        (status = get_switch(s, object, where, "hidden", &set->hidden)) != SFGP_OK ||
        (status = get_object(s, object, where, "settings", &set->settings)) != SFGP_OK ||
        (status = parse_levels(s, object, where, set)) != SFGP_OK)
        return status;
    if (!set->name)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: name is missing", where);
    snprintf(where, sizeof where, "sets[%d]: stand_in", (int)(set - s->sets));
    return stand_in ? check_source(s, stand_in, where, "", &other) : SFGP_OK;
}

/* ---- methods ----------------------------------------------------------------------------------------- */

static bool is_method(const char *name)
{
    const sfgp_method_info *row;
    for (int k = 0; (row = sfgp_method_row(k)); k++)
        if (strcmp(row->name, name) == 0)
            return true;
    return false;
}

static sfgp_status check_grid(study *s, const char *where, study_method *method)
{
    const char *name;
    json_t *values;
    method->choices = method->grid ? 1 : 0;
    json_object_foreach(method->grid, name, values)
    {
        if (!json_is_array(values) || json_array_size(values) == 0)
            return study_fail(s, SFGP_ERROR_FORMAT, "%s: grid: %s: is not a list of values", where, name);
        if (json_array_size(values) > (size_t)(100000 / method->choices))
            return study_fail(s, SFGP_ERROR_FORMAT, "%s: grid: more than 100000 combinations", where);
        method->choices *= (int)json_array_size(values);
    }
    return SFGP_OK;
}

static sfgp_status check_sets(study *s, const char *where, const study_method *method)
{
    size_t k;
    json_t *value;
    if (method->sets && !json_is_array(method->sets))
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: sets: is not a list of names", where);
    json_array_foreach(method->sets, k, value)
    {
        if (study_find_set(s, json_string_value(value)) < 0)
            return study_fail(s, SFGP_ERROR_FORMAT, "%s: sets: no set is called '%.60s'", where,
                              json_is_string(value) ? json_string_value(value) : "?");
    }
    return SFGP_OK;
}

static sfgp_status check_kind(study *s, const char *where, study_method *method)
{
    if (!method->name)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: name is missing", where);
    if (!method->method)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: method is missing", where);
    if (strcmp(method->method, "external") != 0)
        return is_method(method->method)
                   ? SFGP_OK
                   : study_fail(s, SFGP_ERROR_FORMAT,
                                "%s: method: '%.60s' is neither external nor one that `sfgp methods` lists",
                                where, method->method);
    method->method = NULL;
    if (!method->command)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: an external method needs a command", where);
    if (!study_external_found(method->command))
        method->missing = "its program is not on the PATH of this machine";
    return SFGP_OK;
}

static sfgp_status parse_method(study *s, json_t *object, study_method *method)
{
    char where[80];
    sfgp_status status = SFGP_OK;
    snprintf(where, sizeof where, "methods[%d]", (int)(method - s->methods));
    method->training = true;
    method->chosen = -1;
    method->points = "{output}";
    method->sets = json_object_get(object, "sets");
    if ((status = study_check_keys(s, object, where, METHOD_KEYS, "")) != SFGP_OK ||
        (status = get_text(s, object, where, "name", &method->name)) != SFGP_OK ||
        (status = get_text(s, object, where, "method", &method->method)) != SFGP_OK ||
        (status = get_text(s, object, where, "command", &method->command)) != SFGP_OK ||
        (status = get_text(s, object, where, "points", &method->points)) != SFGP_OK ||
        (status = get_number(s, object, where, "timeout", 0, 1e6, &method->timeout)) != SFGP_OK ||
        (status = get_switch(s, object, where, "training", &method->training)) != SFGP_OK ||
        (status = get_object(s, object, where, "settings", &method->settings)) != SFGP_OK ||
        (status = get_object(s, object, where, "grid", &method->grid)) != SFGP_OK ||
        (status = check_grid(s, where, method)) != SFGP_OK ||
        (status = check_sets(s, where, method)) != SFGP_OK)
        return status;
    return check_kind(s, where, method);
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static sfgp_status parse_lists(study *s)
{
    json_t *sets = json_object_get(s->json, "sets"), *methods = json_object_get(s->json, "methods");
    sfgp_status status = SFGP_OK;
    if (json_array_size(sets) == 0 || json_array_size(methods) == 0)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: is not a list with something in it",
                          json_array_size(sets) == 0 ? "sets" : "methods");
    s->sets = calloc(json_array_size(sets), sizeof *s->sets);
    s->methods = calloc(json_array_size(methods), sizeof *s->methods);
    if (!s->sets || !s->methods)
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    for (size_t k = 0; status == SFGP_OK && k < json_array_size(sets); k++)
        status = parse_set(s, json_array_get(sets, k), &s->sets[s->set_count++]);
    for (size_t k = 0; status == SFGP_OK && k < json_array_size(methods); k++)
        status = parse_method(s, json_array_get(methods, k), &s->methods[s->method_count++]);
    return status;
}

/* Names are keys of the tables: no two may be equal. */
static sfgp_status check_names(study *s)
{
    for (int a = 0; a < s->set_count; a++)
        for (int b = 0; b < a; b++)
            if (strcmp(s->sets[a].name, s->sets[b].name) == 0)
                return study_fail(s, SFGP_ERROR_FORMAT, "sets: two are called '%.60s'", s->sets[a].name);
    for (int a = 0; a < s->method_count; a++)
        for (int b = 0; b < a; b++)
            if (strcmp(s->methods[a].name, s->methods[b].name) == 0)
                return study_fail(s, SFGP_ERROR_FORMAT, "methods: two are called '%.60s'",
                                  s->methods[a].name);
    return SFGP_OK;
}

/* $SFGP_DATA, else what the file says, relative to the file. */
static sfgp_status find_data(study *s, const char *path)
{
    const char *given = getenv("SFGP_DATA"), *named = ".", *slash = strrchr(path, '/');
    sfgp_status status = get_text(s, s->json, "the study", "data", &named);
    if (status != SFGP_OK)
        return status;
    s->folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    s->data = given && given[0] ? strdup(given) : s->folder ? study_path(s->folder, named) : NULL;
    return s->data ? SFGP_OK : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
}

static sfgp_status parse(study *s, const char *path)
{
    double seed = 1, threads = 1;
    int jobs = 0;
    sfgp_status status = SFGP_OK;
    s->title = "Study";
    s->text = "";
    s->tune = json_object_get(s->json, "tune");
    s->views = json_object_get(s->json, "views");
    if ((status = study_check_keys(s, s->json, "the study", STUDY_KEYS, "")) != SFGP_OK ||
        (status = get_text(s, s->json, "the study", "title", &s->title)) != SFGP_OK ||
        (status = get_text(s, s->json, "the study", "text", &s->text)) != SFGP_OK ||
        (status = get_number(s, s->json, "the study", "seed", 0, 9007199254740992.0, &seed)) != SFGP_OK ||
        (status = get_number(s, s->json, "the study", "threads", 0, 1e6, &threads)) != SFGP_OK ||
        (status = get_count(s, s->json, "the study", "jobs", 0, &jobs)) != SFGP_OK ||
        (status = find_data(s, path)) != SFGP_OK || (status = parse_lists(s)) != SFGP_OK)
        return status;
    if (jobs > 4096)
        return study_fail(s, SFGP_ERROR_FORMAT, "the study: jobs: is more than 4096");
    s->jobs = jobs;
    if (seed != floor(seed) || threads != floor(threads))
        return study_fail(s, SFGP_ERROR_FORMAT, "the study: %s: is not a whole number",
                          seed != floor(seed) ? "seed" : "threads");
    s->seed = (int64_t)seed;
    s->threads = (int64_t)threads;
    return check_names(s);
}

static sfgp_status read_json(study *s, const char *path)
{
    json_error_t error;
    FILE *in = fopen(path, "rb");
    if (!in)
        return study_fail(s, SFGP_ERROR_READ, "cannot read");
    s->json = json_loadf(in, JSON_REJECT_DUPLICATES, &error);
    const bool failed = ferror(in);
    fclose(in);
    if (failed)
        return study_fail(s, SFGP_ERROR_READ, "cannot read");
    return s->json ? SFGP_OK : study_fail(s, SFGP_ERROR_FORMAT, "line %d: %s", error.line, error.text);
}

sfgp_status study_open(study *s, const char *path)
{
    sfgp_status status = SFGP_OK;
    *s = (study){0};
    if ((status = read_json(s, path)) == SFGP_OK && (status = parse(s, path)) == SFGP_OK &&
        (status = study_sets_open(s)) == SFGP_OK && (status = study_check_tune(s)) == SFGP_OK)
        status = study_check_views(s);
    return status;
}

void study_clear(study *s)
{
    for (int k = 0; k < s->set_count; k++)
        study_set_clear(&s->sets[k]);
    free(s->sets);
    free(s->methods);
    free(s->folder);
    free(s->data);
    json_decref(s->json);
    *s = (study){0};
}
