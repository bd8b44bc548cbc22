/* Results of comparisons as bit masks: bit k is set where value k passes. For use inside functions with
 * clones (base/simd.h). */
#ifndef SFGP_BASE_HITS_H
#define SFGP_BASE_HITS_H

#include <stdint.h>
#include <string.h>

#define SFGP_HITS_INLINE static inline __attribute__((always_inline))

typedef double sfgp_hits_quad __attribute__((vector_size(32)));
typedef uint64_t sfgp_hits_bits __attribute__((vector_size(32)));

/* Bit k: values[k] <= bound. count is a multiple of 4, at most 64. Four at a time by hand, because the
 * compiler would make a branch for each value. */
SFGP_HITS_INLINE uint64_t sfgp_hits_of(const double *values, int count, double bound)
{
    sfgp_hits_bits hits = {0}, place = {1, 2, 4, 8};
    for (int k = 0; k < count; k += 4, place <<= 4) {
        sfgp_hits_quad four;
        memcpy(&four, values + k, sizeof four);
        hits |= (sfgp_hits_bits)(four <= bound) & place;
    }
    return hits[0] | hits[1] | hits[2] | hits[3];
}

/* Bit k: values[k] <= 0, of sixteen values. */
SFGP_HITS_INLINE uint64_t sfgp_hits_of_sixteen(const float *values)
{
    uint32_t hits = 0;
#pragma omp simd reduction(| : hits)
    for (int k = 0; k < 16; k++)
        hits |= values[k] <= 0 ? (uint32_t)1 << k : 0;
    return hits;
}

/* Returns the position of the lowest set bit, and clears that bit. */
SFGP_HITS_INLINE int sfgp_hits_next(uint64_t *hits)
{
    const int k = __builtin_ctzll(*hits);
    *hits &= *hits - 1;
    return k;
}

#endif
