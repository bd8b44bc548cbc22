/* Curves: how the labels of a fit scatter, and under which of two priors it is kept (ADR 0091). Surfaces: whole.h. */
#ifndef SFGP_SEARCH_CURVE_H
#define SFGP_SEARCH_CURVE_H

#include "em/em.h"

/* Whether the points of the scan are the vertices of the shape: its labels scatter by less than a tenth of its spacing. Otherwise
 * they lie between the vertices, or have noise. */
bool sfgp_curve_shows_vertices(const sfgp_em *em);
/* Whether the labels of a curve scatter by more than 0.6 spacings of the reference. That is noise: points between the vertices scatter
 * less. O(N). */
bool sfgp_curve_is_noisy(const sfgp_em *em);
/* Whether a curve has neither its vertices nor noise. Then its labels err along the curve. O(N). */
bool sfgp_curve_is_sampled(const sfgp_em *em);
/* T = N / `information_points`: T labels of a sampled curve count as one in the information. */
double sfgp_curve_temper(const sfgp_em *em);

/* ---- two priors ---------------------------------------------------------------------------------------- */

/* A fit of a curve under one of two priors. */
typedef struct sfgp_curve_fit {
    double score, divergence;
} sfgp_curve_fit;

/* By how many nats the stiff prior is the better one of a curve. With the tempered scores s = score - (T - 1) divergence (score.h) this is
 *
 *     s_stiff - s_as_is + (T - 1) `stiff_margin`,  of a noisy curve less `prior_margin`.
 *
 * The labels of a sampled curve err along it together: T = N / `prior_labels`, at least 1; T = 1 if the scan holds the vertices.
 * `stiff_margin`: the prior as it is follows errors that many labels share. em has the fit under that prior. O(N). ADR 0091, 0093. */
double sfgp_curve_gain_of_stiff(const sfgp_em *em, const sfgp_curve_fit *stiff, const sfgp_curve_fit *as_is);
/* Bayesian model averaging (Hoeting et al., Statist. Sci. 14, 1999): the variance of a mixture of two models has a part between them. For a sampled
 * curve that is fitted under the prior as it is, em->between = w |x_i - y_i|^2 / d, x the points of em, y those of `stiff`, w = 1 / (1 + exp(-gain / T))
 * the probability of the stiff prior, T = sfgp_curve_temper. For other curves it is not set. O(N). SFGP_ERROR_MEMORY. ADR 0093. */
sfgp_status sfgp_curve_set_between(sfgp_em *em, const sfgp_em_state *stiff, double gain);

#endif
