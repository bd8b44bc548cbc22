/* The digest in front of our HDF5 files: what is not as it was written is found, and files without it are
 * passed. */
#include "io/hdf5.h"
#include "io/hdf5_digest.h"
#include "support/corrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK 12 /* bytes that say that there is a digest */

static char *write_file(sfgp_context *context, const char *path, size_t *size)
{
    sfgp_hdf5 *file;
    sfgp_assert_ok(context, sfgp_hdf5_new(context, &file));
    sfgp_hdf5_write_number(file, "/x", SFGP_HDF5_FLOAT64, 2);
    sfgp_assert_ok(context, sfgp_hdf5_save(file, path));
    sfgp_hdf5_free(file);
    return sfgp_test_read(path, size);
}

static void the_digest_is_text_in_front_of_an_hdf5_file(void **state)
{
    const char *path = sfgp_test_path(sfgp_test_folder(), "verified.h5");
    char expected[100];
    size_t size;
    int64_t found = 0;
    bool verified = false;
    char *bytes = write_file(*state, path, &size);
    snprintf(expected, sizeof expected, "sfgp HDF5 1\nsize %zu\nfnv1a-64 %016llx\n", size,
             (unsigned long long)sfgp_checksum(SFGP_CHECKSUM_START, bytes + 512, size - 512));
    assert_memory_equal(bytes, expected, strlen(expected));
    assert_memory_equal(bytes + 512, "\x89HDF\r\n\x1a\n", 8);
    sfgp_assert_ok(*state, sfgp_hdf5_digest_check(*state, path, &found, &verified));
    assert_true(verified && found == (int64_t)size);
    free(bytes);
}

static void try_flip(void *user, const char *bytes, size_t size, size_t place)
{
    sfgp_context *context = user;
    const char *path = sfgp_test_path(sfgp_test_folder(), "flipped.h5");
    int64_t found;
    bool verified;
    sfgp_test_write(path, bytes, size);
    sfgp_assert_status(context, sfgp_hdf5_digest_check(context, path, &found, &verified),
                       place < MARK ? SFGP_OK : SFGP_ERROR_FORMAT);
    assert_false(verified);
    if (place >= MARK)
        assert_non_null(strstr(sfgp_context_error(context), "flipped.h5"));
}

/* One bit of 31. */
static void every_flipped_bit_is_found(void **state)
{
    size_t size;
    char *bytes = write_file(*state, sfgp_test_path(sfgp_test_folder(), "whole.h5"), &size);
    sfgp_each_flip(bytes, size, 31, try_flip, *state);
    free(bytes);
}

static void bytes_that_are_missing_or_added_are_found(void **state)
{
    const char *path = sfgp_test_path(sfgp_test_folder(), "cut.h5");
    size_t size;
    int64_t found;
    bool verified;
    char *bytes = write_file(*state, path, &size);
    for (size_t length = 0; length < size; length += 37) {
        sfgp_test_write(path, bytes, length);
        sfgp_status status = sfgp_hdf5_digest_check(*state, path, &found, &verified);
        sfgp_assert_status(*state, status, length < 512 ? SFGP_OK : SFGP_ERROR_FORMAT);
        assert_false(verified);
        sfgp_array *array;
        sfgp_assert_status(*state, sfgp_array_read(*state, path, "/x", &array), SFGP_ERROR_FORMAT);
    }
    bytes = realloc(bytes, size + 1);
    bytes[size] = 0;
    sfgp_test_write(path, bytes, size + 1);
    sfgp_assert_status(*state, sfgp_hdf5_digest_check(*state, path, &found, &verified), SFGP_ERROR_FORMAT);
    free(bytes);
}

static void a_file_without_digest_is_read(void **state)
{
    const char *path = sfgp_test_path(sfgp_test_folder(), "plain.h5");
    size_t size;
    int64_t found;
    bool verified = true;
    sfgp_array *array;
    free(write_file(*state, path, &size));
    sfgp_test_remove_digest(path);
    sfgp_assert_ok(*state, sfgp_hdf5_digest_check(*state, path, &found, &verified));
    assert_false(verified);
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "/x", &array));
    assert_true(array->rank == 0 && array->values[0] == 2);
    sfgp_array_free(array);
    sfgp_assert_status(*state, sfgp_hdf5_digest_check(*state, "/nowhere", &found, &verified),
                       SFGP_ERROR_READ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_digest_is_text_in_front_of_an_hdf5_file),
        sfgp_unit_test(every_flipped_bit_is_found),
        sfgp_unit_test(bytes_that_are_missing_or_added_are_found),
        sfgp_unit_test(a_file_without_digest_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
