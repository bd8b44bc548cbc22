/* Scores: the gradient of the logarithm of the density at each target point, by the coefficients of the prior,
 *
 *     g_j = d/dc ln(c + sum_i phi_ij) = sum_i (P_ij / v_i) B_i'(s_j - rbar_i).
 *
 * where c is the term of outliers (correspond.h). g_j is a sum along a row of P, but P is stored by columns. So P is
 * transposed, a limited number of entries at a time: memory does not grow with P. */
#ifndef SFGP_GPR_SCORE_H
#define SFGP_GPR_SCORE_H

#include "correspond/correspond.h"
#include "lowrank/basis.h"

#define SFGP_SCORE_BLOCK ((int64_t)128) /* target points at a time */

/* The responsibilities, and the state that they were computed at. */
typedef struct sfgp_observed {
    const sfgp_basis *basis;
    const sfgp_responsibilities *r;
    const double *target; /* N_S x d */
    const double *points; /* N x d: rbar */
    const double *sigma2; /* N: v */
} sfgp_observed;

/* Coefficients: m = d m_s + m_p (sfgp_basis_size). Here those of the scalar factor for axis a are
 * a m_s .. (a + 1) m_s - 1, and those of the PCA modes are the last.
 *
 * sums (SFGP_LANES x m x m, lower) += a lane's share of sum_j g_j g_j'. buffers: SFGP_LANES x
 * SFGP_SCORE_BLOCK x m. most_entries: number of entries of P that are transposed at a time, 12 bytes each; at least one
 * row. Same bits for any number of threads. O(m entries + N_S m^2), and P is read entries / most_entries times.
 * SFGP_ERROR_MEMORY. */
sfgp_status sfgp_score_gram(sfgp_context *context, const sfgp_observed *observed, int64_t most_entries,
                            double *buffers, double *sums);

#endif
