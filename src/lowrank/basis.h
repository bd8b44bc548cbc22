/* Basis: the prior of a fit at some points, x = mean + B c with c ~ N(0, I), B = [B_s (x) I_d, B_pca], and
 * perhaps a field along the surface w ~ N(0, Q^-1) of each axis beside them, x = mean + B c + w.
 *
 * c holds the part of the scalar factor first (m_s x d, one column an axis), then the m_p PCA modes. Of the scalar factor c may have another
 * prior (gpr/prior.h), and one axis a prior of its own; there are no modes then. */
#ifndef SFGP_LOWRANK_BASIS_H
#define SFGP_LOWRANK_BASIS_H

#include "kernel/pca.h"
#include "lowrank/lowrank.h"
#include "lowrank/markov.h"

typedef struct sfgp_basis {
    int64_t count;
    int dimension;
    int across;               /* 1 + the axis with a prior of its own; 0: all have the same */
    double *mean;             /* N x d: mean of the prior, in the frame */
    sfgp_factor scalar;       /* N x m_s: B_s, shared by the axes */
    sfgp_pca pca;             /* N d x m_p: B_pca; its mean shape is not used */
    const sfgp_markov *field; /* the model's; NULL: none. Parts of a basis have none */
} sfgp_basis;

/* Zeroed rows for count points. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_basis_new(sfgp_context *context, int64_t count, int dimension, int64_t rank, int64_t modes,
                           sfgp_basis *basis);
void sfgp_basis_clear(sfgp_basis *basis);
/* The same prior at count of the points. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_basis_select(sfgp_context *context, const sfgp_basis *basis, int64_t count,
                              const int64_t *index, sfgp_basis *part);
/* The same prior with the fewest columns of the scalar factor so that no point loses more than this variance (sfgp_factor_needs). The same errors. */
sfgp_status sfgp_basis_narrow(sfgp_context *context, const sfgp_basis *from, double accuracy, sfgp_basis *to);
/* All rows of `from` become rows first, first + 1, ... of `to`, which has the same columns. */
void sfgp_basis_copy_rows(const sfgp_basis *from, int64_t first, sfgp_basis *to);

/* Coefficients: m = d m_s + m_p. */
int64_t sfgp_basis_size(const sfgp_basis *basis);
/* Variance of point i per axis under the prior: |b_i|^2 / d, and that of the field. */
double sfgp_basis_variance(const sfgp_basis *basis, int64_t i);
/* Rows first .. end - 1 of points (N x d) = mean + B c. O((end - first) d (m_s + m_p)). */
void sfgp_basis_multiply(const sfgp_basis *basis, const double *c, int64_t first, int64_t end,
                         double *points);
/* g += B'r over the rows first .. end - 1 of r (N x d); g is laid out as c. The same cost. */
void sfgp_basis_multiply_transposed(const sfgp_basis *basis, const double *r, int64_t first, int64_t end,
                                    double *g);

#endif
