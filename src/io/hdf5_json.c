/* HDF5 as JSON (HDF Group, HDF5/JSON; Scalismo 0.92 and later write it as .h5.json): objects by identifier, in any order, and links that
 * name them. It is turned into an HDF5 file in memory, which is read like any other. Of attributes those with texts are kept.
 *
 * The walker of io/json.h passes over the text twice: once to note where the objects stand, once for what they hold. */
#include "io/hdf5_json.h"
#include "base/memory.h"
#include "io/hdf5_wire.h"
#include "io/json.h"
#include "io/source.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 16, MOST_OBJECTS = 4096, ID_SIZE = 64 };
#define LARGEST ((int64_t)1 << 31)

/* An object: a group or a data set. */
typedef struct object {
    char id[ID_SIZE];
    const char *at; /* where its members start */
    int64_t line;
} object;

typedef struct objects {
    int count;
    object items[MOST_OBJECTS];
} objects;

typedef struct reader {
    sfgp_json json;
    sfgp_hdf5 *file;
    sfgp_buffer text, values;
    int objects_left;     /* that may still be written: links may name one twice, or go in circles */
    int64_t numbers_left; /* likewise: a number takes two characters at least */
    char root[ID_SIZE];
    objects groups, sets;
} reader;

/* The next string, cut at size - 1 bytes. */
static void read_string(reader *r, size_t size, char *text)
{
    r->text.size = 0;
    sfgp_json_string(&r->json, &r->text);
    if (r->json.status == SFGP_OK)
        r->json.status = r->text.status;
    snprintf(text, size, "%s", r->json.status == SFGP_OK ? (const char *)r->text.bytes : "");
}

/* ---- where the objects stand --------------------------------------------------------------------------- */

static void note_objects(reader *r, objects *found)
{
    sfgp_json *json = &r->json;
    bool first = true;
    sfgp_text id;
    sfgp_json_enter(json, '{');
    while (sfgp_json_member(json, &first, &id)) {
        if (found->count == MOST_OBJECTS || id.length >= ID_SIZE) {
            sfgp_json_fail(json, SFGP_ERROR_FORMAT, "more than %d objects, or an identifier that is too long",
                           MOST_OBJECTS);
            return;
        }
        object *new = &found->items[found->count++];
        snprintf(new->id, sizeof new->id, "%.*s", (int)id.length, id.start);
        new->at = json->at;
        new->line = json->line;
        sfgp_json_skip(json);
    }
}

static void note_all(reader *r)
{
    bool first = true;
    sfgp_text name;
    sfgp_json_enter(&r->json, '{');
    while (sfgp_json_member(&r->json, &first, &name))
        if (sfgp_text_is(name, "root"))
            read_string(r, sizeof r->root, r->root);
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

/* Goes to an object. False, with an error, when there is none. */
static bool find_object(reader *r, const objects *among, const char *id)
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

static char next_character(const sfgp_json *json)
{
    const char *at = json->at;
    while (at < json->end && memchr(" \t\r\n", *at, 4))
        at++;
    return at < json->end ? *at : '\0';
}

/* ---- values ---------------------------------------------------------------------------------------------- */

typedef struct value {
    int rank;
    int64_t shape[4];
    bool is_text;
} value;

static void read_dims(sfgp_json *json, value *read)
{
    bool first = true;
    read->rank = 0;
    for (sfgp_json_enter(json, '['); sfgp_json_element(json, &first);) {
        const double size = sfgp_json_number(json);
        if (read->rank == 4 || !(size >= 0 && size <= (double)LARGEST && size == (double)(int64_t)size))
            sfgp_json_fail(json, SFGP_ERROR_FORMAT, "dims are not up to four sizes");
        else
            read->shape[read->rank++] = (int64_t)size;
    }
}

static void read_shape(sfgp_json *json, value *read)
{
    bool first = true;
    sfgp_text name;
    if (next_character(json) != '{') {
        sfgp_json_skip(json);
        return;
    }
    for (sfgp_json_enter(json, '{'); sfgp_json_member(json, &first, &name);)
        if (sfgp_text_is(name, "dims"))
            read_dims(json, read);
        else
            sfgp_json_skip(json);
}

/* Numbers in arrays in arrays, in their order. */
static void read_numbers(reader *r, int depth)
{
    bool first = true;
    if (next_character(&r->json) != '[') {
        const double number = sfgp_json_number(&r->json);
        sfgp_buffer_add(&r->values, &number, sizeof number);
        return;
    }
    if (depth == 0) {
        sfgp_json_fail(&r->json, SFGP_ERROR_FORMAT, "a value has more than four dimensions");
        return;
    }
    for (sfgp_json_enter(&r->json, '['); sfgp_json_element(&r->json, &first);)
        read_numbers(r, depth - 1);
}

/* Reads type, shape and value of a data set or attribute. name: of an attribute. */
static void read_value(reader *r, value *read, size_t size, char *name)
{
    bool first = true;
    sfgp_text member;
    r->values.size = 0;
    *read = (value){.rank = 0};
    for (sfgp_json_enter(&r->json, '{'); sfgp_json_member(&r->json, &first, &member);)
        if (sfgp_text_is(member, "shape"))
            read_shape(&r->json, read);
        else if (name && sfgp_text_is(member, "name"))
            read_string(r, size, name);
        else if (sfgp_text_is(member, "value") && next_character(&r->json) == '"') {
            r->values.size = 0;
            sfgp_json_string(&r->json, &r->values);
            read->is_text = true;
        } else if (sfgp_text_is(member, "value") && r->values.size == 0 &&
                   (!name || strchr("-0123456789", next_character(&r->json)))) {
            read_numbers(r, 4);
        } else {
            sfgp_json_skip(&r->json);
        }
    if (r->json.status == SFGP_OK)
        r->json.status = r->values.status;
}

/* Writes what was read under its name in the HDF5 file. */
static void write_value(reader *r, const char *name, const value *read)
{
    int64_t count = 1;
    for (int k = 0; k < read->rank; k++)
        if (!sfgp_product(count, read->shape[k], &count))
            count = -1;
    if (r->json.status != SFGP_OK)
        return;
    if (read->is_text)
        sfgp_hdf5_write_text(r->file, name, (const char *)r->values.bytes);
    else if (count * (int64_t)sizeof(double) != r->values.size)
        sfgp_json_fail(&r->json, SFGP_ERROR_FORMAT, "data set '%.100s' has %lld numbers, its shape %lld",
                       name, (long long)(r->values.size / (int64_t)sizeof(double)), (long long)count);
    else if ((r->numbers_left -= count) < 0)
        sfgp_json_fail(&r->json, SFGP_ERROR_FORMAT, "links repeat the data set '%.100s'", name);
    else if (count > 0)
        sfgp_hdf5_write_numbers(r->file, name, SFGP_HDF5_FLOAT64, read->rank, read->shape,
                                (const double *)(const void *)r->values.bytes);
}

/* ---- groups and links ---------------------------------------------------------------------------------- */

typedef struct link {
    char title[128], id[ID_SIZE];
    bool group, set;
} link;

static void read_link(reader *r, link *read)
{
    char collection[32] = "";
    bool first = true;
    sfgp_text name;
    *read = (link){.group = false};
    for (sfgp_json_enter(&r->json, '{'); sfgp_json_member(&r->json, &first, &name);)
        if (sfgp_text_is(name, "title"))
            read_string(r, sizeof read->title, read->title);
        else if (sfgp_text_is(name, "id"))
            read_string(r, sizeof read->id, read->id);
        else if (sfgp_text_is(name, "collection"))
            read_string(r, sizeof collection, collection);
        else
            sfgp_json_skip(&r->json);
    read->group = strcmp(collection, "groups") == 0;
    read->set = strcmp(collection, "datasets") == 0;
}

static void write_attributes(reader *r, const char *path)
{
    char name[128], whole[SFGP_HDF5_NAME + 160];
    bool first = true;
    value read;
    for (sfgp_json_enter(&r->json, '['); sfgp_json_element(&r->json, &first);) {
        name[0] = '\0';
        read_value(r, &read, sizeof name, name);
        snprintf(whole, sizeof whole, "%s@%s", path, name);
        if (read.is_text && name[0] && !strchr(name, '/'))
            write_value(r, whole, &read);
    }
}

static void write_group(reader *r, const char *id, const char *path, int depth);

static void write_set(reader *r, const char *id, const char *path)
{
    value read;
    if (!find_object(r, &r->sets, id))
        return;
    read_value(r, &read, 0, NULL);
    write_value(r, path, &read);
}

/* Follows a link, and comes back to the place behind it. */
static void follow(reader *r, const link *to, const char *path, int depth)
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

static void write_group(reader *r, const char *id, const char *path, int depth)
{
    bool first = true, first_link = true;
    sfgp_text name;
    link next;
    if (!find_object(r, &r->groups, id))
        return;
    if (path[0])
        sfgp_hdf5_write_group(r->file, path);
    for (sfgp_json_enter(&r->json, '{'); sfgp_json_member(&r->json, &first, &name);)
        if (sfgp_text_is(name, "links") && first_link) {
            for (sfgp_json_enter(&r->json, '['); sfgp_json_element(&r->json, &first_link);) {
                read_link(r, &next);
                follow(r, &next, path, depth);
            }
        } else if (sfgp_text_is(name, "attributes") && path[0] && next_character(&r->json) == '[') {
            write_attributes(r, path);
        } else {
            sfgp_json_skip(&r->json);
        }
}

/* ---- the whole file -------------------------------------------------------------------------------------- */

static sfgp_status convert(sfgp_context *context, sfgp_source *source, sfgp_hdf5 *file)
{
    const unsigned char *bytes = NULL;
    reader *r = NULL;
    if (source->size > LARGEST)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "the file is larger than 2 GiB");
    sfgp_status status = sfgp_source_take(source, source->size, &bytes);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 1, &r);
    if (status != SFGP_OK)
        return status;
    r->json = sfgp_json_start(context, source->path, (const char *)bytes, source->size);
    r->file = file;
    r->objects_left = 2 * MOST_OBJECTS;
    r->numbers_left = source->size;
    r->text = r->values = sfgp_buffer_empty(context);
    note_all(r);
    if (r->json.status == SFGP_OK)
        write_group(r, r->root, "", DEEPEST);
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
