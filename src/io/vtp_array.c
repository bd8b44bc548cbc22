/* The numbers of an array in a VTP: see vtp.h. Bytes are headed by their number or, packed, by the number of blocks, the
 * size of a block, that of the last one if it differs, and the packed size of each. */
#include "io/vtp.h"
#include "base/memory.h"
#include "io/base64.h"
#include "io/zlib_stream.h"

#include <string.h>

/* What a decoder has still before it: raw bytes, or base64. */
typedef struct encoded {
    bool raw;
    sfgp_text bytes;
    sfgp_base64 base64;
} encoded;

typedef struct block_sizes {
    int64_t count, size, last;
} block_sizes;

static sfgp_status fail(sfgp_vtp_file *file, const sfgp_vtp_array *array, const char *words)
{
    return sfgp_xml_fail(&file->xml, array->data.start, SFGP_ERROR_FORMAT, "VTP: array '%s': %s",
                         sfgp_text_show(array->name).text, words);
}

static encoded find_data(const sfgp_vtp_file *file, const sfgp_vtp_array *array)
{
    sfgp_text bytes = array->data;
    if (array->encoding == SFGP_VTP_APPENDED)
        bytes = (sfgp_text){file->appended.start + array->offset, file->appended.length - array->offset};
    return (encoded){array->encoding == SFGP_VTP_APPENDED && file->raw, bytes, {.rest = bytes}};
}

static bool read_bytes(encoded *data, int64_t length, unsigned char *bytes)
{
    if (!data->raw)
        return sfgp_base64_take(&data->base64, length, bytes);
    if (length > data->bytes.length)
        return false;
    memcpy(bytes, data->bytes.start, (size_t)length);
    data->bytes = (sfgp_text){data->bytes.start + length, data->bytes.length - length};
    return true;
}

static bool read_size(const sfgp_vtp_file *file, encoded *data, int64_t *size)
{
    unsigned char bytes[8];
    if (!read_bytes(data, file->wide ? 8 : 4, bytes))
        return false;
    *size = (int64_t)sfgp_scalar_load(file->wide ? SFGP_INT64 : SFGP_UINT32, file->big_endian, bytes);
    return *size >= 0;
}

/* ---- packed in blocks -------------------------------------------------------------------------------- */

static sfgp_status inflate_block(sfgp_context *context, unsigned char *packed, int64_t packed_size,
                                 unsigned char *bytes, int64_t size, bool *good)
{
    z_stream stream = sfgp_zlib_stream(context);
    if (inflateInit(&stream) != Z_OK)
        return SFGP_ERROR_MEMORY;
    stream.next_in = packed;
    stream.avail_in = (uInt)packed_size;
    stream.next_out = bytes;
    stream.avail_out = (uInt)size;
    const int code = inflate(&stream, Z_FINISH);
    *good = code == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return code == Z_MEM_ERROR ? SFGP_ERROR_MEMORY : SFGP_OK;
}

static sfgp_status read_block(sfgp_vtp_file *file, encoded *data, int64_t packed_size, unsigned char *bytes,
                              int64_t size, bool *good)
{
    unsigned char *packed = NULL;
    *good = packed_size <= file->xml.source->size && packed_size <= SFGP_ZLIB_AT_ONCE &&
            size <= SFGP_ZLIB_AT_ONCE;
    if (!*good)
        return SFGP_OK;
    sfgp_status status = sfgp_allocate(file->xml.source->context, packed_size, &packed);
    if (status == SFGP_OK && (*good = read_bytes(data, packed_size, packed)))
        status = inflate_block(file->xml.source->context, packed, packed_size, bytes, size, good);
    sfgp_free(packed);
    return status;
}

static bool read_block_sizes(const sfgp_vtp_file *file, encoded *data, int64_t expected, block_sizes *blocks)
{
    int64_t whole = 0;
    if (!read_size(file, data, &blocks->count) || !read_size(file, data, &blocks->size) ||
        !read_size(file, data, &blocks->last))
        return false;
    blocks->last = blocks->last > 0 ? blocks->last : blocks->size;
    return blocks->count > 0 && blocks->size > 0 && blocks->count - 1 <= expected &&
           sfgp_product(blocks->count - 1, blocks->size, &whole) && whole <= expected &&
           blocks->last == expected - whole;
}

static sfgp_status read_packed(sfgp_vtp_file *file, encoded *data, int64_t expected, unsigned char *bytes,
                               bool *good)
{
    block_sizes blocks = {0};
    int64_t *sizes = NULL;
    *good = read_block_sizes(file, data, expected, &blocks);
    if (!*good)
        return SFGP_OK;
    sfgp_status status = sfgp_allocate(file->xml.source->context, blocks.count, &sizes);
    for (int64_t k = 0; k < blocks.count && status == SFGP_OK && *good; k++)
        *good = read_size(file, data, &sizes[k]);
    for (int64_t k = 0; k < blocks.count && status == SFGP_OK && *good; k++)
        status = read_block(file, data, sizes[k], bytes + k * blocks.size,
                            k + 1 < blocks.count ? blocks.size : blocks.last, good);
    sfgp_free(sizes);
    return status;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static sfgp_status decode_bytes(sfgp_vtp_file *file, const sfgp_vtp_array *array, int64_t count,
                                double *values)
{
    const int64_t item = sfgp_scalar_size(array->type), expected = count * item;
    encoded data = find_data(file, array);
    unsigned char *bytes = NULL;
    int64_t size = 0;
    bool good = true;
    sfgp_status status = sfgp_allocate(file->xml.source->context, expected, &bytes);
    if (status == SFGP_OK && file->packed && count > 0)
        status = read_packed(file, &data, expected, bytes, &good);
    else if (status == SFGP_OK && !file->packed)
        good = read_size(file, &data, &size) && size == expected && read_bytes(&data, expected, bytes);
    for (int64_t k = 0; k < count && status == SFGP_OK && good; k++)
        values[k] = sfgp_scalar_load(array->type, file->big_endian, bytes + k * item);
    sfgp_free(bytes);
    return status != SFGP_OK || good
               ? status
               : fail(file, array, "damaged, cut short, or of another size than the counts say");
}

static bool cut_word(sfgp_text *rest, sfgp_text *word)
{
    const char *at = rest->start, *end = at + rest->length;
    while (at < end && sfgp_is_white(*at))
        at++;
    word->start = at;
    while (at < end && !sfgp_is_white(*at))
        at++;
    word->length = at - word->start;
    *rest = (sfgp_text){at, end - at};
    return word->length > 0;
}

static sfgp_status decode_text(sfgp_vtp_file *file, const sfgp_vtp_array *array, int64_t count,
                               double *values)
{
    sfgp_text rest = array->data, word;
    for (int64_t k = 0; k < count; k++) {
        if (!cut_word(&rest, &word))
            return fail(file, array, "fewer numbers than the counts say");
        if (!sfgp_text_real(word, &values[k]))
            return sfgp_xml_fail(&file->xml, word.start, SFGP_ERROR_FORMAT,
                                 "VTP: expected a number, found '%s'", sfgp_text_show(word).text);
    }
    return cut_word(&rest, &word) ? fail(file, array, "more numbers than the counts say") : SFGP_OK;
}

/* Packed arrays may grow as gzip files may. */
static bool fits(const sfgp_vtp_file *file, const sfgp_vtp_array *array, int64_t count)
{
    const int64_t size = file->xml.source->size;
    int64_t expected = 0;
    if (array->encoding == SFGP_VTP_TEXT)
        return count <= array->data.length / 2 + 1;
    if (array->encoding == SFGP_VTP_APPENDED &&
        (!file->appended.start || array->offset < 0 || array->offset > file->appended.length))
        return false;
    return sfgp_product(count, sfgp_scalar_size(array->type), &expected) &&
           expected <= (file->packed ? SFGP_GZIP_FREE + SFGP_GZIP_RATIO * size : size);
}

sfgp_status sfgp_vtp_decode(sfgp_vtp_file *file, const sfgp_vtp_array *array, int64_t count, double **values)
{
    *values = NULL;
    if (!fits(file, array, count))
        return fail(
            file, array,
            "more numbers are promised than the file can hold; the counts are wrong or it is cut short");
    sfgp_status status = sfgp_allocate(file->xml.source->context, count, values);
    if (status != SFGP_OK)
        return status;
    status = array->encoding == SFGP_VTP_TEXT ? decode_text(file, array, count, *values)
                                              : decode_bytes(file, array, count, *values);
    if (status != SFGP_OK) {
        sfgp_free(*values);
        *values = NULL;
    }
    return status;
}
