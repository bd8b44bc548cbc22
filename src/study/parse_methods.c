/* The member "methods" of a study file: methods of sfgp with settings or a grid, and external programs. */
#include "study/command.h"
#include "study/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METHOD_KEYS "name method settings grid sets training timeout command points"

static bool is_method(const char *name)
{
    const sfgp_method_info *row;
    for (int k = 0; (row = sfgp_method_row(k)); k++)
        if (strcmp(row->name, name) == 0)
            return true;
    return false;
}

static sfgp_status check_grid(const study_object *object, study_method *method)
{
    if (!method->grid)
        return SFGP_OK;
    method->choices = 1;
    for (void *at = json_object_iter(method->grid); at; at = json_object_iter_next(method->grid, at)) {
        const char *const name = json_object_iter_key(at);
        json_t *const values = json_object_iter_value(at);
        const size_t size = json_array_size(values); /* 0: no array */
        if (size == 0)
            return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: grid: %s: is not a list of values",
                              object->where, name);
        if (size > (size_t)(STUDY_MOST_CHOICES / method->choices))
            return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: grid: more than %d combinations",
                              object->where, STUDY_MOST_CHOICES);
        method->choices *= (int)size;
    }
    return SFGP_OK;
}

static sfgp_status check_sets(const study_object *object, const study_method *method)
{
    if (method->sets && !json_is_array(method->sets))
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: sets: is not a list of names", object->where);
    for (size_t k = 0; k < json_array_size(method->sets); k++) {
        json_t *const value = json_array_get(method->sets, k);
        if (study_find_set(object->s, json_string_value(value)) < 0)
            return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: sets: no set is called '%.60s'",
                              object->where, json_is_string(value) ? json_string_value(value) : "?");
    }
    return SFGP_OK;
}

static sfgp_status check_command(const study_object *object, study_method *method)
{
    study_command command;
    sfgp_status status = SFGP_OK;
    if (!study_command_split(method->command, &command))
        status = study_fail(object->s, command.status, "%s: command: %s", object->where, command.problem);
    study_command_clear(&command);
    if (status == SFGP_OK && !study_command_found(method->command))
        method->missing = "its program is not on the PATH of this machine";
    return status;
}

static sfgp_status check_kind(const study_object *object, study_method *method)
{
    if (!method->name)
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: name is missing", object->where);
    if (!method->method)
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: method is missing", object->where);
    if (strcmp(method->method, "external") != 0)
        return is_method(method->method)
                   ? SFGP_OK
                   : study_fail(object->s, SFGP_ERROR_FORMAT,
                                "%s: method: '%.60s' is neither external nor one that `sfgp methods` lists",
                                object->where, method->method);
    method->method = NULL;
    if (!method->command)
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: an external method needs a command",
                          object->where);
    return check_command(object, method);
}

static sfgp_status parse_members(const study_object *object, study_method *method)
{
    static const double TIMEOUT[] = {0, 1e6};
    sfgp_status status = SFGP_OK;
    method->training = true;
    method->chosen = -1;
    method->points = "{output}";
    method->sets = json_object_get(object->json, "sets");
    if ((status = study_object_text(object, "name", &method->name)) == SFGP_OK &&
        (status = study_object_text(object, "method", &method->method)) == SFGP_OK &&
        (status = study_object_text(object, "command", &method->command)) == SFGP_OK &&
        (status = study_object_text(object, "points", &method->points)) == SFGP_OK &&
        (status = study_object_number(object, "timeout", TIMEOUT, &method->timeout)) == SFGP_OK &&
        (status = study_object_switch(object, "training", &method->training)) == SFGP_OK &&
        (status = study_object_object(object, "settings", &method->settings)) == SFGP_OK)
        status = study_object_object(object, "grid", &method->grid);
    return status;
}

static sfgp_status parse_method(study *s, json_t *json, study_method *method)
{
    char where[80];
    const study_object object = {s, json, where};
    sfgp_status status = SFGP_OK;
    snprintf(where, sizeof where, "methods[%d]", (int)(method - s->methods));
    if ((status = study_object_check_keys(&object, METHOD_KEYS, "")) == SFGP_OK &&
        (status = parse_members(&object, method)) == SFGP_OK &&
        (status = check_grid(&object, method)) == SFGP_OK &&
        (status = check_sets(&object, method)) == SFGP_OK)
        status = check_kind(&object, method);
    return status;
}

/* Names identify methods in the tables, so they must differ. */
static sfgp_status check_names(study *s)
{
    for (int a = 0; a < s->method_count; a++)
        for (int b = 0; b < a; b++)
            if (strcmp(s->methods[a].name, s->methods[b].name) == 0)
                return study_fail(s, SFGP_ERROR_FORMAT, "methods: two are called '%.60s'",
                                  s->methods[a].name);
    return SFGP_OK;
}

sfgp_status study_parse_methods(study *s)
{
    json_t *list;
    sfgp_status status = study_object_list(&(study_object){s, s->json, "the study"}, "methods", &list);
    if (status != SFGP_OK)
        return status;
    if (!(s->methods = calloc(json_array_size(list), sizeof *s->methods)))
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    s->method_count = 0;
    for (size_t k = 0; status == SFGP_OK && k < json_array_size(list); k++)
        status = parse_method(s, json_array_get(list, k), &s->methods[s->method_count++]);
    return status == SFGP_OK ? check_names(s) : status;
}
