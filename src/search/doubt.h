/* Whether the scan lies too far from a converged fit of a surface (ADR 0038). Other doubts: rivals.h, outcome/overlap.h. */
#ifndef SFGP_SEARCH_DOUBT_H
#define SFGP_SEARCH_DOUBT_H

#include "em/em.h"

/* sigma: how far the labels scatter; spacing: of the points, 0 where it was not measured. Both in radii. False for curves. */
bool sfgp_search_doubts(const sfgp_em *em, double sigma, double spacing);

#endif
