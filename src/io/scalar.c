/* One row a type of number: its size, and its bytes to a double and back, built from single bytes so that
 * the byte order of the machine does not matter. */
#include "io/scalar.h"

#include <math.h>
#include <string.h>

typedef struct row {
    int size;
    const char *word, *alias;
} row;

#define SCALAR_ROW(name, bytes, word, alias) {bytes, word, alias},
static const row ROWS[] = {SFGP_SCALAR_TABLE(SCALAR_ROW)};

int sfgp_scalar_size(sfgp_scalar type)
{
    return ROWS[type].size;
}

bool sfgp_scalar_is_integer(sfgp_scalar type)
{
    return type != SFGP_FLOAT32 && type != SFGP_FLOAT64;
}

bool sfgp_scalar_find(sfgp_text word, sfgp_scalar *type)
{
    for (int k = 0; k < (int)(sizeof ROWS / sizeof *ROWS); k++)
        if (word.length > 0 && (sfgp_text_is(word, ROWS[k].word) || sfgp_text_is(word, ROWS[k].alias))) {
            *type = (sfgp_scalar)k;
            return true;
        }
    return false;
}

static double from_float_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double from_double_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* For a size that the compiler knows this is one instruction on most machines. */
static inline uint64_t gather(int size, const unsigned char *bytes)
{
    uint64_t bits = 0;
    for (int k = 0; k < size; k++)
        bits |= (uint64_t)bytes[k] << 8 * k;
    return bits;
}

static uint64_t gather_reversed(int size, const unsigned char *bytes)
{
    uint64_t bits = 0;
    for (int k = 0; k < size; k++)
        bits = bits << 8 | bytes[k];
    return bits;
}

static inline void scatter(int size, uint64_t bits, unsigned char *bytes)
{
    for (int k = 0; k < size; k++)
        bytes[k] = (unsigned char)(bits >> 8 * k);
}

double sfgp_scalar_load(sfgp_scalar type, bool big_endian, const unsigned char *bytes)
{
    const int size = ROWS[type].size;
    const uint64_t bits = big_endian  ? gather_reversed(size, bytes)
                          : size == 8 ? gather(8, bytes)
                          : size == 4 ? gather(4, bytes)
                                      : gather(size, bytes);
    switch (type) {
    case SFGP_INT8:
        return (double)(int8_t)bits;
    case SFGP_INT16:
        return (double)(int16_t)bits;
    case SFGP_INT32:
        return (double)(int32_t)bits;
    case SFGP_INT64:
        return (double)(int64_t)bits;
    case SFGP_FLOAT32:
        return from_float_bits((uint32_t)bits);
    case SFGP_FLOAT64:
        return from_double_bits(bits);
    default:
        return (double)bits;
    }
}

void sfgp_scalar_store(sfgp_scalar type, double value, unsigned char *bytes)
{
    uint64_t bits = 0;
    if (type == SFGP_FLOAT64) {
        memcpy(&bits, &value, sizeof bits);
    } else if (type == SFGP_FLOAT32) {
        float narrow = (float)value;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
        bits = narrow_bits;
    } else {
        bits = (uint64_t)(int64_t)value;
    }
    if (ROWS[type].size == 8)
        scatter(8, bits, bytes);
    else if (ROWS[type].size == 4)
        scatter(4, bits, bytes);
    else
        scatter(ROWS[type].size, bits, bytes);
}

bool sfgp_scalar_are_bytes(const double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!(values[i] >= 0 && values[i] <= 255 && values[i] == floor(values[i])))
            return false;
    return true;
}
