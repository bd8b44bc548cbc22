/* NPY, versions 1.0 and 2.0: magic, version, length of a Python dictionary, the dictionary, the numbers. */
#include "io/columns.h"
#include "io/format.h"
#include "base/memory.h"
#include "io/scalar.h"

#include <math.h>
#include <string.h>

enum { MAGIC = 6, SEEN_TYPE = 1, SEEN_ORDER = 2, SEEN_SHAPE = 4, SEEN_ALL = 7, LONGEST_HEADER = 1 << 16 };

typedef struct npy_header {
    sfgp_scalar type;
    bool big_endian, by_columns;
    int64_t shape[2];
    int seen;
    sfgp_text entry; /* from the one that is read on */
} npy_header;

static const struct npy_type {
    const char *word;
    sfgp_scalar type;
    bool big_endian;
} TYPES[] = {{"<f8", SFGP_FLOAT64, false}, {">f8", SFGP_FLOAT64, true}, {"<f4", SFGP_FLOAT32, false},
             {">f4", SFGP_FLOAT32, true},  {"<i4", SFGP_INT32, false},  {">i4", SFGP_INT32, true},
             {"<i8", SFGP_INT64, false},   {">i8", SFGP_INT64, true},   {"<i2", SFGP_INT16, false},
             {">i2", SFGP_INT16, true},    {"<u2", SFGP_UINT16, false}, {">u2", SFGP_UINT16, true},
             {"<u4", SFGP_UINT32, false},  {">u4", SFGP_UINT32, true},  {"|u1", SFGP_UINT8, false},
             {"|i1", SFGP_INT8, false}};

/* ---- the dictionary ---- */

static void pass_blanks(sfgp_text *rest)
{
    while (rest->length > 0 && (sfgp_is_blank(*rest->start) || *rest->start == '\n'))
        rest->start++, rest->length--;
}

static bool pass(sfgp_text *rest, char c)
{
    pass_blanks(rest);
    if (rest->length == 0 || *rest->start != c)
        return false;
    rest->start++, rest->length--;
    return true;
}

/* Characters up to one of " ,:)}" and a quote. */
static sfgp_text pass_word(sfgp_text *rest)
{
    pass_blanks(rest);
    sfgp_text word = {rest->start, 0};
    while (rest->length > 0 && !sfgp_is_blank(*rest->start) && *rest->start != ',' && *rest->start != ':' &&
           *rest->start != ')' && *rest->start != '}' && *rest->start != '\'' && *rest->start != '"')
        rest->start++, rest->length--, word.length++;
    return word;
}

static bool pass_quoted(sfgp_text *rest, sfgp_text *word)
{
    char quote = pass(rest, '\'') ? '\'' : '"';
    if (quote == '"' && !pass(rest, '"'))
        return false;
    *word = pass_word(rest);
    return pass(rest, quote);
}

static bool read_type(sfgp_text *rest, npy_header *header)
{
    sfgp_text word;
    if (!pass_quoted(rest, &word))
        return false;
    for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; k++)
        if (sfgp_text_is(word, TYPES[k].word)) {
            header->type = TYPES[k].type;
            header->big_endian = TYPES[k].big_endian;
            header->seen |= SEEN_TYPE;
            return true;
        }
    return false;
}

static bool read_order(sfgp_text *rest, npy_header *header)
{
    sfgp_text word = pass_word(rest);
    header->by_columns = sfgp_text_is(word, "True");
    header->seen |= SEEN_ORDER;
    return header->by_columns || sfgp_text_is(word, "False");
}

/* (n, m), m of 2 or more */
static bool read_shape(sfgp_text *rest, npy_header *header)
{
    bool good = pass(rest, '(') && sfgp_text_integer(pass_word(rest), &header->shape[0]) && pass(rest, ',') &&
                sfgp_text_integer(pass_word(rest), &header->shape[1]);
    if (!good)
        return false;
    pass(rest, ',');
    header->seen |= SEEN_SHAPE;
    return pass(rest, ')') && header->shape[0] >= 0 && header->shape[1] >= 2;
}

static bool read_entry(sfgp_text *rest, npy_header *header)
{
    sfgp_text key;
    if (!pass_quoted(rest, &key) || !pass(rest, ':'))
        return false;
    if (sfgp_text_is(key, "descr"))
        return read_type(rest, header);
    if (sfgp_text_is(key, "fortran_order"))
        return read_order(rest, header);
    return sfgp_text_is(key, "shape") && read_shape(rest, header);
}

static bool read_dictionary(sfgp_text rest, npy_header *header)
{
    bool good = pass(&rest, '{'), end = false;
    while (good && !end) {
        pass_blanks(&rest);
        header->entry = rest;
        good = read_entry(&rest, header);
        bool comma = pass(&rest, ',');
        end = pass(&rest, '}');
        good = good && (comma || end);
    }
    pass_blanks(&rest);
    return good && rest.length == 0 && header->seen == SEEN_ALL;
}

/* ---- the file ---- */

static sfgp_status read_header(sfgp_source *source, npy_header *header)
{
    const unsigned char *bytes;
    sfgp_status status = sfgp_source_take(source, MAGIC + 2, &bytes);
    if (status != SFGP_OK)
        return status;
    if (memcmp(bytes, "\x93NUMPY", MAGIC) != 0)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected the signature of NPY");
    int version = bytes[MAGIC];
    if (version < 1 || version > 2 || bytes[MAGIC + 1] != 0)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "NPY: expected version 1.0 or 2.0, found %d.%d",
                                version, bytes[MAGIC + 1]);
    if ((status = sfgp_source_take(source, 2 * version, &bytes)) != SFGP_OK)
        return status;
    int64_t length = (int64_t)sfgp_scalar_load(version == 1 ? SFGP_UINT16 : SFGP_UINT32, false, bytes);
    if (length > LONGEST_HEADER)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "NPY: expected a header of at most 65536 bytes");
    if ((status = sfgp_source_take(source, length, &bytes)) != SFGP_OK)
        return status;
    if (!read_dictionary((sfgp_text){(const char *)bytes, length}, header))
        return sfgp_source_fail(
            source, SFGP_ERROR_FORMAT,
            "NPY: expected descr f8, f4, i8, i4, i2, i1, u4, u2 or u1, fortran_order and shape (n, m), found "
            "'%s'; save a plain array of n rows with .astype('f8')",
            sfgp_text_show(header->entry).text);
    return SFGP_OK;
}

static sfgp_status check_size(const sfgp_source *source, const npy_header *header)
{
    int64_t row = header->shape[1] * sfgp_scalar_size(header->type), size = 0;
    int64_t rest = source->size - source->offset;
    if (!sfgp_product(header->shape[0], row, &size) || size != rest)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT,
                                "NPY: expected %lld rows of %lld bytes, found %lld bytes",
                                (long long)header->shape[0], (long long)row, (long long)rest);
    return SFGP_OK;
}

enum { MOST_COLUMNS = 9 }; /* of points with normals and colours */

/* Points as columns: to take three of their many columns would make points of other numbers. */
static sfgp_status check_rows(const sfgp_source *source, const npy_header *header)
{
    if (source->columns || header->shape[1] <= MOST_COLUMNS || header->shape[0] < 2 || header->shape[0] > 3)
        return SFGP_OK;
    return sfgp_source_fail(
        source, SFGP_ERROR_FORMAT,
        "NPY: shape (%lld, %lld), expected (n, 2) or (n, 3), a row a point; is it the transpose (.T)?",
        (long long)header->shape[0], (long long)header->shape[1]);
}

static sfgp_status read_number(sfgp_source *source, const npy_header *header, double *value)
{
    const unsigned char *bytes;
    sfgp_status status = sfgp_source_take(source, sfgp_scalar_size(header->type), &bytes);
    if (status != SFGP_OK)
        return status;
    *value = sfgp_scalar_load(header->type, header->big_endian, bytes);
    return isfinite(*value) ? SFGP_OK
                            : sfgp_source_fail(source, SFGP_ERROR_DATA,
                                               "a coordinate is not a finite number; remove the point");
}

/* In the order of the file, which is by rows or by columns. */
static sfgp_status read_numbers(sfgp_source *source, const npy_header *header, const sfgp_columns *columns,
                                double *points)
{
    const int64_t rows = header->shape[0], row = header->shape[1];
    sfgp_status status = SFGP_OK;
    for (int64_t k = 0; k < rows * row && status == SFGP_OK; k++) {
        const int64_t i = header->by_columns ? k % rows : k / row;
        const int axis = sfgp_columns_axis(columns, header->by_columns ? k / rows : k % row);
        status = axis < 0 ? sfgp_source_skip(source, sfgp_scalar_size(header->type))
                          : read_number(source, header, &points[i * columns->dimension + axis]);
    }
    return status;
}

sfgp_status sfgp_npy_read(sfgp_source *source, sfgp_mesh **mesh)
{
    const sfgp_header nameless = {{NULL, 0}, ' ', 0};
    npy_header header = {.seen = 0};
    sfgp_columns columns = {0};
    sfgp_status status = read_header(source, &header);
    if (status == SFGP_OK)
        status = check_size(source, &header);
    if (status == SFGP_OK && header.shape[0] == 0)
        status = sfgp_source_fail(source, SFGP_ERROR_DATA, "NPY: has no points");
    if (status == SFGP_OK)
        status = check_rows(source, &header);
    if (status == SFGP_OK)
        status = sfgp_columns_resolve(source, &nameless, header.shape[1], &columns);
    if (status == SFGP_OK)
        status = sfgp_mesh_new(source->context, header.shape[0], columns.dimension, 0, 0, mesh);
    if (status == SFGP_OK)
        status = read_numbers(source, &header, &columns, (*mesh)->points);
    return status;
}
