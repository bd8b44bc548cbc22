/* The table of data sets in front of our HDF5 files: what is read by it is what libhdf5 reads, and a table that lies is
 * refused. */
#include "io/hdf5.h"
#include "io/hdf5_digest.h"
#include "io/hdf5_handle.h"
#include "support/corrupt.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text -------------------------------------------------------------------------------------------- */

static void rows_are_read_as_they_were_written(void **state)
{
    const sfgp_hdf5_row rows[] = {
        {.kind = SFGP_HDF5_GROUP, .shape = {1, 1, 1, 1}, .count = 1},
        {.kind = SFGP_HDF5_TEXT, .rank = 1, .shape = {9, 1, 1, 1}, .first = 91, .count = 9},
        {.kind = SFGP_HDF5_NUMBERS, .type = SFGP_HDF5_INT32, .shape = {1, 1, 1, 1}, .first = 7, .count = 1},
        {.kind = SFGP_HDF5_NUMBERS, .type = SFGP_HDF5_INT64, .rank = 1, .shape = {0, 1, 1, 1}, .count = 0},
        {.kind = SFGP_HDF5_NUMBERS,
         .type = SFGP_HDF5_FLOAT32,
         .rank = 4,
         .shape = {1, 2, 3, 4},
         .first = 4,
         .count = 24},
        {.kind = SFGP_HDF5_NUMBERS,
         .type = SFGP_HDF5_FLOAT64,
         .rank = 2,
         .shape = {3, 4, 1, 1},
         .first = 4,
         .count = 12}};
    sfgp_hdf5_table_text text = {.length = 0};
    sfgp_hdf5_table table;
    char name[16];
    (void)state;
    for (int k = 0; k < 6; k++) {
        snprintf(name, sizeof name, "/g/%d", k);
        sfgp_hdf5_table_add(name, &rows[k], &text);
    }
    assert_false(text.incomplete);
    assert_true(sfgp_hdf5_table_parse(text.text, 100, &table) && table.count == 6);
    for (int k = 0; k < 6; k++) {
        snprintf(name, sizeof name, "/g/%d", k);
        const sfgp_hdf5_row *row = sfgp_hdf5_table_find(&table, name);
        assert_true(row == &table.rows[k] && row->kind == rows[k].kind && row->type == rows[k].type &&
                    row->rank == rows[k].rank && row->first == rows[k].first && row->count == rows[k].count);
        assert_memory_equal(row->shape, rows[k].shape, sizeof row->shape);
    }
    assert_true(sfgp_hdf5_table_has(&table, "/g") && sfgp_hdf5_table_has(&table, "/g/5"));
    assert_false(sfgp_hdf5_table_has(&table, "/") || sfgp_hdf5_table_has(&table, "/g/6") ||
                 sfgp_hdf5_table_has(&table, "/g/55"));
    assert_false(sfgp_hdf5_table_parse(text.text, 99, &table)); /* the text ends at byte 100 */
}

static void a_table_that_does_not_fit_is_none(void **state)
{
    const sfgp_hdf5_row row = {.kind = SFGP_HDF5_NUMBERS, .rank = 1, .shape = {1}, .count = 1};
    const char *bad[] = {"/a b", "/a\nb",
                         "/0123456789012345678901234567890123456789012345678901234567890123"};
    sfgp_hdf5_table_text text = {.length = 0};
    (void)state;
    for (int k = 0; k < SFGP_HDF5_TABLE_ROWS; k++)
        sfgp_hdf5_table_add("/x", &row, &text);
    assert_false(text.incomplete);
    sfgp_hdf5_table_add("/x", &row, &text);
    assert_true(text.incomplete);
    for (int k = 0; k < 3; k++) {
        text = (sfgp_hdf5_table_text){.length = 0};
        sfgp_hdf5_table_add(bad[k], &row, &text);
        assert_true(text.incomplete);
    }
    text = (sfgp_hdf5_table_text){.length = 0};
    for (int k = 0; k < SFGP_HDF5_TABLE_ROWS; k++) /* 62 + 16 bytes each */
        sfgp_hdf5_table_add(bad[2] + 1, &row, &text);
    assert_true(text.incomplete && text.length < SFGP_HDF5_TABLE_SIZE && text.rows < SFGP_HDF5_TABLE_ROWS);
}

static void tables_that_lie_are_refused(void **state)
{
    const char *bad[] = {"/x float64 93 1\n",
                         "/x float64 101 0\n",
                         "/x float64 -1 1\n",
                         "/x float64 +1 1\n",
                         "/x float64 0x1 1\n",
                         "/x float64 0 -1\n",
                         "/x float64 0 13\n",
                         "/x float64 0 4294967296 4294967296\n",
                         "/x float64 0 1152921504606846976\n", /* 2^60 * 8 */
                         "/x float64 99999999999999999999 1\n",
                         "/x float64 9999999999999999999999999 1\n",
                         "/x float64 0 1 1 1 1 1\n",
                         "/x float64 0 1 \n ",
                         "/x float64\n",
                         "/x float16 0 1\n",
                         "/x\n",
                         " float64 0 1\n",
                         "/x float64 0 1",
                         "/x group 3\n",
                         "/x group\n/y\n",
                         "/x float64 0 1\n/y\n"};
    sfgp_hdf5_table table;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        if (sfgp_hdf5_table_parse(bad[k], 100, &table))
            fail_msg("'%s' is read", bad[k]);
    assert_true(sfgp_hdf5_table_parse("/x float64 92 1\n\nanything", 100, &table) && table.count == 1);
    assert_true(sfgp_hdf5_table_parse("", 100, &table) && table.count == 0);
}

/* ---- files ------------------------------------------------------------------------------------------- */

#define LONG 20001 /* numbers: more than are converted at a time */

static void write_all_types(sfgp_context *context, const char *path)
{
    static double many[LONG];
    const double some[6] = {-1.5, 0, DBL_MIN, 3, 1e300, DBL_EPSILON};
    sfgp_hdf5 *file;
    for (int k = 0; k < LONG; k++)
        many[k] = k - 10000;
    sfgp_assert_ok(context, sfgp_hdf5_new(context, &file));
    sfgp_hdf5_write_numbers(file, "/a/float64", SFGP_HDF5_FLOAT64, 2, (const int64_t[]){2, 3}, some);
    sfgp_hdf5_write_numbers(file, "/a/float32", SFGP_HDF5_FLOAT32, 1, (const int64_t[]){LONG}, many);
    sfgp_hdf5_write_numbers(file, "/a/int32", SFGP_HDF5_INT32, 4, (const int64_t[]){1, 3, 1, 2}, many);
    sfgp_hdf5_write_integers(file, "/a/int64", 3, (const int64_t[]){-7, 0, INT64_C(1) << 53});
    sfgp_hdf5_write_number(file, "/a/number", SFGP_HDF5_FLOAT64, 2);
    sfgp_hdf5_write_integers(file, "/a/none", 0, NULL);
    sfgp_hdf5_write_text(file, "/a/text", "words");
    sfgp_hdf5_write_text(file, "/a@attribute", "of a");
    sfgp_hdf5_write_group(file, "/empty");
    sfgp_assert_ok(context, sfgp_hdf5_save(file, path));
    sfgp_hdf5_free(file);
}

static void assert_same_array(sfgp_context *context, sfgp_hdf5 *one, sfgp_hdf5 *other, const char *name)
{
    sfgp_array *a, *b;
    sfgp_assert_ok(context, sfgp_hdf5_read_array(one, name, &a));
    sfgp_assert_ok(context, sfgp_hdf5_read_array(other, name, &b));
    assert_int_equal(a->rank, b->rank);
    assert_memory_equal(a->shape, b->shape, sizeof a->shape);
    assert_memory_equal(a->values, b->values,
                        (size_t)(a->shape[0] * a->shape[1] * a->shape[2] * a->shape[3]) * sizeof(double));
    sfgp_array_free(a);
    sfgp_array_free(b);
}

static void what_is_read_by_the_table_is_what_libhdf5_reads(void **state)
{
    const char *arrays[] = {"/a/float64", "/a/float32", "/a/int32", "/a/int64", "/a/number", "/a/none"};
    const char *names[] = {"/a", "/a/text", "/a/none", "/empty", "/a/tex", "/b", "/a@attribute", "/a@none"};
    const char *path = test_path("sealed.h5"), *plain = test_path("plain.h5");
    char text[20];
    sfgp_hdf5 *sealed, *other;
    write_all_types(*state, path);
    write_all_types(*state, plain);
    sfgp_test_remove_digest(plain);
    sfgp_assert_ok(*state, sfgp_hdf5_open(*state, path, &sealed));
    sfgp_assert_ok(*state, sfgp_hdf5_open(*state, plain, &other));
    assert_true(sfgp_hdf5_is_sealed(sealed) && !sfgp_hdf5_is_sealed(other));
    for (int k = 0; k < 6; k++)
        assert_same_array(*state, sealed, other, arrays[k]);
    sfgp_assert_ok(*state, sfgp_hdf5_read_text(sealed, "/a/text", sizeof text, text));
    assert_string_equal(text, "words");
    sfgp_assert_status(*state, sfgp_hdf5_read_text(sealed, "/a/text", 5, text), SFGP_ERROR_FORMAT);
    assert_true(sealed->process.id < 0); /* nothing needed libhdf5 */
    for (int k = 0; k < 8; k++)
        assert_int_equal(sfgp_hdf5_has(sealed, names[k]), sfgp_hdf5_has(other, names[k]));
    sfgp_assert_ok(*state, sfgp_hdf5_read_text(sealed, "/a@attribute", sizeof text, text));
    assert_string_equal(text, "of a");
    sfgp_hdf5_free(sealed);
    sfgp_hdf5_free(other);
}

/* What the table does not have is an error with the words of libhdf5's process. */
static void what_is_not_there_is_an_error(void **state)
{
    const char *path = test_path("sealed.h5"), *bad[] = {"/b", "/a/text", "/a"};
    char text[20];
    sfgp_array *array;
    write_all_types(*state, path);
    for (int k = 0; k < 3; k++) {
        sfgp_assert_error(*state, sfgp_array_read(*state, path, bad[k], &array), SFGP_ERROR_FORMAT, bad[k]);
    }
    sfgp_hdf5 *file;
    sfgp_assert_ok(*state, sfgp_hdf5_open(*state, path, &file));
    sfgp_assert_status(*state, sfgp_hdf5_read_text(file, "/a/number", sizeof text, text), SFGP_ERROR_FORMAT);
    sfgp_hdf5_free(file);
}

static void the_limit_of_memory_holds(void **state)
{
    const char *path = test_path("sealed.h5");
    sfgp_array *array;
    write_all_types(*state, path);
    sfgp_context_set_read_limit(*state, LONG * 8 - 1);
    sfgp_assert_error(*state, sfgp_array_read(*state, path, "/a/float32", &array), SFGP_ERROR_MEMORY,
                      "more than max_memory leaves");
    sfgp_context_set_read_limit(*state, LONG * 8);
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "/a/float32", &array));
    sfgp_array_free(array);
}

/* A digest that agrees is no promise: whoever writes it can write a table as well. */
static void forged_tables_are_refused(void **state)
{
    const char *path = test_path("forged.h5"),
               *tables[] = {"/x float64 999999999 1\n", "nonsense\n", "/x text 4096 8\n", ""};
    const sfgp_status ends[] = {SFGP_ERROR_FORMAT, SFGP_ERROR_FORMAT, SFGP_OK, SFGP_OK};
    char text[20];
    size_t size;
    sfgp_hdf5 *file;
    write_all_types(*state, path);
    char *bytes = sfgp_test_read(path, &size);
    for (int k = 0; k < 4; k++) {
        sfgp_hdf5_digest_write(tables[k], (int64_t)size, bytes);
        sfgp_test_write(path, bytes, size);
        sfgp_assert_status(*state, sfgp_hdf5_open(*state, path, &file), ends[k]);
        if (k == 2) /* the signature of HDF5 has control characters */
            sfgp_assert_status(*state, sfgp_hdf5_read_text(file, "/x", sizeof text, text), SFGP_ERROR_FORMAT);
        if (k == 3) /* no table: libhdf5 reads */
            sfgp_assert_ok(*state, sfgp_hdf5_read_text(file, "/a/text", sizeof text, text));
        sfgp_hdf5_free(file);
    }
    free(bytes);
}

static sfgp_status read_and_free(sfgp_context *context, void *path)
{
    sfgp_array *array;
    const sfgp_status status = sfgp_array_read(context, path, "/a/int32", &array);
    sfgp_array_free(array);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    char path[200];
    snprintf(path, sizeof path, "%s", test_path("sealed.h5"));
    write_all_types(*state, path);
    assert_true(sfgp_sweep_allocations(*state, read_and_free, path) >= 4); /* handle, buffer, table, array */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(rows_are_read_as_they_were_written),
        sfgp_unit_test(a_table_that_does_not_fit_is_none),
        sfgp_unit_test(tables_that_lie_are_refused),
        sfgp_unit_test(what_is_read_by_the_table_is_what_libhdf5_reads),
        sfgp_unit_test(what_is_not_there_is_an_error),
        sfgp_unit_test(the_limit_of_memory_holds),
        sfgp_unit_test(forged_tables_are_refused),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
