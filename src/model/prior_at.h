/* The prior at points off the reference, in blocks: the rows of the basis there.
 *
 *     in space            the rows of the factor's extension (lowrank/extension.h): the kernel itself
 *     along the surface   those of the nearest point of the surface, between the corners of its triangle, on which the field
 *                         is linear: off the surface it is constant along the normals. Without triangles they are
 *                         interpolated between the nearest points, as modes are
 *     PCA part            known at the reference only: modes and mean displacement are interpolated
 *
 * A field in the sparse form has no columns: the support says between which points its values are interpolated.
 *
 * At a point of the reference the rows are those of the reference. `left` is the prior variance that the rows
 * leave out: of the kernel in space k(x, x) - |b(x)|^2; along the surface what the mean of the corners' rows has less
 * than they have; of the modes the kriging variance, scaled by what the modes
 * vary with in the neighbourhood. */
#ifndef SFGP_MODEL_PRIOR_AT_H
#define SFGP_MODEL_PRIOR_AT_H

#include "geom/interpolate.h"
#include "geom/surface.h"
#include "lowrank/extension.h"
#include "model/model.h"

#define SFGP_PRIOR_AT_BLOCK 64 /* most points of a block */

typedef struct sfgp_prior_at {
    const sfgp_model *model;
    sfgp_extension extension;
    sfgp_interpolator nearby;
    sfgp_mesh mesh;        /* the model's reference and faces */
    sfgp_surface *surface; /* its triangles, where something is along the surface; else NULL */
} sfgp_prior_at;

/* Points of the reference and their weights at a point x: the corners of the nearest triangle, a point that is nearer, or, without triangles, the
 * neighbourhood. What is along the surface is their mean there. */
typedef struct sfgp_prior_support {
    int count;
    int64_t index[SFGP_NEIGHBOURS];
    double weight[SFGP_NEIGHBOURS];
} sfgp_prior_support;

/* The model must outlive it. O(N log N), without pivots O(N m^2). SFGP_ERROR_MEMORY. Clear also after an
 * error; do not move it. */
sfgp_status sfgp_prior_at_new(sfgp_context *context, const sfgp_model *model, sfgp_prior_at *prior);
void sfgp_prior_at_clear(sfgp_prior_at *prior);

/* Room for one block, reused for any number of them; one a thread. */
typedef struct sfgp_prior_rows {
    sfgp_basis basis;           /* its rows; room for BLOCK points */
    double *space;              /* BLOCK x columns in space, where others stand beside them; else NULL */
    double *left;               /* BLOCK */
    sfgp_neighbourhood *nearby; /* BLOCK */
    sfgp_prior_support *along;  /* BLOCK, where something is along the surface; else NULL */
    double *buffer;             /* of the extension and of the modes */
    int32_t *index;             /* N: scratch of the interpolator */
    double *distance2;          /* N */
} sfgp_prior_rows;

/* SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_prior_rows_new(sfgp_context *context, const sfgp_prior_at *prior, sfgp_prior_rows *rows);
void sfgp_prior_rows_clear(sfgp_prior_rows *rows);

/* Fills rows for n <= BLOCK points (n x d, in the frame). O(n (q^2 + 16 p d)). */
void sfgp_prior_at_fill(const sfgp_prior_at *prior, int64_t n, const double *points, sfgp_prior_rows *rows);

#endif
