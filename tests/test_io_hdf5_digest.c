/* The digest in front of our HDF5 files: what is not as it was written is found, and files without it are
 * passed. */
#include "io/hdf5.h"
#include "io/hdf5_digest.h"
#include "io/hdf5_table.h"
#include "support/corrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define MARK 12 /* bytes that say that there is a digest */

static sfgp_status check(sfgp_context *context, const char *path, sfgp_hdf5_digest *found)
{
    sfgp_input input;
    sfgp_status status = sfgp_input_open(context, path, &input);
    *found = SFGP_HDF5_NO_DIGEST;
    if (status == SFGP_OK)
        status = sfgp_hdf5_digest_check(&input, found);
    sfgp_input_close(&input);
    return status;
}

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
    const char *path = test_path("verified.h5");
    char expected[200];
    size_t size;
    sfgp_hdf5_digest found;
    char *bytes = write_file(*state, path, &size);
    snprintf(expected, sizeof expected, "sfgp HDF5 2\nsize %020zu\nxxh3-64 %016llx\n\n/x float64 ", size,
             (unsigned long long)XXH3_64bits(bytes + 64, size - 64));
    assert_memory_equal(bytes, expected, strlen(expected));
    assert_memory_equal(bytes + SFGP_HDF5_DIGEST_SIZE, "\x89HDF\r\n\x1a\n", 8);
    sfgp_assert_ok(*state, check(*state, path, &found));
    assert_int_equal(found, SFGP_HDF5_DIGEST_WITH_TABLE);
    free(bytes);
}

static void version_1_is_read(void **state)
{
    const char *path = test_path("old.h5");
    size_t size;
    sfgp_hdf5_digest found;
    sfgp_array *array;
    free(write_file(*state, path, &size));
    sfgp_test_make_version_1(path);
    char *bytes = sfgp_test_read(path, &size);
    sfgp_assert_ok(*state, check(*state, path, &found));
    assert_int_equal(found, SFGP_HDF5_DIGEST);
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "/x", &array));
    assert_true(array->values[0] == 2);
    sfgp_array_free(array);
    bytes[size - 1] ^= 1;
    sfgp_test_write(path, bytes, size);
    sfgp_assert_status(*state, check(*state, path, &found), SFGP_ERROR_FORMAT);
    assert_int_equal(found, SFGP_HDF5_NO_DIGEST);
    free(bytes);
}

static void try_flip(void *user, const char *bytes, size_t size, size_t place)
{
    sfgp_context *context = user;
    const char *path = test_path("flipped.h5");
    sfgp_hdf5_digest found;
    sfgp_test_write(path, bytes, size);
    sfgp_assert_status(context, check(context, path, &found), place < MARK ? SFGP_OK : SFGP_ERROR_FORMAT);
    assert_int_equal(found, SFGP_HDF5_NO_DIGEST);
    if (place >= MARK)
        sfgp_assert_has(sfgp_context_error(context), "flipped.h5");
}

/* The text around a table of the largest size ends before the HDF5 file. */
static void a_full_table_fits(void **state)
{
    char table[SFGP_HDF5_TABLE_SIZE], bytes[SFGP_HDF5_DIGEST_SIZE + 8] = "";
    (void)state;
    memset(table, 'x', sizeof table);
    table[sizeof table - 1] = '\0';
    memcpy(bytes + SFGP_HDF5_DIGEST_SIZE, "\x89HDF\r\n\x1a\n", 8);
    sfgp_hdf5_digest_write(table, sizeof bytes, bytes);
    assert_memory_equal(bytes + SFGP_HDF5_DIGEST_SIZE, "\x89HDF\r\n\x1a\n", 8);
    assert_memory_equal(bytes + SFGP_HDF5_DIGEST_SIZE - 4, "\n\n\n\n", 4);
    sfgp_assert_has(bytes, "without this text.");
}

/* One bit of 31. */
static void every_flipped_bit_is_found(void **state)
{
    size_t size;
    char *bytes = write_file(*state, test_path("whole.h5"), &size);
    sfgp_each_flip(bytes, size, 31, try_flip, *state);
    free(bytes);
}

static void bytes_that_are_missing_or_added_are_found(void **state)
{
    const char *path = test_path("cut.h5");
    size_t size;
    sfgp_hdf5_digest found;
    char *bytes = write_file(*state, path, &size);
    for (size_t length = 0; length < size; length += 37) {
        sfgp_test_write(path, bytes, length);
        sfgp_assert_status(*state, check(*state, path, &found), length < 512 ? SFGP_OK : SFGP_ERROR_FORMAT);
        assert_int_equal(found, SFGP_HDF5_NO_DIGEST);
        sfgp_array *array;
        sfgp_assert_status(*state, sfgp_array_read(*state, path, "/x", &array), SFGP_ERROR_FORMAT);
    }
    bytes = realloc(bytes, size + 1);
    bytes[size] = 0;
    sfgp_test_write(path, bytes, size + 1);
    sfgp_assert_status(*state, check(*state, path, &found), SFGP_ERROR_FORMAT);
    free(bytes);
}

static void a_file_without_digest_is_read(void **state)
{
    const char *path = test_path("plain.h5");
    size_t size;
    sfgp_hdf5_digest found;
    sfgp_array *array;
    free(write_file(*state, path, &size));
    sfgp_test_remove_digest(path);
    sfgp_assert_ok(*state, check(*state, path, &found));
    assert_int_equal(found, SFGP_HDF5_NO_DIGEST);
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "/x", &array));
    assert_true(array->rank == 0 && array->values[0] == 2);
    sfgp_array_free(array);
    sfgp_assert_status(*state, sfgp_array_read(*state, "/nowhere", "/x", &array), SFGP_ERROR_READ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_digest_is_text_in_front_of_an_hdf5_file),
        sfgp_unit_test(a_full_table_fits),
        sfgp_unit_test(version_1_is_read),
        sfgp_unit_test(every_flipped_bit_is_found),
        sfgp_unit_test(bytes_that_are_missing_or_added_are_found),
        sfgp_unit_test(a_file_without_digest_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
