/* Which share of a scan is a surface that a fit does not reach.
 *
 * Outliers are scattered. Where many of them lie as densely as a surface, the scan shows a part of the shape, and the fit has not bent far
 * enough to reach it. With a the distance between the points of the coarser one of both shapes (sfgp_em_spacing), a target point is counted if
 *
 *     sum_i P_ij <= 0.5                                          no point of the fit explains it,
 *     no point of the fit is nearer than `unreached_far` a,
 *     `unreached_count` other such target points are nearer than `unreached_near` a.
 *
 * ADR 0100. */
#ifndef SFGP_SEARCH_UNREACHED_H
#define SFGP_SEARCH_UNREACHED_H

#include "em/em.h"

/* Share of the target points in use; 0 where it is not asked: of curves, where outliers may be other surfaces, without areas. By the last
 * E-step. O(N log N). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_unreached_share(const sfgp_em *em, double *share);

#endif
