/* The objects of HDF5 as JSON: notes where each stands, and goes there. */
#include "io/hdf5_json_parts.h"

#include <stdio.h>
#include <string.h>

void sfgp_json_read_string(sfgp_json_reader *r, size_t size, char *text)
{
    r->text.size = 0;
    sfgp_json_string(&r->json, &r->text);
    snprintf(text, size, "%s", r->json.status == SFGP_OK ? (const char *)r->text.bytes : "");
}

static void note_objects(sfgp_json_reader *r, sfgp_json_objects *found)
{
    sfgp_json *json = &r->json;
    sfgp_text id;
    sfgp_json_enter(json, '{');
    while (sfgp_json_member(json, &id)) {
        if (found->count == SFGP_JSON_OBJECTS || id.length >= SFGP_JSON_ID) {
            sfgp_json_fail(json, SFGP_ERROR_FORMAT, "more than %d objects, or an identifier that is too long",
                           SFGP_JSON_OBJECTS);
            return;
        }
        sfgp_json_object *new = &found->items[found->count++];
        snprintf(new->id, sizeof new->id, "%.*s", (int)id.length, id.start);
        new->at = json->at;
        new->line = json->line;
        sfgp_json_skip(json);
    }
}

void sfgp_json_note_objects(sfgp_json_reader *r)
{
    sfgp_text name;
    sfgp_json_enter(&r->json, '{');
    while (sfgp_json_member(&r->json, &name))
        if (sfgp_text_is(name, "root"))
            sfgp_json_read_string(r, sizeof r->root, r->root);
        else if (sfgp_text_is(name, "groups") && r->groups.count == 0)
            note_objects(r, &r->groups);
        else if (sfgp_text_is(name, "datasets") && r->sets.count == 0)
            note_objects(r, &r->sets);
        else
            sfgp_json_skip(&r->json);
    sfgp_json_finish(&r->json);
    if (!r->root[0])
        sfgp_json_fail(&r->json, SFGP_ERROR_FORMAT, "there is no member 'root'; this is no HDF5 as JSON");
}

bool sfgp_json_find_object(sfgp_json_reader *r, const sfgp_json_objects *among, const char *id)
{
    for (int k = 0; k < among->count && r->json.status == SFGP_OK; k++)
        if (strcmp(among->items[k].id, id) == 0) {
            r->json.at = among->items[k].at;
            r->json.line = among->items[k].line;
            return true;
        }
    sfgp_json_fail(&r->json, SFGP_ERROR_FORMAT, "a link names the object '%.40s', which is not there", id);
    return false;
}
