/* Sparse symmetric matrices with both triangles, so that rows are independent. */
#ifndef SFGP_LINALG_SYMMETRIC_H
#define SFGP_LINALG_SYMMETRIC_H

#include "linalg/sparse.h"

/* full: both triangles of the matrix whose lower one is given, rows ascending. O(entries). SFGP_ERROR_MEMORY. Clear also after an
 * error. */
sfgp_status sfgp_symmetric_expand(sfgp_context *context, const sfgp_sparse *lower, sfgp_sparse *full);
/* y = A x for `axes` columns at once, x and y: n x axes, axes <= 3. In parallel; the same bits on any number of threads. */
void sfgp_symmetric_multiply(const sfgp_sparse *full, int axes, const double *x, double *y);
/* product = A diag(scale) B of full matrices, whose product is symmetric: its lower triangle, rows ascending, the diagonal always
 * there. O(sum over the entries A_ij of the entries of row j of B). SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_symmetric_product(sfgp_context *context, const sfgp_sparse *a, const double *scale,
                                   const sfgp_sparse *b, sfgp_sparse *product);
/* trace(x' A x), A by its lower triangle, x: n x axes. O(entries). */
double sfgp_symmetric_square(const sfgp_sparse *lower, int axes, const double *x);

#endif
