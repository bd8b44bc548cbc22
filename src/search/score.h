/* Score: what a fit counts, in nats. The search keeps the fit with the largest score:
 *
 *     score = evidence bound - BIC of the mixing weights - cost of the turn - misfit of the landmarks / 2
 *
 * The cost of a turn by an angle is turning (1 - cos angle): a symmetric shape is not turned by chance. */
#ifndef SFGP_SEARCH_SCORE_H
#define SFGP_SEARCH_SCORE_H

#include "em/em.h"

/* Minus infinity when the fit explains nothing: no labels, or next to nothing but outliers. With landmarks
 * the sums of the posterior are overwritten: the fit must go on, begin again or be restored.
 * SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_search_score(sfgp_em *em, double *score);
/* The same with the likelihood at the power 1 / T, times T: score - (T - 1) divergence. It compares priors (ADR 0026). */
sfgp_status sfgp_search_tempered_score(sfgp_em *em, double *score);
/* The score by which starts under one prior are compared: the tempered one under the stiff prior (ADR 0030). */
sfgp_status sfgp_search_score_start(sfgp_em *em, double *score);

/* Whether the scan of a curve holds the very vertices of the shape: its labels scatter by less than a tenth of a spacing of it. Else
 * it is sampled between them, or has noise. */
bool sfgp_search_sees_vertices(const sfgp_em *em);
/* Whether the labels of a curve scatter by more than 0.6 spacings of the reference: by noise, and not as they lie between its points. O(N). */
bool sfgp_search_is_noisy(const sfgp_em *em);
/* A fit of a curve under one of two priors. */
typedef struct sfgp_rated {
    double score, divergence;
} sfgp_rated;

/* Which of the two fits of a curve is kept: the stiff one if its tempered score is larger, if it is noisy by a margin. The labels of a sampled
 * curve err along it together: T is its number of points over `prior_labels`, at least 1; and
 * 1 if the scan holds the vertices. em has the fit under the prior as it is. O(N). ADR 0091. */
bool sfgp_search_prefers_stiff(const sfgp_em *em, const sfgp_rated *stiff, const sfgp_rated *as_is);

#endif
