/* Strays and missing regions, learned while a fit goes on.
 *
 * The target is a mixture: a share w of strays, uniform over its bounding box, and a part from every
 * reference point with its mixing weight pi_i. After an E-step the bound is largest at w = 1 - sum_i nu_i /
 * N_S,      nu_i = sum_j P_ij, and at pi_i = nu_i / sum nu. Free weights, one a point, would follow the
 * noise; but what is missing is missing in regions, so pi_i follows the mean of nu over the neighbourhood of
 * point i. A region without labels gets small weights, stops to compete for the labels next to it, and is no
 * longer drawn there. */
#ifndef SFGP_FIT_STRAYS_H
#define SFGP_FIT_STRAYS_H

#include "fit/solver.h"

/* Neighbourhoods and weights of a method that searches; SFGP_ERROR_MEMORY. */
sfgp_status sfgp_strays_new(sfgp_solver *solver);
/* Share and weights of a start. */
void sfgp_strays_begin(sfgp_solver *solver, const sfgp_start *start);
/* Updates them from the labels. O(N size of a neighbourhood). */
void sfgp_strays_learn(sfgp_solver *solver);
/* Whether nearly all of the target became strays: a maximum, of a small target even the best, but no fit. */
bool sfgp_strays_all(const sfgp_solver *solver);
/* What the weights cost the bound (BIC): half a logarithm of N_S for every neighbourhood. */
double sfgp_strays_price(const sfgp_solver *solver);
/* Takes the label weight from the points that are missing, and counts them. A single nu_i says little: labels
 * of one point are easily those of its neighbour. A point is missing when it and the ring around it have less
 * than half of the mass that such a ring has where labels are, or half of one label a point where the target
 * is dense, as a scan that is dense in places is not missing elsewhere. O(N). */
void sfgp_strays_judge(sfgp_solver *solver);

#endif
