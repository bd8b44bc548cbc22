/* Seeded random numbers, the same on every machine. */
#ifndef SFGP_BASE_RANDOM_H
#define SFGP_BASE_RANDOM_H

#include <stdint.h>

typedef struct sfgp_random {
    uint64_t state[4];
} sfgp_random;

sfgp_random sfgp_random_of(uint64_t seed);
uint64_t sfgp_random_bits(sfgp_random *random);
double sfgp_random_uniform(sfgp_random *random);               /* [0, 1) */
double sfgp_random_normal(sfgp_random *random);                /* mean 0, variance 1 */
int64_t sfgp_random_below(sfgp_random *random, int64_t bound); /* 0 .. bound - 1 */
/* A random subset of 0 .. count - 1, ascending, of size `wanted` or all. Returns its size. O(count). */
int64_t sfgp_random_some(uint64_t seed, int64_t count, int64_t wanted, int64_t *index);
/* All of 0 .. count - 1 in random order, every order equally likely. O(count). */
void sfgp_random_shuffle(uint64_t seed, int64_t count, int64_t *order);

#endif
