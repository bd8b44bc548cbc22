/* Deformation: a fit as a map of space. With the posterior of the fit, A = LL' and coefficients c (gpr),
 *
 *     x -> T(mean(x) + B(x) c + residual(x)),   variance(x) = |L \ B(x)|^2 / d + left(x) + added(x)
 *
 * where mean, B and left are those of model/prior_at.h, and T is the pose of the fit, a rigid motion, which
 * leaves the variance as it is. What leaves the frame is `size` times as large as what came in (fit/size.h). residual is what the fit is at the points of the reference beyond mean + B c,
 * interpolated: rounding for cholesky factors, the gap of the extension for the others. So points of the
 * reference land on the fit, whatever the factor. extra is what the stated variance of the fit is beyond |L \
 * b_i|^2 / d, less than 0 where it is below that. added is extra less left at the points of the reference, interpolated: there the variance
 * is that of the fit, which does not know what the factor leaves out. Interpolation can go too far; so where added is below 0, the
 * variance is at least the least one of the points that it is interpolated from.
 *
 * A field along the surface in the sparse form (gpr/markov.h): B(x) is Z(x) in both, B(x) less what P^-1 W B, known at the points
 * of the reference, is there by the support of prior_at.h. extra is the variance given the columns, diag(P^-1), and residual is P^-1 W delta; the support
 * interpolates both, so that mean(x) + Z(x) c + residual(x) = mean(x) + B(x) c + w(x), and the variance is at least that of the field.
 *
 * Baselines: c is the posterior of a regression on the points they fitted, observed to 1e-3 RMS radii; what
 * it misses is in the residual, and extra is their own variance, interpolated. */
#ifndef SFGP_DEFORMATION_DEFORMATION_H
#define SFGP_DEFORMATION_DEFORMATION_H

#include "em/em.h"
#include "geom/similarity.h"
#include "model/prior_at.h"

struct sfgp_deformation {
    const sfgp_model *model;
    sfgp_model *owned; /* the model when it was read from a file; else NULL */
    sfgp_outcome outcome;
    /* T, in the frame; the identity for baselines and without overlap. With the setting mirror a reflection is part of it. */
    sfgp_similarity pose;
    sfgp_frame frame;       /* what the fit leaves: that of the model, at its size */
    double size;            /* times that of the reference */
    double *points;         /* N x d: the fit, unit of the files */
    sfgp_basis basis;       /* the model's, with the axis across of the fit; its arrays are the model's */
    double *block;          /* normal_size of that, or more: L and c */
    double *extra_variance; /* N: squared frame units */
    double *added;          /* N: extra variance less left there; made by _finish from the others */
    double *stated;         /* N: variance of the fit, squared frame units; made by _finish from the others */
    double *residual;       /* N x d, frame; made by _finish from the others */
    sfgp_basis eliminated;  /* P^-1 W B: its rows in the layout of the basis; without a field it has none */
    double *weights;        /* N: W of that P; none without a field */
    sfgp_prior_at prior;
};

/* Arrays for this model, zero; block: the prior's (L = I, c = 0); pose: the identity. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_deformation_new(sfgp_context *context, const sfgp_model *model, sfgp_deformation **made);
/* Of the fit; 1 in a new one. */
void sfgp_deformation_set_size(sfgp_deformation *made, double size);
/* After points, block, extra_variance, pose and size are set. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_deformation_finish(sfgp_context *context, sfgp_deformation *made);
/* The map of a result of this model. em: the workspace that fitted it; NULL: a baseline did. O(N m^2).
 * SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_deformation_from_result(sfgp_context *context, const sfgp_model *model, sfgp_em *em,
                                         const sfgp_result *result, sfgp_deformation **deformation);

#endif
