#include "support/support.h"
#include "io/scalar.h"
#include "io/token.h"

#include <string.h>

static sfgp_text text_of(const char *text)
{
    return (sfgp_text){text, (int64_t)strlen(text)};
}

/* Bytes written down by hand from two's complement and IEEE 754. */
static void numbers_of_every_type_are_stored_and_loaded(void **state)
{
    const struct {
        sfgp_scalar type;
        double value;
        const char *little, *big;
    } rows[] = {
        {SFGP_INT8, -2, "\xfe", "\xfe"},
        {SFGP_UINT8, 254, "\xfe", "\xfe"},
        {SFGP_INT16, -2, "\xfe\xff", "\xff\xfe"},
        {SFGP_UINT16, 0xfffe, "\xfe\xff", "\xff\xfe"},
        {SFGP_INT32, -2147483648.0, "\0\0\0\x80", "\x80\0\0\0"},
        {SFGP_UINT32, 2147483648.0, "\0\0\0\x80", "\x80\0\0\0"},
        {SFGP_INT64, -3, "\xfd\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xfd"},
        {SFGP_FLOAT32, -1.5, "\0\0\xc0\xbf", "\xbf\xc0\0\0"},
        {SFGP_FLOAT64, 1.5, "\0\0\0\0\0\0\xf8\x3f", "\x3f\xf8\0\0\0\0\0\0"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        unsigned char bytes[8];
        sfgp_scalar_store(rows[k].type, rows[k].value, bytes);
        assert_memory_equal(bytes, rows[k].little, (size_t)sfgp_scalar_size(rows[k].type));
        assert_true(sfgp_scalar_load(rows[k].type, false, bytes) == rows[k].value);
        memcpy(bytes, rows[k].big, (size_t)sfgp_scalar_size(rows[k].type));
        assert_true(sfgp_scalar_load(rows[k].type, true, bytes) == rows[k].value);
    }
}

static void types_have_two_names(void **state)
{
    const char *names[][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                              {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                              {"float", "float32"}, {"double", "float64"}};
    sfgp_scalar type;
    (void)state;
    for (int k = 0; k < 8; k++)
        for (int n = 0; n < 2; n++) {
            assert_true(sfgp_scalar_find(text_of(names[k][n]), &type));
            assert_int_equal(type, k);
            assert_int_equal(sfgp_scalar_is_integer(type), k < 6);
        }
    assert_false(sfgp_scalar_find(text_of("Float"), &type) || sfgp_scalar_find(text_of(""), &type));
}

static void whole_numbers_are_checked(void **state)
{
    const char *bad[] = {"", "-", "+", "1.0", "1e9", " 1", "1 ", "0x1", "9223372036854775808", "--1"};
    int64_t value = 7;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(sfgp_text_integer(text_of(bad[k]), &value));
    assert_int_equal(value, 7);
    assert_true(sfgp_text_integer(text_of("9223372036854775807"), &value) && value == INT64_MAX);
    assert_true(sfgp_text_integer(text_of("-0012"), &value) && value == -12);
    assert_true(sfgp_text_integer(text_of("+3"), &value) && value == 3);
}

static void words_are_cut_compared_and_shown(void **state)
{
    sfgp_text rest = text_of(" one\t two  "), word;
    (void)state;
    assert_true(sfgp_text_word(&rest, &word) && sfgp_text_is(word, "one"));
    assert_true(sfgp_text_word(&rest, &word) && sfgp_text_is_nocase(word, "TWO"));
    assert_false(sfgp_text_word(&rest, &word));
    assert_false(sfgp_text_is(text_of("one"), "on") || sfgp_text_is_nocase(text_of("one"), "ona"));
    assert_true(sfgp_text_is(sfgp_text_trim(text_of(" \ta b ")), "a b"));
    assert_string_equal(sfgp_text_show(text_of("a\x01\n\xff")).text, "a???");
    assert_string_equal(sfgp_text_show(text_of("0123456789012345678901234567890123456789x")).text,
                        "0123456789012345678901234567890123456789...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(numbers_of_every_type_are_stored_and_loaded),
        sfgp_unit_test(types_have_two_names),
        sfgp_unit_test(whole_numbers_are_checked),
        sfgp_unit_test(words_are_cut_compared_and_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
