/* glTF: nodes, primitives and kinds of numbers, both files, buffers in and beside them, and faults. */
#include "support/corrupt.h"
#include "io/buffer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Four points of 32-bit reals, then the 16-bit indices 0 1 2 0 2 3. */
static const float POINTS[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.1F, 0, 1};
static const uint16_t INDICES[6] = {0, 1, 2, 0, 2, 3};
enum { BINARY = 60 };

#define ASSET "{\"asset\":{\"version\":\"2.0\"}"
#define VIEWS                                                                                                \
    ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12}]"
#define ACCESSORS                                                                                            \
    ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"               \
    "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}]"
#define BUFFER ",\"buffers\":[{\"byteLength\":60}]"
#define MESH(primitives) ",\"meshes\":[{\"name\":\"a\",\"primitives\":[" primitives "]}]"
#define TRIANGLES "{\"attributes\":{\"NORMAL\":7,\"POSITION\":0},\"indices\":1,\"material\":0}"
#define REST VIEWS ACCESSORS BUFFER "}"

static void put_size(unsigned char *bytes, size_t size)
{
    for (int k = 0; k < 4; k++)
        bytes[k] = (unsigned char)(size >> 8 * k);
}

static void fill_binary(unsigned char binary[BINARY])
{
    for (int k = 0; k < 12; k++) {
        uint32_t bits;
        memcpy(&bits, &POINTS[k], 4);
        put_size(binary + 4 * k, bits);
    }
    for (int k = 0; k < 6; k++) {
        binary[48 + 2 * k] = (unsigned char)INDICES[k];
        binary[49 + 2 * k] = 0;
    }
}

/* free() */
static unsigned char *make_glb(const char *json, size_t *size)
{
    const size_t length = (strlen(json) + 3) / 4 * 4;
    *size = 12 + 8 + length + 8 + BINARY;
    unsigned char *bytes = malloc(*size);
    memset(bytes, ' ', *size);
    memcpy(bytes, "glTF", 4);
    put_size(bytes + 4, 2);
    put_size(bytes + 8, *size);
    put_size(bytes + 12, length);
    memcpy(bytes + 16, "JSON", 4);
    memcpy(bytes + 20, json, strlen(json));
    put_size(bytes + 20 + length, BINARY);
    memcpy(bytes + 24 + length, "BIN\0", 4);
    fill_binary(bytes + 28 + length);
    return bytes;
}

static sfgp_status read_glb(sfgp_context *context, const char *json, sfgp_mesh **mesh)
{
    size_t size;
    unsigned char *bytes = make_glb(json, &size);
    const sfgp_status status = sfgp_read_bytes(context, "a.glb", bytes, size, mesh);
    free(bytes);
    return status;
}

static void assert_points(const sfgp_mesh *mesh, int64_t first, double x, double y, double z)
{
    for (int i = 0; i < 4; i++) {
        assert_true(mesh->points[3 * (first + i)] == (double)POINTS[3 * i] + x);
        assert_true(mesh->points[3 * (first + i) + 1] == (double)POINTS[3 * i + 1] + y);
        assert_true(mesh->points[3 * (first + i) + 2] == (double)POINTS[3 * i + 2] + z);
    }
}

static void assert_corners(const sfgp_mesh *mesh, int64_t face, int64_t a, int64_t b, int64_t c)
{
    assert_true(face < mesh->face_count && mesh->face_start[face] == 3 * face);
    assert_true(mesh->face_points[3 * face] == a && mesh->face_points[3 * face + 1] == b &&
                mesh->face_points[3 * face + 2] == c);
}

static void files_without_nodes_are_their_meshes(void **state)
{
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(*state, read_glb(*state, ASSET MESH(TRIANGLES) REST, &mesh));
    assert_string_equal(mesh->format, "gltf");
    assert_true(mesh->count == 4 && mesh->face_count == 2 && mesh->dimension == 3);
    assert_points(mesh, 0, 0, 0, 0);
    assert_corners(mesh, 0, 0, 1, 2);
    assert_corners(mesh, 1, 0, 2, 3);
    sfgp_mesh_free(mesh);
}

/* A node moves its mesh and its children; the mesh of two nodes is there twice; nodes outside the scene are not. */
static void nodes_move_their_meshes(void **state)
{
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(
        *state,
        read_glb(*state,
                 ASSET MESH(TRIANGLES) ",\"scene\":1,\"scenes\":[{\"nodes\":[3]},{\"nodes\":[0]}],\"nodes\":["
                                       "{\"mesh\":0,\"translation\":[10,20,30],\"children\":[1,2]},"
                                       "{\"mesh\":0,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,1,2,4,1]},"
                                       "{\"translation\":[0,0,1]},{\"mesh\":0}]" REST,
                 &mesh));
    assert_true(mesh->count == 8 && mesh->face_count == 4);
    assert_points(mesh, 0, 10, 20, 30);
    assert_points(mesh, 4, 11, 22, 34);
    assert_corners(mesh, 2, 4, 5, 6);
    sfgp_mesh_free(mesh);
}

static void rotation_and_scale(void **state)
{
    sfgp_mesh *mesh =
        NULL; /* scaled by (2, 3, 4), then turned a quarter about z: (x, y, z) -> (-3 y, 2 x, 4 z) */
    sfgp_assert_ok(*state,
                   read_glb(*state,
                            ASSET MESH(TRIANGLES) ",\"nodes\":[{\"mesh\":0,\"scale\":[2,3,4],\"rotation\":"
                                                  "[0,0,0.70710678118654752,0.70710678118654752]}]" REST,
                            &mesh));
    for (int i = 0; i < 4; i++) {
        const double expected[] = {-3 * (double)POINTS[3 * i + 1], 2 * (double)POINTS[3 * i],
                                   4 * (double)POINTS[3 * i + 2]};
        for (int k = 0; k < 3; k++)
            assert_true(fabs(mesh->points[3 * i + k] - expected[k]) <
                        1e-15 * 8); /* few roundings of numbers below 8 */
    }
    sfgp_mesh_free(mesh);
}

static void primitives_share_points_and_may_be_strips_and_fans(void **state)
{
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(
        *state, read_glb(*state,
                         ASSET MESH(TRIANGLES
                                    ",{\"attributes\":{\"POSITION\":0},\"mode\":5},"
                                    "{\"attributes\":{\"POSITION\":0},\"mode\":6},"
                                    "{\"attributes\":{\"POSITION\":0},\"mode\":1},{\"attributes\":{}}") REST,
                         &mesh));
    assert_true(mesh->count == 4 && mesh->face_count == 6);
    assert_corners(mesh, 2, 0, 1, 2);
    assert_corners(mesh, 3, 2, 1, 3);
    assert_corners(mesh, 4, 0, 1, 2);
    assert_corners(mesh, 5, 0, 2, 3);
    sfgp_mesh_free(mesh);
}

/* Indices of 8, 16 and 32 bits; positions of normalised and plain integers; strides. */
static void kinds_of_numbers(void **state)
{
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(
        *state,
        read_glb(
            *state,
            ASSET MESH(
                "{\"attributes\":{\"POSITION\":0}},{\"attributes\":{\"POSITION\":1}}") ",\"bufferViews\":[{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12,\"byteStride\":6}]"
                                                                                       ",\"accessors\":[{\"bufferView\":0,\"componentType\":5123,\"count\":2,\"type\":\"VEC3\"},"
                                                                                       "{\"bufferView\":0,\"componentType\":5121,\"count\":2,\"type\":\"VEC3\","
                                                                                       "\"normalized\":true,\"byteOffset\":2}]" BUFFER
                                                                                       "}",
            &mesh));
    const double expected[] = {0, 1, 2, 0, 2, 3, 1 / 255.0, 0, 2 / 255.0, 2 / 255.0, 0, 3 / 255.0};
    assert_int_equal(mesh->count, 4);
    assert_memory_equal(mesh->points, expected, sizeof expected);
    sfgp_mesh_free(mesh);
}

static void buffers_may_be_text_or_files_beside(void **state)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char binary[BINARY];
    char base64[81] = "", json[2048];
    fill_binary(binary);
    for (int k = 0; k < BINARY / 3; k++)
        for (int i = 0; i < 4; i++)
            base64[4 * k + i] =
                DIGITS[(binary[3 * k] << 16 | binary[3 * k + 1] << 8 | binary[3 * k + 2]) >> (18 - 6 * i) &
                       63];
    sfgp_test_write(test_path("some points.bin"), binary, BINARY);
    const char *uris[] = {"data:application/octet-stream;base64,%s", "some%%20points.bin", "some points.bin"};
    for (int k = 0; k < 3; k++) {
        char uri[256];
        sfgp_mesh *mesh = NULL;
        snprintf(uri, sizeof uri, uris[k], base64);
        snprintf(json, sizeof json, " %s,\"buffers\":[{\"uri\":\"%s\",\"byteLength\":60}]}",
                 ASSET MESH(TRIANGLES) VIEWS ACCESSORS, uri);
        sfgp_assert_ok(*state, sfgp_read_text(*state, k ? "a.gltf" : "a", json, &mesh));
        assert_points(mesh, 0, 0, 0, 0);
        sfgp_mesh_free(mesh);
    }
}

/* The limit of repeated meshes counts the bytes of both files. */
static void a_file_beside_may_be_much_larger(void **state)
{
    enum { COUNT = 100000 };
    sfgp_mesh *mesh = NULL;
    void *zeros = calloc(COUNT, 12);
    assert_non_null(zeros);
    sfgp_test_write(test_path("large.bin"), zeros, 12 * COUNT);
    free(zeros);
    sfgp_assert_ok(
        *state,
        sfgp_read_text(
            *state, "a.gltf",
            ASSET MESH(
                "{\"attributes\":{\"POSITION\":0},\"mode\":0}") ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":1200000}]"
                                                                ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":100000,"
                                                                "\"type\":\"VEC3\"}]"
                                                                ",\"buffers\":[{\"uri\":\"large.bin\",\"byteLength\":1200000}]}",
            &mesh));
    assert_int_equal(mesh->count, COUNT);
    sfgp_mesh_free(mesh);
}

/* A file of 370 KB with ten thousand buffers that named it took 3.5 GB. */
static void buffers_in_files_are_bounded(void **state)
{
    static const char ONE[] = "{\"uri\":\"a.gltf\",\"byteLength\":60},";
    char json[65 * sizeof ONE + 1024];
    for (int count = 64; count <= 65; count++) {
        sfgp_mesh *mesh = NULL;
        int length = snprintf(json, sizeof json, "%s,\"buffers\":[", ASSET MESH(TRIANGLES) VIEWS ACCESSORS);
        for (int k = 0; k < count; k++)
            length += snprintf(json + length, sizeof json - (size_t)length, "%s", ONE);
        strcpy(json + length - 1, "]}"); /* in place of the last comma */
        const sfgp_status status = sfgp_read_text(*state, "a.gltf", json, &mesh);
        assert_true((strstr(sfgp_context_error(*state), "more than 64 buffers in files") != NULL) ==
                    (count == 65));
        assert_int_equal(status, SFGP_ERROR_FORMAT); /* of 64: the bytes of JSON are no points */
    }
}

static void faults_are_named(void **state)
{
    const struct {
        const char *json;
        sfgp_status expected;
        const char *words;
    } examples[] = {
        {ASSET "}", SFGP_ERROR_FORMAT, "of JSON files only glTF"},
        {"{\"markups\":[]}", SFGP_ERROR_FORMAT, "landmarks go to sfgp apply"},
        {ASSET ",\n\"meshes\":[{]}", SFGP_ERROR_FORMAT, "line 2"},
        {ASSET ",\n\n\"scene\":-1}", SFGP_ERROR_FORMAT, "line 3: glTF: expected a whole number"},
        {ASSET MESH("{\"attributes\":{\"POSITION\":2}}") REST, SFGP_ERROR_FORMAT, "accessor 2 is not there"},
        {ASSET MESH("{\"attributes\":{\"POSITION\":1}}") REST, SFGP_ERROR_FORMAT,
         "accessor 1: expected VEC3"},
        {ASSET MESH("{\"attributes\":{\"POSITION\":0},\"indices\":0}") REST, SFGP_ERROR_FORMAT,
         "accessor 0: expected SCALAR"},
        {ASSET MESH("{\"attributes\":{\"POSITION\":0},\"mode\":7}") REST, SFGP_ERROR_FORMAT, "mode 7"},
        {ASSET MESH(
             "{\"attributes\":{\"POSITION\":9},\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0}}}")
             REST,
         SFGP_ERROR_FORMAT, "packed by Draco, which is not read"},
        {ASSET ",\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]" MESH(TRIANGLES) REST,
         SFGP_ERROR_FORMAT, "packed by KHR_draco_mesh_compression"},
        {ASSET ",\"extensionsRequired\":[\"EXT_meshopt_compression\"]" MESH(TRIANGLES) REST,
         SFGP_ERROR_FORMAT, "save the file without compression"},
        {ASSET MESH(TRIANGLES) ",\"nodes\":[{\"mesh\":1}]" REST, SFGP_ERROR_FORMAT, "mesh 1 is not there"},
        {ASSET MESH(TRIANGLES) ",\"scenes\":[{\"nodes\":[4]}]" REST, SFGP_ERROR_FORMAT,
         "node 4 is not there"},
        {ASSET MESH(TRIANGLES) ",\"scene\":1,\"scenes\":[{}]" REST, SFGP_ERROR_FORMAT,
         "scene 1 is not there"},
        {ASSET MESH(TRIANGLES) ",\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[0]}]" REST,
         SFGP_ERROR_FORMAT, "node 0 has two parents"},
        {ASSET MESH(TRIANGLES) ",\"nodes\":[{\"children\":[0]}]" REST, SFGP_ERROR_DATA, "no points"},
        {ASSET MESH(TRIANGLES) ",\"nodes\":[{\"mesh\":0,\"matrix\":[1,2]}]" REST, SFGP_ERROR_FORMAT,
         "expected 16 numbers, found 2"},
        {ASSET MESH(
             TRIANGLES) ",\"nodes\":[{\"mesh\":0,\"scale\":[1e308,1e308,1e308],\"translation\":[1e308,1,1],"
                        "\"matrix\":[1e308,0,0,0,0,1,0,0,0,0,1,0,1e308,0,0,1]}]" REST,
         SFGP_ERROR_DATA, "is not finite"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":61}]}", SFGP_ERROR_FORMAT,
         "a buffer of 61 bytes is not in the file"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":59}]}", SFGP_ERROR_FORMAT,
         "accessor 1 reaches beyond"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"missing.bin\"}]}",
         SFGP_ERROR_READ, "missing.bin: No such file"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"../a.bin\"}]}",
         SFGP_ERROR_FORMAT, "is no file beside it"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"/etc/passwd\"}]}",
         SFGP_ERROR_FORMAT, "is no file beside it"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"%2e%2e/a.bin\"}]}",
         SFGP_ERROR_FORMAT, "is no file beside it"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"https://a/b\"}]}",
         SFGP_ERROR_FORMAT, "is no file beside it"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"data:,abcd\"}]}",
         SFGP_ERROR_FORMAT, "expected data:...;base64"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS
         ",\"buffers\":[{\"byteLength\":4,\"uri\":\"data:;base64,AAAA\"}]}",
         SFGP_ERROR_FORMAT, "has less base64"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS
         ",\"buffers\":[{\"byteLength\":4000000000000,\"uri\":\"data:;base64,AAAA\"}]}",
         SFGP_ERROR_FORMAT, "has 4 characters of base64"},
        {ASSET MESH("{\"attributes\":{\"POSITION\":0}}") VIEWS
         ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":9007199254740991,\"type\":\"VEC3\"}]" BUFFER
         "}",
         SFGP_ERROR_FORMAT, "accessor 0 reaches beyond"},
        {ASSET MESH("{\"attributes\":{\"POSITION\":0}}") VIEWS
         ",\"accessors\":[{\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}]" BUFFER "}",
         SFGP_ERROR_FORMAT, "accessor 0 reaches beyond its view or buffer, or has none"},
        {ASSET MESH("{\"attributes\":{\"POSITION\":0}}") VIEWS
         ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"VEC3\",\"sparse\":{}}]" BUFFER
         "}",
         SFGP_ERROR_FORMAT, "accessor 0 is sparse"},
        {ASSET MESH("{\"attributes\":{\"POSITION\":0},\"indices\":1}") VIEWS
         ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"
         "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}]" BUFFER "}",
         SFGP_ERROR_FORMAT, "a triangle has the point 2 of 2"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"data:abcd\"}]}",
         SFGP_ERROR_FORMAT, "expected data:...;base64"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS
         ",\"buffers\":[{\"byteLength\":4,\"uri\":\"data:text/plain,AAAA\"}]}",
         SFGP_ERROR_FORMAT, "expected data:...;base64"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"\"}]}",
         SFGP_ERROR_FORMAT, "is no file beside it"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"a:b\"}]}",
         SFGP_ERROR_FORMAT, "is no file beside it"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"%zz.bin\"}]}",
         SFGP_ERROR_READ, "%zz.bin: No such file"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"a%2\"}]}",
         SFGP_ERROR_READ, "a%2: No such file"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":4,\"uri\":\"%01.bin\"}]}",
         SFGP_ERROR_READ, "%01.bin: No such file"},
        {ASSET MESH(TRIANGLES) VIEWS ACCESSORS ",\"buffers\":[{\"byteLength\":60,\"uri\":\"short.bin\"}]}",
         SFGP_ERROR_FORMAT, "'short.bin' has 10 bytes, expected 60"},
        {ASSET MESH(
             "{\"attributes\":{\"POSITION\":0}}") ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":48,\"byteStride\":4}]"
                                                  ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}]" BUFFER
                                                  "}",
         SFGP_ERROR_FORMAT, "accessor 0 reaches beyond"},
        {ASSET MESH(
             TRIANGLES) ",\"nodes\":[{\"mesh\":0,\"matrix\":[1,0,0,0,0,1e308,0,0,0,0,1,0,0,1e308,0,1]}]" REST,
         SFGP_ERROR_DATA, "point 2 of accessor 0 is not finite"},
        {ASSET MESH(
             TRIANGLES) ",\"nodes\":[{\"mesh\":0,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1e308,0,0,0,1e308,1]}]" REST,
         SFGP_ERROR_DATA, "point 3 of accessor 0 is not finite"},
        {ASSET MESH("{\"attributes\":{\"POSITION\":0},\"indices\":2}") VIEWS
         ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{},"
         "{\"bufferView\":0,\"componentType\":5126,\"count\":12,\"type\":\"SCALAR\"}]" BUFFER "}",
         SFGP_ERROR_FORMAT, "a triangle has the point 0.1 of 4"},
        {ASSET MESH("{\"attributes\":{\"POSITION\":0},\"indices\":2}") VIEWS
         ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{},"
         "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5120,\"count\":3,\"type\":\"SCALAR\"}]" BUFFER
         "}",
         SFGP_ERROR_FORMAT, "a triangle has the point -128 of 4"},
        {ASSET MESH("{\"attributes\":{},\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0}}}")
             REST,
         SFGP_ERROR_FORMAT, "packed by Draco, which is not read"},
        {ASSET MESH(
             "{\"attributes\":{\"POSITION\":0},\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0}}}") ",\"accessors\":[{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}]" BUFFER
                                                                                                                     "}",
         SFGP_ERROR_FORMAT, "packed by Draco, which is not read"},
        {ASSET MESH(
             "{\"attributes\":{\"POSITION\":0},\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0}}}")
             REST,
         SFGP_OK, ""},
        {ASSET ",\"extensionsRequired\":[\"KHR_texture_transform\"]" MESH(TRIANGLES) REST, SFGP_OK, ""},
        {ASSET ",\"extensionsRequired\":[5]" MESH(TRIANGLES) REST, SFGP_ERROR_FORMAT, "line 1"},
        {ASSET MESH(TRIANGLES) ",\"scenes\":[{\"nodes\":[4,0]}],\"nodes\":[{\"mesh\":0}]" REST,
         SFGP_ERROR_FORMAT, "node 4 is not there"},
        {ASSET ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":9}}]},{\"primitives\":[" TRIANGLES
               "]}]" REST,
         SFGP_ERROR_FORMAT, "accessor 9 is not there"},
        {ASSET ",\"accessors\":[{\"normalized\":", SFGP_ERROR_FORMAT, "line 1"},
    };
    sfgp_test_write(test_path("short.bin"), "0123456789", 10);
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        sfgp_mesh *mesh = NULL;
        sfgp_assert_error(*state, read_glb(*state, examples[k].json, &mesh), examples[k].expected,
                          examples[k].words);
        sfgp_mesh_free(mesh);
    }
}

/* Bytes of -128 with a flag that has a line of its own. */
static void normalised_numbers_end_at_minus_one(void **state)
{
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(
        *state,
        read_glb(*state,
                 ASSET MESH("{\"attributes\":{\"POSITION\":0}}") VIEWS
                 ",\"accessors\":[{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5120,\"count\":1,"
                 "\"type\":\"VEC3\",\"normalized\": \n true}]" BUFFER "}",
                 &mesh));
    assert_true(mesh->points[0] == 0 && mesh->points[1] == 0 &&
                mesh->points[2] == -1); /* 1.0 is 00 00 80 3f */
    sfgp_mesh_free(mesh);
}

/* Each node is the child of the one before. */
static void nodes_below_each_other_are_bounded(void **state)
{
    for (int count = 256; count <= 257; count++) {
        sfgp_buffer json = sfgp_buffer_empty(*state);
        sfgp_mesh *mesh = NULL;
        char node[64];
        sfgp_buffer_text(&json, ASSET MESH(TRIANGLES) ",\"nodes\":[{\"mesh\":0,\"children\":[1]}");
        for (int k = 2; k < count; k++) {
            snprintf(node, sizeof node, ",{\"children\":[%d]}", k);
            sfgp_buffer_text(&json, node);
        }
        sfgp_buffer_text(&json, ",{}]" REST);
        sfgp_buffer_add(&json, "", 1);
        sfgp_assert_status(*state, read_glb(*state, (const char *)json.bytes, &mesh),
                           count == 256 ? SFGP_OK : SFGP_ERROR_FORMAT);
        sfgp_mesh_free(mesh);
        sfgp_buffer_clear(&json);
    }
    sfgp_assert_has(sfgp_context_error(*state), "more than 256 nodes below each other");
}

/* 2000 nodes of one mesh of 300 points: more than a hundred times the files. */
static void repeated_meshes_are_bounded(void **state)
{
    const char *folder = sfgp_test_folder();
    const unsigned char zeros[3600] = {0};
    char path[256];
    sfgp_buffer json = sfgp_buffer_empty(*state);
    sfgp_mesh *mesh = NULL;
    sfgp_test_write(sfgp_test_path(folder, "zeros.bin"), zeros, sizeof zeros);
    strcpy(path, sfgp_test_path(folder, "repeated.gltf"));
    sfgp_buffer_text(
        &json, "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"zeros.bin\",\"byteLength\":3600}],"
               "\"bufferViews\":[{\"buffer\":0,\"byteLength\":3600}],\"accessors\":[{\"bufferView\":0,"
               "\"componentType\":5126,\"count\":300,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{"
               "\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}");
    for (int k = 0; k < 2000; k++)
        sfgp_buffer_text(&json, ",{\"mesh\":0}");
    sfgp_buffer_text(&json, "]}");
    sfgp_test_write(path, json.bytes, (size_t)json.size);
    sfgp_assert_error(*state, sfgp_mesh_read(*state, path, &mesh), SFGP_ERROR_FORMAT,
                      "nodes repeat meshes to more than 100 times");
    assert_null(mesh);
    sfgp_buffer_clear(&json);
}

static const char FULL[] =
    ASSET MESH(TRIANGLES) ",\"nodes\":[{\"mesh\":0,\"translation\":[1,2,3],\"rotation\":[0,0,0,1],"
                          "\"children\":[1]},{\"mesh\":0,\"scale\":[1,1,2]}]" REST;

static void try_prefix(void *user, const char *bytes, size_t size, size_t place)
{
    const sfgp_status status = sfgp_try_bytes(user, "cut.glb", bytes, size);
    if (status != SFGP_ERROR_FORMAT && status != SFGP_ERROR_DATA)
        fail_msg("cut to %zu bytes: status %d", place, (int)status);
}

static void try_mutation(void *user, const char *bytes, size_t size, size_t place)
{
    const sfgp_status status = sfgp_try_bytes(user, "changed.glb", bytes, size);
    if (status != SFGP_OK && status != SFGP_ERROR_FORMAT && status != SFGP_ERROR_DATA)
        fail_msg("changed at byte %zu: status %d, %s", place, (int)status, sfgp_context_error(user));
}

static void every_prefix_and_small_change_is_refused_or_read(void **state)
{
    size_t size;
    unsigned char *bytes = make_glb(FULL, &size);
    sfgp_context *context = sfgp_bounded_context(4 << 20);
    sfgp_each_prefix((char *)bytes, size, try_prefix, *state);
    sfgp_each_mutation((char *)bytes, size, try_mutation, context);
    sfgp_context_free(context);
    free(bytes);
}

static void row_71_every_failing_allocation_is_reported(void **state)
{
    char path[256], json[2048];
    snprintf(json, sizeof json, "%s,\"buffers\":[{\"uri\":\"data:;base64,%080d\",\"byteLength\":60}]}",
             ASSET MESH(TRIANGLES) ",\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}]" VIEWS ACCESSORS,
             0);
    strcpy(path, test_path("sweep.gltf"));
    sfgp_test_write(path, json, strlen(json));
    const sfgp_status status = sfgp_try_path(*state, path);
    assert_int_equal(status, SFGP_ERROR_FORMAT); /* indices of 0xd34d */
    size_t size;
    unsigned char *bytes = make_glb(FULL, &size);
    sfgp_test_write(path, bytes, size);
    free(bytes);
    assert_true(sfgp_sweep_allocations(*state, sfgp_try_path, path) >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(files_without_nodes_are_their_meshes),
        sfgp_unit_test(nodes_move_their_meshes),
        sfgp_unit_test(rotation_and_scale),
        sfgp_unit_test(primitives_share_points_and_may_be_strips_and_fans),
        sfgp_unit_test(kinds_of_numbers),
        sfgp_unit_test(buffers_may_be_text_or_files_beside),
        sfgp_unit_test(a_file_beside_may_be_much_larger),
        sfgp_unit_test(buffers_in_files_are_bounded),
        sfgp_unit_test(faults_are_named),
        sfgp_unit_test(normalised_numbers_end_at_minus_one),
        sfgp_unit_test(nodes_below_each_other_are_bounded),
        sfgp_unit_test(repeated_meshes_are_bounded),
        sfgp_unit_test(every_prefix_and_small_change_is_refused_or_read),
        sfgp_unit_test(row_71_every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
