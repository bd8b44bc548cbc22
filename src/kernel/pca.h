/* PCA kernel of registered shapes: K = X'X / (n - 1) with the centred shapes as rows of X (n x N d), the
 * sample covariance. It couples the axes, so its factor has N d rows. */
#ifndef SFGP_KERNEL_PCA_H
#define SFGP_KERNEL_PCA_H

#include "base/context.h"

typedef struct sfgp_pca {
    int64_t modes;
    double *mean;   /* N x d: mean shape */
    double *factor; /* N d x modes: B with BB' = K; orthogonal columns, largest variance first */
} sfgp_pca;

/* shapes: count x (N d), destroyed. Exact: the residual is 0. O(count^2 N d). Free with sfgp_pca_clear.
 * Errors: SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_pca_new(sfgp_context *context, int64_t count, int64_t size, double *shapes, sfgp_pca *pca);
void sfgp_pca_clear(sfgp_pca *pca);

#endif
