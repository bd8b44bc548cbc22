/* Stated variance of a fit that has ended: that of the observed information at labels T sigma2, for the amplitude of the fit, and what the
 * prior cannot express,
 *
 *     p_i = a A p_i(observed information) + c sigma2 (1 + g h_i) + v_i / sqrt(1 + v_i / f^2) + (k h_i s)^2,   v_i = l u (1 + g h_i),
 *
 * A = bend^2 / E bend^2: how far the fit bends, against what its prior expects (em/amplitude.h). Faces differ less from each other than ears
 * do, and labels slide less on them. a says how many labels of neighbours err as one. A surface ends with labels of two variances
 * (em/anisotropic.h), often before it rests, and is no maximum for one sigma2. There H has negative eigenvalues, which stand for nothing, with
 * T = 2; with T = 4 hardly any (ADR 0110).
 * u: variance that the training shapes do not span (kernel/pca.h). Where they are few it is large, and the scan and the other terms of the prior
 * tell most of it: f = 0.05 radii (ADR 0075). h_i: how many target spacings s point i is away from the next point that
 * is not missing. What no column of B expresses goes on into a hole without anything that holds it.
 *
 * a, T, c, l, f, g, k are rows of search/tuning.h: a = 16, T = 4, c = 1.5, g = 0.5 for surfaces without training shapes (under the
 * loose prior, which expects ten times the variance, a = 4: ADR 0100), a = 4, T = 1, l = 2, g = 1
 * with them; curves have a A = 1 but under the stiff prior, and k where exact data have sigma2 = 0; T is N / 10 if they are sampled (ADR 0091),
 * and the variance between its fits under two priors is added to the information (search/curve.h).
 * Calibrated on the ears and the families so that 95 % regions hold 0.90 to 0.99 of the truth (ADR 0067), curves on fish (ADR 0013) and
 * outlines. In a warm fit the information is that of the smallest level, and the first c
 * sigma2 is c sigma sigma_level (ADR 0015). */
#ifndef SFGP_OUTCOME_UNCERTAINTY_H
#define SFGP_OUTCOME_UNCERTAINTY_H

#include "em/em.h"

/* After the last step of a fit that learns: responsibilities at the points as they are now, missing points,
 * and the variance above. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_outcome_finish(sfgp_em *em);

#endif
