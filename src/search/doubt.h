/* Whether the scan lies too far from a converged fit of a surface (ADR 0038). Other doubts: rivals.h, outcome/overlap.h. */
#ifndef SFGP_SEARCH_DOUBT_H
#define SFGP_SEARCH_DOUBT_H

#include "em/em.h"

/* Whether it is asked: of a surface whose spacing was measured. spacing: of the points, radii; 0: it was not. */
bool sfgp_search_has_limit(const sfgp_em *em, double spacing);
/* sigma: how far the labels scatter, radii. False where it is not asked. */
bool sfgp_search_doubts(const sfgp_em *em, double sigma, double spacing);

#endif
