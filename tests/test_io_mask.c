#include "support/corrupt.h"

#include <string.h>

static sfgp_status read_mask(sfgp_context *context, const void *bytes, size_t size, int64_t count,
                             unsigned char **mask)
{
    const char *path = test_path("mask.txt");
    sfgp_test_write(path, bytes, size);
    return sfgp_mask_read(context, path, count, mask);
}

static void good_masks_are_read(void **state)
{
    const char *texts[] = {"0\n1\n1\n", "0\n1\n1", "0\r\n1\r\n1\r\n", "0\r1\r1\r",
                           "\xEF\xBB\xBF# missing\n\n 0 \n\t1\n#\n1\n\n"};
    const unsigned char expected[] = {0, 1, 1};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        unsigned char *mask = NULL;
        sfgp_assert_ok(*state, read_mask(*state, texts[k], strlen(texts[k]), 3, &mask));
        assert_memory_equal(mask, expected, 3);
        sfgp_mask_free(mask);
    }
    sfgp_mask_free(NULL);
}

static void wrong_masks_are_refused_with_their_line(void **state)
{
    const struct example {
        const char *text, *words;
    } examples[] = {{"0\n1\n", "line 2: expected 3 lines, one a point, found 2"},
                    {"0\n1\n1\n0\n", "line 4: expected 3 lines, one a point, found more"},
                    {"0\n2\n1\n", "line 2: expected 0 or 1, found '2'"},
                    {"0\n1.0\n1\n", "line 2: expected 0 or 1, found '1.0'"},
                    {"0 1 1\n", "line 1: expected 0 or 1"},
                    {"0\n1\nx\n", "line 3"},
                    {"", "empty"},
                    {"\x93NUMPY\1", "this is an NPY array; write one 0 or 1 a line, as numpy.savetxt"},
                    {"\x1f\x8b\x08", "gzip"}};
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        unsigned char *mask = (unsigned char *)1;
        sfgp_assert_status(*state, read_mask(*state, examples[k].text, strlen(examples[k].text), 3, &mask),
                           SFGP_ERROR_FORMAT);
        assert_null(mask);
        sfgp_assert_has(sfgp_context_error(*state), examples[k].words);
    }
}

static void counts_and_paths_are_checked(void **state)
{
    unsigned char *mask = NULL;
    sfgp_context *context = sfgp_bounded_context(1 << 22);
    sfgp_assert_status(context, read_mask(context, "0\n", 2, INT64_MAX, &mask), SFGP_ERROR_FORMAT);
    sfgp_assert_status(context, read_mask(context, "0\n", 2, -1, &mask), SFGP_ERROR_PARAMETER);
    sfgp_assert_status(context, sfgp_mask_read(context, NULL, 1, &mask), SFGP_ERROR_PARAMETER);
    sfgp_assert_status(context, sfgp_mask_read(context, "/nowhere/mask", 1, &mask), SFGP_ERROR_READ);
    sfgp_assert_status(context, read_mask(context, "0\n\0\n", 4, 2, &mask), SFGP_ERROR_FORMAT);
    sfgp_context_free(context);
    (void)state;
}

static sfgp_status work(sfgp_context *context, void *user)
{
    unsigned char *mask = NULL;
    sfgp_status status = sfgp_mask_read(context, user, 3, &mask);
    sfgp_mask_free(mask);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    const char *path = test_path("sweep.txt");
    char copy[256];
    sfgp_test_write(path, "0\n1\n1\n", 6);
    strcpy(copy, path);
    assert_int_equal(sfgp_sweep_allocations(*state, work, copy), 2);
}

static void mutation(void *user, const char *bytes, size_t size, size_t place)
{
    unsigned char *mask = NULL;
    sfgp_status status = read_mask(user, bytes, size, 3, &mask);
    (void)place;
    assert_true(status == SFGP_OK || status == SFGP_ERROR_FORMAT);
    sfgp_mask_free(mask);
}

static void mutations_never_crash(void **state)
{
    sfgp_each_mutation("# a\n0\r\n1\n1\n", 12, mutation, *state);
    sfgp_each_prefix("# a\n0\r\n1\n1\n", 12, mutation, *state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(good_masks_are_read),          sfgp_unit_test(wrong_masks_are_refused_with_their_line),
        sfgp_unit_test(counts_and_paths_are_checked), sfgp_unit_test(every_failing_allocation_is_reported),
        sfgp_unit_test(mutations_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
