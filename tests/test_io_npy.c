#include "support/corrupt.h"
#include "support/endian.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct array {
    char bytes[4096];
    size_t size;
} array;

static array make_array(int version, const char *dictionary, const void *data, size_t size)
{
    array made = {"\x93NUMPY", 8};
    size_t length = strlen(dictionary);
    made.bytes[6] = (char)version;
    for (int k = 0; k < 2 * version; k++)
        made.bytes[made.size++] = k < 2 ? (char)(length >> 8 * k) : 0;
    memcpy(made.bytes + made.size, dictionary, length);
    memcpy(made.bytes + made.size + length, data, size);
    made.size += length + size;
    return made;
}

/* Doubles as the files have them, whatever the byte order of the machine is; valid until the next call. */
static const unsigned char *little_endian(const double *values, size_t count)
{
    static unsigned char bytes[128];
    assert_true(8 * count <= sizeof bytes);
    sfgp_test_copy_little(bytes, values, count, sizeof *values);
    return bytes;
}

static sfgp_status try_array(sfgp_context *context, const array *made)
{
    return sfgp_try_bytes(context, "array.npy", made->bytes, made->size);
}

#define DICTIONARY(type, order, shape)                                                                       \
    "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }      \n"

/* Six numbers 1 .. 6 in a type, made from their bits. */
static size_t put_numbers(const char *type, unsigned char *bytes)
{
    size_t size = (size_t)(type[2] - '0');
    for (int k = 0; k < 6; k++) {
        const double f8 = k + 1;
        const float f4 = (float)f8;
        uint64_t bits = (uint64_t)k + 1;
        uint32_t narrow = 0;
        if (type[1] == 'f' && size == 8)
            memcpy(&bits, &f8, sizeof bits);
        else if (type[1] == 'f')
            memcpy(&narrow, &f4, sizeof narrow), bits = narrow;
        for (size_t b = 0; b < size; b++)
            bytes[size * (size_t)k + (type[0] == '>' ? size - 1 - b : b)] = (unsigned char)(bits >> 8 * b);
    }
    return 6 * size;
}

static void every_type_order_and_version_is_read(void **state)
{
    const char *types[] = {"<f8", ">f8", "<f4", ">f4", "<i4", ">i4", "<i8", ">i8",
                           "<i2", ">i2", "<u2", ">u2", "<u4", ">u4", "|u1", "|i1"};
    const double rows[] = {1, 2, 3, 4, 5, 6}, columns[] = {1, 3, 5, 2, 4, 6};
    for (int k = 0; k < 4 * (int)(sizeof types / sizeof *types); k++) {
        unsigned char data[64];
        char dictionary[256];
        sfgp_mesh *mesh = NULL;
        size_t size = put_numbers(types[k / 4], data);
        bool by_columns = k % 2;
        snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }  \n",
                 types[k / 4], by_columns ? "True" : "False", by_columns ? "2, 3" : "2,3,");
        array made = make_array(k / 2 % 2 + 1, dictionary, data, size);
        sfgp_assert_ok(*state, sfgp_read_bytes(*state, "array.npy", made.bytes, made.size, &mesh));
        assert_true(mesh->count == 2 && mesh->dimension == 3 && mesh->face_count == 0);
        assert_string_equal(mesh->format, "npy");
        assert_memory_equal(mesh->points, by_columns ? columns : rows, sizeof rows);
        sfgp_mesh_free(mesh);
    }
}

static void keys_may_stand_in_any_order_and_quotes(void **state)
{
    const double data[] = {1, 2, 3, 4};
    array made = make_array(1, "{\"shape\":(2,2),\"fortran_order\":False,\"descr\":\"<f8\"}\n",
                            little_endian(data, 4), 32);
    sfgp_assert_ok(*state, try_array(*state, &made));
}

static void malformed_headers_are_refused(void **state)
{
    const double data[] = {1, 2, 3, 4, 5, 6};
    const char *dictionaries[] = {
        "",
        "{}",
        "{'descr': '<f8', 'fortran_order': False}",
        "{'descr': '<f8', 'shape': (2, 3)}",
        "{'fortran_order': False, 'shape': (2, 3)}",
        DICTIONARY("<f8", "False", "(2, 3)") "x",
        DICTIONARY("<c16", "False", "(2, 3)"),
        DICTIONARY("|O", "False", "(2, 3)"),
        DICTIONARY("=f8", "False", "(2, 3)"),
        DICTIONARY("<f8", "Maybe", "(2, 3)"),
        DICTIONARY("<f8", "False", "(6,)"),
        DICTIONARY("<f8", "False", "(6, 1)"),
        DICTIONARY("<f8", "False", "(2, 4)"),
        DICTIONARY("<f8", "False", "(2, 3, 1)"),
        DICTIONARY("<f8", "False", "(-2, 3)"),
        DICTIONARY("<f8", "False", "(2; 3)"),
        DICTIONARY("<f8", "False", "(18446744073709551616, 3)"),
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)",
        "{'descr': '<f8' 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr: '<f8', 'fortran_order': False, 'shape': (2, 3)}",
        "{'other': 1, 'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}",
        "['descr', '<f8']",
        "{'descr': ['<f8'], 'fortran_order': False, 'shape': (2, 3)}",
    };
    for (size_t k = 0; k < sizeof dictionaries / sizeof *dictionaries; k++) {
        array made = make_array(1, dictionaries[k], data, sizeof data);
        if (try_array(*state, &made) != SFGP_ERROR_FORMAT)
            fail_msg("'%s' is not refused", dictionaries[k]);
    }
}

/* The words showed the start of the header, which was right, and not the entry that was not. */
static void errors_show_the_entry_that_is_wrong(void **state)
{
    const double data[] = {1, 2, 3, 4, 5, 6};
    static const char *const CASES[][2] = {
        {DICTIONARY("<f8", "False", "(1, 2, 3)"), "found ''shape': (1, 2, 3)"},
        {DICTIONARY("<f8", "Maybe", "(2, 3)"), "found ''fortran_order': Maybe"},
        {DICTIONARY("<f2", "False", "(2, 3)"), "found ''descr': '<f2'"},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        array made = make_array(1, CASES[k][0], data, sizeof data);
        sfgp_assert_error(*state, try_array(*state, &made), SFGP_ERROR_FORMAT, CASES[k][1]);
    }
}

/* The advice to take --columns 1,2,3 of the many columns of a transpose would have made three points of it. */
static void a_transpose_is_recognised(void **state)
{
    const unsigned char data[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    array made = make_array(1, DICTIONARY("|u1", "False", "(2, 10)"), data, sizeof data);
    sfgp_assert_error(*state, try_array(*state, &made), SFGP_ERROR_FORMAT,
                      "shape (2, 10), expected (n, 2) or (n, 3)");
    sfgp_assert_has(sfgp_context_error(*state), "is it the transpose (.T)?");
}

static void row_12_wrong_sizes_are_refused_before_memory_is_taken(void **state)
{
    const double data[] = {1, 2, 3, 4, 5, 6};
    const char *shapes[] = {"(1, 3)",          "(3, 3)", "(3, 2)", "(9223372036854775807, 3)",
                            "(4000000000, 2)", "(0, 3)"};
    sfgp_context *context = sfgp_bounded_context(1 << 20);
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        char dictionary[256];
        snprintf(dictionary, sizeof dictionary, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }\n",
                 shapes[k]);
        array made = make_array(1, dictionary, data, k == 2 ? 40 : sizeof data);
        sfgp_assert_status(context, try_array(context, &made), SFGP_ERROR_FORMAT);
    }
    array made = make_array(1, DICTIONARY("<f8", "False", "(0, 3)"), data, 0);
    sfgp_assert_status(context, try_array(context, &made), SFGP_ERROR_DATA); /* row 19 */
    made = make_array(1, DICTIONARY("<f8", "False", "(2, 3)"), data, sizeof data);
    made.bytes[6] = 3;
    sfgp_assert_status(context, try_array(context, &made), SFGP_ERROR_FORMAT);
    made.bytes[6] = 2; /* takes the first letters for a part of the length */
    sfgp_assert_status(context, try_array(context, &made), SFGP_ERROR_FORMAT);
    made.bytes[0] = 'x';
    sfgp_assert_status(context, try_array(context, &made), SFGP_ERROR_FORMAT);
    sfgp_context_free(context);
}

static void row_30_nan_is_refused_with_its_byte(void **state)
{
    double data[] = {1, 2, 3, 4, 5, 6};
    char words[32];
    data[4] = strtod("nan", NULL);
    array made = make_array(1, DICTIONARY("<f8", "False", "(2, 3)"), little_endian(data, 6), sizeof data);
    sfgp_assert_status(*state, try_array(*state, &made), SFGP_ERROR_DATA);
    snprintf(words, sizeof words, "byte %d:", (int)made.size - 16);
    sfgp_assert_has(sfgp_context_error(*state), words);
}

static void columns_are_taken_by_number(void **state)
{
    const double rows[] = {7, 1, 2, 3, 8, 4, 5, 6}, by_columns[] = {7, 8, 1, 4, 2, 5, 3, 6};
    const double expected[] = {3, 1, 2, 6, 4, 5};
    const char *path = test_path("array.npy");
    const char *orders[] = {DICTIONARY("<f8", "False", "(2, 4)"), DICTIONARY("<f8", "True", "(2, 4)")};
    for (int k = 0; k < 2; k++) {
        array made = make_array(1, orders[k], little_endian(k ? by_columns : rows, 8), sizeof rows);
        sfgp_mesh *mesh = NULL;
        sfgp_test_write(path, made.bytes, made.size);
        sfgp_assert_ok(
            *state, sfgp_mesh_read_with(*state, path, &(sfgp_read_options){.columns = "4,2,3"}, &mesh, NULL));
        assert_memory_equal(mesh->points, expected, sizeof expected);
        sfgp_mesh_free(mesh);
        sfgp_assert_status(
            *state, sfgp_mesh_read_with(*state, path, &(sfgp_read_options){.columns = "5,2"}, &mesh, NULL),
            SFGP_ERROR_PARAMETER);
        sfgp_assert_status(
            *state, sfgp_mesh_read_with(*state, path, &(sfgp_read_options){.columns = "x,y"}, &mesh, NULL),
            SFGP_ERROR_PARAMETER);
        sfgp_assert_error(*state, sfgp_mesh_read(*state, path, &mesh), SFGP_ERROR_FORMAT,
                          "found 4 and no header");
    }
}

static void the_writer_makes_version_1_aligned_to_64_bytes(void **state)
{
    const char *path = test_path("written.npy");
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3);
    size_t size;
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, path, mesh, NULL, 0));
    char *bytes = sfgp_test_read(path, &size);
    assert_int_equal(size, 128 + 96);
    assert_memory_equal(
        bytes, "\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }",
        10 + 59);
    assert_int_equal(bytes[127], '\n');
    assert_memory_equal(bytes + 128, little_endian(mesh->points, 12), 96);
    free(bytes);
    sfgp_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_type_order_and_version_is_read),
        sfgp_unit_test(keys_may_stand_in_any_order_and_quotes),
        sfgp_unit_test(malformed_headers_are_refused),
        sfgp_unit_test(errors_show_the_entry_that_is_wrong),
        sfgp_unit_test(a_transpose_is_recognised),
        sfgp_unit_test(row_12_wrong_sizes_are_refused_before_memory_is_taken),
        sfgp_unit_test(row_30_nan_is_refused_with_its_byte),
        sfgp_unit_test(columns_are_taken_by_number),
        sfgp_unit_test(the_writer_makes_version_1_aligned_to_64_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
