/* The damage that the member "damage" of a set asks for. */
#include "study/source.h"

#include <stdio.h>

const char *study_set_text(const study_set *set, const char *name, const char *standard)
{
    const char *text = json_string_value(json_object_get(set->json, name));
    return text ? text : standard;
}

/* The seed depends on the sample and not on the level, so that a sample has the same holes at every level. */
static uint64_t seed_of(const study *s, int sample)
{
    return (uint64_t)s->seed * 1000003u + (uint64_t)sample;
}

sfgp_status study_damage(study *s, const study_set *set, int level, int sample, sfgp_damage *damage)
{
    json_t *object = json_object_get(set->json, "damage");
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    if (status != SFGP_OK)
        return study_fail(s, status, "out of memory");
    if (object && !json_is_object(object))
        status = study_fail(s, SFGP_ERROR_FORMAT, "%s: damage: is not an object", set->name);
    sfgp_damage_default(damage);
    damage->seed = seed_of(s, sample);
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        const char *const name = json_object_iter_key(at);
        json_t *const value = json_object_iter_value(at);
        double number;
        if (!study_value_number(value, set, level, &number))
            status = study_fail(s, SFGP_ERROR_FORMAT, "%s: damage: %s: is not a number", set->name, name);
        else if ((status = sfgp_damage_set(context, damage, name, number)) != SFGP_OK)
            study_fail_with(s, status, context, set->name);
        if (status != SFGP_OK)
            break;
    }
    sfgp_context_free(context);
    return status;
}
