/* The sums over one tile, for two widths of vector registers. Design in tiles.h, the sums in tile_sums.h. */
#include "base/hits.h"
#include "base/simd.h"
#include "correspond/tiles.h"

#define INLINE static inline __attribute__((always_inline)) /* inlined into the clones */
#define N SFGP_BLOCK
#define ROUNDING (1 - 0x1p-20f) /* makes a squared distance smaller by more than its rounding error */

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

#define WIDTH 8
#define NAMED(name) name##_of_eight
#define TARGET SFGP_SIMD
#include "correspond/tile_sums.h"

/* The sums for the registers of this machine. */
#if SFGP_PLATFORM_CLONES
#define WIDTH 16
#define NAMED(name) name##_of_sixteen
#define TARGET SFGP_SIMD_WIDEST
#include "correspond/tile_sums.h"
#define CALL(name, ...)                                                                                      \
    (sfgp_simd_is_widest() ? name##_of_sixteen(__VA_ARGS__) : name##_of_eight(__VA_ARGS__))
#else
#define CALL(name, ...) name##_of_eight(__VA_ARGS__)
#endif

void sfgp_tile_sum_reference(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *targets,
                             double *sum)
{
    CALL(sum_reference, tiles, block, targets, sum);
}

void sfgp_tile_sum_target(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *reference,
                          sfgp_tile_sums *sums)
{
    CALL(sum_target, tiles, block, reference, sums);
}
