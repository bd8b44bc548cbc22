/* Posterior with a field along the surface in its sparse form (lowrank/markov.h): beside the columns of the basis, each axis has a
 * field w ~ N(0, Q^-1) of its own,
 *
 *     u = B c + w,   delta = u + e,   e_i ~ N(0, 1 / W_i).
 *
 * P = Q + W = LDL' eliminates w, and the columns meet what it leaves of them. With Z = P^-1 Q B = B - P^-1 W B,
 *
 *     S = I + B'WZ   (m x m, the Schur complement of P),   c = S^-1 Z'W delta,
 *     mean = P^-1 W delta + Z c,   cov = P^-1 + Z S^-1 Z',
 *     2 KL = |c|^2 + sum_a w_a'Q w_a + ln det S + d (ln det P - ln det Q) - sum_i W_i d p_i,
 *
 * where W Z = (W^-1 + Q^-1)^-1 B: field and noise are one noise for the columns. p_i is the mean of the variances of the axes, as in
 * posterior.h, and the blocks of normal.h serve with Z for B. The variances diag(P^-1) are exact, or estimated by samples for many points.
 *
 * Cost of an update: the factor of P, m_s + d m_p + d solves with it, its selected inverse or samples, and O(N m^2). */
#ifndef SFGP_GPR_MARKOV_H
#define SFGP_GPR_MARKOV_H

#include "gpr/prior.h"
#include "lowrank/basis.h"

#include <stdbool.h>

typedef struct sfgp_markov_posterior {
    const sfgp_basis *basis; /* with its field */
    sfgp_sparse matrix;      /* P, its lower triangle */
    sfgp_ldl *ldl;           /* of P */
    sfgp_basis left;         /* Z in the layout of the basis; its mean: that of the prior + P^-1 W delta */
    double *weights;         /* N: W of the factor */
    bool factored;           /* for these weights */
    double *inverse;         /* N: diag(P^-1) */
    double error;            /* largest relative standard error of these; 0: exact */
    double *field;           /* N x d: w */
    double *columns;         /* SFGP_LDL_COLUMNS x N: right-hand sides */
    double square;           /* sum_a w_a'Q w_a */
} sfgp_markov_posterior;

/* What it works on: arrays of posterior.h. */
typedef struct sfgp_markov_update {
    const double *weights, *labels; /* N, N x d */
    const sfgp_prior *prior;        /* of the scalar coefficients; NULL: N(0, I) */
    double *lane_normals, *buffers; /* SFGP_LANES blocks of each, sizes in posterior.h */
    double *mean, *variance;        /* N x d, N */
    double *covariance;             /* the part of 2 KL without the squares */
} sfgp_markov_update;

/* The ordering of the field is used. The basis must outlive it. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_markov_posterior_new(sfgp_context *context, const sfgp_basis *basis,
                                      sfgp_markov_posterior *made);
void sfgp_markov_posterior_clear(sfgp_markov_posterior *made);
/* P, its factor, the variances and Z for these weights (N). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_markov_posterior_factorise(sfgp_context *context, const double *weights,
                                            sfgp_markov_posterior *made);
/* The update of posterior.h; the first block holds the factors of S and c afterwards. Where W has not changed, only the labels
 * are solved for. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_markov_posterior_update(sfgp_context *context, const sfgp_markov_update *update,
                                         sfgp_markov_posterior *made);

#endif
