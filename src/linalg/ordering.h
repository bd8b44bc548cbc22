/* Orderings of sparse symmetric matrices by CHOLMOD, whose modules Core, Check, Cholesky and Partition are LGPL: only these are
 * called. AMD, or METIS where AMD's fill is large and that of METIS less. Of the power of a graph (a precision K C^-1 K) METIS
 * dissects the graph, which has fewer edges. CHOLMOD allocates by malloc, not by the allocator of the context, and keeps
 * nothing. */
#ifndef SFGP_LINALG_ORDERING_H
#define SFGP_LINALG_ORDERING_H

#include "linalg/sparse.h"

/* The matrix has entries between points that are up to so many (2, 3) edges of a graph apart, whose lower triangle this is. */
typedef struct sfgp_ordering_power {
    const sfgp_sparse *graph;
    int exponent;
} sfgp_ordering_power;

/* What is known: all NULL, or one of them. */
typedef struct sfgp_ordering_given {
    const int32_t *known;             /* n: an ordering */
    const sfgp_ordering_power *power; /* separators of its graph, made wider, are taken instead of METIS */
} sfgp_ordering_given;

/* matrix: the lower triangle, rows ascending. order (n): row k of L is row order[k] of the matrix, and the elimination tree is
 * in postorder; lengths (n): entries of the columns of L, the diagonal included. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_ordering_find(sfgp_context *context, const sfgp_sparse *matrix,
                               const sfgp_ordering_given *given, int32_t *order, int32_t *lengths);

#endif
