/* Amplitude: how far a fit bends, against how far its prior expects shapes to bend.
 *
 * The strength of a prior is the same for all shapes, but faces differ less from each other than ears do. The bend of a fit
 * (sfgp_em_bend) tells of which kind its shape is. With x = mean + B c, c ~ N(0, I), the prior expects
 *
 *     E bend^2 = (tr BB' - sum_k |B't_k|^2 / |t_k|^2) / (N rho^2),
 *
 * to first order: t_k are the 7 (in 2D 4) directions of translation, rotation and scale about the centroid of the mean, orthogonal to
 * each other as the rotations are those about its principal axes, and rho is its RMS radius. ADR 0067. */
#ifndef SFGP_EM_AMPLITUDE_H
#define SFGP_EM_AMPLITUDE_H

#include "em/em.h"

/* E bend^2 of the prior. tangent: N x d, overwritten. O(N m). SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC of a mean that is not finite. */
sfgp_status sfgp_amplitude_expected(sfgp_context *context, const sfgp_basis *basis, double *tangent,
                                    double *square);
/* bend^2 of the fit / E bend^2, at least 0.01; 1 where the prior bends nothing. E bend^2 is that of the prior as it is, also of a fit under the
 * stiff or the loose one.
 * Overwrites em->deltas. The same cost and errors. */
sfgp_status sfgp_amplitude_of_fit(sfgp_em *em, double *ratio);

#endif
