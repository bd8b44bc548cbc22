/* Observed information: the variance of the posterior, including the uncertainty of the labels.
 *
 * The M-step treats the responsibilities as known, so its variance (posterior.h) is that of complete data and far
 * too small. Only the target is observed. Its information is that of complete data less the missing information
 * (Louis, J. R. Stat. Soc. B 44, 1982), minus the second derivative of the log posterior of the mixture:
 *
 *     H = I + sum_i B_i'((nu_i / v_i) I_d - C_i) B_i + sum_j g_j g_j' + B_l'W_l B_l,
 *     C_i = sum_j P_ij u_ij u_ij' / v_i^2,   u_ij = s_j - rbar_i,   g_j = sum_i P_ij B_i'u_ij / v_i,
 *     p_i = trace(B_i H^-1 B_i') / d.
 *
 * B_i (d x m) has the rows of point i. Landmarks (l) have known labels, so their information is complete. H is exact
 * for given v. A target point may count as less than one: both sums but that of the landmarks are multiplied by its
 * weight. At a maximum no eigenvalue is negative. The prior alone has eigenvalues 1; smaller ones are set to 1, so that 0 <= p_i <= prior variance everywhere. With c ~ N(0, C), I is C^-1 = QQ', and the eigenvalues are those of
 * Q \ H / Q'. */
#ifndef SFGP_GPR_INFORMATION_H
#define SFGP_GPR_INFORMATION_H

#include "gpr/posterior.h"
#include "gpr/score.h"

/* Sets variance (N) to p, in squared frame units. observed: of the posterior's basis, with soft responsibilities; the formula
 * does not hold for hard labels. weight: as how many a target point counts. Of posterior the prior and the landmarks are read.
 * A basis without columns leaves variance as it is. Same bits for any number of threads.
 *
 * Time O(entries of P m + N_S m^2 + N d m (m_s + m_p) + m^3), m = d m_s + m_p, once a fit. Memory 8 (m^2 +
 * 128 (m + m_p)) doubles, 16 bytes a target point and at most 48 MiB of entries of P; released on return.
 * SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC when H is not finite. */
sfgp_status sfgp_information_variance(sfgp_context *context, const sfgp_posterior *posterior,
                                      const sfgp_observed *observed, double weight, double *variance);

#endif
