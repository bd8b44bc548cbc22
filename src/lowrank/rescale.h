/* A factor under a kernel whose terms have other variances, and which may be symmetric to a plane.
 *
 * B is a pivoted Cholesky factor of K = sum_t K_t, with the rows L at its pivots P. Under c ~ N(0, I) the points B c have
 * the covariance K. Under K' = sum_t s_t K_t the same columns serve, with coefficients c ~ N(0, C),
 *
 *     C = L \ K'(P, P) / L',   as then L C L' = K'(P, P).
 *
 * The eigenvalues of C are between the smallest and the largest s_t. The leading block of C belongs to the leading
 * columns.
 *
 * Of a shape that is symmetric to a plane, with x* the mirror image of x, the displacement u of x is correlated with the mirror image of the
 * displacement of x*. For an axis a within the plane, and for that across it, where a mirror image has the other sign,
 *
 *     cov(u_a(x), u_a(y)) = K'(x, y) + r K'(x, y*),     r = the correlation within, less the correlation across.
 *
 * The sum of a symmetric displacement with the variance (1 + correlation) / 2 and of an antisymmetric one with (1 - correlation) / 2 has these. K'(P, P*) stands
 * for the second term in C: its eigenvalues are between 1 - |r| and 1 + |r| times those above, if the points of the shape have mirror images on it. */
#ifndef SFGP_LOWRANK_RESCALE_H
#define SFGP_LOWRANK_RESCALE_H

#include "lowrank/lowrank.h"

/* The plane is through the origin, across an axis. */
typedef struct sfgp_reflection {
    int axis;
    double correlation; /* r, between -1 and 1; 0: there is no plane */
} sfgp_reflection;

/* C (m x m) of a factor with pivots, made from `covariance`; `rescaled` is K'. O(m^3). SFGP_ERROR_MEMORY. sfgp_free. */
sfgp_status sfgp_factor_rescale(sfgp_context *context, const sfgp_covariance *covariance,
                                const sfgp_factor *factor, const sfgp_kernel *rescaled,
                                const sfgp_reflection *reflection, double **c);

#endif
