/* HDF5 arrays: every numeric type comes back as the same number, and files that are not what they claim are
 * refused without their memory. The files are written here with the HDF5 library itself. */
#include "io/hdf5.h"
#include "support/corrupt.h"
#include "support/damaged_hdf5.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define ROWS 5
#define COLUMNS 3
#ifdef SFGP_SLOW_BUILD
#define EVERY 31 /* byte of a file */
#else
#define EVERY 7
#endif

/* From one byte of a file to the next that is tried, in a process of its own. */
static size_t byte_step(void)
{
    return getenv("SFGP_EMULATED") ? 31 : EVERY;
}

static const char *new_path(void)
{
    return test_path("array.h5");
}

static hid_t new_file(const char *path)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

/* Data set of this type in the file and its chunks (chunk 0: contiguous, level 0: not packed). */
static void put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *shape, hsize_t chunk,
                int level, hid_t memory, const void *values)
{
    hid_t space = rank > 0 ? H5Screate_simple(rank, shape, NULL) : H5Screate(H5S_SCALAR);
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
    hsize_t chunks[8] = {chunk, chunk, chunk, chunk, chunk, chunk, chunk, chunk};
    assert_true(H5Pset_create_intermediate_group(links, 1) >= 0);
    if (chunk > 0)
        assert_true(H5Pset_chunk(layout, rank, chunks) >= 0);
    if (level > 0)
        assert_true(H5Pset_deflate(layout, (unsigned)level) >= 0);
    hid_t set = H5Dcreate2(file, name, type, space, links, layout, H5P_DEFAULT);
    assert_true(set >= 0);
    if (values)
        assert_true(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set), H5Pclose(layout), H5Pclose(links), H5Sclose(space);
}

static void put_table(hid_t file, const char *name, hid_t type, hsize_t chunk, int level)
{
    const hsize_t shape[] = {ROWS, COLUMNS};
    double values[ROWS * COLUMNS];
    for (int k = 0; k < ROWS * COLUMNS; k++)
        values[k] = 7 * k; /* whole numbers: exact in every type below */
    put(file, name, type, 2, shape, chunk, level, H5T_NATIVE_DOUBLE, values);
}

static void assert_table(sfgp_context *context, const char *path, const char *name)
{
    sfgp_array *array;
    sfgp_assert_ok(context, sfgp_array_read(context, path, name, &array));
    assert_true(array->rank == 2 && array->shape[0] == ROWS && array->shape[1] == COLUMNS);
    assert_true(array->shape[2] == 1 && array->shape[3] == 1);
    for (int k = 0; k < ROWS * COLUMNS; k++)
        assert_true(array->values[k] == 7 * k);
    sfgp_array_free(array);
}

static void assert_refused(sfgp_context *context, const char *path, const char *name, sfgp_status expected,
                           const char *words)
{
    sfgp_array *array = (sfgp_array *)&array;
    sfgp_assert_status(context, sfgp_array_read(context, path, name, &array), expected);
    assert_null(array);
    const char *said = sfgp_context_error(context);
    const char *file = strrchr(path, '/') + 1; /* long paths are cut */
    if (!strstr(said, words) || !strstr(said, file))
        fail_msg("'%s' lacks '%s' or '%s'", said, words, file);
}

static void every_numeric_type_and_layout_is_read(void **state)
{
    const hid_t types[] = {H5T_STD_I8LE,   H5T_STD_U8LE,   H5T_STD_I16BE,     H5T_STD_U16LE,  H5T_STD_I32LE,
                           H5T_STD_U32BE,  H5T_STD_I64LE,  H5T_STD_U64LE,     H5T_IEEE_F32LE, H5T_IEEE_F32BE,
                           H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_NATIVE_LDOUBLE};
    const char *path = new_path();
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int layout = 0; layout < 3; layout++) {
            hid_t file = new_file(path);
            put_table(file, "/group/inner/table", types[t], layout > 0 ? 2 : 0, layout > 1 ? 6 : 0);
            H5Fclose(file);
            assert_table(*state, path, "/group/inner/table");
            assert_table(*state, path, "group/inner/table");
        }
}

static void doubles_keep_their_bits_and_nan_is_a_number_here(void **state)
{
    const double values[] = {0.1, -0.0, 1e-310, 1e300, (double)NAN, (double)INFINITY};
    const hsize_t shape[] = {6};
    const char *path = new_path();
    hid_t file = new_file(path);
    sfgp_array *array;
    put(file, "x", H5T_IEEE_F64LE, 1, shape, 0, 0, H5T_NATIVE_DOUBLE, values);
    H5Fclose(file);
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "x", &array));
    assert_memory_equal(array->values, values, sizeof values);
    sfgp_array_free(array);
}

static void ranks_0_to_4_are_read_and_5_is_refused(void **state)
{
    const hsize_t shape[] = {2, 3, 1, 4, 1};
    const char *path = new_path();
    double values[24];
    for (int k = 0; k < 24; k++)
        values[k] = k;
    for (int rank = 0; rank <= 5; rank++) {
        hid_t file = new_file(path);
        sfgp_array *array;
        int64_t count = 1;
        put(file, "x", H5T_IEEE_F64LE, rank, shape, 0, 0, H5T_NATIVE_DOUBLE, values);
        H5Fclose(file);
        if (rank == 5) {
            assert_refused(*state, path, "x", SFGP_ERROR_FORMAT, "more than 4 dimensions");
            continue;
        }
        sfgp_assert_ok(*state, sfgp_array_read(*state, path, "x", &array));
        assert_int_equal(array->rank, rank);
        for (int k = 0; k < rank; k++) {
            assert_int_equal(array->shape[k], shape[k]);
            count *= array->shape[k];
        }
        assert_memory_equal(array->values, values, (size_t)count * sizeof(double));
        sfgp_array_free(array);
    }
}

static void no_rows_are_an_array_without_values(void **state)
{
    const hsize_t shape[] = {0, 3};
    const char *path = new_path();
    hid_t file = new_file(path);
    sfgp_array *array;
    put(file, "x", H5T_IEEE_F64LE, 2, shape, 0, 0, H5T_NATIVE_DOUBLE, NULL);
    H5Fclose(file);
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "x", &array));
    assert_true(array->rank == 2 && array->shape[0] == 0 && array->shape[1] == 3);
    sfgp_array_free(array);
    sfgp_array_free(NULL);
}

/* A row is more than a part of what is sent at once. */
static void rows_wider_than_a_part_are_read(void **state)
{
    enum { WIDE = 140000 };
    const hsize_t shape[] = {2, WIDE};
    const char *path = new_path();
    double *values = malloc(2 * WIDE * sizeof *values);
    sfgp_array *array;
    assert_non_null(values);
    for (int k = 0; k < 2 * WIDE; k++)
        values[k] = k;
    hid_t file = new_file(path);
    put(file, "x", H5T_IEEE_F64LE, 2, shape, 0, 0, H5T_NATIVE_DOUBLE, values);
    H5Fclose(file);
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "x", &array));
    assert_true(array->rank == 2 && array->shape[0] == 2 && array->shape[1] == WIDE);
    assert_memory_equal(array->values, values, 2 * WIDE * sizeof *values);
    sfgp_array_free(array);
    free(values);
}

/* As h5py stores true and false. */
static void enumerated_numbers_are_read(void **state)
{
    const signed char no = 0, yes = 1, values[] = {1, 0, 1};
    const hsize_t shape[] = {3};
    const char *path = new_path();
    hid_t file = new_file(path), type = H5Tenum_create(H5T_NATIVE_SCHAR);
    sfgp_array *array;
    H5Tenum_insert(type, "FALSE", &no), H5Tenum_insert(type, "TRUE", &yes);
    put(file, "x", type, 1, shape, 0, 0, type, values);
    H5Tclose(type), H5Fclose(file);
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "x", &array));
    assert_true(array->values[0] == 1 && array->values[1] == 0 && array->values[2] == 1);
    sfgp_array_free(array);
}

static void what_cannot_be_read_is_named(void **state)
{
    const hsize_t shape[] = {2};
    const char *path = new_path(), *text[] = {"a", "b"};
    hid_t file = new_file(path), string = H5Tcopy(H5T_C_S1), pair = H5Tcreate(H5T_COMPOUND, 16);
    const double values[] = {1, 2, 3, 4};
    H5Tset_size(string, H5T_VARIABLE);
    H5Tinsert(pair, "x", 0, H5T_NATIVE_DOUBLE), H5Tinsert(pair, "y", 8, H5T_NATIVE_DOUBLE);
    put(file, "/a/words", string, 1, shape, 0, 0, string, text);
    put(file, "/a/pairs", pair, 1, shape, 0, 0, pair, values);
    hid_t null = H5Screate(H5S_NULL);
    H5Dclose(H5Dcreate2(file, "/nothing", H5T_IEEE_F64LE, null, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(null), H5Tclose(string), H5Tclose(pair), H5Fclose(file);
    assert_refused(*state, path, "/a/other", SFGP_ERROR_FORMAT, "'/a/other'");
    assert_refused(*state, path, "/b/other", SFGP_ERROR_FORMAT, "none of this name");
    assert_refused(*state, path, "/a", SFGP_ERROR_FORMAT, "'/a'");
    assert_refused(*state, path, "", SFGP_ERROR_FORMAT, "data set ''");
    assert_refused(*state, path, "/a/words", SFGP_ERROR_FORMAT, "not plain integers or reals");
    assert_refused(*state, path, "/a/pairs", SFGP_ERROR_FORMAT, "not plain integers or reals");
    assert_refused(*state, path, "/nothing", SFGP_ERROR_FORMAT, "empty");
    assert_refused(*state, test_path("absent.h5"), "x", SFGP_ERROR_READ, "No such file");
    assert_refused(*state, sfgp_test_folder(), "x", SFGP_ERROR_READ, "folder");
    assert_refused(*state, "/dev/null", "x", SFGP_ERROR_READ, "regular file");
    char name[1024];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_refused(*state, path, name, SFGP_ERROR_FORMAT, "its name is too long");
    sfgp_array *array;
    assert_int_equal(sfgp_array_read(*state, path, NULL, &array), SFGP_ERROR_PARAMETER);
}

static void other_files_are_not_followed(void **state)
{
    const hsize_t shape[] = {4};
    const char *path = new_path(), *other = test_path("other.h5"), *raw = test_path("raw");
    const double values[] = {1, 2, 3, 4};
    hid_t file = new_file(other);
    put(file, "x", H5T_IEEE_F64LE, 1, shape, 0, 0, H5T_NATIVE_DOUBLE, values);
    H5Fclose(file);
    sfgp_test_write(raw, values, sizeof values);
    file = new_file(path);
    assert_true(H5Lcreate_external(other, "x", file, "link", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    hid_t space = H5Screate_simple(1, shape, NULL), layout = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_external(layout, raw, 0, sizeof values) >= 0);
    H5Dclose(H5Dcreate2(file, "outside", H5T_IEEE_F64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT));
    H5Pclose(layout);
    layout = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_virtual(layout, space, other, "x", space) >= 0);
    H5Dclose(H5Dcreate2(file, "virtual", H5T_IEEE_F64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT));
    H5Pclose(layout), H5Sclose(space), H5Fclose(file);
    assert_refused(*state, path, "link", SFGP_ERROR_FORMAT, "'link'");
    assert_refused(*state, path, "outside", SFGP_ERROR_FORMAT, "in other files");
    assert_refused(*state, path, "virtual", SFGP_ERROR_FORMAT, "in other files");
}

/* 1e12 numbers that were never written, whole or in chunks; a context that holds 1 MB proves the point. */
static void sizes_beyond_the_file_are_refused_before_memory_is_taken(void **state)
{
    const hsize_t huge[] = {1000000, 1000000}, small[] = {2, 2};
    const char *path = new_path();
    const double values[] = {1, 2, 3, 4};
    sfgp_context *bounded = sfgp_bounded_context(1 << 20);
    (void)state;
    for (int level = 0; level < 3; level++) {
        hid_t file = new_file(path);
        put(file, "x", H5T_IEEE_F64LE, 2, huge, level > 0 ? 1000 : 0, level > 1, H5T_NATIVE_DOUBLE, NULL);
        H5Fclose(file);
        assert_refused(bounded, path, "x", SFGP_ERROR_FORMAT, "more numbers than the file holds");
    }
    hid_t file = new_file(path); /* four equal numbers in a chunk of 8 MB, packed twice into
                                  * less than deflate alone can */
    hid_t space = H5Screate_simple(2, small, (const hsize_t[]){H5S_UNLIMITED, H5S_UNLIMITED});
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_chunk(layout, 2, (const hsize_t[]){1000, 1000}) >= 0);
    assert_true(H5Pset_scaleoffset(layout, H5Z_SO_INT, H5Z_SO_INT_MINBITS_DEFAULT) >= 0);
    assert_true(H5Pset_deflate(layout, 9) >= 0);
    hid_t set = H5Dcreate2(file, "x", H5T_STD_I64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    assert_true(
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, (const double[]){0, 0, 0, 0}) >= 0);
    H5Dclose(set), H5Pclose(layout), H5Sclose(space);
    put(file, "fine", H5T_IEEE_F64LE, 2, small, 0, 0, H5T_NATIVE_DOUBLE, values);
    H5Fclose(file);
    assert_refused(bounded, path, "x", SFGP_ERROR_FORMAT, "chunks are larger");
    sfgp_array *array;
    sfgp_assert_ok(bounded, sfgp_array_read(bounded, path, "fine", &array));
    sfgp_array_free(array);
    sfgp_context_free(bounded);
}

/* A constant packs to a thousandth and is still what it is. */
static void well_packed_numbers_are_read(void **state)
{
    enum { COUNT = 1 << 20 };
    const hsize_t shape[] = {COUNT};
    const char *path = new_path();
    size_t size;
    hid_t file = new_file(path);
    float *values = calloc(COUNT, sizeof *values);
    sfgp_array *array;
    put(file, "x", H5T_IEEE_F32LE, 1, shape, COUNT, 9, H5T_NATIVE_FLOAT, values);
    H5Fclose(file);
    free(values);
    char *bytes = sfgp_test_read(path, &size);
    assert_true(size < COUNT / 100); /* it was packed */
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "x", &array));
    assert_true(array->shape[0] == COUNT && array->values[COUNT - 1] == 0);
    sfgp_array_free(array);
    free(bytes);
}

static void truncations_are_refused(void **state)
{
    const char *path = new_path();
    size_t size;
    hid_t file = new_file(path);
    put_table(file, "x", H5T_IEEE_F64LE, 2, 6);
    H5Fclose(file);
    char *bytes = sfgp_test_read(path, &size);
    for (size_t length = 0; length < size; length += byte_step()) {
        sfgp_test_write(path, bytes, length);
        assert_refused(*state, path, "x", SFGP_ERROR_FORMAT, "array.h5");
    }
    memset(bytes + size / 2, 0xff, size - size / 2); /* the size is right, the content is not */
    sfgp_test_write(path, bytes, size);
    sfgp_array *array;
    assert_int_equal(sfgp_array_read(*state, path, "x", &array), SFGP_ERROR_FORMAT);
    sfgp_test_write(path, "x,y\n1,2\n", 8);
    assert_refused(*state, path, "x", SFGP_ERROR_FORMAT, "not an HDF5 file");
    free(bytes);
}

/* One bit a byte, in plain and in packed data: HDF5 1.10 reads past the end of a packed chunk that unpacks
 * to less than its shape asks for. */
static void try_every_byte(sfgp_context *context, hsize_t chunk, int level)
{
    const char *path = new_path();
    size_t size;
    int refused = 0;
    hid_t file = new_file(path);
    put_table(file, "x", H5T_IEEE_F64LE, chunk, level);
    H5Fclose(file);
    char *bytes = sfgp_test_read(path, &size);
    for (size_t place = 0; place < size; place += byte_step()) {
        sfgp_array *array;
        bytes[place] ^= (char)(1 << place % 8);
        sfgp_test_write(path, bytes, size);
        sfgp_status status = sfgp_array_read(context, path, "x", &array);
        bytes[place] ^= (char)(1 << place % 8);
        assert_null(strstr(sfgp_context_error(context), "by itself")); /* our code did not fail */
        assert_true(status == SFGP_OK ? array != NULL : !array && status == SFGP_ERROR_FORMAT);
        refused += status != SFGP_OK;
        sfgp_array_free(array);
    }
    assert_true(refused > 100 / (int)byte_step());
    free(bytes);
}

static void changed_bytes_are_refused_or_read(void **state)
{
    try_every_byte(*state, 0, 0);
    try_every_byte(*state, 2, 6);
}

/* ---- what damage makes libhdf5 do -------------------------------------------------------------------- */

/* The only place of these bytes in the file gets others. */
static void replace_bytes(const char *path, const void *old, const void *changed, size_t count)
{
    size_t size;
    char *bytes = sfgp_test_read(path, &size), *place = memmem(bytes, size, old, count);
    assert_non_null(place);
    assert_null(memmem(place + 1, size - (size_t)(place + 1 - bytes), old, count));
    memcpy(place, changed, count);
    sfgp_test_write(path, bytes, size);
    free(bytes);
}

/* Bit offset and precision of an integer; sign, exponent, mantissa and their sizes of a real (HDF5 file
 * format, datatype message). libhdf5 1.10 takes them as they are, and writes beyond its stack. */
static void number_types_that_cannot_be_are_refused(void **state)
{
    static const unsigned char INTEGER[12] = {0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0};
    static const unsigned char REAL[20] = {0x11, 0x20, 63, 0,  8, 0,  0,    0, 0, 0,
                                           64,   0,    52, 11, 0, 52, 0xff, 3, 0, 0};
    const struct {
        bool real;
        int place;
        unsigned char value;
    } bad[] = {{false, 11, 0x40}, {false, 9, 0x40}, {false, 10, 0}, {false, 4, 3},
               {true, 10, 0},     {true, 11, 1},    {true, 12, 60}, {true, 13, 200},
               {true, 15, 70},    {true, 2, 64},    {true, 6, 1}};
    const char *path = new_path();
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        unsigned char changed[20];
        hid_t file = new_file(path);
        put_table(file, "x", bad[k].real ? H5T_IEEE_F64LE : H5T_STD_I32LE, 0, 0);
        H5Fclose(file);
        const size_t size = bad[k].real ? sizeof REAL : sizeof INTEGER;
        memcpy(changed, bad[k].real ? REAL : INTEGER, size);
        changed[bad[k].place] = bad[k].value;
        replace_bytes(path, bad[k].real ? REAL : INTEGER, changed, size);
        assert_refused(*state, path, "x", SFGP_ERROR_FORMAT, "'x'");
        assert_null(strstr(sfgp_context_error(*state), "broke down")); /* found before it is read */
    }
}

static void put_word(hid_t file, const char *name, const char *text, bool variable)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, variable ? H5T_VARIABLE : strlen(text) + 1);
    put(file, name, type, 0, NULL, 0, 0, type, variable ? (const void *)&text : text);
    H5Tclose(type);
}

static void assert_text_refused(sfgp_context *context, const char *path, const char *name, const char *words)
{
    char text[100];
    sfgp_hdf5 *file;
    sfgp_assert_ok(context, sfgp_hdf5_open(context, path, &file));
    sfgp_assert_error(context, sfgp_hdf5_read_text(file, name, sizeof text, text), SFGP_ERROR_FORMAT, words);
    sfgp_hdf5_free(file);
}

static void texts_with_control_characters_are_refused(void **state)
{
    const char *path = new_path();
    hid_t file = new_file(path);
    put_word(file, "escape", "\x1b[31mred", false);
    put_word(file, "line", "two\nlines", true);
    put_word(file, "delete", "\x7f", false);
    H5Fclose(file);
    assert_text_refused(*state, path, "escape", "control characters");
    assert_text_refused(*state, path, "line", "control characters");
    assert_text_refused(*state, path, "delete", "control characters");
}

static void texts_without_room_are_refused(void **state)
{
    char text[150];
    const char *path = new_path();
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    hid_t file = new_file(path);
    put_word(file, "fixed", text, false);
    put_word(file, "variable", text, true);
    H5Fclose(file);
    assert_text_refused(*state, path, "fixed", "too long");
    assert_text_refused(*state, path, "variable", "too long");
}

/* The length of a variable text stands in the file: 0x10 there becomes 0x70000010, 1.9 GB. */
static void texts_that_ask_for_memory_are_refused(void **state)
{
    if (getenv("SFGP_EMULATED")) {
        print_message("skipped: qemu does not keep RLIMIT_AS\n");
        skip();
    }
    const char *path = new_path();
    hid_t file = new_file(path);
    struct rusage usage;
    put_word(file, "long", "sixteen letters!", true);
    H5Fclose(file);
    size_t size, places = 0;
    char *bytes = sfgp_test_read(path, &size);
    for (size_t k = 0; k + 12 < size; k++) /* length, address of the heap, index in it */
        if (memcmp(bytes + k, "\x10\0\0\0", 4) == 0 && bytes[k + 12] == 1 && bytes[k + 13] == 0) {
            bytes[k + 3] = 0x70;
            places++;
            break;
        }
    assert_int_equal(places, 1);
    sfgp_test_write(path, bytes, size);
    free(bytes);
    assert_text_refused(*state, path, "long", "'long'");
    getrusage(RUSAGE_CHILDREN, &usage);
    assert_true(usage.ru_maxrss < 512 << 10); /* KiB */
}

/* 400 MB of zeros in 400 KB: deflate could do it, but no file of measured data does. */
static void what_unpacks_to_too_much_is_refused_at_once(void **state)
{
    const hsize_t shape[] = {50000000}, part[] = {500000};
    const char *path = new_path();
    hid_t file = new_file(path), space = H5Screate_simple(1, shape, NULL),
          layout = H5Pcreate(H5P_DATASET_CREATE);
    sfgp_context *bounded = sfgp_bounded_context(1 << 20);
    (void)state;
    H5Pset_chunk(layout, 1, part);
    H5Pset_deflate(layout, 9);
    hid_t set = H5Dcreate2(file, "x", H5T_IEEE_F64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    double *zeros = calloc(part[0], sizeof *zeros);
    for (hsize_t start = 0; start < shape[0]; start += part[0]) {
        hid_t memory = H5Screate_simple(1, part, NULL);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, part, NULL);
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, zeros) >= 0);
        H5Sclose(memory);
    }
    free(zeros);
    H5Dclose(set), H5Pclose(layout), H5Sclose(space), H5Fclose(file);
    assert_refused(bounded, path, "x", SFGP_ERROR_FORMAT, "unpacks to more than is read");
    sfgp_context_free(bounded);
}

/* ---- memory and data --------------------------------------------------------------------------------- */

static sfgp_status read_and_free(sfgp_context *context, void *user)
{
    sfgp_array *array;
    sfgp_status status = sfgp_array_read(context, user, "x", &array);
    sfgp_array_free(array);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    char path[8192];
    snprintf(path, sizeof path, "%s", new_path());
    hid_t file = new_file(path);
    put_table(file, "x", H5T_IEEE_F64LE, 0, 0);
    H5Fclose(file);
    assert_true(sfgp_sweep_allocations(*state, read_and_free, path) >= 3);
}

static void the_fish_benchmark_is_read(void **state)
{
    const char *path = sfgp_test_path(sfgp_test_data(), "fish/fish.h5");
    sfgp_array *array;
    sfgp_assert_ok(*state, sfgp_array_read(*state, path, "/def/1/target", &array));
    assert_true(array->rank == 3 && array->shape[0] == 100 && array->shape[1] == 98 && array->shape[2] == 2);
    for (int k = 0; k < 100 * 98 * 2; k++)
        assert_true(fabs(array->values[k]) < 10);
    sfgp_array_free(array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(every_numeric_type_and_layout_is_read),
        sfgp_unit_test(doubles_keep_their_bits_and_nan_is_a_number_here),
        sfgp_unit_test(ranks_0_to_4_are_read_and_5_is_refused),
        sfgp_unit_test(no_rows_are_an_array_without_values),
        sfgp_unit_test(rows_wider_than_a_part_are_read),
        sfgp_unit_test(enumerated_numbers_are_read),
        sfgp_unit_test(what_cannot_be_read_is_named),
        sfgp_unit_test(other_files_are_not_followed),
        sfgp_unit_test(sizes_beyond_the_file_are_refused_before_memory_is_taken),
        sfgp_unit_test(well_packed_numbers_are_read),
        sfgp_unit_test(truncations_are_refused),
        sfgp_unit_test(changed_bytes_are_refused_or_read),
        sfgp_unit_test(number_types_that_cannot_be_are_refused),
        sfgp_unit_test(texts_with_control_characters_are_refused),
        sfgp_unit_test(texts_without_room_are_refused),
        sfgp_unit_test(texts_that_ask_for_memory_are_refused),
        sfgp_unit_test(what_unpacks_to_too_much_is_refused_at_once),
        sfgp_unit_test(every_failing_allocation_is_reported),
        sfgp_unit_test(the_fish_benchmark_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
