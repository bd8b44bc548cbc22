/* Tiles: the sums over P without storing P.
 *
 * A tile is a block of sixteen reference points and a block of sixteen target points. All 256 pairs are computed in
 * single precision, without a search for the pairs inside the radius. With a large sigma2 nearly all pairs are
 * inside; with a small one, computing the surplus pairs costs less than searching.
 *
 * There are two passes, because 1 / (c + sum_i phi_ij) must be known before the sums over j. In the first pass the
 * elements of a vector are target points, in the second they are reference points. So no sum runs across the
 * elements of a vector, and the order of a sum is that of the tree of blocks, for any number of threads. Coordinates
 * are relative to the middle of a block before they are rounded to single precision. The sums of a tile are added in
 * double precision. They differ from those of estep_whole.c by about 1e-6 (relative) when sigma is at least a tenth
 * of the size of a block, and by more, in proportion, for a smaller sigma. Pairs are cut off at the same radius, or
 * where phi_ij < e^-60 phi_ij(0).
 *
 * In a tile, points that are too far from the box of the other block are skipped; for small sigma these are two thirds
 * of them. This changes no bit. */
#ifndef SFGP_CORRESPOND_TILES_H
#define SFGP_CORRESPOND_TILES_H

#include "correspond/estep.h"
#include "geom/blocks.h"

struct sfgp_tiles {
    sfgp_blocks reference;
    sfgp_blocks target;
    /* for each place of the reference blocks: phi_ij = phi0 2^(slope |s_j - r_i|^2) */
    float *phi0;
    float *slope;
    float *radius2; /* squared search radius; -1 for an empty place */
    float *inverse; /* for each place of the target blocks: 1 / (c + sum_i phi_ij) */
};

/* ---- one tile (tile.c) -------------------------------------------------------------------------------- */

/* The block whose points are the elements of vectors. */
typedef struct sfgp_tile_side {
    double middle[3];       /* of its box */
    float x[3][SFGP_BLOCK]; /* coordinates relative to the middle */
    float low[3];           /* corners of the box, relative to the middle */
    float high[3];
    /* for a block of the reference: */
    float slope[SFGP_BLOCK];   /* as in sfgp_tiles */
    float radius2[SFGP_BLOCK]; /* as in sfgp_tiles */
    float reach2[SFGP_BLOCK];  /* the largest radius2, sixteen times */
} sfgp_tile_side;

/* The sums of the reference points of a block over the targets, without the factor phi0. */
typedef struct sfgp_tile_sums {
    double mass[SFGP_BLOCK];
    double second[SFGP_BLOCK];
    double first[3][SFGP_BLOCK];
    float best[SFGP_BLOCK];      /* largest P_ij */
    int32_t best_at[SFGP_BLOCK]; /* its place in the target blocks */
    int32_t found[SFGP_BLOCK];   /* number of pairs inside the radius */
} sfgp_tile_sums;

/* Coordinates of a block relative to a middle. */
static inline void sfgp_tile_centre(const sfgp_blocks *blocks, int64_t block, const double *middle,
                                    float (*x)[SFGP_BLOCK])
{
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < SFGP_BLOCK; k++)
            x[a][k] = (float)(blocks->x[a][block * SFGP_BLOCK + k] - middle[a]);
}

/* sum (one entry for each target) += sum of phi_ij over the reference points of a block. */
void sfgp_tile_sum_reference(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *targets,
                             double *sum);
/* sums += the sums of the reference points over the target points of a block. */
void sfgp_tile_sum_target(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *reference,
                          sfgp_tile_sums *sums);

/* ---- all (estep_tiles.c) ------------------------------------------------------------------------------- */

/* The E-step without P, for pmin = 0. */
void sfgp_estep_tiles(const sfgp_estep *s, sfgp_tiles *tiles);

#endif
