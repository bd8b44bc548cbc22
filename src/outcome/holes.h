/* Holes of the scan: which points of a finished fit the scan does not show (ADR 0082, 0091).
 *
 * What has no labels (missing.h) is missing while the fit is made. At its end its points are known as well as they will be, and the scan
 * itself tells more. A point of the fit is in a hole if the nearest target that is explained is farther than 1.75 spacings: a hole
 * is more than 3.5 spacings wide, and few gaps between points at random are. The ball around such a point that ends at its nearest target is
 * empty. A point of the fit is missing if it lies in the ball of the nearest such point, at least 0.25 spacings from its border. The others
 * are seen; one without a label gets the nearest target, with probability 0.
 *
 * A spacing is sqrt(area / targets), and on a surface more where the scan is sparse (ADR 0120): around a target each of 40 has an area of
 * pi r^2 / 8, with r the distance to its eighth neighbour, and the spacing there is the square root of the lower quartile. At the rim of a hole
 * neighbours lie on one side, so that some of the 40 have larger areas than the scan has there. If sqrt(area / targets) is less than 2 sigma, one target in so many is taken that it is not: of many points that
 * scatter, some lie deep in a hole.
 *
 * The spacing of a curve is the distance to the nearest other target that nine of ten explained ones have; a hole has a radius of three of
 * them, and half of one inside is seen: along a curve every eighth gap between points at random is wider than two spacings.
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
