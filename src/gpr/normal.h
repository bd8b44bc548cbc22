/* Normal equations of the posterior: the sums, the block Cholesky solve, and the prediction, each over a
 * range of reference points, so that posterior.c can run them in lanes. Formulas in posterior.h. */
#ifndef SFGP_GPR_NORMAL_H
#define SFGP_GPR_NORMAL_H

#include "gpr/posterior.h"

int64_t sfgp_normal_size(const sfgp_model *model);
int64_t sfgp_normal_buffer_size(const sfgp_model *model);
/* The parts of one block of normal_size doubles. */
sfgp_normal sfgp_normal_parts(const sfgp_model *model, double *block);

/* Zeroes block and adds the observed points of first .. end - 1. buffer: normal_buffer_size doubles. */
void sfgp_normal_accumulate(const sfgp_model *model, const double *weights, const double *labels,
                            int64_t first, int64_t end, double *block, double *buffer);
/* Sums to factors and coefficients, in place. SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_normal_solve(sfgp_context *context, const sfgp_model *model, double *block);
/* ln det A of a solved block. */
double sfgp_normal_log_determinant(const sfgp_model *model, double *block);
/* Mean and variance of points first .. end - 1 into the rows of mean (N x d) and variance (N; NULL: not
 * wanted). */
void sfgp_normal_predict(const sfgp_model *model, double *block, int64_t first, int64_t end, double *buffer,
                         double *mean, double *variance);

#endif
