/* Stated variance of a fit that has ended: that of the observed information H of labels with variance T sigma2, times a factor for the amplitude
 * of the fit, and what the prior cannot express,
 *
 *     p_i = a A p_i(observed information) + c sigma2 (1 + g h_i) + v_i / sqrt(1 + v_i / f^2) + (k h_i s)^2,   v_i = l u (1 + g h_i),
 *
 *     A    bend^2 / E bend^2: how far the fit bends, over what its prior expects (em/amplitude.h). Faces differ less from each other than
 *          ears do, and labels slide less on them
 *     a    how many labels of neighbours err as one
 *     T    a fit of a surface ends with labels of two variances (em/anisotropic.h), often before it rests. For one sigma2 it is no
 *          maximum, and H has negative eigenvalues, which mean nothing, with T = 2; hardly any with T = 4 (ADR 0110)
 *     u    variance that the training shapes do not span (kernel/pca.h). It is large where there are few of them. Then the scan and the other
 *          terms of the prior tell most of it, which f = 0.05 radii stands for (ADR 0075)
 *     h_i  how many target spacings s point i is away from the nearest point that is not missing. In a hole nothing holds what no column
 *          of B expresses: g, k
 *
 * a, T, c, l, f, g, k are rows of search/tuning.h. Surfaces have a = 16, T = 4, c = 1.5, g = 0.5 without training shapes (a = 4 under the
 * loose prior, which expects ten times the variance: ADR 0100), and a = 4, T = 1, l = 2, g = 1 with them. Curves have a A = 1, except under
 * the stiff prior; without training shapes k = 0.4, as sigma2 is 0 for exact data. T of a sampled curve is N / 10 (ADR 0091), and the variance between its fits under
 * two priors is added to that of the information (search/curve.h).
 * Calibrated on the ears and the families so that 95 % regions hold 0.90 to 0.99 of the truth (ADR 0067), curves on fish (ADR 0013) and
 * outlines. In a warm fit the information is that of the smallest level. There c sigma2 (1 + g h_i)
 * is c sigma sigma_level + c sigma2 g h_i (ADR 0015). */
#ifndef SFGP_OUTCOME_UNCERTAINTY_H
#define SFGP_OUTCOME_UNCERTAINTY_H

#include "em/em.h"

/* After the last step of a fit that learns: responsibilities at the points as they are now, missing points,
 * and the variance above. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_outcome_finish(sfgp_em *em);

#endif
