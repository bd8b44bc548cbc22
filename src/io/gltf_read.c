/* glTF 2.0: the meshes of the scene, each moved by its nodes, one after the other (gltf.h). Primitives of a mesh that share
 * their positions share their points. Points that no node moves keep every bit. */
#include "io/gltf.h"
#include "io/format.h"

#include <math.h>
#include <string.h>

enum { POINTS = 0, TRIANGLES = 4, STRIP = 5, FAN = 6, MOST_DEPTH = 256, HEADER = 12, CHUNK_HEADER = 8 };

static const double IDENTITY[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

typedef struct gltf_reader {
    sfgp_gltf gltf;
    sfgp_builder builder;
    int64_t visit; /* number of the mesh that is added: a mesh of two nodes has two */
} gltf_reader;

/* ---- one mesh ---------------------------------------------------------------------------------------- */

static void move_point(const double matrix[16], double point[3])
{
    double moved[3];
    for (int row = 0; row < 3; row++)
        moved[row] = matrix[row] * point[0] + matrix[4 + row] * point[1] + matrix[8 + row] * point[2] +
                     matrix[12 + row];
    memcpy(point, moved, sizeof moved);
}

/* A mesh that many nodes repeat may grow as a gzip file may. */
static sfgp_status check_size(const gltf_reader *reader, int64_t more)
{
    const int64_t most = SFGP_GZIP_FREE + SFGP_GZIP_RATIO * (reader->gltf.source->size + reader->gltf.beside);
    if (12 * (reader->builder.count + more) <= most && reader->builder.face_points.size <= 16 * most)
        return SFGP_OK;
    return sfgp_gltf_fail(&reader->gltf, "nodes repeat meshes to more than %d times the size of the files",
                          SFGP_GZIP_RATIO);
}

static sfgp_status add_points(gltf_reader *reader, int64_t accessor, const double matrix[16])
{
    const int64_t count = SFGP_GLTF_AT(reader->gltf.accessors, sfgp_gltf_accessor, accessor)->count;
    sfgp_status status = check_size(reader, count);
    for (int64_t i = 0; i < count && status == SFGP_OK; i++) {
        double point[3];
        sfgp_gltf_load(&reader->gltf, accessor, i, point);
        move_point(matrix, point);
        if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]))
            return sfgp_fail(reader->gltf.source->context, SFGP_ERROR_DATA,
                             "%s: glTF: point %lld of accessor %lld is not finite; remove the point",
                             reader->gltf.source->path, (long long)i, (long long)accessor);
        sfgp_builder_point(&reader->builder, point);
        status = sfgp_builder_status(&reader->builder);
    }
    return status;
}

/* The points of a primitive: those of an earlier one of this visit of the mesh with the same positions, or behind all so far. */
static sfgp_status add_positions(gltf_reader *reader, sfgp_gltf_primitive *primitive, const double matrix[16])
{
    sfgp_gltf_accessor *accessor =
        SFGP_GLTF_AT(reader->gltf.accessors, sfgp_gltf_accessor, primitive->positions);
    sfgp_status status = SFGP_OK;
    if (accessor->visit != reader->visit) {
        accessor->visit = reader->visit;
        accessor->base = reader->builder.count;
        status = add_points(reader, primitive->positions, matrix);
    }
    primitive->base = accessor->base;
    return status;
}

/* Corner k of a primitive: by its indices, or one point after the other. */
static sfgp_status find_corner(const gltf_reader *reader, const sfgp_gltf_primitive *primitive, int64_t k,
                               int64_t *corner)
{
    const int64_t count =
        SFGP_GLTF_AT(reader->gltf.accessors, sfgp_gltf_accessor, primitive->positions)->count;
    double index = (double)k;
    if (primitive->indices >= 0)
        sfgp_gltf_load(&reader->gltf, primitive->indices, k, &index);
    if (!(index >= 0 && index < (double)count && index == floor(index)))
        return sfgp_gltf_fail(&reader->gltf, "a triangle has the point %g of %lld", index, (long long)count);
    *corner = primitive->base + (int64_t)index;
    return SFGP_OK;
}

static sfgp_status add_triangle(gltf_reader *reader, const sfgp_gltf_primitive *primitive, int64_t k)
{
    const int64_t first = primitive->mode == TRIANGLES ? 3 * k : primitive->mode == STRIP ? k : 0;
    const int64_t second = primitive->mode == TRIANGLES ? first + 1 : k + 1;
    int64_t corners[3] = {0};
    sfgp_status status = find_corner(reader, primitive, first, &corners[0]);
    if (status == SFGP_OK)
        status = find_corner(reader, primitive, second, &corners[1]);
    if (status == SFGP_OK)
        status = find_corner(reader, primitive, second + 1, &corners[2]);
    if (status == SFGP_OK)
        sfgp_builder_strip(&reader->builder, primitive->mode == STRIP ? k : 0, corners[0], corners[1],
                           corners[2]);
    return status == SFGP_OK ? sfgp_builder_status(&reader->builder) : status;
}

static sfgp_status add_triangles(gltf_reader *reader, const sfgp_gltf_primitive *primitive)
{
    const int64_t accessor = primitive->indices >= 0 ? primitive->indices : primitive->positions;
    const int64_t corners = SFGP_GLTF_AT(reader->gltf.accessors, sfgp_gltf_accessor, accessor)->count;
    const int64_t count = primitive->mode == TRIANGLES                         ? corners / 3
                          : primitive->mode == STRIP || primitive->mode == FAN ? corners - 2
                                                                               : 0;
    sfgp_status status = check_size(reader, 0);
    for (int64_t k = 0; k < count && status == SFGP_OK; k++)
        status = add_triangle(reader, primitive, k);
    return status;
}

static sfgp_status check_primitive(const gltf_reader *reader, const sfgp_gltf_primitive *primitive)
{
    const sfgp_gltf *gltf = &reader->gltf;
    const int64_t accessors = SFGP_GLTF_COUNT(gltf->accessors, sfgp_gltf_accessor),
                  positions = primitive->positions;
    const bool inside = positions >= 0 && positions < accessors;
    if (primitive->packed &&
        !(inside && SFGP_GLTF_AT(gltf->accessors, sfgp_gltf_accessor, positions)->view >= 0))
        return sfgp_gltf_fail(
            gltf, "a mesh is packed by Draco, which is not read; save the file without compression");
    if (primitive->mode > FAN)
        return sfgp_gltf_fail(gltf, "a primitive of mode %lld", (long long)primitive->mode);
    sfgp_status status = sfgp_gltf_check_accessor(gltf, positions, 3);
    if (status == SFGP_OK && primitive->indices >= 0)
        status = sfgp_gltf_check_accessor(gltf, primitive->indices, 1);
    return status;
}

static sfgp_status add_mesh(gltf_reader *reader, int64_t index, const double matrix[16])
{
    if (index >= SFGP_GLTF_COUNT(reader->gltf.meshes, sfgp_gltf_range))
        return sfgp_gltf_fail(&reader->gltf, "mesh %lld is not there", (long long)index);
    const sfgp_gltf_range *mesh = SFGP_GLTF_AT(reader->gltf.meshes, sfgp_gltf_range, index);
    sfgp_status status = SFGP_OK;
    reader->visit++;
    for (int64_t k = mesh->start; k < mesh->end && status == SFGP_OK; k++) {
        sfgp_gltf_primitive *primitive = SFGP_GLTF_AT(reader->gltf.primitives, sfgp_gltf_primitive, k);
        if (primitive->positions < 0 && !primitive->packed)
            continue; /* without positions nothing is shown */
        status = check_primitive(reader, primitive);
        if (status == SFGP_OK)
            status = add_positions(reader, primitive, matrix);
        if (status == SFGP_OK)
            status = add_triangles(reader, primitive);
    }
    return status;
}

/* ---- nodes ------------------------------------------------------------------------------------------- */

static void multiply(const double a[16], const double b[16], double product[16])
{
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            product[4 * column + row] = 0;
            for (int k = 0; k < 4; k++)
                product[4 * column + row] += a[4 * k + row] * b[4 * column + k];
        }
}

/* The matrix of a node where it is given, else T R S, R of the unit quaternion (x, y, z, w). */
static void find_matrix(const sfgp_gltf_node *node, double matrix[16])
{
    const double x = node->rotation[0], y = node->rotation[1], z = node->rotation[2], w = node->rotation[3];
    const double turn[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
                            2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
                            2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    memcpy(matrix, node->given ? node->matrix : IDENTITY, sizeof IDENTITY);
    if (node->given)
        return;
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            matrix[4 * column + row] = turn[3 * column + row] * node->scale[column];
    memcpy(matrix + 12, node->translation, sizeof node->translation);
}

/* Children that are no nodes, and nodes with two parents, are refused: the nodes are trees. */
static sfgp_status add_node(gltf_reader *reader, int64_t index, const double parent[16], int depth)
{
    if (index >= SFGP_GLTF_COUNT(reader->gltf.nodes, sfgp_gltf_node) || depth == MOST_DEPTH)
        return sfgp_gltf_fail(&reader->gltf,
                              depth == MOST_DEPTH ? "more than %lld nodes below each other"
                                                  : "node %lld is not there",
                              depth == MOST_DEPTH ? (long long)MOST_DEPTH : (long long)index);
    sfgp_gltf_node *node = SFGP_GLTF_AT(reader->gltf.nodes, sfgp_gltf_node, index);
    double own[16], matrix[16];
    if (node->visited)
        return sfgp_gltf_fail(&reader->gltf, "node %lld has two parents", (long long)index);
    node->visited = true;
    find_matrix(node, own);
    multiply(parent, own, matrix);
    sfgp_status status = node->mesh >= 0 ? add_mesh(reader, node->mesh, matrix) : SFGP_OK;
    for (int64_t k = node->children.start; k < node->children.end && status == SFGP_OK; k++)
        status = add_node(reader, *SFGP_GLTF_AT(reader->gltf.indices, int64_t, k), matrix, depth + 1);
    return status;
}

static sfgp_status add_scene(gltf_reader *reader)
{
    const sfgp_gltf *gltf = &reader->gltf;
    if (gltf->scene >= SFGP_GLTF_COUNT(gltf->scenes, sfgp_gltf_range))
        return sfgp_gltf_fail(gltf, "scene %lld is not there", (long long)gltf->scene);
    const sfgp_gltf_range scene = *SFGP_GLTF_AT(gltf->scenes, sfgp_gltf_range, gltf->scene);
    sfgp_status status = SFGP_OK;
    for (int64_t k = scene.start; k < scene.end && status == SFGP_OK; k++)
        status = add_node(reader, *SFGP_GLTF_AT(gltf->indices, int64_t, k), IDENTITY, 0);
    return status;
}

/* Without a scene: all nodes that are nobody's children; without nodes: all meshes as they are. */
static sfgp_status add_all(gltf_reader *reader)
{
    const sfgp_gltf *gltf = &reader->gltf;
    const int64_t nodes = SFGP_GLTF_COUNT(gltf->nodes, sfgp_gltf_node);
    sfgp_status status = SFGP_OK;
    for (int64_t n = 0; n < nodes; n++) {
        const sfgp_gltf_range children = SFGP_GLTF_AT(gltf->nodes, sfgp_gltf_node, n)->children;
        for (int64_t k = children.start; k < children.end; k++)
            if (*SFGP_GLTF_AT(gltf->indices, int64_t, k) < nodes)
                SFGP_GLTF_AT(gltf->nodes, sfgp_gltf_node, *SFGP_GLTF_AT(gltf->indices, int64_t, k))
                    ->is_child = true;
    }
    for (int64_t n = 0; n < nodes && status == SFGP_OK; n++)
        if (!SFGP_GLTF_AT(gltf->nodes, sfgp_gltf_node, n)->is_child)
            status = add_node(reader, n, IDENTITY, 0);
    for (int64_t m = 0; nodes == 0 && m < SFGP_GLTF_COUNT(gltf->meshes, sfgp_gltf_range) && status == SFGP_OK;
         m++)
        status = add_mesh(reader, m, IDENTITY);
    return status;
}

/* ---- the file ---------------------------------------------------------------------------------------- */

static int64_t load_size(const unsigned char *bytes)
{
    return (int64_t)sfgp_scalar_load(SFGP_UINT32, false, bytes);
}

/* .glb: a header of three numbers, then chunks: the JSON first, the binary part second. */
static sfgp_status split_binary(sfgp_gltf *gltf, const unsigned char *bytes, int64_t size, sfgp_text *json)
{
    if (size < HEADER + CHUNK_HEADER || load_size(bytes + 4) != 2)
        return sfgp_gltf_fail(gltf, "expected version 2 and two headers of 20 bytes together");
    const int64_t whole = load_size(bytes + 8), length = load_size(bytes + HEADER);
    const unsigned char *chunk = bytes + HEADER;
    if (whole > size || length > whole - HEADER - CHUNK_HEADER || memcmp(chunk + 4, "JSON", 4) != 0)
        return sfgp_gltf_fail(gltf,
                              "the file is cut short, or its first part is not JSON (%lld bytes of %lld)",
                              (long long)size, (long long)whole);
    *json = (sfgp_text){(const char *)chunk + CHUNK_HEADER, length};
    chunk += CHUNK_HEADER + length;
    const int64_t left = bytes + whole - chunk;
    if (left < CHUNK_HEADER)
        return SFGP_OK;
    gltf->binary_size = load_size(chunk);
    if (memcmp(chunk + 4, "BIN\0", 4) != 0 || gltf->binary_size > left - CHUNK_HEADER)
        return sfgp_gltf_fail(gltf, "the second part is not binary, or is cut short");
    gltf->binary = chunk + CHUNK_HEADER;
    return SFGP_OK;
}

static sfgp_status read_all(gltf_reader *reader)
{
    sfgp_gltf *gltf = &reader->gltf;
    sfgp_source *source = gltf->source;
    sfgp_text json;
    sfgp_status status = sfgp_source_skip_bom(source);
    if (status == SFGP_OK)
        status = sfgp_source_take_rest(source, &json);
    if (status == SFGP_OK && json.length >= 4 && memcmp(json.start, "glTF", 4) == 0)
        status = split_binary(gltf, (const unsigned char *)json.start, json.length, &json);
    if (status != SFGP_OK)
        return status;
    gltf->json = sfgp_json_start(source, json);
    status = sfgp_gltf_parse(gltf);
    if (status == SFGP_OK && gltf->meshes.size == 0)
        return sfgp_gltf_fail(
            gltf, "it has no meshes; of JSON files only glTF is read as a mesh; " SFGP_LANDMARKS_ADVICE
                  ", and can be written as CSV");
    if (status == SFGP_OK)
        status = sfgp_gltf_find_buffers(gltf);
    if (status != SFGP_OK)
        return status;
    return gltf->scenes.size > 0 ? add_scene(reader) : add_all(reader);
}

sfgp_status sfgp_gltf_read(sfgp_source *source, sfgp_mesh **mesh)
{
    gltf_reader reader = {.gltf.source = source, .builder = sfgp_builder_empty(source->context)};
    sfgp_gltf *gltf = &reader.gltf;
    for (int k = 0; k < SFGP_GLTF_TABLES; k++)
        gltf->tables[k] = sfgp_buffer_empty(source->context);
    sfgp_status status = read_all(&reader);
    if (status == SFGP_OK)
        status = sfgp_builder_finish(&reader.builder, source->path, 3, mesh);
    sfgp_gltf_free_buffers(gltf);
    for (int k = 0; k < SFGP_GLTF_TABLES; k++)
        sfgp_buffer_clear(&gltf->tables[k]);
    sfgp_builder_clear(&reader.builder);
    return status;
}
