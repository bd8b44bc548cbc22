/* Whether the scan lies too far from a converged fit of a surface (ADR 0038). Other doubts: rivals.h, outcome/overlap.h. */
#ifndef SFGP_SEARCH_DOUBT_H
#define SFGP_SEARCH_DOUBT_H

#include "em/em.h"

/* Whether that is asked: of a surface whose spacing was measured. spacing: of the points, radii; 0: it was not. */
bool sfgp_doubt_is_asked(const sfgp_em *em, double spacing);
/* Whether sigma, how far the labels scatter in radii, is more than `doubtful_sigma` spacings. False where that is not asked. */
bool sfgp_doubt_is_far(const sfgp_em *em, double sigma, double spacing);

#endif
