/* Orderings of sparse symmetric matrices by CHOLMOD, whose modules Core, Check, Cholesky and Partition are LGPL: only these are called. AMD, or METIS
 * where AMD's fill is large and that of METIS less. CHOLMOD allocates by malloc, not by the allocator of the context, and keeps nothing. */
#ifndef SFGP_LINALG_ORDERING_H
#define SFGP_LINALG_ORDERING_H

#include "linalg/sparse.h"

/* matrix: the lower triangle, rows ascending. known (n): an ordering, or NULL. order (n): row k of L is row order[k] of the matrix, and the elimination tree is
 * in postorder; lengths (n): entries of the columns of L, the diagonal included. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_ordering_find(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *known,
                               int32_t *order, int32_t *lengths);

#endif
