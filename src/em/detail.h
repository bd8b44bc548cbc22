/* Detail: what the columns of the prior cannot follow. Their length scales are a large part of the shape. So after the fit the labels of
 * neighbouring points lie on the same side of its surface. The fit then gets a field along the surface
 * (kernel/surface.h, smoothness 1) on each axis,
 *
 *     x_i <- x_i + u_i,   u ~ N(0, Q^-1),   n_i n_i'(label_i - x_i) = u_i + e_i,   e_i ~ N(0, v / nu_i),
 *
 * with the posterior mean u (gpr/field.h). Only the distance along the normal counts: where a label lies along the surface says
 * little (anisotropic.h). A missing point has no label, and its field returns to 0 within a length.
 *
 * The stated variance p stands for all errors of the fit, those of variance V as well. So V is not added to it. It becomes
 *
 *     p_i <- p_i exp(0.8 min(r, 1 - r) (sqrt(L_0 / L) - 0.9)),   r = V / mean p < 1,   L_0: the shortest length, 1.5 spacings.
 *
 * A field with a length of many spacings is known from many labels: the error that it explains is gone. A short length says that each
 * point errs by itself, and most of p stays. Where V is as large as p or larger, p was too small, and stays as it is. ADR 0077.
 *
 * A dense shape has the field at M of its N points (geom/coarse_surface.h). The label of one of these is the mean of those of the
 * points of its cell, with the sum of their weights, and the field is carried to all points. ADR 0081.
 *
 * A landmark is a label of 0 at the point nearest to it: the fit has it where it belongs.
 *
 * Variance V and length L of the field, and v, are learned from distances along the normals. Each target point belongs to the nearest
 * point of the fit, with its distance from it. Distances of two target points have independent noise, so that those of neighbouring
 * points give V and L (geom/covariogram.h), and v = (mean square distance) - V. The nearest target point of each point of the fit
 * would not do instead: where noise is larger than the spacing, the nearest point is nearer than most, and at a gap of the scan the nearest
 * points of neighbours lie on the same side (ADR 0084). Without a significant V there is no field. ADR 0052. */
#ifndef SFGP_EM_DETAIL_H
#define SFGP_EM_DETAIL_H

#include "em/em.h"
#include "geom/coarse_surface.h"

typedef struct sfgp_em_detail {
    double variance; /* V, squared radii; 0: there is no field */
    double length;   /* L, radii */
    double noise;    /* v, squared radii */
} sfgp_em_detail;

/* After the end of a fit of a surface, whose responsibilities are those of its points. reference: in the frame; coarse: of its
 * points, which is connected here. Moves em->state.points and scales em->state.variance; nothing
 * else changes. O(N log M), and with a field O(M) an iteration of its solver. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_em_detail_add(sfgp_em *em, const sfgp_mesh *reference, sfgp_coarse_surface *coarse,
                               sfgp_em_detail *detail);

#endif
