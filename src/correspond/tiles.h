/* Tiles: soft labels without P. Sixteen reference points that are near each other meet sixteen target points
 * that are, all with all, in single precision: for wide labels every pair is one anyway, and for narrow ones
 * the few too many cost less than to look for each by itself.
 *
 * Two passes, as 1 / (c + sum_i phi_ij) has to be known before anything can be summed over j. In the first
 * the elements of a vector are targets, in the second reference points; so no sum goes across a vector, and
 * its order is that of the tree, whatever the number of threads. Coordinates are taken from the middle of a
 * block before they are rounded, and what a tile adds up goes on in double precision: sums differ from those
 * of estep_whole.c by some 1e-6 of themselves, for labels that scatter by a tenth of a block or more, and by
 * more in proportion below. Pairs count up to the same radius, or to e^-60 of the phi0.
 *
 * Of a tile only those points are gone to that come near enough to the box of the other side: a third of
 * them, once labels are narrow. That changes no bit. */
#ifndef SFGP_CORRESPOND_TILES_H
#define SFGP_CORRESPOND_TILES_H

#include "correspond/estep.h"
#include "geom/blocks.h"

struct sfgp_tiles {
    sfgp_blocks reference, target;
    float *phi0, *slope,
        *radius2;   /* of the reference points by place: phi_ij = phi0 2^(slope |s_j - r_i|^2) */
    float *inverse; /* of the targets by place: 1 / (c + sum_i phi_ij) */
};

/* ---- one tile (tile.c) -------------------------------------------------------------------------------- */

/* A block as the elements of vectors, about its middle. */
typedef struct sfgp_tile_side {
    double middle[3];
    float x[3][SFGP_BLOCK];
    float low[3], high[3];                        /* their box */
    float slope[SFGP_BLOCK], radius2[SFGP_BLOCK]; /* of reference points, */
    float reach2[SFGP_BLOCK];                     /* and the largest of these, sixteen times */
} sfgp_tile_side;

/* What reference points add up; best_at is a place. */
typedef struct sfgp_tile_sums {
    double mass[SFGP_BLOCK], second[SFGP_BLOCK], first[3][SFGP_BLOCK];
    float best[SFGP_BLOCK];
    int32_t best_at[SFGP_BLOCK], found[SFGP_BLOCK];
} sfgp_tile_sums;

/* Coordinates of a block from a middle. */
static inline void sfgp_tile_about(const sfgp_blocks *blocks, int64_t block, const double *middle,
                                   float (*x)[SFGP_BLOCK])
{
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < SFGP_BLOCK; k++)
            x[a][k] = (float)(blocks->x[a][block * SFGP_BLOCK + k] - middle[a]);
}

/* sum (a target each) += sum of phi_ij over reference points `block`. */
void sfgp_tile_weigh(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *targets, double *sum);
/* The sums of reference points over target points `block`, P_ij less the factor phi0. */
void sfgp_tile_label(const sfgp_tiles *tiles, int64_t block, const sfgp_tile_side *reference,
                     sfgp_tile_sums *sums);

/* ---- all (estep_tiles.c) ------------------------------------------------------------------------------- */

/* The labels but for P, for pmin = 0. */
void sfgp_estep_tiles(const sfgp_estep *s, sfgp_tiles *tiles);

#endif
