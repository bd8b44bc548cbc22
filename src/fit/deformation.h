/* Deformation: a fit as a map of space. With the posterior of the fit, A = LL' and coefficients c (gpr),
 *
 *     x -> T(prior mean(x) + B(x) c + rest(x)),  variance(x) = |L \ B(x)|^2 / d + left(x) + spread(x)
 *
 * where prior mean, B and left are those of model/elsewhere.h, and T is the pose of the fit, a rigid motion
 * (geom/pose.h), which leaves the variance as it is. rest is what the fit is at the points of the
 * reference beyond that, interpolated: rounding for cholesky factors, the gap of the extension for the
 * others. So points of the reference land on the fit, whatever the factor.
 *
 * Baselines: c is the posterior of a regression on the points they fitted, observed to 1e-3 RMS radii; what
 * it misses is in rest, and spread is their own variance, interpolated. */
#ifndef SFGP_FIT_DEFORMATION_H
#define SFGP_FIT_DEFORMATION_H

#include "fit/solver.h"
#include "geom/pose.h"
#include "model/elsewhere.h"

struct sfgp_deformation {
    const sfgp_model *model;
    sfgp_model *owned; /* the model when it was read from a file, else NULL */
    sfgp_outcome outcome;
    sfgp_pose pose; /* T, in the frame; the identity for baselines and without overlap */
    double *points; /* N x d: the fit, unit of the files */
    double *block;  /* normal_size: L and c */
    double *spread; /* N: squared frame units, 0 unless a baseline's */
    double *rest;   /* N x d, frame; made by _finish from the others */
    sfgp_elsewhere elsewhere;
};

/* Arrays for this model, zero; block: the prior's (L = I, c = 0); pose: the identity. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_deformation_new(sfgp_context *context, const sfgp_model *model, sfgp_deformation **made);
/* After points, block, spread and pose are set. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_deformation_finish(sfgp_context *context, sfgp_deformation *made);

#endif
