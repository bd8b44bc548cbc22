/* The JSON part of glTF into tables: see gltf.h. Members that are not known are skipped. */
#include "io/gltf.h"

#include <math.h>
#include <string.h>

#define MOST 9007199254740992.0 /* 2^53 */

typedef struct member {
    const char *name;
    void (*read)(sfgp_gltf *gltf, void *into);
} member;

static void read_object(sfgp_gltf *gltf, const member *members, void *into)
{
    sfgp_text name;
    bool first = true;
    sfgp_json_enter(&gltf->json, '{');
    while (sfgp_json_member(&gltf->json, &first, &name)) {
        const member *known = members;
        while (known->name && !sfgp_text_is(name, known->name))
            known++;
        if (known->name)
            known->read(gltf, into);
        else
            sfgp_json_skip(&gltf->json);
    }
}

static int64_t read_whole(sfgp_gltf *gltf)
{
    const double value = sfgp_json_number(&gltf->json);
    if (value >= 0 && value < MOST && value == floor(value))
        return (int64_t)value;
    sfgp_json_fail(&gltf->json, SFGP_ERROR_FORMAT, "glTF: expected a whole number, found %g", value);
    return 0;
}

/* At most count; the others keep what they have. */
static void read_numbers(sfgp_gltf *gltf, int count, double *values)
{
    bool first = true;
    int k = 0;
    sfgp_json_enter(&gltf->json, '[');
    for (; sfgp_json_element(&gltf->json, &first); k++) {
        const double value = sfgp_json_number(&gltf->json);
        if (k < count)
            values[k] = value;
    }
    if (k != count)
        sfgp_json_fail(&gltf->json, SFGP_ERROR_FORMAT, "glTF: expected %d numbers, found %d", count, k);
}

static void read_indices(sfgp_gltf *gltf, sfgp_gltf_range *range)
{
    bool first = true;
    range->start = SFGP_GLTF_COUNT(gltf->indices, int64_t);
    sfgp_json_enter(&gltf->json, '[');
    while (sfgp_json_element(&gltf->json, &first)) {
        const int64_t index = read_whole(gltf);
        sfgp_buffer_add(&gltf->indices, &index, sizeof index);
    }
    range->end = SFGP_GLTF_COUNT(gltf->indices, int64_t);
}

/* The text is at *start of the texts, with a zero behind it. */
static void read_text(sfgp_gltf *gltf, int64_t *start)
{
    *start = gltf->texts.size;
    sfgp_json_string(&gltf->json, &gltf->texts);
}

/* true and false; anything else is skipped as false. */
static bool read_flag(sfgp_gltf *gltf)
{
    while (gltf->json.at < gltf->json.end && memchr(" \t\r\n", *gltf->json.at, 4))
        gltf->json.line += *gltf->json.at++ == '\n';
    const bool is_true = gltf->json.at < gltf->json.end && *gltf->json.at == 't';
    sfgp_json_skip(&gltf->json);
    return is_true;
}

#define WHOLE(function, type, field)                                                                         \
    static void function(sfgp_gltf *gltf, void *into)                                                        \
    {                                                                                                        \
        ((type *)into)->field = read_whole(gltf);                                                            \
    }

/* ---- buffers, views, accessors ------------------------------------------------------------------------ */

WHOLE(read_buffer_length, sfgp_gltf_buffer, length)
WHOLE(read_view_buffer, sfgp_gltf_view, buffer)
WHOLE(read_view_offset, sfgp_gltf_view, offset)
WHOLE(read_view_length, sfgp_gltf_view, length)
WHOLE(read_view_stride, sfgp_gltf_view, stride)
WHOLE(read_accessor_view, sfgp_gltf_accessor, view)
WHOLE(read_accessor_offset, sfgp_gltf_accessor, offset)
WHOLE(read_accessor_count, sfgp_gltf_accessor, count)
WHOLE(read_accessor_type, sfgp_gltf_accessor, type)

static void read_buffer_uri(sfgp_gltf *gltf, void *into)
{
    read_text(gltf, &((sfgp_gltf_buffer *)into)->uri);
}

static void read_accessor_components(sfgp_gltf *gltf, void *into)
{
    int64_t start;
    read_text(gltf, &start);
    if (sfgp_gltf_status(gltf) != SFGP_OK)
        return;
    const char *text = (const char *)gltf->texts.bytes + start;
    ((sfgp_gltf_accessor *)into)->components = strcmp(text, "SCALAR") == 0 ? 1
                                               : strcmp(text, "VEC3") == 0 ? 3
                                                                           : 0;
}

static void read_accessor_normalised(sfgp_gltf *gltf, void *into)
{
    ((sfgp_gltf_accessor *)into)->normalised = read_flag(gltf);
}

static void read_accessor_sparse(sfgp_gltf *gltf, void *into)
{
    ((sfgp_gltf_accessor *)into)->sparse = true;
    sfgp_json_skip(&gltf->json);
}

static const member BUFFER[] = {{"byteLength", read_buffer_length}, {"uri", read_buffer_uri}, {NULL, NULL}};
static const member VIEW[] = {{"buffer", read_view_buffer},
                              {"byteOffset", read_view_offset},
                              {"byteLength", read_view_length},
                              {"byteStride", read_view_stride},
                              {NULL, NULL}};
static const member ACCESSOR[] = {
    {"bufferView", read_accessor_view}, {"byteOffset", read_accessor_offset},
    {"count", read_accessor_count},     {"componentType", read_accessor_type},
    {"type", read_accessor_components}, {"normalized", read_accessor_normalised},
    {"sparse", read_accessor_sparse},   {NULL, NULL}};

/* ---- meshes ------------------------------------------------------------------------------------------ */

WHOLE(read_position, sfgp_gltf_primitive, positions)
WHOLE(read_primitive_indices, sfgp_gltf_primitive, indices)
WHOLE(read_mode, sfgp_gltf_primitive, mode)

static void read_draco(sfgp_gltf *gltf, void *into)
{
    ((sfgp_gltf_primitive *)into)->packed = true;
    sfgp_json_skip(&gltf->json);
}

static const member ATTRIBUTES[] = {{"POSITION", read_position}, {NULL, NULL}};
static const member EXTENSIONS[] = {{"KHR_draco_mesh_compression", read_draco}, {NULL, NULL}};

static void read_attributes(sfgp_gltf *gltf, void *into)
{
    read_object(gltf, ATTRIBUTES, into);
}

static void read_extensions(sfgp_gltf *gltf, void *into)
{
    read_object(gltf, EXTENSIONS, into);
}

static const member PRIMITIVE[] = {{"attributes", read_attributes},
                                   {"indices", read_primitive_indices},
                                   {"mode", read_mode},
                                   {"extensions", read_extensions},
                                   {NULL, NULL}};

static void read_primitives(sfgp_gltf *gltf, void *into)
{
    bool first = true;
    sfgp_json_enter(&gltf->json, '[');
    while (sfgp_json_element(&gltf->json, &first)) {
        sfgp_gltf_primitive primitive = {.positions = -1, .indices = -1, .mode = 4};
        read_object(gltf, PRIMITIVE, &primitive);
        sfgp_buffer_add(&gltf->primitives, &primitive, sizeof primitive);
    }
    ((sfgp_gltf_range *)into)->end = SFGP_GLTF_COUNT(gltf->primitives, sfgp_gltf_primitive);
}

static const member MESH[] = {{"primitives", read_primitives}, {NULL, NULL}};

/* ---- nodes and scenes -------------------------------------------------------------------------------- */

typedef struct pose {
    sfgp_gltf_node node;
    bool given; /* the matrix */
    double translation[3], rotation[4], scale[3];
} pose;

WHOLE(read_node_mesh, pose, node.mesh)

static void read_children(sfgp_gltf *gltf, void *into)
{
    read_indices(gltf, &((pose *)into)->node.children);
}

static void read_matrix(sfgp_gltf *gltf, void *into)
{
    ((pose *)into)->given = true;
    read_numbers(gltf, 16, ((pose *)into)->node.matrix);
}

static void read_translation(sfgp_gltf *gltf, void *into)
{
    read_numbers(gltf, 3, ((pose *)into)->translation);
}

static void read_rotation(sfgp_gltf *gltf, void *into)
{
    read_numbers(gltf, 4, ((pose *)into)->rotation);
}

static void read_scale(sfgp_gltf *gltf, void *into)
{
    read_numbers(gltf, 3, ((pose *)into)->scale);
}

static const member NODE[] = {{"mesh", read_node_mesh},
                              {"children", read_children},
                              {"matrix", read_matrix},
                              {"translation", read_translation},
                              {"rotation", read_rotation},
                              {"scale", read_scale},
                              {NULL, NULL}};

/* matrix = T R S, R of the unit quaternion (x, y, z, w). */
static void make_matrix(pose *p)
{
    const double x = p->rotation[0], y = p->rotation[1], z = p->rotation[2], w = p->rotation[3];
    const double turn[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
                            2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
                            2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            p->node.matrix[4 * column + row] = turn[3 * column + row] * p->scale[column];
    for (int row = 0; row < 3; row++)
        p->node.matrix[12 + row] = p->translation[row];
    p->node.matrix[15] = 1;
}

static void read_scene_nodes(sfgp_gltf *gltf, void *into)
{
    read_indices(gltf, into);
}

static const member SCENE[] = {{"nodes", read_scene_nodes}, {NULL, NULL}};

/* ---- the whole --------------------------------------------------------------------------------------- */

/* A list of objects into a table, each starting as usual. */
static void read_list(sfgp_gltf *gltf, const member *members, sfgp_buffer *table, const void *usual,
                      int64_t size)
{
    union {
        sfgp_gltf_buffer buffer;
        sfgp_gltf_view view;
        sfgp_gltf_accessor accessor;
        sfgp_gltf_range range;
    } object;
    bool first = true;
    sfgp_json_enter(&gltf->json, '[');
    while (sfgp_json_element(&gltf->json, &first)) {
        memcpy(&object, usual, (size_t)size);
        read_object(gltf, members, &object);
        sfgp_buffer_add(table, &object, size);
    }
}

static void read_buffers(sfgp_gltf *gltf, void *into)
{
    const sfgp_gltf_buffer usual = {.uri = -1};
    (void)into;
    read_list(gltf, BUFFER, &gltf->buffers, &usual, sizeof usual);
}

static void read_views(sfgp_gltf *gltf, void *into)
{
    const sfgp_gltf_view usual = {.buffer = -1};
    (void)into;
    read_list(gltf, VIEW, &gltf->views, &usual, sizeof usual);
}

static void read_accessors(sfgp_gltf *gltf, void *into)
{
    const sfgp_gltf_accessor usual = {.view = -1};
    (void)into;
    read_list(gltf, ACCESSOR, &gltf->accessors, &usual, sizeof usual);
}

static void read_meshes(sfgp_gltf *gltf, void *into)
{
    bool first = true;
    (void)into;
    sfgp_json_enter(&gltf->json, '[');
    while (sfgp_json_element(&gltf->json, &first)) {
        const int64_t start = SFGP_GLTF_COUNT(gltf->primitives, sfgp_gltf_primitive);
        sfgp_gltf_range mesh = {start, start};
        read_object(gltf, MESH, &mesh);
        sfgp_buffer_add(&gltf->meshes, &mesh, sizeof mesh);
    }
}

static void read_nodes(sfgp_gltf *gltf, void *into)
{
    bool first = true;
    (void)into;
    sfgp_json_enter(&gltf->json, '[');
    while (sfgp_json_element(&gltf->json, &first)) {
        pose p = {.node = {.mesh = -1}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
        read_object(gltf, NODE, &p);
        if (!p.given)
            make_matrix(&p);
        sfgp_buffer_add(&gltf->nodes, &p.node, sizeof p.node);
    }
}

static void read_scenes(sfgp_gltf *gltf, void *into)
{
    const sfgp_gltf_range usual = {0, 0};
    (void)into;
    read_list(gltf, SCENE, &gltf->scenes, &usual, sizeof usual);
}

static void read_scene(sfgp_gltf *gltf, void *into)
{
    (void)into;
    gltf->scene = read_whole(gltf);
}

/* Geometry that is packed by another extension would look empty. */
static void read_required(sfgp_gltf *gltf, void *into)
{
    bool first = true;
    (void)into;
    sfgp_json_enter(&gltf->json, '[');
    while (sfgp_json_element(&gltf->json, &first)) {
        int64_t start;
        read_text(gltf, &start);
        const char *text = sfgp_gltf_status(gltf) == SFGP_OK ? (const char *)gltf->texts.bytes + start : "";
        if (strcmp(text, "EXT_meshopt_compression") == 0 || strcmp(text, "KHR_draco_mesh_compression") == 0)
            sfgp_json_fail(
                &gltf->json, SFGP_ERROR_FORMAT,
                "glTF: the meshes are packed by %s, which is not read; save the file without compression",
                text);
    }
}

static const member TOP[] = {{"buffers", read_buffers},
                             {"bufferViews", read_views},
                             {"accessors", read_accessors},
                             {"meshes", read_meshes},
                             {"nodes", read_nodes},
                             {"scenes", read_scenes},
                             {"scene", read_scene},
                             {"extensionsRequired", read_required},
                             {NULL, NULL}};

sfgp_status sfgp_gltf_status(const sfgp_gltf *gltf)
{
    const sfgp_buffer *tables[] = {&gltf->buffers,    &gltf->views,   &gltf->accessors,
                                   &gltf->primitives, &gltf->meshes,  &gltf->nodes,
                                   &gltf->scenes,     &gltf->indices, &gltf->texts};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        if (tables[k]->status != SFGP_OK)
            return tables[k]->status;
    return gltf->json.status;
}

sfgp_status sfgp_gltf_parse(sfgp_gltf *gltf)
{
    read_object(gltf, TOP, NULL);
    sfgp_json_finish(&gltf->json);
    return sfgp_gltf_status(gltf);
}
