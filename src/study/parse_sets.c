/* The member "sets" of a study file: names, levels, numbers of samples, and the source of each set. */
#include "study/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SET_KEYS "name axis unit levels first samples hidden settings stand_in"

static sfgp_status parse_level(const study_object *object, study_set *set, const json_t *value, int k)
{
    if (!json_is_number(value))
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: levels: is not a list of numbers",
                          object->where);
    set->levels[k] = json_number_value(value);
    if (study_find_level(set, value) < k)
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: levels: %g is there twice", object->where,
                          set->levels[k]);
    return SFGP_OK;
}

/* One level when the file lists none. */
static sfgp_status parse_levels(const study_object *object, study_set *set)
{
    const json_t *levels = json_object_get(object->json, "levels");
    const size_t count = levels ? json_array_size(levels) : 1;
    if (count == 0)
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: levels: is not a list of numbers",
                          object->where);
    if (count > STUDY_MOST_LEVELS)
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: levels: %zu entries, at most %d are allowed",
                          object->where, count, STUDY_MOST_LEVELS);
    if (!(set->levels = calloc(count, sizeof *set->levels)))
        return study_fail(object->s, SFGP_ERROR_MEMORY, "out of memory");
    set->level_count = (int)count;
    sfgp_status status = SFGP_OK;
    for (int k = 0; levels && k < set->level_count && status == SFGP_OK; k++)
        status = parse_level(object, set, json_array_get(levels, (size_t)k), k);
    return status;
}

/* Finds the source of an object, and checks that all its keys are keys of that source or in keys. */
static sfgp_status check_source(const study_object *object, const char *keys, const study_source **source)
{
    *source = json_is_object(object->json) ? study_source_of(object->json) : NULL;
    if (!*source)
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: has none of hdf5, folder, simulate",
                          object->where);
    sfgp_status status = study_object_check_keys(object, keys, (*source)->keys);
    const char *unused, *words = (*source)->texts;
    char name[32];
    for (int used = 0; status == SFGP_OK && sscanf(words, "%31s%n", name, &used) == 1; words += used)
        status = study_object_text(object, name, &unused);
    return status;
}

static sfgp_status parse_members(const study_object *object, study_set *set)
{
    static const int FIRST[] = {0, 1000000000}, SAMPLES[] = {1, STUDY_MOST_SAMPLES};
    sfgp_status status = SFGP_OK;
    if ((status = study_object_text(object, "name", &set->name)) != SFGP_OK ||
        (status = study_object_text(object, "axis", &set->axis)) != SFGP_OK ||
        (status = study_object_text(object, "unit", &set->unit)) != SFGP_OK ||
        (status = study_object_count(object, "first", FIRST, &set->first)) != SFGP_OK ||
        (status = study_object_count(object, "samples", SAMPLES, &set->sample_count)) != SFGP_OK ||
        (status = study_object_switch(object, "hidden", &set->hidden)) != SFGP_OK ||
        (status = study_object_object(object, "settings", &set->settings)) != SFGP_OK)
        return status;
    return parse_levels(object, set);
}

static sfgp_status parse_set(study *s, json_t *json, study_set *set)
{
    char where[80];
    const study_source *other;
    const study_object object = {s, json, where};
    snprintf(where, sizeof where, "sets[%d]", (int)(set - s->sets));
    set->json = json;
    set->axis = "level";
    set->unit = "";
    sfgp_status status = check_source(&object, SET_KEYS, &set->source);
    if (status != SFGP_OK || (status = parse_members(&object, set)) != SFGP_OK)
        return status;
    if (!set->name)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: name is missing", where);
    const study_object stand_in = {s, json_object_get(json, "stand_in"), where};
    snprintf(where, sizeof where, "sets[%d]: stand_in", (int)(set - s->sets));
    return stand_in.json ? check_source(&stand_in, "", &other) : SFGP_OK;
}

/* Names identify sets in the tables and, with all other characters replaced, in the names of figure files. They must
 * differ in both forms. */
static sfgp_status check_names(study *s, int set)
{
    sfgp_status status = SFGP_OK;
    char *name = study_figure_path(&s->sets[set], ""), *other = NULL;
    for (int k = 0; k < set && name && status == SFGP_OK; k++, free(other)) {
        other = study_figure_path(&s->sets[k], "");
        if (!other)
            status = study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
        else if (strcmp(s->sets[set].name, s->sets[k].name) == 0)
            status = study_fail(s, SFGP_ERROR_FORMAT, "sets: two are called '%.60s'", s->sets[set].name);
        else if (strcmp(name, other) == 0)
            status = study_fail(s, SFGP_ERROR_FORMAT,
                                "sets: '%.60s' and '%.60s' would have the same files of figures; rename one",
                                s->sets[k].name, s->sets[set].name);
    }
    if (!name)
        status = study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    free(name);
    return status;
}

sfgp_status study_parse_sets(study *s)
{
    json_t *list;
    sfgp_status status = study_object_list(&(study_object){s, s->json, "the study"}, "sets", &list);
    if (status != SFGP_OK)
        return status;
    if (!(s->sets = calloc(json_array_size(list), sizeof *s->sets)))
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    s->set_count = 0;
    for (size_t k = 0; status == SFGP_OK && k < json_array_size(list); k++)
        status = parse_set(s, json_array_get(list, k), &s->sets[s->set_count++]);
    for (int k = 0; status == SFGP_OK && k < s->set_count; k++)
        status = check_names(s, k);
    return status;
}
