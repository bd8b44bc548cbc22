/* Settings of a run: the defaults, overridden by the method, then by the point of its grid, then by the set. */
#include "study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sfgp_status set_one(study *s, const char *where, const char *name, const json_t *value,
                           const study_set *set, int level, sfgp_context *context, sfgp_settings *settings)
{
    char text[SFGP_TEXT_SIZE];
    if (!study_value_text(value, set, level, text))
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: %s: is neither a number nor a text", where, name);
    sfgp_status status = sfgp_settings_set(context, settings, name, text);
    return status == SFGP_OK ? status : study_fail_with(s, status, context, where);
}

static sfgp_status set_all(study *s, const char *where, json_t *values, const study_set *set, int level,
                           sfgp_context *context, sfgp_settings *settings)
{
    const char *name;
    json_t *value;
    sfgp_status status = SFGP_OK;
    json_object_foreach(values, name, value) if ((status = set_one(s, where, name, value, set, level, context,
                                                                   settings)) != SFGP_OK) break;
    return status;
}

/* A choice is a number in mixed radix: its digits are indices into the lists of the grid, the last digit changing first. */
const json_t *study_choice_value(const study_method *method, int choice, const char *name)
{
    const char *each;
    json_t *values;
    int rest = method->choices;
    json_object_foreach(method->grid, each, values)
    {
        rest /= (int)json_array_size(values);
        const json_t *value = json_array_get(values, (size_t)(choice / rest));
        choice %= rest;
        if (strcmp(each, name) == 0)
            return value;
    }
    return NULL;
}

char *study_choice_text(const study_method *method, int choice)
{
    const char *name, *comma = "";
    json_t *values;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    json_object_foreach(method->grid, name, values)
    {
        const json_t *value = study_choice_value(method, choice, name);
        char number[SFGP_NUMBER_SIZE], *list = json_is_array(value) ? json_dumps(value, JSON_COMPACT)
                                                                    : NULL; /* one value for each level */
        fprintf(out, "%s%s=%s", comma, name,
                json_is_string(value) ? json_string_value(value)
                : list                ? list
                                      : sfgp_number_format(json_number_value(value), number));
        free(list);
        comma = ", ";
    }
    fclose(out);
    return text;
}

sfgp_status study_settings(study *s, const study_method *method, int choice, const study_set *set, int level,
                           sfgp_context *context, sfgp_settings *settings)
{
    const char *name;
    json_t *values;
    sfgp_status status;
    sfgp_settings_default(settings);
    settings->threads = s->threads;
    if (method->method)
        snprintf(settings->method, sizeof settings->method, "%s", method->method);
    status = set_all(s, method->name, method->settings, set, level, context, settings);
    json_object_foreach(method->grid, name, values)
    {
        if (status != SFGP_OK || choice < 0)
            break;
        status = set_one(s, method->name, name, study_choice_value(method, choice, name), set, level, context,
                         settings);
    }
    if (status == SFGP_OK)
        status = set_all(s, set->name, set->settings, set, level, context, settings);
    if (status == SFGP_OK && (status = sfgp_settings_check(context, settings)) != SFGP_OK)
        return study_fail_with(s, status, context, method->name);
    return status;
}
