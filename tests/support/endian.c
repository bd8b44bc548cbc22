#include "support/endian.h"

#include <stdint.h>
#include <string.h>

void sfgp_test_copy_little(void *to, const void *from, size_t count, size_t size)
{
    const uint16_t one = 1;
    const int little = *(const unsigned char *)&one;
    for (size_t k = 0; k < count; k++)
        for (size_t b = 0; b < size; b++)
            ((unsigned char *)to)[size * k + b] =
                ((const unsigned char *)from)[size * k + (little ? b : size - 1 - b)];
}
