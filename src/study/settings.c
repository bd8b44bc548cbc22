/* Settings of a run: the defaults, overridden by the method, then by the point of its grid, then by the set. */
#include "study/parts.h"
#include "page/sink.h"

#include <stdio.h>
#include <string.h>

/* The settings of a run while they are set. */
typedef struct run_settings {
    study *s;
    const study_set *set;
    int level;
    sfgp_context *context;
    sfgp_settings *settings;
} run_settings;

/* where: name of the method or set for errors. */
static sfgp_status set_one(const run_settings *run, const char *where, const char *name, const json_t *value)
{
    char text[SFGP_TEXT_SIZE];
    if (!study_value_text(value, run->set, run->level, text))
        return study_fail(run->s, SFGP_ERROR_FORMAT, "%s: %s: is neither a number nor a text", where, name);
    sfgp_status status = sfgp_settings_set(run->context, run->settings, name, text);
    return status == SFGP_OK ? status : study_fail_with(run->s, status, run->context, where);
}

static sfgp_status set_all(const run_settings *run, const char *where, json_t *values)
{
    sfgp_status status = SFGP_OK;
    for (void *at = json_object_iter(values); at; at = json_object_iter_next(values, at)) {
        const char *const name = json_object_iter_key(at);
        json_t *const value = json_object_iter_value(at);
        if ((status = set_one(run, where, name, value)) != SFGP_OK)
            break;
    }
    return status;
}

/* A choice is a number in mixed radix: its digits are indices into the lists of the grid, the last digit changing
 * first. */
const json_t *study_choice_value(const study_method *method, int choice, const char *name)
{
    int rest = method->choices;
    for (void *at = json_object_iter(method->grid); at; at = json_object_iter_next(method->grid, at)) {
        const char *const each = json_object_iter_key(at);
        json_t *const values = json_object_iter_value(at);
        rest /= (int)json_array_size(values);
        const json_t *value = json_array_get(values, (size_t)(choice / rest));
        choice %= rest;
        if (strcmp(each, name) == 0)
            return value;
    }
    return NULL;
}

/* A number, a text, or a list of them, one for each level. */
static void write_value(FILE *out, const json_t *value)
{
    char number[SFGP_NUMBER_SIZE];
    if (json_is_string(value))
        fputs(json_string_value(value), out);
    else if (!json_is_array(value))
        fputs(sfgp_number_format(json_number_value(value), number), out);
    for (size_t k = 0; k < json_array_size(value); k++) {
        const json_t *each = json_array_get(value, k);
        fputs(k ? "," : "[", out);
        if (json_is_string(each))
            fputs(json_string_value(each), out);
        else
            fputs(sfgp_number_format(json_number_value(each), number), out);
    }
    if (json_array_size(value) > 0)
        fputc(']', out);
}

/* "name=value, ...": of a choice of the method's grid, or of the object itself when method is NULL. */
static char *list_values(json_t *object, const study_method *method, int choice)
{
    const char *comma = "";
    page_sink sink;
    if (!page_sink_open(&sink))
        return NULL;
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        const char *const name = json_object_iter_key(at);
        json_t *const values = json_object_iter_value(at);
        fprintf(sink.out, "%s%s=", comma, name);
        write_value(sink.out, method ? study_choice_value(method, choice, name) : values);
        comma = ", ";
    }
    return page_sink_text(&sink);
}

char *study_choice_text(const study_method *method, int choice)
{
    return list_values(method->grid, method, choice);
}

char *study_settings_text(json_t *settings)
{
    return list_values(settings, NULL, 0);
}

sfgp_status study_settings(study *s, study_key key, sfgp_context *context, sfgp_settings *settings)
{
    const study_method *method = &s->methods[key.method];
    const study_set *set = &s->sets[key.set];
    const run_settings run = {s, set, key.level, context, settings};
    sfgp_status status;
    sfgp_settings_default(settings);
    settings->threads = s->threads;
    if (method->method)
        snprintf(settings->method, sizeof settings->method, "%s", method->method);
    status = set_all(&run, method->name, method->settings);
    for (void *at = json_object_iter(method->grid); at; at = json_object_iter_next(method->grid, at)) {
        const char *const name = json_object_iter_key(at);
        if (status != SFGP_OK || key.choice < 0)
            break;
        status = set_one(&run, method->name, name, study_choice_value(method, key.choice, name));
    }
    if (status == SFGP_OK)
        status = set_all(&run, set->name, set->settings);
    if (status == SFGP_OK && (status = sfgp_settings_check(context, settings)) != SFGP_OK)
        return study_fail_with(s, status, context, method->name);
    return status;
}
