/* Sparse symmetric matrices with both triangles, so that rows are independent. */
#ifndef SFGP_LINALG_SYMMETRIC_H
#define SFGP_LINALG_SYMMETRIC_H

#include "linalg/sparse.h"

/* full: both triangles of the matrix whose lower one is given, rows ascending. O(entries). SFGP_ERROR_MEMORY. Clear also after an
 * error. */
sfgp_status sfgp_symmetric_expand(sfgp_context *context, const sfgp_sparse *lower, sfgp_sparse *full);
/* y = A x for `axes` columns at once, x and y: n x axes, axes <= 3. In parallel; the same bits on any number of threads. */
void sfgp_symmetric_multiply(const sfgp_sparse *full, int axes, const double *x, double *y);

#endif
