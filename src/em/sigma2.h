/* Registration variance sigma2, per axis, after an M-step. With rbar the points after it, r those of the E-step, and t = rbar - r,
 *
 *     sum_j P_ij |s_j - rbar_i|^2 = sum_j P_ij |s_j - r_i|^2 - 2 t_i'sum_j P_ij (s_j - r_i) + nu_i |t_i|^2
 *
 * follows from the sums of the E-step (sfgp_responsibilities_spread). The updates are
 *
 *     each     sigma2_i = (sum_j P_ij |s_j - rbar_i|^2) / (d nu_i) + p_i          paper, Proposition 3
 *     shared   sigma2 = sum_i (sum_j P_ij |s_j - rbar_i|^2 / d + nu_i p_i) / sum_i nu_i     BCPD
 *     annealed the same, within limits, and with training shapes it falls slowly  ADR 0013
 *     fixed    as it is                                                           closest point */
#ifndef SFGP_EM_SIGMA2_H
#define SFGP_EM_SIGMA2_H

#include "em/em.h"

void sfgp_sigma2_update_each(sfgp_em *em);
void sfgp_sigma2_update_shared(sfgp_em *em);
void sfgp_sigma2_update_annealed(sfgp_em *em);
void sfgp_sigma2_keep(sfgp_em *em);

#endif
