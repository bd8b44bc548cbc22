/* Extension: rows of a factor at points that are not among those it was made of.
 *
 * A pivoted Cholesky factor is its own extension. With the pivots P and L the factor's rows at P,
 *     b(x) = L \ k(P, x),
 * smooth in x, equal to row i at point i, and k(x, x) - |b(x)|^2 >= 0 is the prior variance that the factor
 * leaves out at x. Any other factor B is read at the pivots of a Cholesky factor with twice as many
 * columns: b(x) = M' (L \ k(P, x)) with L M = B_P. That is exact for nystrom, whose columns are combinations
 * of those of such a factor, and for eigen as far as the pivots tell the eigenvectors. */
#ifndef SFGP_LOWRANK_EXTENSION_H
#define SFGP_LOWRANK_EXTENSION_H

#include "lowrank/lowrank.h"

typedef struct sfgp_extension {
    sfgp_covariance pivots; /* the kernel and the q pivots; its axes are owned */
    sfgp_kernel kernel;
    int64_t rank;     /* m */
    double *axes;     /* d x q */
    double *triangle; /* q x q, L in the lower triangle */
    double *mix;      /* q x m: M, NULL when the factor is a Cholesky factor */
} sfgp_extension;

/* covariance: kernel and points of the factor. O(n q^2) without pivots, else O(q^2).
 * Errors: SFGP_ERROR_MEMORY. Clear also after an error; do not move it (pivots points into it). */
sfgp_status sfgp_extension_new(sfgp_context *context, const sfgp_covariance *covariance,
                               const sfgp_factor *factor, sfgp_extension *extension);
void sfgp_extension_clear(sfgp_extension *extension);

/* rows (n x m) and left (n), what the factor leaves out of k(x, x), of n points (n x d); buffer: n x q. */
void sfgp_extension_rows(const sfgp_extension *extension, int64_t n, const double *points, double *buffer,
                         double *rows, double *left);

#endif
