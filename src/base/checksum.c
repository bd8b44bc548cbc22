/* FNV-1a: sum = (sum ^ byte) * prime for every byte. The prime is odd, so a step is one to one and any one
 * changed byte changes the sum (Fowler, Noll, Vo, draft-eastlake-fnv). */
#include "sfgp/sfgp.h"

#include <inttypes.h>
#include <stdio.h>

#define PRIME 1099511628211u

uint64_t sfgp_checksum(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t k = 0; k < size; k++)
        sum = (sum ^ byte[k]) * PRIME;
    return sum;
}

const char *sfgp_checksum_format(uint64_t sum, char text[SFGP_CHECKSUM_SIZE])
{
    snprintf(text, SFGP_CHECKSUM_SIZE, "%016" PRIx64, sum);
    return text;
}
