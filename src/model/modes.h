/* Principal components of a prior: B B' = U diag(lambda) U' over all N d coordinates.
 *
 * B has few columns, so the eigenvectors V of B'B (columns x columns) are computed: lambda are its
 * eigenvalues, and B v_k = sqrt(lambda_k) u_k. Without PCA modes B = B_scalar (x) I_d, and every mode of
 * B_scalar appears d times, once for each axis. Modes below 1e-10 of the first are rounding errors and are
 * dropped. */
#ifndef SFGP_MODEL_MODES_H
#define SFGP_MODEL_MODES_H

#include "model/model.h"

typedef struct sfgp_modes {
    int64_t count, size; /* size: columns of B, laid out as in lowrank/basis.h */
    double *variance;    /* count: lambda in squared frame units, descending */
    double *vectors;     /* count x size: rows v_k of length 1 */
} sfgp_modes;

/* O(N d size^2 + size^3). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_modes_new(sfgp_context *context, const sfgp_model *model, sfgp_modes *modes);
/* U, N d x count, row-major: orthonormal columns. O(N d size count). sfgp_free. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_modes_basis(sfgp_context *context, const sfgp_model *model, const sfgp_modes *modes,
                             double **basis);
void sfgp_modes_clear(sfgp_modes *modes);

#endif
