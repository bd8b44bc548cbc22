/* Holes of the scan: which points of a finished fit the scan does not show (ADR 0082, 0091).
 *
 * While the fit is made, points without labels are missing (missing.h). At its end the points are known as well as they will be, and the
 * scan itself tells more. A point of the fit is the centre of a hole if its distance r to the nearest target that is explained is more
 * than 1.75 spacings: a hole is more than 3.5 spacings wide, and few gaps between points at random are. The ball of radius r around a centre
 * has no target in it. A point is missing if it lies in the ball of the nearest centre, at least 0.25 spacings from its border. The other
 * points are seen; one of them without a label gets the nearest target, with probability 0.
 *
 * The spacing is sqrt(area / targets). On a surface it is larger where the scan is sparse (ADR 0120). There each of the 40 targets around a
 * target has an area of pi q^2 / 8, with q the distance to its eighth neighbour, and the spacing is the square root of the lower quartile of
 * the 40: at the rim of a hole neighbours lie on one side, so that some of these areas are too large. If sqrt(area / targets) is less than
 * 2 sigma, only one target in k is looked at, with the smallest k for which sqrt(k area / targets) is not: of many points that scatter, some
 * lie deep in a hole.
 *
 * Along a curve nine of ten explained targets have another one within a spacing. A hole has a radius of at least three spacings, and points
 * within half of a spacing from its border are seen: every eighth gap between points at random is wider than two spacings.
 *
 * Curves whose scan holds the vertices (search/curve.h), thin scans and surfaces without an area keep what labels say. */
#ifndef SFGP_OUTCOME_HOLES_H
#define SFGP_OUTCOME_HOLES_H

#include "em/em.h"

/* Sets the label weight of missing points to 0 and their best target to -1, gives the others a target, and counts. After
 * sfgp_missing_classify and all that asks which points have labels. Overwrites em->weights, deltas and density. O(N log M).
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_holes_classify(sfgp_em *em);

#endif
