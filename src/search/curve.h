/* Curves: how the labels of a fit scatter, and which of two priors it is kept under (ADR 0091). Surfaces: whole.h. */
#ifndef SFGP_SEARCH_CURVE_H
#define SFGP_SEARCH_CURVE_H

#include "em/em.h"

/* Whether the scan of a curve holds the very vertices of the shape: its labels scatter by less than a tenth of a spacing of it. Else
 * it is sampled between them, or has noise. */
bool sfgp_curve_shows_vertices(const sfgp_em *em);
/* Whether the labels of a curve scatter by more than 0.6 spacings of the reference: by noise, and not as they lie between its points. O(N). */
bool sfgp_curve_is_noisy(const sfgp_em *em);
/* Neither of both: its labels err along the curve. O(N). */
bool sfgp_curve_is_sampled(const sfgp_em *em);
/* T = N / `information_points`: so many labels of a sampled curve count as one in what they say of a fit. */
double sfgp_curve_temper(const sfgp_em *em);

/* ---- two priors ---------------------------------------------------------------------------------------- */

/* A fit of a curve under one of two priors. */
typedef struct sfgp_curve_fit {
    double score, divergence;
} sfgp_curve_fit;

/* By how many nats the stiff prior is the better one of a curve: its tempered score is larger by so much, of a noisy one by a margin. The labels of
 * a sampled curve err along it together: T is its number of points over `prior_labels`, at least 1; and 1 if the scan holds the vertices.
 * The stiff prior may be worse by (T - 1) `stiff_margin`, as the prior as it is follows errors that many labels share.
 * em has the fit under the prior as it is. O(N). ADR 0091, 0093. */
double sfgp_curve_gain_of_stiff(const sfgp_em *em, const sfgp_curve_fit *stiff, const sfgp_curve_fit *as_is);
/* Bayesian model averaging (Hoeting et al., Statist. Sci. 14, 1999): the variance of a mixture of two models has a part between them. Of a sampled
 * curve that is fitted under the prior as it is, em->between = w |x_i - y_i|^2 / d, x the points of em, y those of `stiff`, w = 1 / (1 + exp(-gain / T))
 * the probability of the stiff prior, T = sfgp_curve_temper. Of others none. O(N). SFGP_ERROR_MEMORY. ADR 0093. */
sfgp_status sfgp_curve_set_between(sfgp_em *em, const sfgp_em_state *stiff, double gain);

#endif
