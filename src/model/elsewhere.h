/* The prior at points off the reference, in blocks: a block of points becomes a small model (prior_mean,
 * scalar, pca) that the functions of gpr take as they take the whole one.
 *
 *     scalar part   the rows of the factor's extension (lowrank/extension.h): the kernel itself off the points
 *     PCA part      known at the reference only: modes and mean displacement are interpolated
 *                   (geom/interpolate.h)
 *
 * At a point of the reference the rows are those of the reference. left is the prior variance that this
 * leaves out: of the kernel k(x, x) - |b(x)|^2; of the modes the kriging variance, scaled by what the modes
 * vary with in the neighbourhood. */
#ifndef SFGP_MODEL_ELSEWHERE_H
#define SFGP_MODEL_ELSEWHERE_H

#include "geom/interpolate.h"
#include "lowrank/extension.h"
#include "model/model.h"

#define SFGP_ELSEWHERE_BLOCK 64 /* most points of a block */

typedef struct sfgp_elsewhere {
    const sfgp_model *model;
    sfgp_extension extension;
    sfgp_interpolator nearby;
} sfgp_elsewhere;

/* The model must outlive it. O(N log N), without pivots O(N m^2). SFGP_ERROR_MEMORY. Clear also after an
 * error; do not move it. */
sfgp_status sfgp_elsewhere_new(sfgp_context *context, const sfgp_model *model, sfgp_elsewhere *elsewhere);
void sfgp_elsewhere_clear(sfgp_elsewhere *elsewhere);

/* Room for one block, reused for any number of them; one a thread. */
typedef struct sfgp_elsewhere_rows {
    sfgp_model part;            /* count points: prior_mean in the frame, scalar, pca */
    double *left;               /* BLOCK */
    sfgp_neighbourhood *nearby; /* BLOCK */
    double *buffer;             /* of the extension and of the modes */
    int32_t *index;             /* N: scratch of the interpolator */
    double *distance2;          /* N */
} sfgp_elsewhere_rows;

/* SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_elsewhere_rows_new(sfgp_context *context, const sfgp_elsewhere *elsewhere,
                                    sfgp_elsewhere_rows *rows);
void sfgp_elsewhere_rows_clear(sfgp_elsewhere_rows *rows);

/* Fills rows for n <= BLOCK points (n x d, in the frame). O(n (q^2 + 16 p d)). */
void sfgp_elsewhere_fill(const sfgp_elsewhere *elsewhere, int64_t n, const double *points,
                         sfgp_elsewhere_rows *rows);

#endif
