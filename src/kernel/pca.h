/* PCA kernel of registered shapes: K = X'X / (n - 1) with the centred shapes as rows of X (n x N d), the
 * sample covariance. It couples the axes, so its factor has N d rows.
 *
 * What the shapes do not span: shape i is at the squared distance 1 / (G^+)_ii from all affine combinations of the others, G = XX' (of
 * w = G^+ e_i, X'w is orthogonal to the differences of the others, and has the product 1 with x_i less any of them). So a new shape of the kind will
 * be about as far from all of them. The mean of these over the shapes, divided by N d, is a variance of each number. */
#ifndef SFGP_KERNEL_PCA_H
#define SFGP_KERNEL_PCA_H

#include "base/context.h"

typedef struct sfgp_pca {
    int64_t modes;
    double *mean;     /* N x d: mean shape */
    double *factor;   /* N d x modes: B with BB' = K; orthogonal columns, largest variance first */
    double unspanned; /* that variance; 0: the others span each shape; negative: not known */
} sfgp_pca;

/* shapes: count x (N d), destroyed. Exact: the residual is 0. O(count^2 N d). Free with sfgp_pca_clear.
 * Errors: SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_pca_new(sfgp_context *context, int64_t count, int64_t size, double *shapes, sfgp_pca *pca);
void sfgp_pca_clear(sfgp_pca *pca);

#endif
