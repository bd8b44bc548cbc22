/* Which share of a scan is a surface that a fit does not reach: what is left over (left_over.h) `unreached_far` spacings away from it. There
 * the scan shows a part of the shape, and the fit has not bent far enough. ADR 0100. */
#ifndef SFGP_SEARCH_UNREACHED_H
#define SFGP_SEARCH_UNREACHED_H

#include "em/em.h"

/* Share of the target points in use. 0 where it is not asked: of a curve, where outliers may be other surfaces, and where the area of the scan
 * is not known. By the last E-step. Cost and errors of sfgp_left_over_find. */
sfgp_status sfgp_unreached_share(const sfgp_em *em, double *share);
/* Whether such a share is a part of the shape that the fit has missed, or something beside it: more than `unreached_least`. */
bool sfgp_unreached_is_large(const sfgp_em *em, double share);

#endif
