/* Whether what a fit leaves of a scan lies over the inside of the shape, or beyond its border.
 *
 * Other surfaces beside a shape mostly continue it: the cheek beside an ear, the arm behind a hand. They are nearest to the border of the
 * reference. What is left over (left_over.h) nearest to its inside is something that lies on the shape, or a part of the shape itself that
 * the fit has missed. Let c be the centre of the 20 points of the reference that are nearest to its point r_i, and s their root mean
 * square distance from c. Point i is inside if
 *
 *     |c - r_i| < `inside_border` s.
 *
 * On a plane that is 0 away from a border, and 0.6 at a straight one, as in em/rim.h. ADR 0125. */
#ifndef SFGP_SEARCH_INSIDE_H
#define SFGP_SEARCH_INSIDE_H

#include "em/em.h"

/* Share of what is left over `inside_far` spacings away from the fit; 0: nothing is. By the last E-step. Cost and errors of
 * sfgp_left_over_find. */
sfgp_status sfgp_inside_share(const sfgp_em *em, double *share);

#endif
