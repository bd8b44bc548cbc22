/* HDF5 as JSON (HDF Group, HDF5/JSON; Scalismo 0.92 and later write it as .h5.json): objects by identifier, in any order, and links that
 * name them. It is turned into an HDF5 file in memory, which is read like any other. Of attributes those with texts are kept.
 *
 * The walker of io/json.h passes over the text twice: once to note where the objects stand (hdf5_json_objects.c), once for what they
 * hold, from group to group along the links. */
#include "base/memory.h"
#include "io/hdf5_json_parts.h"
#include "io/hdf5_wire.h"
#include "io/source.h"

#include <stdio.h>
#include <string.h>

/* ---- groups and links ---------------------------------------------------------------------------------- */

typedef struct link {
    char title[128], id[SFGP_JSON_ID];
    bool group, set;
} link;

static void read_link(sfgp_json_reader *r, link *read)
{
    char collection[32] = "";
    sfgp_text name;
    *read = (link){.group = false};
    for (sfgp_json_enter(&r->json, '{'); sfgp_json_member(&r->json, &name);)
        if (sfgp_text_is(name, "title"))
            sfgp_json_read_string(r, sizeof read->title, read->title);
        else if (sfgp_text_is(name, "id"))
            sfgp_json_read_string(r, sizeof read->id, read->id);
        else if (sfgp_text_is(name, "collection"))
            sfgp_json_read_string(r, sizeof collection, collection);
        else
            sfgp_json_skip(&r->json);
    read->group = strcmp(collection, "groups") == 0;
    read->set = strcmp(collection, "datasets") == 0;
}

static void write_attributes(sfgp_json_reader *r, const char *path)
{
    char name[128], whole[SFGP_HDF5_NAME + 160];
    sfgp_json_value read;
    for (sfgp_json_enter(&r->json, '['); sfgp_json_element(&r->json);) {
        name[0] = '\0';
        sfgp_json_read_value(r, &read, sizeof name, name);
        snprintf(whole, sizeof whole, "%s@%s", path, name);
        if (read.is_text && name[0] && !strchr(name, '/'))
            sfgp_json_write_value(r, whole, &read);
    }
}

static void write_group(sfgp_json_reader *r, const char *id, const char *path, int depth);

static void write_set(sfgp_json_reader *r, const char *id, const char *path)
{
    sfgp_json_value read;
    if (!sfgp_json_find_object(r, &r->sets, id))
        return;
    sfgp_json_read_value(r, &read, 0, NULL);
    sfgp_json_write_value(r, path, &read);
}

/* Follows a link, and comes back to the place behind it. */
static void follow(sfgp_json_reader *r, const link *to, const char *path, int depth)
{
    char below[SFGP_HDF5_NAME];
    const char *const at = r->json.at;
    const int64_t line = r->json.line;
    const int length = snprintf(below, sizeof below, "%s/%s", path, to->title);
    if (r->json.status != SFGP_OK || (!to->group && !to->set))
        return;
    if (!to->title[0] || strchr(to->title, '/') || (size_t)length >= sizeof below || depth == 0 ||
        r->objects_left-- == 0) {
        sfgp_json_fail(&r->json, SFGP_ERROR_FORMAT, "the link '%.100s' has no name, or lies too deep",
                       to->title);
        return;
    }
    if (to->group)
        write_group(r, to->id, below, depth - 1);
    else
        write_set(r, to->id, below);
    if (r->json.status == SFGP_OK) {
        r->json.at = at;
        r->json.line = line;
    }
}

static void write_group(sfgp_json_reader *r, const char *id, const char *path, int depth)
{
    bool linked = false;
    sfgp_text name;
    link next;
    if (!sfgp_json_find_object(r, &r->groups, id))
        return;
    if (path[0])
        sfgp_hdf5_write_group(r->file, path);
    for (sfgp_json_enter(&r->json, '{'); sfgp_json_member(&r->json, &name);)
        if (sfgp_text_is(name, "links") && !linked) {
            linked = true;
            for (sfgp_json_enter(&r->json, '['); sfgp_json_element(&r->json);) {
                read_link(r, &next);
                follow(r, &next, path, depth);
            }
        } else if (sfgp_text_is(name, "attributes") && path[0] && sfgp_json_peek(&r->json) == '[') {
            write_attributes(r, path);
        } else {
            sfgp_json_skip(&r->json);
        }
}

/* ---- the whole file -------------------------------------------------------------------------------------- */

static sfgp_status convert(sfgp_context *context, sfgp_source *source, sfgp_hdf5 *file)
{
    sfgp_text all;
    sfgp_json_reader *r = NULL;
    if (source->size > SFGP_JSON_LARGEST)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "the file is larger than 2 GiB");
    sfgp_status status = sfgp_source_take_rest(source, &all);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 1, &r);
    if (status != SFGP_OK)
        return status;
    r->json = sfgp_json_start(source, all);
    r->file = file;
    r->objects_left = 2 * SFGP_JSON_OBJECTS;
    r->numbers_left = source->size;
    r->text = r->values = sfgp_buffer_empty(context);
    sfgp_json_note_objects(r);
    if (r->json.status == SFGP_OK)
        write_group(r, r->root, "", SFGP_JSON_DEEPEST);
    status = r->json.status;
    sfgp_buffer_clear(&r->text);
    sfgp_buffer_clear(&r->values);
    sfgp_free(r);
    return status;
}

sfgp_status sfgp_hdf5_fill_from_json(sfgp_context *context, const char *path, sfgp_hdf5 *file)
{
    sfgp_source source;
    sfgp_status status = sfgp_source_open(context, path, &source);
    if (status == SFGP_OK)
        status = convert(context, &source, file);
    sfgp_source_close(&source);
    return status;
}
