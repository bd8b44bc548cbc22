/* The JSON part of glTF into tables: see gltf.h. Members that are not known are skipped. */
#include "io/gltf.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define MOST 9007199254740992.0 /* 2^53 */

/* What a member of an object is for: a function that reads its value, and the place in the struct that it fills. */
typedef struct member {
    const char *name;
    void (*read)(sfgp_gltf *gltf, const struct member *row, void *place);
    size_t place;
    int count;                    /* of numbers */
    const struct member *members; /* of an object that fills the same struct, or of those of a list */
    const void *usual;            /* what an object of a list starts as */
    int64_t size;                 /* of that */
} member;

static void read_object(sfgp_gltf *gltf, const member *members, void *into)
{
    sfgp_text name;
    sfgp_json_enter(&gltf->json, '{');
    while (sfgp_json_member(&gltf->json, &name)) {
        const member *known = members;
        while (known->name && !sfgp_text_is(name, known->name))
            known++;
        if (known->name)
            known->read(gltf, known, (char *)into + known->place);
        else
            sfgp_json_skip(&gltf->json);
    }
}

static void read_inner(sfgp_gltf *gltf, const member *row, void *place)
{
    read_object(gltf, row->members, place);
}

/* A list of objects into a table. */
static void read_list(sfgp_gltf *gltf, const member *row, void *table)
{
    union {
        sfgp_gltf_buffer buffer;
        sfgp_gltf_view view;
        sfgp_gltf_accessor accessor;
        sfgp_gltf_primitive primitive;
        sfgp_gltf_node node;
        sfgp_gltf_range range;
    } object;
    sfgp_json_enter(&gltf->json, '[');
    while (sfgp_json_element(&gltf->json)) {
        memcpy(&object, row->usual, (size_t)row->size);
        read_object(gltf, row->members, &object);
        sfgp_buffer_add(table, &object, row->size);
    }
}

/* ---- values ------------------------------------------------------------------------------------------ */

static void read_whole(sfgp_gltf *gltf, const member *row, void *place)
{
    const double value = sfgp_json_number(&gltf->json);
    const bool whole = value >= 0 && value < MOST && value == floor(value);
    (void)row;
    *(int64_t *)place = whole ? (int64_t)value : 0;
    if (!whole)
        sfgp_json_fail(&gltf->json, SFGP_ERROR_FORMAT, "glTF: expected a whole number, found %g", value);
}

static void read_numbers(sfgp_gltf *gltf, const member *row, void *place)
{
    const int found = sfgp_json_numbers(&gltf->json, row->count, place);
    if (found != row->count)
        sfgp_json_fail(&gltf->json, SFGP_ERROR_FORMAT, "glTF: expected %d numbers, found %d", row->count,
                       found);
}

static void read_indices(sfgp_gltf *gltf, const member *row, void *place)
{
    sfgp_gltf_range *range = place;
    range->start = SFGP_GLTF_COUNT(gltf->indices, int64_t);
    sfgp_json_enter(&gltf->json, '[');
    while (sfgp_json_element(&gltf->json)) {
        int64_t index;
        read_whole(gltf, row, &index);
        sfgp_buffer_add(&gltf->indices, &index, sizeof index);
    }
    range->end = SFGP_GLTF_COUNT(gltf->indices, int64_t);
}

/* The text is at *start of the texts, with a zero behind it. */
static void read_text(sfgp_gltf *gltf, const member *row, void *start)
{
    (void)row;
    *(int64_t *)start = gltf->texts.size;
    sfgp_json_string(&gltf->json, &gltf->texts);
}

/* true and false; anything else is skipped as false. */
static void read_flag(sfgp_gltf *gltf, const member *row, void *place)
{
    (void)row;
    *(bool *)place = sfgp_json_peek(&gltf->json) == 't';
    sfgp_json_skip(&gltf->json);
}

/* That it is there. */
static void read_presence(sfgp_gltf *gltf, const member *row, void *place)
{
    (void)row;
    *(bool *)place = true;
    sfgp_json_skip(&gltf->json);
}

/* ---- buffers, views, accessors ------------------------------------------------------------------------ */

static void read_components(sfgp_gltf *gltf, const member *row, void *place)
{
    int64_t start;
    read_text(gltf, row, &start);
    if (gltf->json.status != SFGP_OK)
        return;
    const char *text = (const char *)gltf->texts.bytes + start;
    *(int64_t *)place = strcmp(text, "SCALAR") == 0 ? 1 : strcmp(text, "VEC3") == 0 ? 3 : 0;
}

#define FIELD(key, function, type, field)                                                                    \
    {                                                                                                        \
        .name = (key), .read = (function), .place = offsetof(type, field)                                    \
    }

static const member BUFFER[] = {FIELD("byteLength", read_whole, sfgp_gltf_buffer, length),
                                FIELD("uri", read_text, sfgp_gltf_buffer, uri),
                                {0}};
static const member VIEW[] = {FIELD("buffer", read_whole, sfgp_gltf_view, buffer),
                              FIELD("byteOffset", read_whole, sfgp_gltf_view, offset),
                              FIELD("byteLength", read_whole, sfgp_gltf_view, length),
                              FIELD("byteStride", read_whole, sfgp_gltf_view, stride),
                              {0}};
static const member ACCESSOR[] = {FIELD("bufferView", read_whole, sfgp_gltf_accessor, view),
                                  FIELD("byteOffset", read_whole, sfgp_gltf_accessor, offset),
                                  FIELD("count", read_whole, sfgp_gltf_accessor, count),
                                  FIELD("componentType", read_whole, sfgp_gltf_accessor, type),
                                  FIELD("type", read_components, sfgp_gltf_accessor, components),
                                  FIELD("normalized", read_flag, sfgp_gltf_accessor, normalised),
                                  FIELD("sparse", read_presence, sfgp_gltf_accessor, sparse),
                                  {0}};

/* ---- meshes ------------------------------------------------------------------------------------------ */

static const member ATTRIBUTES[] = {FIELD("POSITION", read_whole, sfgp_gltf_primitive, positions), {0}};
static const member EXTENSIONS[] = {
    FIELD("KHR_draco_mesh_compression", read_presence, sfgp_gltf_primitive, packed), {0}};
static const member PRIMITIVE[] = {{.name = "attributes", .read = read_inner, .members = ATTRIBUTES},
                                   FIELD("indices", read_whole, sfgp_gltf_primitive, indices),
                                   FIELD("mode", read_whole, sfgp_gltf_primitive, mode),
                                   {.name = "extensions", .read = read_inner, .members = EXTENSIONS},
                                   {0}};

static void read_primitives(sfgp_gltf *gltf, const member *row, void *place)
{
    read_list(gltf, row, &gltf->primitives);
    *(int64_t *)place = SFGP_GLTF_COUNT(gltf->primitives, sfgp_gltf_primitive);
}

static const sfgp_gltf_primitive NEW_PRIMITIVE = {.positions = -1, .indices = -1, .mode = 4};
static const member MESH[] = {{.name = "primitives",
                               .read = read_primitives,
                               .place = offsetof(sfgp_gltf_range, end),
                               .members = PRIMITIVE,
                               .usual = &NEW_PRIMITIVE,
                               .size = sizeof NEW_PRIMITIVE},
                              {0}};

/* ---- nodes and scenes -------------------------------------------------------------------------------- */

static void read_matrix(sfgp_gltf *gltf, const member *row, void *into)
{
    ((sfgp_gltf_node *)into)->given = true;
    read_numbers(gltf, row, ((sfgp_gltf_node *)into)->matrix);
}

#define NUMBERS(key, length, field)                                                                          \
    {                                                                                                        \
        .name = (key), .read = read_numbers, .place = offsetof(sfgp_gltf_node, field), .count = (length)     \
    }
static const member NODE[] = {FIELD("mesh", read_whole, sfgp_gltf_node, mesh),
                              FIELD("children", read_indices, sfgp_gltf_node, children),
                              {.name = "matrix", .read = read_matrix, .count = 16},
                              NUMBERS("translation", 3, translation),
                              NUMBERS("rotation", 4, rotation),
                              NUMBERS("scale", 3, scale),
                              {0}};

static const member SCENE[] = {{.name = "nodes", .read = read_indices}, {0}};

/* ---- the whole --------------------------------------------------------------------------------------- */

static void read_meshes(sfgp_gltf *gltf, const member *row, void *table)
{
    (void)row;
    sfgp_json_enter(&gltf->json, '[');
    while (sfgp_json_element(&gltf->json)) {
        const int64_t start = SFGP_GLTF_COUNT(gltf->primitives, sfgp_gltf_primitive);
        sfgp_gltf_range mesh = {start, start};
        read_object(gltf, MESH, &mesh);
        sfgp_buffer_add(table, &mesh, sizeof mesh);
    }
}

/* Geometry that is packed by another extension would look empty. */
static void read_required(sfgp_gltf *gltf, const member *row, void *into)
{
    (void)into;
    sfgp_json_enter(&gltf->json, '[');
    while (sfgp_json_element(&gltf->json)) {
        int64_t start;
        read_text(gltf, row, &start);
        const char *text = gltf->json.status == SFGP_OK ? (const char *)gltf->texts.bytes + start : "";
        if (strcmp(text, "EXT_meshopt_compression") == 0 || strcmp(text, "KHR_draco_mesh_compression") == 0)
            sfgp_json_fail(
                &gltf->json, SFGP_ERROR_FORMAT,
                "glTF: the meshes are packed by %s, which is not read; save the file without compression",
                text);
    }
}

static const sfgp_gltf_buffer NEW_BUFFER = {.uri = -1};
static const sfgp_gltf_view NEW_VIEW = {.buffer = -1};
static const sfgp_gltf_accessor NEW_ACCESSOR = {.view = -1};
static const sfgp_gltf_node NEW_NODE = {.mesh = -1, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
static const sfgp_gltf_range NEW_SCENE = {0, 0};

#define LIST(key, table, of, start)                                                                          \
    {                                                                                                        \
        .name = (key), .read = read_list, .place = offsetof(sfgp_gltf, table), .members = (of),              \
        .usual = &(start), .size = sizeof(start)                                                             \
    }
static const member TOP[] = {LIST("buffers", buffers, BUFFER, NEW_BUFFER),
                             LIST("bufferViews", views, VIEW, NEW_VIEW),
                             LIST("accessors", accessors, ACCESSOR, NEW_ACCESSOR),
                             FIELD("meshes", read_meshes, sfgp_gltf, meshes),
                             LIST("nodes", nodes, NODE, NEW_NODE),
                             LIST("scenes", scenes, SCENE, NEW_SCENE),
                             FIELD("scene", read_whole, sfgp_gltf, scene),
                             {.name = "extensionsRequired", .read = read_required},
                             {0}};

sfgp_status sfgp_gltf_parse(sfgp_gltf *gltf)
{
    read_object(gltf, TOP, gltf);
    sfgp_json_finish(&gltf->json);
    for (int k = 0; k < SFGP_GLTF_TABLES; k++)
        if (gltf->tables[k].status != SFGP_OK)
            return gltf->tables[k].status;
    return gltf->json.status;
}
