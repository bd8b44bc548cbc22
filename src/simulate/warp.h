/* Warp: the deformation law of the 2D Fish benchmark for any shape,
 *   y = sum_k exp(-|x - z_k|^2 / L^2) w_k + [x, 1] A,
 * 12 Gaussian bumps and an affine map. The benchmark has L = 0.3 and fixed centres z over its fish (radius
 * 0.235); fitted to its files, its levels 1 to 5 have w of standard deviation 0.02, 0.035, 0.05, 0.065, 0.08,
 * and entries of A - [I; 0] of 0.05, 0.115, 0.18, 0.245, 0.32 (data/README.md). Here z are points of the
 * shape, so that the bumps act where there is something. */
#ifndef SFGP_SIMULATE_WARP_H
#define SFGP_SIMULATE_WARP_H

#include "simulate/damage.h"

#define SFGP_WARP_BUMPS 12

typedef struct sfgp_warp {
    int dimension;
    int bumps;                         /* number of points, at most SFGP_WARP_BUMPS */
    double length;                     /* L */
    double centre[SFGP_WARP_BUMPS][3]; /* z */
    double weight[SFGP_WARP_BUMPS][3]; /* w */
    double affine[4][3]; /* A - [I; 0]: row i is what coordinate i adds, row 3 the translation */
} sfgp_warp;

/* How large a warp is. */
typedef struct sfgp_warp_size {
    double weight;      /* standard deviation of w */
    double affine;      /* of the entries of A - I */
    double translation; /* of the last row of A */
    double length;      /* L */
} sfgp_warp_size;

/* Draws a warp whose centres are points of cloud: the one farthest from 0, then each time the one farthest
 * from those chosen before. A seed draws the same numbers whatever the sizes are. work: cloud->count doubles.
 * Cost: 12 count. */
void sfgp_warp_draw(const sfgp_cloud *cloud, const sfgp_warp_size *size, sfgp_random *random, double *work,
                    sfgp_warp *warp);
/* Moves every point of cloud. Cost: 12 count. */
void sfgp_warp_apply(const sfgp_warp *warp, sfgp_cloud *cloud);

#endif
