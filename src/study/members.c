/* Reads the members of objects of a study file. An unknown key is an error, because a misspelled key would change the
 * study silently. */
#include "study/members.h"

#include <math.h>
#include <string.h>

/* Whether name is one of the keys, which are separated by single spaces. */
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

sfgp_status study_object_check_keys(const study_object *object, const char *keys, const char *more)
{
    if (!json_is_object(object->json))
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: is not an object", object->where);
    for (void *at = json_object_iter(object->json); at; at = json_object_iter_next(object->json, at)) {
        const char *const name = json_object_iter_key(at);
        if (!has_word(keys, name) && !has_word(more, name))
            return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: unknown key '%.60s'; known are: %s%s%s",
                              object->where, name, keys, more[0] ? " " : "", more);
    }
    return SFGP_OK;
}

sfgp_status study_object_text(const study_object *object, const char *name, const char **text)
{
    const json_t *value = json_object_get(object->json, name);
    if (value && (!json_is_string(value) || json_string_length(value) == 0))
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: %s: is not a text", object->where, name);
    if (value)
        *text = json_string_value(value);
    return SFGP_OK;
}

sfgp_status study_object_number(const study_object *object, const char *name, const double range[2],
                                double *number)
{
    const json_t *value = json_object_get(object->json, name);
    if (!value)
        return SFGP_OK;
    *number = json_number_value(value);
    if (!json_is_number(value) || !(*number >= range[0] && *number <= range[1]))
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: %s: is not a number between %g and %g",
                          object->where, name, range[0], range[1]);
    return SFGP_OK;
}

sfgp_status study_object_count(const study_object *object, const char *name, const int range[2], int *count)
{
    const double reals[2] = {range[0], range[1]};
    double number = *count;
    sfgp_status status = study_object_number(object, name, reals, &number);
    if (status == SFGP_OK && number != floor(number))
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: %s: is not a whole number", object->where, name);
    *count = status == SFGP_OK ? (int)number : *count;
    return status;
}

sfgp_status study_object_switch(const study_object *object, const char *name, bool *on)
{
    const json_t *value = json_object_get(object->json, name);
    if (value && !json_is_boolean(value))
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: %s: is neither true nor false", object->where,
                          name);
    if (value)
        *on = json_is_true(value);
    return SFGP_OK;
}

sfgp_status study_object_object(const study_object *object, const char *name, json_t **member)
{
    *member = json_object_get(object->json, name);
    if (*member && !json_is_object(*member))
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: %s: is not an object", object->where, name);
    return SFGP_OK;
}

sfgp_status study_object_list(const study_object *object, const char *name, json_t **list)
{
    *list = json_object_get(object->json, name);
    const size_t count = json_array_size(*list); /* 0 when it is not a list */
    if (count > 0 && count <= STUDY_MOST_LISTED)
        return SFGP_OK;
    if (count > 0)
        return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: %s: %zu entries, at most %d are allowed",
                          object->where, name, count, STUDY_MOST_LISTED);
    return study_fail(object->s, SFGP_ERROR_FORMAT, "%s: is not a list with something in it", name);
}
