/* A = P'LDL'P of a sparse symmetric matrix: the ordering by CHOLMOD (ordering.h), L and D by supernodes, whose products are dense (ldl_factorise.c). Solves
 * allocate nothing. docs/adr/0072-supernodes-of-our-own.md */
#ifndef SFGP_LINALG_LDL_H
#define SFGP_LINALG_LDL_H

#include "linalg/sparse.h"

typedef struct sfgp_ldl sfgp_ldl;

enum { SFGP_LDL_COLUMNS = 3 }; /* at most in a solve */

/* Ordering and pattern of L for matrices with this pattern; matrix: the lower triangle, rows ascending. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_ldl_new(sfgp_context *context, const sfgp_sparse *matrix, sfgp_ldl **ldl);
/* The same for a matrix with entries between points that are up to `exponent` (2, 3) edges of a graph apart; graph: its lower
 * triangle, rows ascending. */
sfgp_status sfgp_ldl_new_power(sfgp_context *context, const sfgp_sparse *matrix, const sfgp_sparse *graph,
                               int exponent, sfgp_ldl **ldl);
/* The same with an ordering that is known: order (n), from sfgp_ldl_order of a matrix with this pattern. */
sfgp_status sfgp_ldl_new_ordered(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *order,
                                 sfgp_ldl **ldl);
void sfgp_ldl_free(sfgp_ldl *ldl); /* NULL is allowed */
/* P (n): row k of L belongs to row order[k] of A. It is the ldl's. */
const int32_t *sfgp_ldl_order(const sfgp_ldl *ldl);
/* L and D of a matrix with that pattern, which need not be positive definite. SFGP_ERROR_NUMERIC for a pivot of 0,
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_ldl_factorise(sfgp_context *context, const sfgp_sparse *matrix, sfgp_ldl *ldl);

/* Entries of L, and the bytes that all of it takes, known from the ordering on. */
int64_t sfgp_ldl_entries(const sfgp_ldl *ldl);
int64_t sfgp_ldl_bytes(const sfgp_ldl *ldl);
/* Bytes that _factorise and _inverse_diagonal take for a while. */
int64_t sfgp_ldl_factorise_bytes(const sfgp_ldl *ldl);
int64_t sfgp_ldl_inverse_bytes(const sfgp_ldl *ldl);
/* Negative entries of D: the number of negative eigenvalues (Sylvester's law of inertia). */
int64_t sfgp_ldl_negative(const sfgp_ldl *ldl);
/* ln |det A|. O(n). */
double sfgp_ldl_log_determinant(const sfgp_ldl *ldl);
/* x (columns x n, standard normal) = a sample of N(0, inverse of A) each, P'L'^-1 D^-1/2 x, for positive D. Otherwise as
 * sfgp_ldl_solve. */
void sfgp_ldl_sample(sfgp_ldl *ldl, int columns, double *x);
/* x (columns x n, one after the other; columns <= SFGP_LDL_COLUMNS) = A \ x. Two passes over L for all of them. ldl has the
 * workspace, so that one thread at a time may call it. */
void sfgp_ldl_solve(sfgp_ldl *ldl, int columns, double *x);
/* x (n x columns, the columns of a row side by side) = A \ (between (A \ x)), between (n): a diagonal matrix. Otherwise as sfgp_ldl_solve. */
void sfgp_ldl_solve_twice(sfgp_ldl *ldl, int columns, const double *between, double *x);
/* diagonal (n) = diag(inverse of A) by Takahashi's recursion (Erisman, Tinney, CACM 18(3), 1975). Some times the cost of the
 * factorisation. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_ldl_inverse_diagonal(sfgp_context *context, const sfgp_ldl *ldl, double *diagonal);

#endif
