/* Scores: what each target point says about the coefficients c of the prior, the gradient of the logarithm of
 * its density,
 *
 *     g_j = d/dc ln(stray + sum_i phi_ij) = sum_i (P_ij / v_i) B_i'(s_j - rbar_i).
 *
 * g_j is a sum along a row of P, which is held by its columns, so P is transposed, as many rows at a time as
 * some number of entries allows: memory does not grow with P. */
#ifndef SFGP_GPR_SCORE_H
#define SFGP_GPR_SCORE_H

#include "correspond/correspond.h"
#include "lowrank/basis.h"

#define SFGP_SCORE_BLOCK ((int64_t)128) /* target points at a time */

/* What the information is made of: the labels, and the state that they were found at. */
typedef struct sfgp_observed {
    const sfgp_basis *basis;
    const sfgp_responsibilities *r;
    const double *target, *points, *sigma2; /* N_S x d, rbar (N x d), v (N) */
} sfgp_observed;

/* Coefficients: m = d m_s + m_p (sfgp_basis_size). The scalar ones of axis a are a m_s .. (a + 1) m_s
 * - 1 here, those of the PCA modes are the last.
 *
 * sums (SFGP_LANES x m x m, lower) += a lane's share of sum_j g_j g_j'. buffers: SFGP_LANES x
 * SFGP_SCORE_BLOCK x m. most_entries: of P at a time, 12 bytes each; the longest row is the least. Same bits
 * for any number of threads. O(m entries + N_S m^2), and entries / most_entries readings of P's indices.
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_score_gram(sfgp_context *context, const sfgp_observed *observed, int64_t most_entries,
                            double *buffers, double *sums);

#endif
