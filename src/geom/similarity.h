/* Maps x = A u + b from weighted pairs of points: least squares in closed form.
 *
 *     N = sum_i w_i,   ubar, xbar = weighted means,   S_xu = sum_i w_i (x_i - xbar)(u_i - ubar)'
 *
 * Similarity (Hirose, IEEE TPAMI 43(7), 2021, section 4.5; with variance 0 Myronenko, Song 2010, fig. 2):
 *     R = the rotation nearest to S_xu,   s = trace(R'S_xu) / (trace(S_uu) + d sum_i w_i sigma_i^2),   A = sR
 * Rigid: the same R with s = 1. Affine (Myronenko, Song 2010, fig. 3): A = S_xu S_uu^-1.
 * All: b = xbar - A ubar. O(N d^2); sums run in the order of the points. */
#ifndef SFGP_GEOM_SIMILARITY_H
#define SFGP_GEOM_SIMILARITY_H

#include "base/context.h"

#include <stdbool.h>

typedef struct sfgp_map {
    int dimension;
    double scale;     /* s, 1 for a rigid or affine map */
    double linear[9]; /* A, d x d */
    double shift[3];  /* b */
} sfgp_map;

typedef struct sfgp_pairs {
    int64_t count;
    int dimension;
    const double *weight;    /* count: w */
    const double *variance;  /* count: sigma^2, variance of u_i per axis; NULL: 0 */
    const double *from, *to; /* count x d: u, x */
} sfgp_pairs;

/* Sets map to the best one. False, and map unchanged, when the pairs do not determine one: no weight, no
 * extent, not finite. Directions without extent keep the affine map that they have. */
typedef bool (*sfgp_map_fit)(const sfgp_pairs *pairs, sfgp_map *map);
bool sfgp_map_fit_similarity(const sfgp_pairs *pairs, sfgp_map *map);
bool sfgp_map_fit_rigid(const sfgp_pairs *pairs, sfgp_map *map);
bool sfgp_map_fit_affine(const sfgp_pairs *pairs, sfgp_map *map);

sfgp_map sfgp_map_identity(int dimension);
/* to = A from + b, count x d; to may be from. */
void sfgp_map_apply(const sfgp_map *map, int64_t count, const double *from, double *to);
/* from = R'(to - b) / s of a similarity. */
void sfgp_map_undo(const sfgp_map *map, const double *to, double *from);

#endif
