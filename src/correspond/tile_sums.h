/* The sums over one tile, with vectors of WIDTH floats. tile.c includes this file once for each width, with NAMED(name) for
 * the names of that width and TARGET for the instruction sets. Design in tiles.h. No sum runs across a vector, so its
 * width changes no bit. No include guard. */

typedef float NAMED(vec) __attribute__((vector_size(WIDTH * sizeof(float))));
typedef int32_t NAMED(ints) __attribute__((vector_size(WIDTH * sizeof(int32_t))));
typedef uint32_t NAMED(bits) __attribute__((vector_size(WIDTH * sizeof(uint32_t))));
/* WIDTH elements of an array, read and written as one vector. */
typedef float NAMED(any_vec) __attribute__((vector_size(WIDTH * sizeof(float)), aligned(4), may_alias));
typedef int32_t NAMED(any_ints) __attribute__((vector_size(WIDTH * sizeof(int32_t)), aligned(4), may_alias));
#define vec NAMED(vec)
#define ints NAMED(ints)
#define VEC(array) (*(NAMED(any_vec) *)(array))
#define INTS(array) (*(NAMED(any_ints) *)(array))
/* Ones where a < b, else 0. gcc 12 compares vectors that are wider than the registers element by element, but subtracts
 * them part by part; so it is the sign of a - b, except where the registers are the widest. */
#if WIDTH == 16
#define LESS(a, b) ((a) < (b))
#else
#define LESS(a, b) ((ints)((a) - (b)) >> 31)
#endif
#define CHOOSE(mask, a, b) (((mask) & (ints)(a)) | (~(mask) & (ints)(b)))

/* The sums of WIDTH reference points over a block of targets, in single precision. */
typedef struct NAMED(vector_sums) {
    vec mass;
    vec second;
    vec first[3];
    vec best;
    ints found;
    ints best_at;
} NAMED(vector_sums);

/* 2^(slope d2) for pairs inside the radius. Other pairs get 2^(slope radius2), because very small numbers are slow to
 * multiply. With x = slope d2, k = round(x) and f = x - k, the value is 2^k 2^f. Adding 1.5 * 2^23 rounds x to an
 * integer in the low bits, which are added to the exponent. 2^f is its Taylor series up to f^6 (remainder 1.2e-7),
 * evaluated in pairs of terms, so that fewer products wait for each other. x must be between -100 and 126. */
INLINE void NAMED(power_of)(const vec *d2, const vec *slope, const vec *radius2, const ints *inside,
                            vec *power)
{
    const vec near = (vec)CHOOSE(*inside, *d2, *radius2), shifted = near * *slope + 0x1.8p23f,
              f = near * *slope - (shifted - 0x1.8p23f), square = f * f;
    vec p = square * 1.5403530e-4f + (f * 1.3333558e-3f + 9.6181291e-3f);
    p = p * square + (f * 5.5504109e-2f + 2.4022651e-1f);
    p = p * square + (f * 6.9314718e-1f + 1.0f);
    *power = (vec)((NAMED(bits))p + ((NAMED(bits))shifted << 23));
}

/* total += phi of reference point i at WIDTH targets. */
INLINE void NAMED(add_reference)(const sfgp_tiles *tiles, const sfgp_tile_side *targets, int from,
                                 int64_t place, const float *at, vec *total)
{
    const vec none = {0}, slope = none + tiles->slope[place], radius2 = none + tiles->radius2[place],
              dx = VEC(targets->x[0] + from) - at[0], dy = VEC(targets->x[1] + from) - at[1],
              dz = VEC(targets->x[2] + from) - at[2], d2 = dx * dx + dy * dy + dz * dz;
    const ints inside = ~LESS(radius2, d2);
    vec phi;
    NAMED(power_of)(&d2, &slope, &radius2, &inside, &phi);
    *total += (vec)((ints)(phi * tiles->phi0[place]) & inside);
}

TARGET static void NAMED(sum_reference)(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *targets,
                                        double *sum)
{
    float at[3][N];
    vec total[N / WIDTH] = {{0}};
    sfgp_tile_centre(&tiles->reference, block, targets->middle, at);
    uint64_t hits = within(targets, at, tiles->radius2 + block * N);
    if (!hits)
        return;
    while (hits) {
        const int i = sfgp_hits_next(&hits);
        const float point[3] = {at[0][i], at[1][i], at[2][i]};
        for (int part = 0; part < N / WIDTH; part++)
            NAMED(add_reference)(tiles, targets, part * WIDTH, block * N + i, point, &total[part]);
    }
    for (int k = 0; k < N; k++)
        sum[k] += (double)total[k / WIDTH][k % WIDTH];
}

/* Adds a target point to the sums of the reference points `from` and later. */
INLINE void NAMED(add_target)(const sfgp_tile_side *reference, int from, const float *at, float inverse,
                              int32_t place, NAMED(vector_sums) * l)
{
    const vec dx = at[0] - VEC(reference->x[0] + from), dy = at[1] - VEC(reference->x[1] + from),
              dz = at[2] - VEC(reference->x[2] + from), d2 = dx * dx + dy * dy + dz * dz,
              slope = VEC(reference->slope + from), radius2 = VEC(reference->radius2 + from);
    const ints inside = ~LESS(radius2, d2);
    vec p;
    NAMED(power_of)(&d2, &slope, &radius2, &inside, &p);
    p = (vec)((ints)(p * inverse) & inside);
    const ints better = LESS(l->best, p), here = place + (ints){0};
    l->mass += p;
    l->second += p * d2;
    l->first[0] += p * dx;
    l->first[1] += p * dy;
    l->first[2] += p * dz;
    l->found -= inside;
    l->best = (vec)CHOOSE(better, p, l->best);
    l->best_at = CHOOSE(better, here, l->best_at);
}

INLINE void NAMED(add_sums)(const NAMED(vector_sums) * l, int from, sfgp_tile_sums *sums)
{
    VEC(sums->best + from) = l->best;
    INTS(sums->found + from) = l->found;
    INTS(sums->best_at + from) = l->best_at;
    for (int k = 0; k < WIDTH; k++) {
        sums->mass[from + k] += (double)l->mass[k];
        sums->second[from + k] += (double)l->second[k];
        for (int a = 0; a < 3; a++)
            sums->first[a][from + k] += (double)l->first[a][k];
    }
}

/* The targets `hits` of a block, for the reference points `from` and later. */
INLINE void NAMED(sum_hits)(const sfgp_tiles *tiles, int64_t block, uint64_t hits,
                            const sfgp_tile_side *reference, float (*at)[N], int from, sfgp_tile_sums *sums)
{
    NAMED(vector_sums)
    l = {.best = VEC(sums->best + from),
         .found = INTS(sums->found + from),
         .best_at = INTS(sums->best_at + from)};
    while (hits) {
        const int j = sfgp_hits_next(&hits);
        const int64_t place = block * N + j;
        const float point[3] = {at[0][j], at[1][j], at[2][j]};
        NAMED(add_target)(reference, from, point, tiles->inverse[place], (int32_t)place, &l);
    }
    NAMED(add_sums)(&l, from, sums);
}

TARGET static void NAMED(sum_target)(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *reference,
                                     sfgp_tile_sums *sums)
{
    float at[3][N];
    sfgp_tile_centre(&tiles->target, block, reference->middle, at);
    const uint64_t hits = within(reference, at, reference->reach2);
    for (int from = 0; hits && from < N; from += WIDTH)
        NAMED(sum_hits)(tiles, block, hits, reference, at, from, sums);
}

#undef vec
#undef ints
#undef VEC
#undef INTS
#undef LESS
#undef CHOOSE
#undef WIDTH
#undef NAMED
#undef TARGET
