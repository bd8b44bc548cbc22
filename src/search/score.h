/* Score: what a fit counts, in nats. The search keeps the fit with the largest score:
 *
 *     score = evidence bound - BIC of the mixing weights - cost of the turn - misfit of the landmarks / 2
 *
 * The cost of a turn by an angle is turning (1 - cos angle): a symmetric shape is not turned by chance. */
#ifndef SFGP_SEARCH_SCORE_H
#define SFGP_SEARCH_SCORE_H

#include "em/em.h"

/* Minus infinity when the fit explains nothing: no labels, or next to nothing but outliers. Changes nothing of the
 * fit. SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_search_score(sfgp_em *em, double *score);
/* The same with the likelihood at the power 1 / T, times T: score - (T - 1) divergence. It compares priors (ADR 0026). */
sfgp_status sfgp_search_tempered_score(sfgp_em *em, double *score);
/* The score by which starts under one prior are compared: the tempered one under the stiff prior (ADR 0030). */
sfgp_status sfgp_search_score_start(sfgp_em *em, double *score);

#endif
