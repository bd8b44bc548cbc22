/* Writes PNG: signature, IHDR, one IDAT, IEND. Each row has the filter that leaves the smallest sum of differences. */
#include "page/png.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PIXEL = 4, FILTERS = 5, CHUNK = 12 }; /* bytes of a pixel; of a chunk beside its data */

static int find_paeth(int left, int up, int corner)
{
    const int guess = left + up - corner, a = abs(guess - left), b = abs(guess - up), c = abs(guess - corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

/* The byte k of a row less what filter `type` predicts for it. above NULL: the first row. */
static unsigned char subtract_guess(int type, const unsigned char *row, const unsigned char *above, int k)
{
    const int left = k >= PIXEL ? row[k - PIXEL] : 0, up = above ? above[k] : 0,
              corner = above && k >= PIXEL ? above[k - PIXEL] : 0;
    const int guess[FILTERS] = {0, left, up, (left + up) / 2, find_paeth(left, up, corner)};
    return (unsigned char)(row[k] - guess[type]);
}

static void filter_row(const unsigned char *row, const unsigned char *above, int length, unsigned char *out)
{
    long best = -1;
    for (int type = 0; type < FILTERS; type++) {
        long sum = 0;
        for (int k = 0; k < length; k++)
            sum += abs((signed char)subtract_guess(type, row, above, k));
        if (best < 0 || sum < best) {
            best = sum;
            out[0] = (unsigned char)type;
        }
    }
    for (int k = 0; k < length; k++)
        out[k + 1] = subtract_guess(out[0], row, above, k);
}

/* The compressed rows. NULL: out of memory. */
static unsigned char *compress_rows(int width, int height, const unsigned char *pixels, uLongf *size)
{
    const int length = PIXEL * width;
    const size_t raw_size = (size_t)height * ((size_t)length + 1);
    unsigned char *raw = malloc(raw_size), *packed = malloc(*size = compressBound(raw_size));
    for (int y = 0; raw && packed && y < height; y++)
        filter_row(pixels + (size_t)y * (size_t)length,
                   y > 0 ? pixels + (size_t)(y - 1) * (size_t)length : NULL, length,
                   raw + (size_t)y * ((size_t)length + 1));
    if (!raw || !packed || compress2(packed, size, raw, raw_size, Z_DEFAULT_COMPRESSION) != Z_OK) {
        free(packed);
        packed = NULL;
    }
    free(raw);
    return packed;
}

static void write_number(unsigned char *out, uint32_t value)
{
    for (int k = 0; k < 4; k++)
        out[k] = (unsigned char)(value >> (24 - 8 * k));
}

/* Length, name, data, checksum of name and data. Returns the end. */
static unsigned char *write_chunk(unsigned char *out, const char *name, const unsigned char *data,
                                  size_t size)
{
    write_number(out, (uint32_t)size);
    memcpy(out + 4, name, 4);
    if (size > 0)
        memcpy(out + 8, data, size);
    write_number(out + 8 + size, (uint32_t)crc32(0, out + 4, (uInt)size + 4));
    return out + CHUNK + size;
}

sfgp_status png_make(int width, int height, const unsigned char *pixels, unsigned char **bytes, size_t *size)
{
    static const unsigned char SIGNATURE[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char head[13] = {[8] = 8, [9] = 6}; /* 8 bits; red, green, blue, alpha */
    uLongf packed_size = 0;
    unsigned char *packed = compress_rows(width, height, pixels, &packed_size);
    *bytes = packed ? malloc(sizeof SIGNATURE + sizeof head + packed_size + 3 * (size_t)CHUNK) : NULL;
    if (*bytes) {
        memcpy(*bytes, SIGNATURE, sizeof SIGNATURE);
        write_number(head, (uint32_t)width);
        write_number(head + 4, (uint32_t)height);
        unsigned char *end = write_chunk(*bytes + sizeof SIGNATURE, "IHDR", head, sizeof head);
        end = write_chunk(end, "IDAT", packed, packed_size);
        end = write_chunk(end, "IEND", NULL, 0);
        *size = (size_t)(end - *bytes);
    }
    free(packed);
    return *bytes ? SFGP_OK : SFGP_ERROR_MEMORY;
}
