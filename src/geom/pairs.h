/* Weighted pairs (u_i, x_i) of points, and the sums from which the best map x = A u + b of a kind is computed:
 *
 *     N = sum_i w_i,   ubar, xbar = weighted means,   S_xu = sum_i w_i (x_i - xbar)(u_i - ubar)',
 *     S_uu = sum_i w_i (u_i - ubar)(u_i - ubar)',   b = xbar - A ubar whatever A is.
 *
 * O(count d^2); sums run in the order of the points. */
#ifndef SFGP_GEOM_PAIRS_H
#define SFGP_GEOM_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sfgp_pairs {
    int64_t count;
    int dimension;
    const double *weight;   /* count: w; NULL: all 1 */
    const double *variance; /* count: sigma^2, variance of u_i per axis; NULL: 0 */
    const double *from;     /* count x d: u */
    const double *to;       /* count x d: x */
} sfgp_pairs;

typedef struct sfgp_moments {
    double weight;    /* N */
    double from[3];   /* ubar */
    double to[3];     /* xbar */
    double cross[9];  /* S_xu, d x d */
    double square[9]; /* S_uu, d x d */
    double extent;    /* trace(S_uu) */
    double variance;  /* sum_i w_i sigma_i^2 */
} sfgp_moments;

sfgp_moments sfgp_pairs_moments(const sfgp_pairs *pairs);
/* b for this A (linear, d x d). False when it is not finite. */
bool sfgp_moments_shift(const sfgp_moments *moments, int d, const double *linear, double shift[3]);

/* Whether all u_i or all x_i lie on a line in space, to a millionth of its length: then the rotation about it is not
 * determined. */
bool sfgp_pairs_on_a_line(const sfgp_pairs *pairs);

#endif
