/* Extension: rows of a factor at points that it was not made from; of its columns in space, as those along the surface are not
 * defined off it.
 *
 * A pivoted Cholesky factor extends itself. With the pivots P, and L the factor's rows at P,
 *     b(x) = L \ k(P, x)
 * is smooth in x and equals row i at point i. k(x, x) - |b(x)|^2 >= 0 is the prior variance that the factor
 * leaves out at x. Any other factor B uses the pivots of a Cholesky factor with twice as many columns: b(x) =
 * M' (L \ k(P, x)) with L M = B_P. This is exact for nystrom, whose columns are combinations of the columns
 * of such a factor. For eigen its accuracy depends on how well the pivots determine the eigenvectors. */
#ifndef SFGP_LOWRANK_EXTENSION_H
#define SFGP_LOWRANK_EXTENSION_H

#include "lowrank/lowrank.h"

typedef struct sfgp_extension {
    sfgp_covariance pivots; /* the kernel and the q pivots; points to the two fields below */
    sfgp_kernel kernel;     /* a copy of the factor's */
    int64_t rank;           /* m, columns of the factor in space */
    double *axes;           /* d x q */
    double *triangle;       /* q x q, L in the lower triangle */
    double *mix;            /* q x m: M; NULL for a Cholesky factor */
} sfgp_extension;

/* Of a Cholesky factor, made from the points of covariance. O(q^2). SFGP_ERROR_MEMORY. Clear also after an
 * error. The struct must not be moved, because pivots points into it. */
sfgp_status sfgp_extension_from_pivots(sfgp_context *context, const sfgp_covariance *covariance,
                                       const sfgp_factor *cholesky, sfgp_extension *extension);
/* The same of any factor (extend.c). O(n q^2) without pivots. */
sfgp_status sfgp_extension_new(sfgp_context *context, const sfgp_covariance *covariance,
                               const sfgp_factor *factor, sfgp_extension *extension);
void sfgp_extension_clear(sfgp_extension *extension);

/* For n points (n x d): their rows (n x m), and in left (n) the prior variance that the factor leaves out.
 * buffer: n x q. */
void sfgp_extension_rows(const sfgp_extension *extension, int64_t n, const double *points, double *buffer,
                         double *rows, double *left);

#endif
