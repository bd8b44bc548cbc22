/* Each call of libhdf5 fails in turn: what is read is what it would have been, or the error names the file; what is written is whole, or
 * is not there. No file and no lack of memory reaches most of these places. */
#include "io/hdf5_handle.h"
#include "support/failing_hdf5.h"
#include "support/failing_memory.h"
#include "support/support.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ALLOCATIONS 400 /* those before libhdf5 is at work */
#define ROWS 40000           /* of 4: more than a part of the numbers that are sent */

/* ---- the files --------------------------------------------------------------------------------------- */

static void put(hid_t file, const char *name, hid_t type, hsize_t rows, hsize_t columns, bool packed)
{
    double *values = calloc(rows * columns, sizeof *values);
    hid_t space = H5Screate_simple(2, (const hsize_t[]){rows, columns}, NULL),
          layout = H5Pcreate(H5P_DATASET_CREATE);
    assert_non_null(values);
    for (hsize_t k = 0; k < rows * columns; k++)
        values[k] = (double)(k % 2);
    if (packed)
        assert_true(H5Pset_chunk(layout, 2, (const hsize_t[]){2, 2}) >= 0 && H5Pset_deflate(layout, 6) >= 0);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    assert_true(set >= 0 && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set), H5Pclose(layout), H5Sclose(space);
    free(values);
}

static void put_word(hid_t file, const char *name, const char *attribute, size_t size)
{
    const char *word = "words";
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, size);
    hid_t set = attribute ? H5Acreate_by_name(file, name, attribute, type, space, H5P_DEFAULT, H5P_DEFAULT,
                                              H5P_DEFAULT)
                          : H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const void *value = size == H5T_VARIABLE ? (const void *)&word : word;
    assert_true(set >= 0);
    assert_true((attribute ? H5Awrite(set, type, value)
                           : H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value)) >= 0);
    attribute ? H5Aclose(set) : H5Dclose(set);
    H5Sclose(space), H5Tclose(type);
}

static void put_flags(hid_t file, const char *name)
{
    hid_t type = H5Tenum_create(H5T_STD_I8LE);
    for (signed char k = 0; k < 2; k++)
        H5Tenum_insert(type, k ? "TRUE" : "FALSE", &k);
    hid_t space = H5Screate_simple(1, (const hsize_t[]){2}, NULL);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, "\0\1") >= 0);
    H5Dclose(set), H5Sclose(space), H5Tclose(type);
}

/* As others write them. */
static const char *write_by_libhdf5(void)
{
    const char *path = test_path("others.h5");
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    H5Gclose(H5Gcreate2(file, "/g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    put(file, "/g/parts", H5T_IEEE_F64LE, ROWS, 4, false);
    put(file, "/g/packed", H5T_STD_I32BE, 4, 4, true);
    put_flags(file, "/g/flags");
    put_word(file, "/g/fixed", NULL, 6);
    put_word(file, "/g/variable", NULL, H5T_VARIABLE);
    put_word(file, "/g", "fixed", 6);
    put_word(file, "/g", "variable", H5T_VARIABLE);
    H5Fclose(file);
    return path;
}

static const char JSON[] =
    "{\"root\": \"r\", \"groups\": {\"r\": {\"links\": [{\"title\": \"g\", \"id\": \"g\", \"collection\": "
    "\"groups\"}]}, \"g\": {\"attributes\": [{\"name\": \"fixed\", \"value\": \"words\"}], \"links\": "
    "[{\"title\": \"parts\", \"id\": \"p\", \"collection\": \"datasets\"}]}}, \"datasets\": {\"p\": "
    "{\"shape\": {\"dims\": [2]}, \"value\": [0, 1]}}}";

static const char *write_json(void)
{
    const char *path = test_path("others.h5.json");
    sfgp_test_write(path, JSON, sizeof JSON - 1);
    return path;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* The answer of one question, as text: empty after a failure, which names the file. */
typedef struct answers {
    char words[16][32];
    int count;
} answers;

static char *next(answers *a)
{
    assert_true(a->count < 16);
    return a->words[a->count++];
}

static void note(sfgp_context *context, answers *a, sfgp_status status, const char *words)
{
    const char *error = status == SFGP_OK ? "others.h5" : sfgp_context_error(context);
    if (!strstr(error, "others.h5") && !strstr(error, "new file") && !strstr(error, "HDF5 ") &&
        !strstr(error, "out of memory"))
        fail_msg("'%s' names no file", error);
    snprintf(next(a), sizeof a->words[0], "%s", status == SFGP_OK ? words : "");
}

static void ask_numbers(sfgp_context *context, sfgp_hdf5 *file, const char *name, answers *a)
{
    char words[32] = "";
    sfgp_array *array = NULL;
    const sfgp_status status = sfgp_hdf5_read_array(file, name, &array);
    int64_t count = 1, odd = 0;
    for (int k = 0; k < 4 && array; k++)
        count *= array->shape[k];
    for (int64_t k = 0; k < count && array; k++)
        odd += array->values[k] == (double)(k % 2);
    snprintf(words, sizeof words, "%lld of %lld", (long long)odd, (long long)count);
    note(context, a, status, words);
    sfgp_array_free(array);
}

static void ask_text(sfgp_context *context, sfgp_hdf5 *file, const char *name, answers *a)
{
    char text[16];
    const sfgp_status status = sfgp_hdf5_read_text(file, name, sizeof text, text);
    note(context, a, status, text);
}

static void ask_whether(sfgp_context *context, sfgp_hdf5 *file, const char *name, answers *a)
{
    const bool found = sfgp_hdf5_has(file, name);
    note(context, a, sfgp_hdf5_status(file), found ? "there" : "not there");
}

static void ask_member(sfgp_context *context, sfgp_hdf5 *file, int64_t index, answers *a)
{
    char name[16] = "";
    const bool found = sfgp_hdf5_find_member(file, "/g", index, sizeof name, name);
    note(context, a, sfgp_hdf5_status(file), found ? name : "no more");
}

static void ask_all(sfgp_context *context, const char *path, answers *a)
{
    static const char *const NUMBERS[] = {"/g/parts", "/g/packed", "/g/flags"}, *const TEXTS[] = {
                                                                                    "/g/fixed", "/g/variable",
                                                                                    "/g@fixed",
                                                                                    "/g@variable"};
    sfgp_hdf5 *file = NULL;
    const sfgp_status status = sfgp_hdf5_open(context, path, &file);
    a->count = 0;
    note(context, a, status, "open");
    for (int k = 0; file && k < 3; k++)
        ask_numbers(context, file, NUMBERS[k], a);
    for (int k = 0; file && k < 4; k++)
        ask_text(context, file, TEXTS[k], a);
    for (int k = 0; file && k < 2; k++) {
        ask_whether(context, file, k ? "/g/parts" : "/g@none", a);
        ask_member(context, file, k ? 9 : 0, a);
    }
    assert_false(file && file->repeated); /* no process has broken down */
    sfgp_hdf5_free(file);
}

static void assert_same_or_failed(const answers *wanted, const answers *got, int function, long k)
{
    for (int i = 0; i < got->count; i++)
        if (got->words[i][0] && strcmp(got->words[i], wanted->words[i]) != 0)
            fail_msg("%s, call %ld: '%s' instead of '%s'",
                     function < 0 ? "allocation" : failing_hdf5_name(function), k, got->words[i],
                     wanted->words[i]);
}

/* How often a call failed. */
static int try_reading(sfgp_context *context, const char *path)
{
    answers wanted, got;
    long calls[FAILING_HDF5_MOST];
    int failures = 0;
    failing_hdf5_start(-1, 0);
    ask_all(context, path, &wanted);
    failing_hdf5_stop(calls);
    for (int function = 0; function < FAILING_HDF5_MOST; function++)
        for (long k = 0; k < calls[function]; k++, failures++) {
            failing_hdf5_start(function, k);
            ask_all(context, path, &got);
            assert_same_or_failed(&wanted, &got, function, k);
            failing_hdf5_stop(NULL);
        }
    return failures;
}

static void no_failure_of_libhdf5_reads_other_numbers(void **state)
{
    assert_true(try_reading(*state, write_by_libhdf5()) > 100);
    assert_true(try_reading(*state, write_json()) > 30);
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static sfgp_status write_file(sfgp_context *context, const char *path)
{
    const double values[] = {0, 1, 0, 1};
    sfgp_hdf5 *file = NULL;
    sfgp_status status = sfgp_hdf5_new(context, &file);
    if (status != SFGP_OK)
        return status;
    sfgp_hdf5_write_group(file, "/g");
    for (int type = SFGP_HDF5_FLOAT64; type <= SFGP_HDF5_INT64; type++)
        sfgp_hdf5_write_numbers(file, (const char *[]){"/g/parts", "/g/packed", "/g/flags", "/g/more"}[type],
                                (sfgp_hdf5_type)type, 2, (const int64_t[]){2, 2}, values);
    sfgp_hdf5_write_number(file, "/g/one", SFGP_HDF5_FLOAT64, 1);
    sfgp_hdf5_write_text(file, "/g/fixed", "words");
    sfgp_hdf5_write_text(file, "/g@fixed", "words");
    status = sfgp_hdf5_save(file, path);
    sfgp_hdf5_free(file);
    return status;
}

/* Whether it failed, without a file. What is written after a failure that does not matter may have no table, and reads the same. */
static int check_written(sfgp_context *context, const char *path, sfgp_status status, const answers *wanted,
                         int function, long k)
{
    answers got;
    if (status != SFGP_OK) {
        sfgp_assert_status(context, status, SFGP_ERROR_MEMORY);
        assert_null(sfgp_test_read(path, NULL));
        return 1;
    }
    ask_all(context, path, &got);
    assert_same_or_failed(wanted, &got, function, k);
    assert_string_equal(got.words[1], wanted->words[1]);
    return 0;
}

static int try_writing(sfgp_context *context, const char *path, const answers *wanted, int function, long k)
{
    remove(path);
    failing_hdf5_start(function, k);
    const sfgp_status status = write_file(context, path);
    failing_hdf5_stop(NULL);
    return check_written(context, path, status, wanted, function, k);
}

static void no_failure_of_libhdf5_writes_a_part(void **state)
{
    const char *path = test_path("others.h5");
    answers wanted;
    long calls[FAILING_HDF5_MOST];
    int failures = 0;
    failing_hdf5_start(-1, 0);
    sfgp_assert_ok(*state, write_file(*state, path));
    failing_hdf5_stop(calls);
    ask_all(*state, path, &wanted);
    for (int function = 0; function < FAILING_HDF5_MOST; function++)
        for (long k = 0; k < calls[function]; k++)
            failures += try_writing(*state, path, &wanted, function, k);
    assert_true(failures > 50);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

/* Each allocation of this process and of the one that it starts, where libhdf5 is. */
static void no_failed_allocation_reads_other_numbers(void **state)
{
    const char *path = write_json();
    answers wanted, got;
    ask_all(*state, path, &wanted);
    for (long k = 0; k < MOST_ALLOCATIONS; k++) {
        failing_memory_start(k);
        ask_all(*state, path, &got);
        failing_memory_stop();
        assert_same_or_failed(&wanted, &got, -1, k);
    }
}

static void no_failed_allocation_writes_a_part(void **state)
{
    const char *path = test_path("others.h5");
    answers wanted;
    int failures = 0;
    sfgp_assert_ok(*state, write_file(*state, path));
    ask_all(*state, path, &wanted);
    for (long k = 0; k < MOST_ALLOCATIONS; k++) {
        remove(path);
        failing_memory_start(k);
        const sfgp_status status = write_file(*state, path);
        failing_memory_stop();
        failures += check_written(*state, path, status, &wanted, -1, k);
    }
#ifndef __SANITIZE_ADDRESS__
    assert_true(failures > 100);
#endif
}

#ifndef __SANITIZE_ADDRESS__
/* The process of a new file gets no memory for the numbers that are sent to it. */
static void numbers_without_memory_are_not_written(void **state)
{
    const int64_t rows = 1000000;
    const char *path = test_path("large.h5");
    double *values = calloc((size_t)rows, sizeof *values);
    sfgp_hdf5 *file = NULL;
    assert_non_null(values);
    failing_memory_start(0);
    failing_memory.least = (size_t)rows * sizeof *values;
    sfgp_assert_ok(*state, sfgp_hdf5_new(*state, &file));
    sfgp_hdf5_write_numbers(file, "/x", SFGP_HDF5_FLOAT64, 1, &rows, values);
    sfgp_assert_status(*state, sfgp_hdf5_save(file, path), SFGP_ERROR_MEMORY);
    failing_memory_stop();
    sfgp_assert_has(sfgp_context_error(*state), "memory in the process that runs HDF5");
    assert_null(sfgp_test_read(path, NULL));
    sfgp_hdf5_free(file);
    free(values);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(no_failed_allocation_reads_other_numbers),
        sfgp_unit_test(no_failed_allocation_writes_a_part),
#ifndef __SANITIZE_ADDRESS__
        sfgp_unit_test(numbers_without_memory_are_not_written),
#endif
        sfgp_unit_test(no_failure_of_libhdf5_reads_other_numbers),
        sfgp_unit_test(no_failure_of_libhdf5_writes_a_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
