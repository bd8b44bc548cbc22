/* Expected error: the mean distance of the fitted points from the true ones, by the stated deviations.
 *
 * Where the deviation of a point along each axis is normal with standard deviation s, its mean distance is s sqrt(pi / 2) in
 * the plane (Rayleigh) and s sqrt(8 / pi) in space (Maxwell). On the ears and families it is 1.1 to 2.1 times the
 * error (docs/accuracy.md). */
#ifndef SFGP_OUTCOME_EXPECTED_H
#define SFGP_OUTCOME_EXPECTED_H

#include "em/em.h"

/* Sets the expected errors of a result from its sd and its missing points. NaN: there is no such point. */
void sfgp_result_expect(sfgp_result *result);
/* Of all points of a fit that has ended, by its stated variance: a mean distance in radii. O(N). */
double sfgp_expected_error(const sfgp_em *em);

#endif
