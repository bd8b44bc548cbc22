/* The sums over one tile: sixteen reference points and sixteen target points, as vectors. Design in tiles.h. */
#include "base/hits.h"
#include "base/simd.h"
#include "correspond/tiles.h"

#define INLINE static inline __attribute__((always_inline)) /* inlined into the clones */
#define N SFGP_BLOCK
#define ROUNDING (1 - 0x1p-20f) /* makes a squared distance smaller by more than its rounding error */

typedef float vec __attribute__((vector_size(N * sizeof(float))));
typedef int32_t ints __attribute__((vector_size(N * sizeof(int32_t))));
typedef uint32_t bits __attribute__((vector_size(N * sizeof(uint32_t))));

/* Arrays of N elements, read and written as one vector. */
typedef float any_vec __attribute__((vector_size(N * sizeof(float)), aligned(4), may_alias));
typedef int32_t any_ints __attribute__((vector_size(N * sizeof(int32_t)), aligned(4), may_alias));
#define VEC(array) (*(any_vec *)(array))
#define INTS(array) (*(any_ints *)(array))

/* The sums of sixteen reference points over a block of targets, in single precision. */
typedef struct vector_sums {
    vec mass;
    vec second;
    vec first[3];
    vec best;
    ints found;
    ints best_at;
} vector_sums;

/* 2^(slope d2) for pairs inside the radius. Other pairs get 2^(slope radius2), because very small numbers are slow to
 * multiply. With x = slope d2, k = round(x) and f = x - k, the value is 2^k 2^f. Adding 1.5 * 2^23 rounds x to an
 * integer in the low bits, which are added to the exponent. 2^f is its Taylor series up to f^6 (remainder 1.2e-7),
 * evaluated in pairs of terms, so that fewer products wait for each other. x must be between -100 and 126. */
INLINE void power_of(const vec *d2, const vec *slope, const vec *radius2, const ints *inside, vec *power)
{
    const vec near = (vec)((*inside & (ints)*d2) | (~*inside & (ints)*radius2)),
              shifted = near * *slope + 0x1.8p23f, f = near * *slope - (shifted - 0x1.8p23f), square = f * f;
    vec p = square * 1.5403530e-4f + (f * 1.3333558e-3f + 9.6181291e-3f);
    p = p * square + (f * 5.5504109e-2f + 2.4022651e-1f);
    p = p * square + (f * 6.9314718e-1f + 1.0f);
    *power = (vec)((bits)p + ((bits)shifted << 23));
}

/* Bit k: the squared distance of point k to the box is at most reach2[k]. No pair inside the radius is lost: along
 * each axis the distance to the box is at most that to any point in it, also after rounding. Only the rounding of the
 * sum may differ; the factor ROUNDING allows for it. */
INLINE uint64_t within(const sfgp_tile_side *side, float (*at)[N], const float *reach2)
{
    float beyond[N];
#pragma omp simd
    for (int k = 0; k < N; k++) {
        float sum = 0;
        for (int a = 0; a < 3; a++) {
            const float below = side->low[a] - at[a][k], above = at[a][k] - side->high[a],
                        out = below > above ? below : above, gap = out > 0 ? out : 0;
            sum += gap * gap;
        }
        beyond[k] = sum * ROUNDING - reach2[k];
    }
    return sfgp_hits_of_sixteen(beyond);
}

SFGP_SIMD void sfgp_tile_sum_reference(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *targets,
                                       double *sum)
{
    const float *phi0 = tiles->phi0 + block * N, *slope = tiles->slope + block * N,
                *radius2 = tiles->radius2 + block * N;
    const vec x = VEC(targets->x[0]), y = VEC(targets->x[1]), z = VEC(targets->x[2]);
    float at[3][N];
    vec total = {0};
    sfgp_tile_centre(&tiles->reference, block, targets->middle, at);
    uint64_t hits = within(targets, at, radius2);
    if (!hits)
        return;
    while (hits) {
        const int i = sfgp_hits_next(&hits);
        const vec dx = x - at[0][i], dy = y - at[1][i], dz = z - at[2][i], d2 = dx * dx + dy * dy + dz * dz,
                  none = {0}, steep = none + slope[i], radius = none + radius2[i];
        const ints inside = d2 <= radius;
        vec phi;
        power_of(&d2, &steep, &radius, &inside, &phi);
        total += (vec)((ints)(phi * phi0[i]) & inside);
    }
    for (int k = 0; k < N; k++)
        sum[k] += (double)total[k];
}

/* Adds target point j of a block to the sums. */
INLINE void add_target(const sfgp_tile_side *reference, float (*at)[N], int j, float inverse, int32_t place,
                       vector_sums *l)
{
    const vec dx = at[0][j] - VEC(reference->x[0]), dy = at[1][j] - VEC(reference->x[1]),
              dz = at[2][j] - VEC(reference->x[2]), d2 = dx * dx + dy * dy + dz * dz,
              slope = VEC(reference->slope), radius2 = VEC(reference->radius2);
    const ints inside = d2 <= radius2;
    vec p;
    power_of(&d2, &slope, &radius2, &inside, &p);
    p = (vec)((ints)(p * inverse) & inside);
    const ints better = p > l->best;
    l->mass += p;
    l->second += p * d2;
    l->first[0] += p * dx;
    l->first[1] += p * dy;
    l->first[2] += p * dz;
    l->found -= inside;
    l->best = (vec)((better & (ints)p) | (~better & (ints)l->best));
    l->best_at = (better & place) | (~better & l->best_at);
}

INLINE void add_sums(const vector_sums *l, sfgp_tile_sums *sums)
{
    VEC(sums->best) = l->best;
    INTS(sums->found) = l->found;
    INTS(sums->best_at) = l->best_at;
    for (int k = 0; k < N; k++) {
        sums->mass[k] += (double)l->mass[k];
        sums->second[k] += (double)l->second[k];
        for (int a = 0; a < 3; a++)
            sums->first[a][k] += (double)l->first[a][k];
    }
}

SFGP_SIMD void sfgp_tile_sum_target(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *reference,
                                    sfgp_tile_sums *sums)
{
    const float *inverse = tiles->inverse + block * N;
    float at[3][N];
    vector_sums l = {.best = VEC(sums->best), .found = INTS(sums->found), .best_at = INTS(sums->best_at)};
    sfgp_tile_centre(&tiles->target, block, reference->middle, at);
    uint64_t hits = within(reference, at, reference->reach2);
    if (!hits)
        return;
    while (hits) {
        const int j = sfgp_hits_next(&hits);
        add_target(reference, at, j, inverse[j], (int32_t)(block * N + j), &l);
    }
    add_sums(&l, sums);
}
