/* Decoding base64: see base64.h. */
#include "io/base64.h"

#include <string.h>

/* The 6 bits of a character, -1: padding, -2: none. */
static int find_bits(char c)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? memchr(DIGITS, c, 64) : NULL;
    return found ? (int)(found - DIGITS) : c == '=' ? -1 : -2;
}

/* Four characters to one, two or three bytes. */
static bool decode_four(sfgp_base64 *decoder)
{
    int bits[4], taken = 0;
    for (; decoder->rest.length > 0 && taken < 4; decoder->rest.start++, decoder->rest.length--)
        if (!sfgp_is_white(*decoder->rest.start))
            bits[taken++] = find_bits(*decoder->rest.start);
    if (taken < 4 || bits[0] < 0 || bits[1] < 0 || bits[2] < -1 || bits[3] < -1 ||
        (bits[2] < 0 && bits[3] >= 0))
        return false;
    const unsigned all = (unsigned)bits[0] << 18 | (unsigned)bits[1] << 12 |
                         (unsigned)(bits[2] < 0 ? 0 : bits[2]) << 6 | (unsigned)(bits[3] < 0 ? 0 : bits[3]);
    decoder->count = 3 - (bits[2] < 0) - (bits[3] < 0);
    for (int k = 0; k < 3; k++)
        decoder->held[k] = (unsigned char)(all >> (16 - 8 * k));
    return true;
}

bool sfgp_base64_take(sfgp_base64 *decoder, int64_t length, unsigned char *bytes)
{
    for (int64_t done = 0; done < length;) {
        if (decoder->count == 0 && !decode_four(decoder))
            return false;
        bytes[done++] = decoder->held[0];
        memmove(decoder->held, decoder->held + 1, 2);
        decoder->count--;
    }
    return true;
}
