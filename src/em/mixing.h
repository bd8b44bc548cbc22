/* Mixing weights and outlier weight, learned while a fit goes on.
 *
 * The target is a mixture: a share omega of outliers, uniform over its bounding box, and a part from every
 * reference point with its mixing weight pi_i. After an E-step the bound is largest at
 *
 *     omega = 1 - sum_i nu_i / N_S,   pi_i = nu_i / sum nu,   nu_i = sum_j P_ij.
 *
 * Free weights, one a point, would follow the noise. But what is missing is missing in regions, so pi_i
 * follows the mean of nu over the neighbourhood of point i. A region without labels gets small weights, stops
 * to compete for the labels next to it, and is no longer drawn there. ADR 0013.
 *
 * Of a scan that shows more than the shape a share u is clutter (problem->clutter). Then omega is at least u, and a limit l of omega
 * becomes u + (1 - u) l. ADR 0035. */
#ifndef SFGP_EM_MIXING_H
#define SFGP_EM_MIXING_H

#include "em/em.h"

/* Neighbourhoods of the mean shape. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_mixing_regions(sfgp_context *context, const sfgp_em_problem *problem, sfgp_regions *regions);
/* Updates omega and the pi_i from the responsibilities. O(N size of a neighbourhood). */
void sfgp_mixing_learn(sfgp_em *em);
/* density_i = mean of nu over the `size` points or cells nearest to point i, itself included. */
void sfgp_mixing_smooth(sfgp_em *em, int size);
/* Whether nearly all of the target became outliers. That is a maximum of the bound, of a small target even the largest one, but no
 * fit. */
bool sfgp_mixing_all_outliers(const sfgp_em *em);
/* What learned mixing weights cost (BIC): half a logarithm of N_S for every neighbourhood. */
double sfgp_mixing_bic(const sfgp_em *em);

#endif
