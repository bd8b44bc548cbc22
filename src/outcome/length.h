/* Whether the length of a long shape is a guess: the scan does not show one of its ends, and the fit is shortened towards that end.
 *
 * A shaft says where its surface lies, but hardly which point of it is which. So a fit may slide along it, and what
 * the scan does not show follows. With the middles a and b of the points that are seen and missing, in the fit, a' and b' in the reference
 * (RMS radius 1), and the size s of the fit (search/stretch.h),
 *
 *     far = |b' - a'|,    near = |b - a| / s,    shift = (far - near) times the share of the points that are missing.
 *
 * far is 1.73 for a rod of which one end is missing, wherever it is cut, 1.2 for half of a disc and 1 for half of a sphere. shift is how far
 * that moves the points in the mean. ADR 0118. */
#ifndef SFGP_OUTCOME_LENGTH_H
#define SFGP_OUTCOME_LENGTH_H

#include "em/em.h"

/* Of a fit that has ended. False where it is not asked: of curves, with training shapes, and with landmarks. Overwrites em->weights.
 * O(N log N). */
bool sfgp_length_is_doubtful(sfgp_em *em);

#endif
