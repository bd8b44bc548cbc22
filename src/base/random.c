/* Random numbers: xoshiro256** seeded by splitmix64 (Blackman, Vigna, ACM Trans. Math. Softw. 47, 2021), and
 * draws from it. */
#include "base/random.h"

#include <math.h>

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

sfgp_random sfgp_random_of(uint64_t seed)
{
    sfgp_random random;
    for (int k = 0; k < 4; k++)
        random.state[k] = splitmix64(&seed);
    return random;
}

static uint64_t rotate_left(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

uint64_t sfgp_random_bits(sfgp_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double sfgp_random_uniform(sfgp_random *random)
{
    return (double)(sfgp_random_bits(random) >> 11) * 0x1p-53;
}

/* Box-Muller. The second number of the pair is dropped, so that the generator is the only state. */
double sfgp_random_normal(sfgp_random *random)
{
    double radius = sqrt(-2 * log(1 - sfgp_random_uniform(random)));
    return radius * cos(2 * 3.14159265358979323846 * sfgp_random_uniform(random));
}

int64_t sfgp_random_below(sfgp_random *random, int64_t bound)
{
    return (int64_t)((double)bound * sfgp_random_uniform(random));
}

int64_t sfgp_random_some(uint64_t seed, int64_t count, int64_t wanted, int64_t *index)
{
    int64_t chosen = 0;
    sfgp_random random = sfgp_random_of(seed);
    for (int64_t i = 0; i < count && chosen < wanted; i++)
        if (sfgp_random_below(&random, count - i) < wanted - chosen)
            index[chosen++] = i;
    return chosen;
}

/* Fisher and Yates, from the end. */
void sfgp_random_shuffle(uint64_t seed, int64_t count, int64_t *order)
{
    sfgp_random random = sfgp_random_of(seed);
    for (int64_t i = 0; i < count; i++)
        order[i] = i;
    for (int64_t i = count - 1; i > 0; i--) {
        const int64_t other = sfgp_random_below(&random, i + 1), value = order[other];
        order[other] = order[i];
        order[i] = value;
    }
}
