#include "base/simd.h"
#include "correspond/tiles.h"

#define INLINE static inline __attribute__((always_inline)) /* into the clones */
#define N SFGP_BLOCK

typedef float vec __attribute__((vector_size(N * sizeof(float))));
typedef int32_t ints __attribute__((vector_size(N * sizeof(int32_t))));
typedef uint32_t bits __attribute__((vector_size(N * sizeof(uint32_t))));

/* Arrays of N, seen as one */
typedef float any_vec __attribute__((vector_size(N * sizeof(float)), aligned(4), may_alias));
typedef int32_t any_ints __attribute__((vector_size(N * sizeof(int32_t)), aligned(4), may_alias));
#define VEC(array) (*(any_vec *)(array))
#define INTS(array) (*(any_ints *)(array))

/* x = 2^x = 2^k 2^f with k = round(x), |f| <= 1/2, 2^f by its Taylor series to f^6 (remainder 1.2e-7). Adding
 * 1.5 * 2^23 rounds x to an integer in the low bits, which become the exponent. x <= 126; of one below -100,
 * which is beyond every radius, 1: numbers next to 0 are slow to multiply. */
INLINE void raise_two(vec *x)
{
    const ints low = *x < -100.0f;
    *x = (vec)((ints)*x & ~low);
    const vec shifted = *x + 0x1.8p23f, f = *x - (shifted - 0x1.8p23f);
    vec p = f * 1.5403530e-4f + 1.3333558e-3f;
    p = p * f + 9.6181291e-3f;
    p = p * f + 5.5504109e-2f;
    p = p * f + 2.4022651e-1f;
    p = p * f + 6.9314718e-1f;
    p = p * f + 1.0f;
    *x = (vec)((bits)p + ((bits)shifted << 23));
}

SFGP_SIMD void sfgp_tile_weigh(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *targets,
                               double *sum)
{
    const float *peak = tiles->peak + block * N, *slope = tiles->slope + block * N,
                *radius2 = tiles->radius2 + block * N;
    const vec x = VEC(targets->x[0]), y = VEC(targets->x[1]), z = VEC(targets->x[2]);
    float at[3][N];
    vec total = {0};
    sfgp_tile_about(&tiles->reference, block, targets->middle, at);
    for (int i = 0; i < N; i++) {
        const vec dx = x - at[0][i], dy = y - at[1][i], dz = z - at[2][i], d2 = dx * dx + dy * dy + dz * dz;
        vec phi = d2 * slope[i];
        raise_two(&phi);
        phi *= peak[i];
        total += (vec)((ints)phi & (d2 <= radius2[i]));
    }
    for (int k = 0; k < N; k++)
        sum[k] += (double)total[k];
}

SFGP_SIMD void sfgp_tile_label(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *reference,
                               sfgp_tile_sums *sums)
{
    const float *inverse = tiles->inverse + block * N;
    const vec x = VEC(reference->x[0]), y = VEC(reference->x[1]), z = VEC(reference->x[2]),
              slope = VEC(reference->slope), radius2 = VEC(reference->radius2);
    float at[3][N];
    vec mass = {0}, second = {0}, fx = {0}, fy = {0}, fz = {0}, best = VEC(sums->best);
    ints found = INTS(sums->found), best_at = INTS(sums->best_at);
    sfgp_tile_about(&tiles->target, block, reference->middle, at);
    for (int j = 0; j < N; j++) {
        const vec dx = at[0][j] - x, dy = at[1][j] - y, dz = at[2][j] - z, d2 = dx * dx + dy * dy + dz * dz;
        const ints inside = d2 <= radius2;
        vec p = d2 * slope;
        raise_two(&p);
        p = (vec)((ints)(p * inverse[j]) & inside);
        const ints better = p > best;
        mass += p;
        second += p * d2;
        fx += p * dx;
        fy += p * dy;
        fz += p * dz;
        found -= inside;
        best = (vec)((better & (ints)p) | (~better & (ints)best));
        best_at = (better & (int32_t)(block * N + j)) | (~better & best_at);
    }
    VEC(sums->best) = best;
    INTS(sums->found) = found;
    INTS(sums->best_at) = best_at;
    for (int k = 0; k < N; k++) {
        sums->mass[k] += (double)mass[k];
        sums->second[k] += (double)second[k];
        sums->first[0][k] += (double)fx[k];
        sums->first[1][k] += (double)fy[k];
        sums->first[2][k] += (double)fz[k];
    }
}
