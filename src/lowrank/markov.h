/* The sparse form of a field along the surface (kernel/surface.h): w ~ N(0, Q^-1) at the points of the reference, for each axis,
 *
 *     Q = tau^2 K (C^-1 K)^smoothness,   K = G + kappa^2 C      (Lindgren, Rue, Lindstrom, eq. 10 to 12 there)
 *
 * with the neighbours of neighbours in its pattern, and their neighbours for smoothness 2. No column is left out, so that the
 * field follows whatever the points can show.
 *
 * In a piece whose area a is so small that its constant would have more variance than V = variance of the term, all of Q is
 * multiplied so that the constant has V. (The eigen form lowers the constant only; the other functions of so small a piece have little
 * variance.) A point without elements has the variance V. */
#ifndef SFGP_LOWRANK_MARKOV_H
#define SFGP_LOWRANK_MARKOV_H

#include "geom/laplacian.h"
#include "kernel/kernel.h"
#include "linalg/variances.h"

/* Variances of fields with more points are estimated by samples. */
#define SFGP_MARKOV_EXACT 100000
#define SFGP_MARKOV_SAMPLES 48

typedef struct sfgp_markov {
    int64_t count;          /* N */
    sfgp_sparse precision;  /* Q: lower triangle, rows ascending, the diagonal first in its column */
    int32_t *order;         /* N: for the factor of Q + diagonal (linalg/ldl.h) */
    int64_t factor_bytes;   /* of that factor */
    int64_t work_bytes;     /* that factorising it, or variances, take for a while */
    double log_determinant; /* ln det Q */
    double *variance;       /* N: diag(Q^-1) */
} sfgp_markov;

/* mesh: the reference in the unit of the length, with faces or without. O(N log N) and a factorisation. SFGP_ERROR_MEMORY,
 * SFGP_ERROR_NUMERIC where rounding changes the field by more than 1 %: the length is too large against the spacing of the points. Clear also after an error. */
sfgp_status sfgp_markov_new(sfgp_context *context, const sfgp_mesh *mesh, const struct sfgp_kernel_term *term,
                            sfgp_markov *field);
/* The same of a field whose order, variance and log_determinant are set, from a file: without a factorisation. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC
 * for an order that is no permutation. */
sfgp_status sfgp_markov_restore(sfgp_context *context, const sfgp_mesh *mesh,
                                const struct sfgp_kernel_term *term, sfgp_markov *field);
void sfgp_markov_clear(sfgp_markov *field);
/* Entries of Q, and the bytes of sfgp_markov, without the factorisation. O(N log N). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_markov_count(sfgp_context *context, const sfgp_mesh *mesh,
                              const struct sfgp_kernel_term *term, int64_t *precision, int64_t *factor,
                              int64_t *work);
/* A sample of each axis: N x dimension. A factorisation. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_markov_sample(sfgp_context *context, const sfgp_markov *field, int dimension, uint64_t seed,
                               double *values);
/* How the variances of so many points are made. */
sfgp_variances_request sfgp_markov_variances(int64_t count);

#endif
