#include "support/corrupt.h"
#include "support/endian.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define FACE "property list uchar int vertex_indices\n"
#define ASCII "ply\nformat ascii 1.0\n"
#define TRIANGLE_HEADER ASCII "element vertex 3\n" XYZ "element face 1\n" FACE "end_header\n"
#define THREE_POINTS "0 0 0\n1 0 0\n0 1 0.5\n"

typedef struct example {
    const char *fault; /* row of FAULTS.md and what is wrong */
    const char *text;
    sfgp_status expected;
    const char *words; /* in the error or the warning */
} example;

static void try_examples(sfgp_context *context, const example *examples, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        sfgp_status status = sfgp_try_text(context, "example.ply", examples[k].text);
        if (status != examples[k].expected)
            print_error("example %s\n", examples[k].fault);
        sfgp_assert_status(context, status, examples[k].expected);
        const char *said = status == SFGP_OK ? sfgp_test_warning() : sfgp_context_error(context);
        if (examples[k].words && !strstr(said, examples[k].words))
            fail_msg("example %s: '%s' is not in '%s'", examples[k].fault, examples[k].words, said);
    }
}

static void ascii_faults(void **state)
{
    const example examples[] = {
        {"1 empty", "", SFGP_ERROR_FORMAT, "empty"},
        {"good", TRIANGLE_HEADER THREE_POINTS "3 0 1 2\n", SFGP_OK, NULL},
        {"7 cut in a vertex", TRIANGLE_HEADER "0 0 0\n1 0 0\n0 1", SFGP_ERROR_FORMAT, NULL},
        {"7 cut in a vertex, bytes enough", TRIANGLE_HEADER "0.00 0.00 0.00\n1.00 0.00 0.00\n0 1",
         SFGP_ERROR_FORMAT, "line 12: the row has too few"},
        {"8 cut in a face", TRIANGLE_HEADER THREE_POINTS "3 0 1", SFGP_ERROR_FORMAT, "line 13"},
        {"8 no face", TRIANGLE_HEADER "0.00 0.00 0.00\n1 0 0\n0 1 0.5\n", SFGP_ERROR_FORMAT, "promises"},
        {"9 last digit cut, complete", TRIANGLE_HEADER THREE_POINTS "3 0 1 2", SFGP_OK, NULL},
        {"11 count too small", TRIANGLE_HEADER THREE_POINTS "3 0 1 2\n3 0 1 2\n", SFGP_OK, "count too small"},
        {"14 length 0", TRIANGLE_HEADER THREE_POINTS "0\n", SFGP_OK, "1 faces with fewer"},
        {"14 length 1", TRIANGLE_HEADER THREE_POINTS "1 0\n", SFGP_OK, "1 faces with fewer"},
        {"14 length 2", TRIANGLE_HEADER THREE_POINTS "2 0 1\n", SFGP_OK, "1 faces with fewer"},
        {"14 length -1", TRIANGLE_HEADER THREE_POINTS "-1 0 1\n", SFGP_ERROR_FORMAT, "list length -1"},
        {"14 length 255", TRIANGLE_HEADER THREE_POINTS "255 0 1 2\n", SFGP_ERROR_FORMAT, "list length 255"},
        {"14 length 1.5", TRIANGLE_HEADER THREE_POINTS "1.5 0 1 2\n", SFGP_ERROR_FORMAT, "list length 1.5"},
        {"14 length nan", TRIANGLE_HEADER THREE_POINTS "nan 0 1 2\n", SFGP_ERROR_FORMAT, "list length nan"},
        {"20 index -1", TRIANGLE_HEADER THREE_POINTS "3 0 1 -1\n", SFGP_ERROR_FORMAT,
         "line 13: vertex index"},
        {"20 index N", TRIANGLE_HEADER THREE_POINTS "3 0 1 3\n", SFGP_ERROR_FORMAT, "0 to 2"},
        {"20 index 99999999", TRIANGLE_HEADER THREE_POINTS "3 0 1 99999999\n", SFGP_ERROR_FORMAT, "99999999"},
        {"20 index 2^32", TRIANGLE_HEADER THREE_POINTS "3 0 1 4294967296\n", SFGP_ERROR_FORMAT, "4294967296"},
        {"20 index nan", TRIANGLE_HEADER THREE_POINTS "3 0 1 nan\n", SFGP_ERROR_FORMAT, NULL},
        {"28 decimal comma", TRIANGLE_HEADER "0,5 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", SFGP_ERROR_FORMAT, "'0,5'"},
        {"30 nan", TRIANGLE_HEADER "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", SFGP_ERROR_DATA,
         "line 11: coordinate y"},
        {"30 inf", TRIANGLE_HEADER "0 0 0\n1 0 -inf\n0 1 0\n3 0 1 2\n", SFGP_ERROR_DATA, "coordinate z"},
        {"30 1e400", TRIANGLE_HEADER "0 0 0\n1e400 0 0\n0 1 0\n3 0 1 2\n", SFGP_ERROR_DATA, "coordinate x"},
        {"30 -nan(0x1)", TRIANGLE_HEADER "0 0 0\n-nan(0x1) 0 0\n0 1 0\n3 0 1 2\n", SFGP_ERROR_DATA, NULL},
        {"30 1e-400", TRIANGLE_HEADER "0 0 0\n1e-400 0 0\n0 1 0\n3 0 1 2\n", SFGP_OK, NULL},
        {"30 0x1p3", TRIANGLE_HEADER "0 0 0\n0x1p3 0 0\n0 1 0\n3 0 1 2\n", SFGP_ERROR_FORMAT, "0x1p3"},
        {"30 1.5.2", TRIANGLE_HEADER "0 0 0\n1.5.2 0 0\n0 1 0\n3 0 1 2\n", SFGP_ERROR_FORMAT, "1.5.2"},
        {"31 long row", TRIANGLE_HEADER "0 0 0 9\n1 0 0\n0 1 0\n3 0 1 2\n", SFGP_ERROR_FORMAT, "too many"},
    };
    try_examples(*state, examples, sizeof examples / sizeof *examples);
}

static void header_faults(void **state)
{
    const example examples[] = {
        {"18 no z", ASCII "element vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n",
         SFGP_ERROR_FORMAT, "no property z"},
        {"18 no vertex", ASCII "element face 0\n" FACE "end_header\n", SFGP_ERROR_FORMAT,
         "no element vertex"},
        {"18 two", ASCII "element vertex 1\n" XYZ "element vertex 1\n" XYZ "end_header\n0 0 0\n0 0 0\n",
         SFGP_ERROR_FORMAT, "line 7"},
        {"17 x twice", ASCII "element vertex 1\n" XYZ "property float x\nend_header\n0 0 0 0\n",
         SFGP_ERROR_FORMAT, "line 7"},
        {"19 no points", ASCII "element vertex 0\n" XYZ "end_header\n", SFGP_ERROR_DATA, "no points"},
        {"19 no faces", ASCII "element vertex 1\n" XYZ "element face 0\nend_header\n0 0 0\n", SFGP_OK, NULL},
        {"23 LF CR", "ply\n\rformat ascii 1.0\n\rend_header\n\r", SFGP_ERROR_FORMAT, "line 2"},
        {"27 no end_header", ASCII "element vertex 1\n" XYZ, SFGP_ERROR_FORMAT, "before end_header"},
        {"format missing", "ply\nelement vertex 1\n" XYZ "end_header\n0 0 0\n", SFGP_ERROR_FORMAT,
         "format line"},
        {"format twice", ASCII "format ascii 1.0\nelement vertex 1\n" XYZ "end_header\n0 0 0\n",
         SFGP_ERROR_FORMAT, "line 3"},
        {"version", "ply\nformat ascii 2.0\n", SFGP_ERROR_FORMAT, "version 1.0"},
        {"encoding", "ply\nformat binary 1.0\n", SFGP_ERROR_FORMAT, "'binary'"},
        {"keyword", ASCII "vertex 1\n", SFGP_ERROR_FORMAT, "'vertex'"},
        {"blank line", ASCII "\nelement vertex 1\n", SFGP_ERROR_FORMAT, "line 3"},
        {"type", ASCII "element vertex 1\nproperty real x\n", SFGP_ERROR_FORMAT, "'real'"},
        {"no name", ASCII "element vertex 1\nproperty float\n", SFGP_ERROR_FORMAT, "name"},
        {"property first", ASCII "property float x\n", SFGP_ERROR_FORMAT, "after an element"},
        {"length type", ASCII "element face 1\nproperty list float int vertex_indices\n", SFGP_ERROR_FORMAT,
         "length of a list"},
        {"index type", ASCII "element face 1\nproperty list uchar float vertex_indices\n", SFGP_ERROR_FORMAT,
         "integer type"},
        {"x a list", ASCII "element vertex 1\nproperty list uchar int x\n", SFGP_ERROR_FORMAT, "as numbers"},
        {"empty element", ASCII "element vertex 1\n" XYZ "element a 5\nend_header\n0 0 0\n",
         SFGP_ERROR_FORMAT, "without properties"},
        {"no indices",
         ASCII "element vertex 1\n" XYZ "element face 1\nproperty uchar a\nend_header\n0 0 0\n1\n",
         SFGP_ERROR_FORMAT, "no list vertex_indices"},
        {"not ply", "plx\n", SFGP_ERROR_FORMAT, "expected ply"},
    };
    try_examples(*state, examples, sizeof examples / sizeof *examples);
}

static void headers_have_a_largest_size(void **state)
{
    char *text = malloc(1 << 17), *end = text + sprintf(text, ASCII);
    for (int k = 0; k < 65; k++)
        end += sprintf(end, "element a%d 0\n", k);
    sfgp_assert_status(*state, sfgp_try_text(*state, "many.ply", text), SFGP_ERROR_FORMAT);
    end = text + sprintf(text, ASCII "element a 0\n");
    for (int k = 0; k < 1025; k++)
        end += sprintf(end, "property int a%d\n", k);
    sfgp_assert_error(*state, sfgp_try_text(*state, "many.ply", text), SFGP_ERROR_FORMAT, "1024 properties");
    free(text);
}

static void row_12_wrong_counts_are_refused_before_memory_is_taken(void **state)
{
    const char *counts[] = {
        "4000000000", "9223372036854775807", "18446744073709551616", "1e9", "-1", "", "2.0", "100"};
    const char *formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    sfgp_context *context = sfgp_bounded_context(1 << 20);
    (void)state;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int f = 0; f < 3; f++) {
            char text[512];
            snprintf(text, sizeof text, "ply\nformat %s 1.0\nelement vertex %s\n" XYZ "end_header\n0 0 0\n",
                     formats[f], counts[k]);
            sfgp_assert_status(context, sfgp_try_text(context, "count.ply", text), SFGP_ERROR_FORMAT);
            snprintf(text, sizeof text,
                     "ply\nformat %s 1.0\nelement vertex 1\n" XYZ "element face %s\n" FACE
                     "end_header\n0 0 0 0 0 0 0\n",
                     formats[f], counts[k]);
            sfgp_assert_status(context, sfgp_try_text(context, "count.ply", text), SFGP_ERROR_FORMAT);
        }
    sfgp_context_free(context);
}

static void row_13_wrong_list_lengths_are_refused_before_memory_is_taken(void **state)
{
    const char *types[] = {"uint", "int", "char"};
    const char *bytes = "\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0";
    sfgp_context *context = sfgp_bounded_context(1 << 20);
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int other = 0; other < 2; other++) {
            char file[512];
            int size = snprintf(file, sizeof file,
                                "ply\nformat binary_little_endian 1.0\nelement vertex 1\n" XYZ
                                "element face 1\nproperty list %s int %s\n%send_header\n",
                                types[k], other ? "other" : "vertex_index", other ? FACE : "");
            memcpy(file + size, bytes, 28);
            sfgp_assert_error(context, sfgp_try_bytes(context, "list.ply", file, (size_t)size + 28),
                              SFGP_ERROR_FORMAT, "byte");
        }
    sfgp_context_free(context);
}

/* ---- one mesh, many files ---- */

typedef struct file_text {
    char bytes[4096];
    size_t size;
} file_text;

static void put(file_text *file, const char *text)
{
    size_t length = strlen(text);
    memcpy(file->bytes + file->size, text, length);
    file->size += length;
}

/* The value in a type, by the machine's own conversion, byte by byte. */
static void put_number(file_text *file, const char *type, bool big, double value)
{
    unsigned char bytes[8];
    float f = (float)value;
    int32_t i = (int32_t)value;
    uint8_t c = (uint8_t)i; /* of the integer: a double that a type cannot hold has no defined value in it */
    int16_t s = (int16_t)i;
    bool wide = strstr(type, "double") || strstr(type, "64");
    size_t size = wide ? 8 : strstr(type, "short") || strstr(type, "16") ? 2 : strstr(type, "char") ? 1 : 4;
    if (strstr(type, "int8"))
        size = 1;
    const void *source = size == 8                                      ? (void *)&value
                         : size == 2                                    ? (void *)&s
                         : size == 1                                    ? (void *)&c
                         : strstr(type, "float") || strstr(type, "32f") ? (void *)&f
                                                                        : (void *)&i;
    sfgp_test_copy_little(bytes, source, 1, size);
    for (size_t k = 0; k < size; k++)
        file->bytes[file->size++] = (char)bytes[big ? size - 1 - k : k];
}

static void put_value(file_text *file, int encoding, const char *type, double value)
{
    char text[32];
    if (encoding > 0) {
        put_number(file, type, encoding == 2, value);
        return;
    }
    snprintf(text, sizeof text, "%g ", value);
    put(file, text);
}

static const double POINTS[4][3] = {{0, 1, 2}, {3, 4, 5}, {250, 7, 0}, {9, 100, 11}};
static const int FACES[2][3] = {{0, 1, 2}, {3, 2, 1}};

static void put_vertices(file_text *file, int encoding, const char *type)
{
    for (int i = 0; i < 4; i++) {
        for (int k = 2; k >= 0; k--)
            put_value(file, encoding, type, POINTS[i][k]);
        if (encoding == 0)
            put(file, "\n");
    }
}

static void put_faces(file_text *file, int encoding, const char *length_type, const char *type)
{
    for (int f = 0; f < 2; f++) {
        put_value(file, encoding, length_type, 3);
        for (int k = 0; k < 3; k++)
            put_value(file, encoding, type, FACES[f][k]);
        if (encoding == 0)
            put(file, "\n");
    }
}

static const char *const ENCODINGS[] = {"ascii", "binary_little_endian", "binary_big_endian"};

static void assert_is_the_mesh(sfgp_context *context, const file_text *file)
{
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(context, sfgp_read_bytes(context, "same.ply", file->bytes, file->size, &mesh));
    assert_int_equal(mesh->count, 4);
    assert_int_equal(mesh->face_count, 2);
    assert_string_equal(mesh->format, "ply");
    assert_memory_equal(mesh->points, POINTS, sizeof POINTS);
    for (int k = 0; k < 6; k++)
        assert_int_equal(mesh->face_points[k], FACES[k / 3][k % 3]);
    sfgp_mesh_free(mesh);
}

/* As Stanford's scans have them: strips one after the other in one list, each ended by -1; every second triangle is turned round. */
static void strips_are_triangles(void **state)
{
#define SQUARE "ply\nformat ascii 1.0\nelement vertex 4\n" XYZ "property uchar a\n"
#define STRIPS "element tristrips 1\nproperty list int int vertex_indices\n"
#define ROWS "0 0 0 7\n1 0 0 7\n0 1 0 7\n1 1 0 7\n"
    static const int64_t CORNERS[] = {0, 1, 2, 2, 1, 3, 3, 0, 1};
    static const example examples[] = {
        {"strip", SQUARE STRIPS "end_header\n" ROWS "8 0 1 2 3 -1 3 0 1\n", SFGP_OK, NULL},
        {"strip, -1 at the end", SQUARE STRIPS "end_header\n" ROWS "10 0 1 2 3 -1 3 0 1 -1 2\n", SFGP_OK,
         NULL},
        {"strip and face",
         SQUARE STRIPS "element face 1\n" FACE "property uchar b\nend_header\n" ROWS "4 0 1 2 3\n3 3 0 1 5\n",
         SFGP_OK, NULL},
        {"index", SQUARE STRIPS "end_header\n" ROWS "3 0 1 4\n", SFGP_ERROR_FORMAT, "of -1 to 3"},
        {"-1 of a face", SQUARE "element face 1\n" FACE "end_header\n" ROWS "3 0 1 -1\n", SFGP_ERROR_FORMAT,
         "of 0 to 3"}};
    for (int k = 0; k < 3; k++) {
        sfgp_mesh *mesh = NULL;
        sfgp_assert_ok(*state, sfgp_read_text(*state, "strips.ply", examples[k].text, &mesh));
        assert_int_equal(mesh->face_count, 3);
        assert_memory_equal(mesh->face_points, CORNERS, sizeof CORNERS);
        sfgp_mesh_free(mesh);
    }
    try_examples(*state, examples, sizeof examples / sizeof *examples);
}

static void rows_15_16_17_19_types_orders_and_encodings_give_the_same_bits(void **state)
{
    const char *types[] = {"float",   "double",  "int",   "uint",  "short",  "ushort", "uchar",
                           "float32", "float64", "int32", "int16", "uint16", "uint8",  "uint32"};
    const char *indices[] = {"int", "uint", "short", "ushort", "uchar", "char", "int8"};
    for (int e = 0; e < 3; e++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            for (int first = 0; first < 2; first++) {
                const char *index = indices[t % 7], *length = indices[(t + 3) % 7];
                char header[512], vertex[128], face[128];
                file_text file = {"", 0};
                snprintf(vertex, sizeof vertex,
                         "element vertex 4\nproperty %s z\nproperty %s y\nproperty %s x\n", types[t],
                         types[t], types[t]);
                snprintf(face, sizeof face, "element face 2\nproperty list %s %s vertex_index\n", length,
                         index);
                snprintf(header, sizeof header,
                         "ply\nformat %s 1.0\ncomment a b\nobj_info c\n%s%send_header\n", ENCODINGS[e],
                         first ? face : vertex, first ? vertex : face);
                put(&file, header);
                if (first)
                    put_faces(&file, e, length, index);
                put_vertices(&file, e, types[t]);
                if (!first)
                    put_faces(&file, e, length, index);
                assert_is_the_mesh(*state, &file);
            }
}

static void row_17_other_properties_and_elements_are_passed_over(void **state)
{
    for (int e = 0; e < 3; e++) {
        file_text file = {"", 0};
        char header[512];
        snprintf(header, sizeof header,
                 "ply\nformat %s 1.0\nelement camera 2\nproperty double f\nproperty list uchar short k\n"
                 "element vertex 4\nproperty uchar red\nproperty double z\nproperty double y\n"
                 "property list uint float uv\nproperty double x\nproperty float quality\nelement face 2\n"
                 "property uchar flag\nproperty list uchar int vertex_indices\nproperty list uchar double "
                 "texcoord\nend_header\n",
                 ENCODINGS[e]);
        put(&file, header);
        for (int c = 0; c < 2; c++) {
            put_value(&file, e, "double", 0.5), put_value(&file, e, "uchar", 1);
            put_value(&file, e, "short", 7), put(&file, e ? "" : "\n");
        }
        for (int i = 0; i < 4; i++) {
            put_value(&file, e, "uchar", 200), put_value(&file, e, "double", POINTS[i][2]);
            put_value(&file, e, "double", POINTS[i][1]), put_value(&file, e, "uint", i % 2);
            for (int k = 0; k < i % 2; k++)
                put_value(&file, e, "float", 0.25);
            put_value(&file, e, "double", POINTS[i][0]), put_value(&file, e, "float", 1e9);
            put(&file, e ? "" : "\n");
        }
        for (int f = 0; f < 2; f++) {
            put_value(&file, e, "uchar", 1), put_value(&file, e, "uchar", 3);
            for (int k = 0; k < 3; k++)
                put_value(&file, e, "int", FACES[f][k]);
            put_value(&file, e, "uchar", 2), put_value(&file, e, "double", 0),
                put_value(&file, e, "double", 1);
            put(&file, e ? "" : "\n");
        }
        assert_is_the_mesh(*state, &file);
    }
}

/* The first byte of the body is 10: after a lone CR it must not be taken for a part of the line end. */
static void rows_21_22_24_25_line_ends_and_bom(void **state)
{
    const char *ends[] = {"\n", "\r\n", "\r"}, *bom[] = {"", "\xEF\xBB\xBF"};
    const char *lines[] = {
        "ply",       NULL, "element vertex 1", "property uchar x", "property uchar y", "property uchar z",
        "end_header"};
    for (int variant = 0; variant < 18; variant++) {
        int e = variant % 3, end = variant / 3 % 3;
        file_text file = {"", 0};
        sfgp_mesh *mesh = NULL;
        put(&file, bom[variant / 9]);
        for (int k = 0; k < 7; k++) {
            if (!lines[k])
                put(&file, "format "), put(&file, ENCODINGS[e]), put(&file, " 1.0");
            else
                put(&file, lines[k]);
            put(&file, ends[end]);
        }
        for (int k = 10; k <= 12; k++)
            put_value(&file, e, "uchar", k);
        put(&file, e ? "" : ends[end]);
        sfgp_assert_ok(*state, sfgp_read_bytes(*state, "ends.ply", file.bytes, file.size, &mesh));
        assert_true(mesh->points[0] == 10 && mesh->points[1] == 11 && mesh->points[2] == 12);
        assert_string_equal(sfgp_test_warning(), "");
        sfgp_mesh_free(mesh);
    }
}

static void row_27_many_comments_are_read_in_linear_time(void **state)
{
    char *text = malloc(3 << 20), *end = text + sprintf(text, ASCII);
    for (int k = 0; k < 100000; k++)
        end += sprintf(end, "comment %d\n", k);
    strcpy(end, "element vertex 1\n" XYZ "end_header\n1 2 3\n");
    clock_t start = clock();
    sfgp_assert_ok(*state, sfgp_try_text(*state, "comments.ply", text));
    assert_true((double)(clock() - start) < 2.0 * CLOCKS_PER_SEC);
    free(text);
}

static void rows_11_30_binary_trailing_bytes_warn_and_nan_is_refused(void **state)
{
    char file[256];
    int size = snprintf(file, sizeof file,
                        "ply\nformat binary_big_endian 1.0\nelement vertex 1\n" XYZ "end_header\n");
    memset(file + size, 0, 20);
    sfgp_assert_ok(*state, sfgp_try_bytes(*state, "rest.ply", file, (size_t)size + 20));
    sfgp_assert_has(sfgp_test_warning(), "8 bytes after the last element");
    memcpy(file + size + 4, "\x7f\xc0\0\0", 4);
    sfgp_assert_status(*state, sfgp_try_bytes(*state, "nan.ply", file, (size_t)size + 12), SFGP_ERROR_DATA);
    char place[32];
    snprintf(place, sizeof place, "byte %d: coordinate y", size + 4);
    sfgp_assert_has(sfgp_context_error(*state), place);
}

static void dimension_2_is_honoured_only_for_a_plane(void **state)
{
    sfgp_mesh *mesh = NULL;
    const char *flat = ASCII "comment dimension 2\nelement vertex 2\n" XYZ "end_header\n1 2 0\n3 4 -0\n";
    const char *solid = ASCII "comment dimension 2\nelement vertex 2\n" XYZ "end_header\n1 2 0\n3 4 1\n";
    const double expected[] = {1, 2, 3, 4};
    sfgp_assert_ok(*state, sfgp_read_text(*state, "flat.ply", flat, &mesh));
    assert_int_equal(mesh->dimension, 2);
    assert_memory_equal(mesh->points, expected, sizeof expected);
    sfgp_mesh_free(mesh);
    sfgp_assert_ok(*state, sfgp_read_text(*state, "solid.ply", solid, &mesh));
    assert_int_equal(mesh->dimension, 3);
    sfgp_assert_has(sfgp_test_warning(), "dimension 2");
    sfgp_mesh_free(mesh);
}

/* ---- writer ---- */

static void attributes_are_written_behind_the_coordinates(void **state)
{
    const double sd[] = {0.5, 1.5, 2.5, 3.5}, missing[] = {0, 1, 0, 255};
    const sfgp_attribute attributes[] = {{"sd", sd, 0}, {"missing", missing, 1}};
    const char *path = test_path("attributes.ply");
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3), *back = NULL;
    size_t size;
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, attributes, 2));
    sfgp_assert_ok(*state, sfgp_mesh_read(*state, path, &back));
    sfgp_assert_meshes_equal(mesh, back);
    char *bytes = sfgp_test_read(path, &size);
    sfgp_assert_has(bytes, "property double z\nproperty double sd\nproperty uchar missing\n");
    const char *body = strstr(bytes, "end_header\n") + 11;
    for (int i = 0; i < 4; i++) {
        double read;
        sfgp_test_copy_little(&read, body + 33 * i + 24, 1, sizeof read);
        assert_memory_equal(&read, &sd[i], sizeof read);
        assert_int_equal((unsigned char)body[33 * i + 32], (int)missing[i]);
    }
    free(bytes);
    sfgp_mesh_free(back);
    sfgp_mesh_free(mesh);
}

static void assert_attribute(const sfgp_attributes *attributes, int index, const char *name, int integer,
                             const double *values, size_t count)
{
    assert_true(index < attributes->count);
    assert_string_equal(attributes->items[index].name, name);
    assert_int_equal(attributes->items[index].integer, integer);
    assert_memory_equal(attributes->items[index].values, values, count * sizeof *values);
}

/* Before, between and behind the coordinates; lists and properties of other elements are no attributes. */
static void attributes_are_read_in_the_order_of_the_file(void **state)
{
    static const char TEXT[] = ASCII "element other 1\nproperty float height\nelement vertex 2\n"
                                     "property uchar red\nproperty float x\nproperty list uchar int l\n"
                                     "property int label\nproperty float y\nproperty float z\n"
                                     "property double quality\nend_header\n"
                                     "9\n7 0 2 8 8 -70000 0 0 0.1\n255 1 0 5 0 0 nan\n";
    const char *path = test_path("other.ply");
    sfgp_mesh *mesh;
    sfgp_attributes *attributes;
    sfgp_test_write(path, TEXT, sizeof TEXT - 1);
    sfgp_assert_ok(*state, sfgp_mesh_read_attributes(*state, path, &mesh, &attributes));
    assert_int_equal(attributes->count, 3);
    assert_attribute(attributes, 0, "red", 1, (const double[]){7, 255}, 2);
    assert_attribute(attributes, 1, "label", 0, (const double[]){-70000, 5}, 2);
    assert_attribute(attributes, 2, "quality", 0, (const double[]){0.1}, 1);
    assert_true(isnan(attributes->items[2].values[1]));
    assert_true(mesh->count == 2 && mesh->points[3] == 1);
    sfgp_attributes_free(attributes);
    sfgp_mesh_free(mesh);
}

static sfgp_status read_and_free(sfgp_context *context, void *user)
{
    sfgp_mesh *mesh;
    sfgp_attributes *attributes;
    sfgp_status status = sfgp_mesh_read_attributes(context, user, &mesh, &attributes);
    sfgp_mesh_free(mesh);
    sfgp_attributes_free(attributes);
    return status;
}

static void attributes_read_and_written_are_the_same_file(void **state)
{
    const double sd[] = {0.5, 1e-310, 2.5, 3.5}, missing[] = {0, 1, 0, 255};
    const sfgp_attribute given[] = {{"sd", sd, 0}, {"l\xc3\xa4nge", sd, 0}, {"missing", missing, 1}};
    const char *first = test_path("first.ply"), *again = test_path("again.ply");
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3), *back;
    sfgp_attributes *attributes;
    size_t size, size_again;
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, first, mesh, given, 3));
    sfgp_assert_ok(*state, sfgp_mesh_read_attributes(*state, first, &back, &attributes));
    assert_int_equal(attributes->count, 3);
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, again, back, attributes->items, attributes->count));
    char *bytes = sfgp_test_read(first, &size), *same = sfgp_test_read(again, &size_again);
    assert_int_equal(size, size_again);
    assert_memory_equal(bytes, same, size);
    assert_true(sfgp_sweep_allocations(*state, read_and_free, (void *)again) >= 12); /* three a property */
    free(bytes);
    free(same);
    sfgp_attributes_free(attributes);
    sfgp_mesh_free(back);
    sfgp_mesh_free(mesh);
}

static void other_formats_have_no_attributes_and_bad_files_neither(void **state)
{
    const char *path = test_path("points.csv"), *bad = test_path("bad.ply");
    sfgp_mesh *mesh;
    sfgp_attributes *attributes;
    sfgp_test_write(path, "1,2,3\n", 6);
    sfgp_assert_ok(*state, sfgp_mesh_read_attributes(*state, path, &mesh, &attributes));
    assert_int_equal(attributes->count, 0);
    sfgp_mesh_free(mesh);
    sfgp_attributes_free(attributes);
    sfgp_attributes_free(NULL);
    static const char CUT[] = ASCII "element vertex 2\n" XYZ "property float q\nend_header\n0 0 0 1\n1 1 1\n";
    sfgp_test_write(bad, CUT, sizeof CUT - 1);
    sfgp_assert_status(*state, sfgp_mesh_read_attributes(*state, bad, &mesh, &attributes), SFGP_ERROR_FORMAT);
    assert_true(!mesh && !attributes);
    assert_int_equal(sfgp_mesh_read_attributes(*state, bad, &mesh, NULL), SFGP_ERROR_PARAMETER);
}

static void attributes_that_ply_cannot_hold_are_refused(void **state)
{
    const double good[] = {0, 0, 0, 0}, high[] = {0, 256, 0, 0}, half[] = {0, 0.5, 0, 0};
    const sfgp_attribute bad[] = {{"", good, 0},   {"a b", good, 0}, {"x", good, 0}, {"n\n", good, 0},
                                  {NULL, good, 0}, {"a", NULL, 0},   {"a", high, 1}, {"a", half, 1}};
    const char *path = test_path("refused.ply");
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        sfgp_assert_status(*state, sfgp_mesh_write(*state, path, mesh, &bad[k], 1), SFGP_ERROR_PARAMETER);
    assert_null(sfgp_test_read(path, NULL));
    sfgp_mesh_free(mesh);
}

static void polygons_of_more_than_255_corners_get_an_int_length(void **state)
{
    const char *path = test_path("polygon.ply");
    for (int corners = 254; corners <= 257; corners++) {
        sfgp_mesh *mesh = NULL, *back = NULL;
        sfgp_assert_ok(*state, sfgp_mesh_new(*state, 300, 3, 2, corners + 3, &mesh));
        for (int k = 0; k < corners + 3; k++)
            mesh->face_points[k] = k;
        mesh->face_start[1] = corners, mesh->face_start[2] = corners + 3;
        sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0));
        sfgp_assert_ok(*state, sfgp_mesh_read(*state, path, &back));
        sfgp_assert_meshes_equal(mesh, back);
        char *bytes = sfgp_test_read(path, NULL);
        assert_true((strstr(bytes, "property list int int vertex_indices\n") != NULL) == (corners > 255));
        free(bytes);
        sfgp_mesh_free(back);
        sfgp_mesh_free(mesh);
    }
}

static void a_million_points_are_read_in_time(void **state)
{
    const char *path = test_path("million.ply");
    sfgp_mesh *mesh = NULL, *back = NULL;
    sfgp_assert_ok(*state, sfgp_mesh_new(*state, 1000000, 3, 0, 0, &mesh));
    for (int k = 0; k < 3000000; k++)
        mesh->points[k] = k / 7.0;
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0));
    clock_t start = clock();
    sfgp_assert_ok(*state, sfgp_mesh_read(*state, path, &back));
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("a million points: %.3f s\n", seconds);
    assert_true(seconds < 10); /* well under 1 s without sanitizers */
    sfgp_assert_meshes_equal(mesh, back);
    sfgp_mesh_free(back);
    sfgp_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(ascii_faults),
        sfgp_unit_test(header_faults),
        sfgp_unit_test(headers_have_a_largest_size),
        sfgp_unit_test(row_12_wrong_counts_are_refused_before_memory_is_taken),
        sfgp_unit_test(row_13_wrong_list_lengths_are_refused_before_memory_is_taken),
        sfgp_unit_test(strips_are_triangles),
        sfgp_unit_test(rows_15_16_17_19_types_orders_and_encodings_give_the_same_bits),
        sfgp_unit_test(row_17_other_properties_and_elements_are_passed_over),
        sfgp_unit_test(rows_21_22_24_25_line_ends_and_bom),
        sfgp_unit_test(row_27_many_comments_are_read_in_linear_time),
        sfgp_unit_test(rows_11_30_binary_trailing_bytes_warn_and_nan_is_refused),
        sfgp_unit_test(dimension_2_is_honoured_only_for_a_plane),
        sfgp_unit_test(attributes_are_written_behind_the_coordinates),
        sfgp_unit_test(attributes_are_read_in_the_order_of_the_file),
        sfgp_unit_test(attributes_read_and_written_are_the_same_file),
        sfgp_unit_test(other_formats_have_no_attributes_and_bad_files_neither),
        sfgp_unit_test(attributes_that_ply_cannot_hold_are_refused),
        sfgp_unit_test(polygons_of_more_than_255_corners_get_an_int_length),
        sfgp_unit_test(a_million_points_are_read_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
