/* Normal equations of the posterior: the sums, the block Cholesky solve, and the prediction, each over a
 * range of reference points, so that posterior.c can run them in lanes. Formulas in posterior.h. */
#ifndef SFGP_GPR_NORMAL_H
#define SFGP_GPR_NORMAL_H

#include "gpr/posterior.h"

#define SFGP_NORMAL_BLOCK 128 /* points at a time: the rows of a block stay in the second-level cache */

int64_t sfgp_normal_size(const sfgp_basis *basis);
int64_t sfgp_normal_buffer_size(const sfgp_basis *basis);
/* The parts of one block of normal_size doubles. */
sfgp_normal sfgp_normal_parts(const sfgp_basis *basis, double *block);
/* L_s of an axis. */
static inline double *sfgp_normal_of(const sfgp_basis *basis, const sfgp_normal *normal, int64_t axis)
{
    return axis == basis->across - 1 ? normal->across : normal->scalar;
}
/* B_s'W B_s becomes A_s; also that of the axis with a prior of its own, if there is one. prior: of the scalar coefficients, NULL for N(0, I). */
void sfgp_normal_add_prior(const sfgp_basis *basis, const sfgp_prior *prior, const sfgp_normal *sum);

/* A solved block of a prior without the last scalar columns as one of the whole prior: those columns have coefficients of 0
 * and next to no variance, as in the fit. */
void sfgp_normal_widen(const sfgp_basis *fewer, const double *block, const sfgp_basis *whole, double *wide);

/* Zeroes block and adds the observed points of first .. end - 1. buffer: normal_buffer_size doubles. */
void sfgp_normal_accumulate(const sfgp_basis *basis, const double *weights, const double *labels,
                            int64_t first, int64_t end, double *block, double *buffer);
/* Sums to factors and coefficients, in place. prior: of the scalar coefficients, NULL for N(0, I).
 * SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_normal_solve(sfgp_context *context, const sfgp_basis *basis, const sfgp_prior *prior,
                              double *block);
/* Another right-hand side in a solved block becomes coefficients. */
void sfgp_normal_solve_again(const sfgp_basis *basis, double *block);
/* ln det A of a solved block. */
double sfgp_normal_log_determinant(const sfgp_basis *basis, double *block);
/* Mean and variance of points first .. end - 1 into the rows of mean (N x d) and variance (N; NULL: not
 * wanted). */
void sfgp_normal_predict(const sfgp_basis *basis, double *block, int64_t first, int64_t end, double *buffer,
                         double *mean, double *variance);

/* The same in single precision (normal_single.c): sums without a right-hand side, and the variance. buffer:
 * normal_single_size floats. factors: those of a solved block, converted by sfgp_normal_narrow. */
int64_t sfgp_normal_single_size(const sfgp_basis *basis);
void sfgp_normal_accumulate_single(const sfgp_basis *basis, const double *weights, int64_t first, int64_t end,
                                   double *block, float *buffer);
void sfgp_normal_narrow(const sfgp_basis *basis, double *block, float *factors);
void sfgp_normal_predict_single(const sfgp_basis *basis, const float *factors, int64_t first, int64_t end,
                                float *buffer, double *variance);

#endif
