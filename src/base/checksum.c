/* FNV-1a: sum = (sum ^ byte) * prime for every byte. The prime is odd, so a step is one to one and any one
 * changed byte changes the sum (Fowler, Noll, Vo, draft-eastlake-fnv). */
#include "sfgp/sfgp.h"

#define PRIME 1099511628211u

uint64_t sfgp_checksum(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t k = 0; k < size; k++)
        sum = (sum ^ byte[k]) * PRIME;
    return sum;
}
