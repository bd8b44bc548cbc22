/* Harmonics: the smoothest eigenfunctions of the Laplacian, G phi = lambda C phi with phi'C phi = 1 (geom/laplacian.h).
 *
 * The constant of every piece has lambda = 0 and needs no computation. The others are the largest eigenpairs of
 *
 *     C^(1/2) (G + s C)^-1 C^(1/2) psi = psi / (s + lambda),   phi = C^(-1/2) psi,
 *
 * on the complement of the constants: ARPACK in shift-invert mode with the factor of G + s C by CHOLMOD as the solver. Lanczos
 * may miss copies of an eigenvalue, as of two equal pieces. The number of eigenvalues below a bound is counted by the
 * signs of D in G - mu C = LDL' (Sylvester), and what is missing is computed on the complement of what is found. */
#ifndef SFGP_LOWRANK_HARMONICS_H
#define SFGP_LOWRANK_HARMONICS_H

#include "geom/laplacian.h"
#include "linalg/ldl.h"

/* Error of 1 / (s + lambda), relative: rounding would take twice as many solves. Vectors err by this over the relative gap. */
#define SFGP_HARMONICS_TOLERANCE 1e-10

typedef struct sfgp_harmonics {
    int64_t points;  /* N */
    int64_t count;   /* without the constants */
    double *values;  /* count: lambda, ascending */
    double *vectors; /* count x N: phi; the entry of largest size is positive */
    double error;    /* of 1 / (s + lambda), relative; 0: rounding */
} sfgp_harmonics;

typedef struct sfgp_harmonics_request {
    int64_t count; /* more may come, fewer only where there are no more */
    double shift;  /* s > 0: about kappa^2 */
    uint64_t seed; /* of ARPACK's start vector */
} sfgp_harmonics_request;

/* G + shift C; shift may be negative. The matrix has the pattern of G. */
sfgp_status sfgp_laplacian_shift(sfgp_context *context, const sfgp_laplacian *laplacian, double shift,
                                 sfgp_sparse *matrix);

/* ldl: any factor with the pattern of G; it holds another one afterwards. About 2.5 count solves and O(N count^2).
 * SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC, SFGP_ERROR_PARAMETER when more than half of all pairs of a large matrix are asked
 * for. Clear also after an error. */
sfgp_status sfgp_harmonics_new(sfgp_context *context, const sfgp_laplacian *laplacian,
                               const sfgp_harmonics_request *request, sfgp_ldl *ldl,
                               sfgp_harmonics *harmonics);
/* Parts of it. Room for count pairs, vectors not set; and all pairs but the constants as psi, by LAPACK in O(N^3). SFGP_ERROR_MEMORY,
 * SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_harmonics_allocate(sfgp_context *context, int64_t points, int64_t count,
                                    sfgp_harmonics *harmonics);
sfgp_status sfgp_harmonics_dense(sfgp_context *context, const sfgp_laplacian *laplacian,
                                 sfgp_harmonics *harmonics);
/* Adds the pairs that h, psi ascending, lacks below the widest gap among its last ones. Errors as sfgp_harmonics_new. */
sfgp_status sfgp_harmonics_complete(sfgp_context *context, const sfgp_laplacian *laplacian,
                                    const sfgp_harmonics_request *request, sfgp_ldl *ldl, sfgp_harmonics *h);
void sfgp_harmonics_clear(sfgp_harmonics *harmonics);

#endif
